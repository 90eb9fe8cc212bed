package control_test

import (
	"encoding/pem"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/socialfeed/conform/internal/testkit"
	"github.com/socialfeed/conform/refserver/control"
)

// catchCopies has the page's clipboard keep what is copied where the test reads it.
const catchCopies = `Object.defineProperty(navigator, "clipboard", {value: {writeText: async (text) => { window.caught = text; }}}); "done"`

// opened is a tab that has logged in to a page of the console.
func opened(t *testing.T, p *plane, path string, options ...chromedp.ExecAllocatorOption) *tab {
	t.Helper()
	tab := &tab{t, testkit.Tab(t, options...)}
	tab.do(chromedp.Navigate(p.url+"/login#token="+controlToken), chromedp.WaitVisible(chromedp.CSS("#connect")))
	if path != "" {
		tab.do(chromedp.Navigate(p.url+path), chromedp.WaitVisible(chromedp.CSS("main")))
	}
	text(tab, chromedp.Evaluate[string](catchCopies))
	return tab
}

// TestJournalRowsOpen opens a row by the keyboard, and runs the command that it copies; filters; and clears.
func TestJournalRowsOpen(t *testing.T) {
	testkit.Needs(t, "curl", "sh")
	x := start(t, control.Options{})
	p := x.plane()
	ada, _ := x.actor(appToken, "ada")
	tab := opened(t, p, "")
	tab.do(chromedp.WaitVisible(chromedp.CSS("#entries button")))
	x.send(appToken, ada, "POST", "/0.2/user/events", object{"verb": "it's $(here)"})
	x.send(appToken, ada, "GET", "/0.2/users/nobody", nil)
	tab.do(chromedp.WaitVisible(chromedp.CSS("#entries tr.refused")))

	text(tab, chromedp.Evaluate[string](`[...document.querySelectorAll("#entries tr")].find((row) => row.textContent.includes("events")).querySelector("button").focus(); ""`))
	tab.do(chromedp.KeyEvent("\r"), chromedp.WaitVisible(chromedp.CSS("tr.details")))
	shown := text(tab, chromedp.Text(chromedp.CSS("tr.details")))
	for _, part := range []string{"Request headers", "User-Agent: test/1", "Request body", "it's $(here)", "Answer, status 201", "created_at"} {
		if !strings.Contains(shown, part) {
			t.Errorf("an opened row lacks %q:\n%s", part, shown)
		}
	}
	if strings.Contains(shown, ada) || strings.Contains(shown, appToken) {
		t.Errorf("an opened row shows a token:\n%s", shown)
	}
	tab.do(chromedp.Click(chromedp.CSS("tr.details button")))
	command := text(tab, chromedp.Evaluate[string]("window.caught"))
	file := filepath.Join(t.TempDir(), "ca.pem")
	if err := os.WriteFile(file, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: x.ca.Raw}), 0o600); err != nil {
		t.Fatal(err)
	}
	shell := exec.CommandContext(t.Context(), "sh", "-c", command)
	shell.Env = append(os.Environ(), "REFSERVER_URL="+x.url, "REFSERVER_APP_TOKEN="+appToken, "SESSION_TOKEN="+ada, "REFSERVER_CA_FILE="+file)
	if out, err := shell.Output(); err != nil || !strings.Contains(string(out), `"verb":"it's $(here)"`) {
		t.Errorf("%s: %v\n%s", command, err, out)
	}

	tab.do(chromedp.SendKeys(chromedp.CSS("#filter"), "404 nobody"))
	if said := text(tab, chromedp.Text(chromedp.CSS("#filtered"))); !strings.HasPrefix(said, "1 of ") {
		t.Errorf("the filter says %q", said)
	}
	tab.submit(`form[action$="/clear"] button`)
	if rows := text(tab, chromedp.Evaluate[string](`String(document.getElementById("entries").rows.length)`)); rows != "0" {
		t.Errorf("after clearing there are %s rows", rows)
	}
}

// TestBuildersWriteWhatTheServerTakes makes a rule of weather, a choice and a fault from lists, and resets the world.
func TestBuildersWriteWhatTheServerTakes(t *testing.T) {
	x := start(t, control.Options{})
	x.actor(appToken, "ada")
	tab := opened(t, x.plane(), "")
	script := `const set = (name, value) => { const field = document.querySelector("[name=" + name + "]"); field.value = value; field.dispatchEvent(new Event("change")); };
		for (const option of document.querySelectorAll("#rule [name=kind] option")) {
			option.selected = true; option.parentElement.dispatchEvent(new Event("change"));
			document.querySelector("#rule [name=on]").value = "21"; document.querySelector("#rule [name=user]").value = "ada";
			document.querySelector("#rule [name=when]").value = "nth"; document.querySelector("#rule [name=number]").value = "3";
			document.querySelector("#rule button").click();
		}
		document.querySelector("[name=rules]").value`
	rules := text(tab, chromedp.Evaluate[string](script))
	want := "delay=2s,on=21,user=ada,nth=3\n500,on=21,user=ada,nth=3\ncut=20,on=21,user=ada,nth=3\nhtml=502,on=21,user=ada,nth=3\nreset,on=21,user=ada,nth=3\nhang,on=21,user=ada,nth=3\n"
	if rules != want {
		t.Errorf("the builder wrote\n%s\nwant\n%s", rules, want)
	}
	tab.submit(`form[action$="/weather"] button`)

	tab.do(chromedp.Focus(chromedp.CSS("#fault input")), chromedp.WaitReady(chromedp.CSS("#faults option")))
	tab.do(chromedp.SendKeys(chromedp.CSS("#fault input"), "users-create-answers-200"))
	if says := text(tab, chromedp.Text(chromedp.CSS("#breaks"))); !strings.Contains(says, "users.create") {
		t.Errorf("the fault is explained by %q", says)
	}
	tab.do(chromedp.Click(chromedp.CSS("#fault button")))
	if says := text(tab, chromedp.Evaluate[string](`const made = document.querySelector("#choice select"); made.value = "unique-emails"; made.dispatchEvent(new Event("change")); document.getElementById("choice-meaning").textContent`)); !strings.Contains(says, "same email is 409") {
		t.Errorf("the choice unique-emails is explained by %q", says)
	}
	text(tab, chromedp.Evaluate[string](`document.querySelector("#choice select").value = "lag"; document.querySelector("#choice input").value = "10s"; document.querySelector("#choice button").click(); ""`))
	tab.submit(`form[action$="/settings"] > button`)
	page := text(tab, chromedp.Text(chromedp.CSS("main")))
	if !strings.Contains(page, "fault users-create-answers-200") || strings.Contains(page, "no choice") {
		t.Errorf("after setting a fault and a choice:\n%.600s", page)
	}
	if visible := text(tab, chromedp.Evaluate[string](`String(document.querySelector("form[action$='/reset'] button").checkVisibility())`)); visible != "false" {
		t.Error("reset does not ask")
	}
	tab.do(chromedp.Click(chromedp.CSS("#now ~ details summary")), chromedp.WaitVisible(chromedp.CSS(`form[action$="/reset"] button`)))
	tab.submit(`form[action$="/reset"] button`)
	if page := text(tab, chromedp.Text(chromedp.CSS("main"))); !strings.Contains(page, "begins anew") {
		t.Errorf("after the reset:\n%.300s", page)
	}
}

// TestUsersAreMadeAndActedFor creates a user on the page, logs in as it, and ends its sessions.
func TestUsersAreMadeAndActedFor(t *testing.T) {
	x := start(t, control.Options{})
	b := x.plane().browser()
	b.post("/login", "token", controlToken)
	if a := b.post("/worlds/default/users", "user_name", "ada", "password", "p", "email", "ada@example.com"); !strings.Contains(a.text, "The user was created.") {
		t.Fatalf("%d %.500s", a.status, a.text)
	}
	if a := b.post("/worlds/default/users", "user_name", ""); a.status != 400 || !strings.Contains(a.text, "The user was not created: status 422") {
		t.Errorf("without a name: %d %.500s", a.status, a.text)
	}
	page := b.post("/worlds/default/users/20001/login").text
	match := regexp.MustCompile(`data-copy="([A-Z0-9]+)"`).FindStringSubmatch(page)
	if match == nil {
		t.Fatalf("there is no token on the page:\n%s", page)
	}
	if a := x.send(appToken, match[1], "GET", "/0.2/user", nil); a.status != 200 || !strings.Contains(a.text, `"ada"`) {
		t.Errorf("as ada: %d %s", a.status, a.text)
	}
	other := regexp.MustCompile(`data-copy="([A-Z0-9]+)"`).FindStringSubmatch(b.post("/worlds/default/users/20001/login").text)[1]
	for _, unknown := range []string{"unknown", strings.Repeat("0", 64), strings.Repeat("0", 66)} {
		if a := b.post("/worlds/default/users/20001/logout", "session", unknown); a.status/100 != 4 || !strings.Contains(a.text, "session") {
			t.Errorf("ending session %s: %d %.500s", unknown, a.status, a.text)
		}
	}
	page = b.get("/worlds/default/users/20001").text
	listed := regexp.MustCompile(`name="session" value="([0-9a-f]+)"><button aria-label="End session (session:ada#[0-9]+)`).FindAllStringSubmatch(page, -1)
	if len(listed) != 2 || listed[0][2] != "session:ada#1" || listed[1][2] != "session:ada#2" || strings.Contains(page, other) {
		t.Fatalf("the page lists %q", listed)
	}
	b.post("/worlds/default/users/20001/logout", "session", listed[1][1])
	for token, want := range map[string]int{other: 401, match[1]: 200} {
		if a := x.send(appToken, token, "GET", "/0.2/user", nil); a.status != want {
			t.Errorf("after ending one session: %d, want %d", a.status, want)
		}
	}
	if page := b.post("/worlds/default/users/20001/logout").text; !strings.Contains(page, "No session is open") || strings.Contains(page, match[1]) {
		t.Errorf("after ending the sessions:\n%s", page)
	}
	if a := x.send(appToken, match[1], "GET", "/0.2/user", nil); a.status != 401 {
		t.Errorf("after ending the sessions: %d", a.status)
	}
	for _, action := range []string{"login", "logout"} {
		if a := b.post("/worlds/default/users/1/" + action); a.status != 404 {
			t.Errorf("%s of nobody: %d", action, a.status)
		}
	}
}

// TestSessionsEndFromTheList ends one of two sessions in a browser by the keyboard, on a narrow screen.
func TestSessionsEndFromTheList(t *testing.T) {
	x := start(t, control.Options{})
	ada, id := x.actor(appToken, "ada")
	again, _ := x.send(appToken, "", "POST", "/0.2/user/login", object{"user_name": "ada", "password": "hush-password"}).object()["session_token"].(string)
	tab := opened(t, x.plane(), "/worlds/default/users/"+id)
	tab.do(chromedp.EmulateViewport(390, 1400), chromedp.WaitVisible(chromedp.CSS("#open")))
	if wide := text(tab, chromedp.Evaluate[string]("String(document.documentElement.scrollWidth)")); wide != "390" {
		t.Errorf("the page is %s wide", wide)
	}
	tab.do(chromedp.Focus(chromedp.CSS("#open tr:last-child button")), chromedp.KeyEvent("\r"), chromedp.WaitVisible(chromedp.CSS("p.done")))
	if left := text(tab, chromedp.Text(chromedp.CSS("#open tbody"))); !strings.Contains(left, "session:ada#1") || strings.Contains(left, "session:ada#2") {
		t.Errorf("the list shows %q", left)
	}
	tab.picture("console-sessions-narrow.png")
	for token, want := range map[string]int{ada: 200, again: 401} {
		if a := x.send(appToken, token, "GET", "/0.2/user", nil); a.status != want {
			t.Errorf("after ending one session: %d, want %d", a.status, want)
		}
	}
}

// TestUserPageShowsItsNeighbourhood draws the user and those connected to it, and nobody else.
func TestUserPageShowsItsNeighbourhood(t *testing.T) {
	x := start(t, control.Options{})
	b := x.plane().browser()
	b.post("/login", "token", controlToken)
	b.post("/worlds/default/seed", "seed", "users:\n  - {user_name: ada, follows: [grace]}\n  - {user_name: grace, follows: [eve]}\n  - {user_name: bob, follows: [ada]}\n  - {user_name: eve}")
	_, graph, _ := strings.Cut(b.get("/worlds/default/users/20001").text, "<svg")
	graph, _, _ = strings.Cut(graph, "</svg>")
	if strings.Count(graph, "<circle") != 3 || strings.Count(graph, "<line") != 2 || strings.Contains(graph, "eve") {
		t.Errorf("the neighbourhood of ada is\n%s", graph)
	}
}

// TestConsoleFitsAndIsReadable looks at the pages at 390 pixels, in light and in dark: nothing is wider than the screen,
// texts have the contrast that WCAG AA asks for, and what can be used has a name.
func TestConsoleFitsAndIsReadable(t *testing.T) {
	x := start(t, control.Options{First: control.Settings{Seed: "demo:users=30,events=60,rand=7"}})
	p := x.plane()
	b := p.browser()
	b.post("/login", "token", controlToken)
	b.post("/worlds/default/users/20001/login")
	b.post("/worlds/default/users/20001/login")
	for scheme, number := range map[string]int{"dark": 0, "light": 1} {
		tab := opened(t, p, "", chromedp.Flag("blink-settings", fmt.Sprintf("preferredColorScheme=%d", number)))
		for _, path := range []string{"/worlds/default", "/worlds/default/users/20001"} {
			tab.do(chromedp.EmulateViewport(390, 1400), chromedp.Navigate(p.url+path), chromedp.WaitVisible(chromedp.CSS("main")))
			x.send(appToken, "", "GET", "/0.2/user/feed", nil)
			if path == "/worlds/default" {
				tab.do(chromedp.WaitVisible(chromedp.CSS("#entries tr.refused button")), chromedp.Click(chromedp.CSS("#entries button")))
			}
			if got := text(tab, chromedp.Evaluate[string](faultsOfPage)); got != "" {
				t.Errorf("%s in %s:\n%s", path, scheme, got)
			}
			if dark := text(tab, chromedp.Evaluate[string](`matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light"`)); dark != scheme {
				t.Errorf("the page is %s, not %s", dark, scheme)
			}
		}
		tab.picture("console-narrow-" + scheme + ".png")
	}
}

// faultsOfPage lists what is too wide, too pale, or nameless on a page.
const faultsOfPage = `(() => {
	document.querySelectorAll("details").forEach((d) => { d.open = true; });
	const faults = [];
	if (document.documentElement.scrollWidth > innerWidth) faults.push("the page is " + document.documentElement.scrollWidth + " wide");
	const context = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
	const over = (colors) => { context.clearRect(0, 0, 1, 1); for (const color of colors) { context.fillStyle = color; context.fillRect(0, 0, 1, 1); } return context.getImageData(0, 0, 1, 1).data; };
	const luminance = ([r, g, b]) => [r, g, b].map((c) => c / 255).map((c) => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4).reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
	const dark = matchMedia("(prefers-color-scheme: dark)").matches;
	for (const e of document.querySelectorAll("body *")) {
		const own = [...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim()) || e.matches("input, select, textarea");
		if (!own || !e.checkVisibility() || e.disabled || e.matches("option, .unseen")) continue;
		const behind = [];
		for (let at = e; at; at = at.parentElement) behind.unshift(getComputedStyle(at).backgroundColor);
		behind.unshift(dark ? "rgb(18,18,18)" : "white");
		const [style, svg] = [getComputedStyle(e), e.namespaceURI.endsWith("svg")];
		const [back, front] = [luminance(over(behind)), luminance(over([...behind, svg ? style.fill : style.color]))];
		const ratio = (Math.max(back, front) + 0.05) / (Math.min(back, front) + 0.05);
		if (ratio < 4.5) faults.push("contrast " + ratio.toFixed(2) + ": " + e.tagName + " " + e.className + " " + e.textContent.trim().slice(0, 40));
	}
	for (const e of document.querySelectorAll("button, input, select, textarea, a")) {
		if (e.checkVisibility() && !(e.ariaLabel || e.textContent.trim() || (e.labels && e.labels.length && e.labels[0].textContent.trim()))) faults.push("without a name: " + e.outerHTML.slice(0, 100));
	}
	return [...new Set(faults)].slice(0, 20).join("\n");
})()`
