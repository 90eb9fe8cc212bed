package control_test

import (
	"encoding/pem"
	"html"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/socialfeed/conform/internal/testkit"
	"github.com/socialfeed/conform/refserver/control"
)

// connectable is a rig whose clients find its authority in a file, under a path that is no plain word of a shell.
func connectable(t *testing.T) (*rig, *plane, string) {
	t.Helper()
	x := start(t, control.Options{})
	file := filepath.Join(t.TempDir(), "it's $(here) \"<b>.pem")
	if err := os.WriteFile(file, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: x.ca.Raw}), 0o600); err != nil {
		t.Fatal(err)
	}
	return x, x.planeWith(file), file
}

// copied are the texts that the buttons of the default world's page copy.
func copied(p *plane) (page string, texts []string) {
	b := p.browser()
	b.post("/login", "token", controlToken)
	page = b.get("/worlds/default").text
	for _, match := range regexp.MustCompile(`data-copy="([^"]*)"`).FindAllStringSubmatch(page, -1) {
		texts = append(texts, html.UnescapeString(match[1]))
	}
	return page, texts
}

// programs are what the panel has beside the variables.
func programs() []string { return []string{"sh", "go", "node", "python3", "java"} }

func TestConnectPanelHasWhatClientsNeed(t *testing.T) {
	t.Parallel()
	x, p, file := connectable(t)
	x.actor(appToken, "ada") // from now on the token is known as a secret
	page, texts := copied(p)
	if len(texts) != 4+len(programs()) || !slices.Equal(texts[:3], []string{x.url, appToken, file}) {
		t.Fatalf("the buttons copy %q", texts)
	}
	if shown := regexp.MustCompile(`="[^"]*"`).ReplaceAllString(page, ""); strings.Contains(shown, appToken) || strings.Contains(page, "<b>") {
		t.Errorf("the page shows the token, or runs a path:\n%s", page)
	}
	for _, program := range texts[4:] {
		if !strings.Contains(page, `<code class="fixed">`+html.EscapeString(program[:20])) || strings.Contains(program, appToken) {
			t.Errorf("a program is not shown, or holds the token:\n%s", program)
		}
	}
}

// TestConnectProgramsRun pastes the variables into a shell, and runs the programs there.
func TestConnectProgramsRun(t *testing.T) {
	t.Parallel()
	_, p, _ := connectable(t)
	_, texts := copied(p)
	files := map[string]string{"go": "client.go", "node": "client.mjs", "python3": "client.py", "java": "Client.java", "sh": "client.sh"}
	for i, program := range programs() {
		t.Run(program, func(t *testing.T) {
			testkit.Needs(t, program)
			if program == "sh" {
				testkit.Needs(t, "curl")
			}
			dir := t.TempDir()
			if err := os.WriteFile(filepath.Join(dir, files[program]), []byte(texts[4+i]), 0o600); err != nil {
				t.Fatal(err)
			}
			run := program + " " + files[program]
			if program == "go" {
				run = "go run " + files[program]
			}
			command := exec.CommandContext(t.Context(), "sh", "-c", texts[3]+run)
			command.Dir = dir
			if out, err := command.CombinedOutput(); err != nil || !strings.Contains(string(out), "session_token") {
				t.Errorf("%v:\n%s", err, out)
			}
		})
	}
}

// TestConnectPanelInABrowser copies by the keyboard, on a narrow screen.
func TestConnectPanelInABrowser(t *testing.T) {
	_, p, _ := connectable(t)
	tab := &tab{t, testkit.Tab(t)} // after the plane, so that its stream ends before the plane does
	// What is copied is read where a page may not: from the call itself.
	const caught = `Object.defineProperty(navigator, "clipboard", {value: {writeText: async (text) => { window.caught = text; }}}); "done"`
	tab.do(chromedp.EmulateViewport(390, 1400), chromedp.Navigate(p.url+"/login#token="+controlToken), chromedp.WaitVisible(chromedp.CSS("#connect")))
	text(tab, chromedp.Evaluate[string](caught))
	const press = `document.querySelector('button[aria-label="Copy the app token"]').focus(); document.activeElement.ariaLabel`
	if focused := text(tab, chromedp.Evaluate[string](press)); focused != "Copy the app token" {
		t.Errorf("the focus is on %q", focused)
	}
	tab.do(chromedp.KeyEvent("\r"), chromedp.WaitVisible(chromedp.CSS("#copied:not(:empty)")))
	if got := text(tab, chromedp.Evaluate[string](`window.caught + "; " + document.getElementById("copied").textContent`)); got != appToken+"; Copied: the app token" {
		t.Errorf("copied, and said: %q", got)
	}
	open := `document.querySelectorAll("details").forEach((d) => { d.open = true; }); String(document.documentElement.scrollWidth)`
	if width := text(tab, chromedp.Evaluate[string](open)); width != "390" {
		t.Errorf("the page is %s wide on a screen of 390", width)
	}
	tab.picture("console-connect.png")
}
