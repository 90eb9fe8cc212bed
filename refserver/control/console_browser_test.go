package control_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/socialfeed/conform/internal/testkit"
	"github.com/socialfeed/conform/refserver/control"
)

// TestConsoleInABrowser logs in by the link that is printed at the start, sees a
// request come, and follows a node of the graph. CONSOLE_SCREENSHOTS names a
// folder to keep pictures in.
func TestConsoleInABrowser(t *testing.T) {
	ctx := testkit.Tab(t, chromedp.WindowSize(1100, 1400))
	x := start(t, control.Options{First: control.Settings{Seed: "demo:users=12,events=60,rand=7", Weather: []string{"429,on=21,after=5"}}})
	p := x.plane()
	ada, _ := x.actor(appToken, "ada")

	tab := &tab{t, ctx}
	tab.do(chromedp.Navigate(p.url+"/login#token="+controlToken), chromedp.WaitVisible(chromedp.CSS("#entries tr")))
	if address := text(tab, chromedp.Location()); address != p.url+"/worlds/default" {
		t.Errorf("after the login the address is %s", address)
	}
	if first := text(tab, chromedp.Text(chromedp.CSS("#entries tr:first-child"))); !strings.Contains(first, "POST /0.2/users") {
		t.Errorf("the journal shows %q", first)
	}
	if nodes := text(tab, chromedp.Evaluate[string]("String(document.querySelectorAll('svg.graph circle').length)")); nodes != "13" {
		t.Errorf("the graph has %s nodes", nodes)
	}
	x.send(appToken, ada, "GET", "/0.2/users/nobody", nil)
	tab.do(chromedp.WaitVisible(chromedp.CSS("#entries tr.refused")))
	if latest := text(tab, chromedp.Text(chromedp.CSS("#entries tr.refused"))); !strings.Contains(latest, "session:ada#1") || !strings.Contains(latest, "not found") {
		t.Errorf("the journal shows %q", latest)
	}
	tab.picture("console-world.png")
	tab.do(chromedp.Click(chromedp.CSS("svg.graph a")), chromedp.WaitVisible(chromedp.CSS("td.why")))
	tab.do(chromedp.Click(chromedp.CSS(`form[action$="/login"] button`)), chromedp.WaitVisible(chromedp.CSS("#open")))
	if why := text(tab, chromedp.Text(chromedp.CSS("td.why"))); !strings.Contains(why, "since") {
		t.Errorf("why an event is in the feed: %q", why)
	}
	tab.picture("console-user.png")
}

// tab is a page of the browser.
type tab struct {
	t   *testing.T
	ctx context.Context
}

func (b *tab) do(steps ...chromedp.Action[chromedp.Void]) {
	b.t.Helper()
	if err := chromedp.Do(b.ctx, steps...); err != nil {
		b.t.Fatal(err)
	}
}

// submit clicks a button that sends a form, and waits for the page that comes of it: what an earlier one said
// is taken out first.
func (b *tab) submit(button string) {
	b.t.Helper()
	text(b, chromedp.Evaluate[string](`document.querySelectorAll("p.done, p.error").forEach(said => said.remove()); ""`))
	b.do(chromedp.Click(chromedp.CSS(button)), chromedp.WaitVisible(chromedp.CSS("p.done, p.error")))
}

func text(b *tab, read chromedp.Action[string]) string {
	b.t.Helper()
	got, err := chromedp.Run(b.ctx, read)
	if err != nil {
		b.t.Fatal(err)
	}
	return got
}

// picture keeps a picture of the page where somebody wants one.
func (b *tab) picture(name string) {
	b.t.Helper()
	folder := os.Getenv("CONSOLE_SCREENSHOTS")
	if folder == "" {
		return
	}
	picture, err := chromedp.Run(b.ctx, chromedp.FullScreenshot(100))
	if err == nil {
		err = os.WriteFile(filepath.Join(folder, name), picture, 0o644)
	}
	if err != nil {
		b.t.Error(err)
	}
}
