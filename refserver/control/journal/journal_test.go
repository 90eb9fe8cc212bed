package journal_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/socialfeed/conform/internal/redact"
	"github.com/socialfeed/conform/refserver/control/journal"
)

func entry(t *testing.T, target, request, answer string) *journal.Entry {
	t.Helper()
	r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, target, nil)
	r.SetBasicAuth("hush-app", "hush-session")
	r.Header.Set("X-Api-Token", "hush-header")
	r.Header.Set("User-Agent", "me \x1b[31m hush-session")
	e := &journal.Entry{World: "default", Method: r.Method, App: "app:1", Session: "session:ada#1", Status: 200}
	body := func(text string) journal.Body { return journal.Body{Kept: []byte(text), Size: int64(len(text))} }
	app, session, _ := r.BasicAuth()
	var labels journal.Labels
	labels.Learn("another", "ada", "")
	labels.Learn("hush-new", "ada", "")
	e.Record(r, journal.Tokens{App: app, Session: session}, journal.NewSecrets(redact.New()), &labels, body(request), body(answer))
	return e
}

func TestNoSecretIsShown(t *testing.T) {
	e := entry(t, "/0.2/hush-app?password=hush-query&q=hush-session",
		`{"password":"hush-word","metadata":{"note":"with hush-session inside"},"nested":[{"new_password":"hush"}],"n":9007199254740993}`,
		`{"session_token":"hush-new","id":"1"}`)
	shown, err := json.Marshal(e.View())
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{string(shown), e.Line()} {
		if strings.Contains(text, "hush") || strings.Contains(text, "\x1b") {
			t.Errorf("shown: %s", text)
		}
	}
	for _, wanted := range []string{`"session_token":"session:ada#2"`, `9007199254740993`, `Basic app:1 session:ada#1`, `with [session:ada#1] inside`} {
		if !strings.Contains(string(shown), wanted) {
			t.Errorf("%s is not in %s", wanted, shown)
		}
	}
	for name, odd := range map[string]*journal.Entry{
		"half a body":           entry(t, "/", `{"password":"hush`, ""),
		"an object":             entry(t, "/", `{"password":{"old":"hush","all":[{"text":"hush"}]},"session_token":["hush"]}`, ""),
		"a semicolon":           entry(t, "/0.2/user?password=hush;q=a", "", ""),
		"escapes of no meaning": entry(t, "/0.2/user?q=a&%zpassword=hush", "", ""),
	} {
		shown, err := json.Marshal(odd.View())
		if err != nil || strings.Contains(string(shown)+odd.Line(), "hush") {
			t.Errorf("%s: %s (%v)", name, shown, err)
		}
	}
}

func TestJournalIsBounded(t *testing.T) {
	j := journal.New()
	for range journal.MaxEntries + 10 {
		j.Add(entry(t, "/", "", ""))
	}
	kept, dropped := j.Entries(journal.Filter{})
	if len(kept) != journal.MaxEntries || dropped != 10 || kept[0].Seq != 11 {
		t.Errorf("%d kept from %d, %d dropped", len(kept), kept[0].Seq, dropped)
	}
	if since, _ := j.Entries(journal.Filter{World: "default", Since: kept[0].Seq + 5}); len(since) != journal.MaxEntries-6 {
		t.Errorf("%d since", len(since))
	}
	large := strings.Repeat("x", journal.MaxBody)
	for range journal.MaxEntries {
		j.Add(entry(t, "/", large, large))
	}
	if kept, _ := j.Entries(journal.Filter{}); len(kept)*2*journal.MaxBody > journal.MaxBytes || len(kept) < 200 {
		t.Errorf("%d large entries are kept", len(kept))
	}
	j.Clear("")
	if kept, _ := j.Entries(journal.Filter{}); len(kept) != 0 {
		t.Errorf("%d are left", len(kept))
	}
}

func TestWatchersAreTold(t *testing.T) {
	j := journal.New()
	w, _ := j.Watch()
	j.Add(entry(t, "/", "", ""))
	if e := <-w.Entries(); e.Seq != 1 {
		t.Errorf("entry %d", e.Seq)
	}
	for range 1000 { // nobody reads: nobody waits
		j.Add(entry(t, "/", "", ""))
	}
	w.Close()
}

func TestLabels(t *testing.T) {
	var labels journal.Labels
	for i, want := range []string{"session:ada#1", "session:ada#2", "session:user-7#1"} {
		name := []string{"ada", "ada", "\x1b[2J"}[i]
		if got := labels.Learn(fmt.Sprint("token", i), name, "user-7"); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
	if got := labels.Learn("token0", "renamed", "user-1"); got != "session:ada#1" {
		t.Errorf("a token that is known: %s", got)
	}
	if text, user := labels.Find("token1"); text != "session:ada#2" || user != "ada" {
		t.Errorf("%s of %s", text, user)
	}
	if text, _ := labels.Find("never"); text != journal.Unknown {
		t.Errorf("%s", text)
	}
}

// TestEntriesAreEncodedOnceForAllReaders: two readers get the same bytes, not only equal ones.
func TestEntriesAreEncodedOnceForAllReaders(t *testing.T) {
	e := entry(t, "/versions", "", "")
	first, err := e.JSON()
	if err != nil || len(first) == 0 {
		t.Fatal(err)
	}
	if second, _ := e.JSON(); &first[0] != &second[0] {
		t.Error("the second reader encodes the entry anew")
	}
}

func TestReadersAreBounded(t *testing.T) {
	j := journal.New()
	for range journal.MaxWatchers {
		w, ok := j.Watch()
		if !ok {
			t.Fatal("a reader is refused too early")
		}
		defer w.Close()
	}
	if _, ok := j.Watch(); ok {
		t.Error("there is no bound")
	}
}

// TestForgottenSecretsAreLearnedAgain repeats a request after so many others that its secret was forgotten.
func TestForgottenSecretsAreLearnedAgain(t *testing.T) {
	known := redact.New()
	secrets := journal.NewSecrets(known)
	var labels journal.Labels
	record := func(target string) *journal.Entry {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, target, nil)
		e := &journal.Entry{World: "default", Method: r.Method, Status: 200}
		e.Record(r, journal.Tokens{}, secrets, &labels, journal.Body{}, journal.Body{})
		return e
	}
	const names, quotes = "/0.2/user?password=hush0123456789", "/0.2/user?q=hush0123456789"
	record(names)
	if line := record(quotes).Line(); strings.Contains(line, "hush") {
		t.Errorf("shown: %s", line)
	}
	for n := 0; known.Version().Forgotten == 0; n++ {
		known.Learn(fmt.Sprintf("%01000d", n), "other")
	}
	record(names)
	if line := record(quotes).Line(); strings.Contains(line, "hush") {
		t.Errorf("shown once it was forgotten: %s", line)
	}
}

// TestLinesHideWhatIsLearnedLater reads a line before and after another request tells of its secret.
func TestLinesHideWhatIsLearnedLater(t *testing.T) {
	secrets := journal.NewSecrets(redact.New())
	var labels journal.Labels
	record := func(target string) *journal.Entry {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, target, nil)
		e := &journal.Entry{World: "default", Method: r.Method, Status: 200}
		e.Record(r, journal.Tokens{}, secrets, &labels, journal.Body{}, journal.Body{})
		return e
	}
	e := record("/0.2/user?q=hush0123456789")
	if line := e.Line(); !strings.Contains(line, "hush") {
		t.Fatalf("not shown: %s", line)
	}
	record("/0.2/user?password=hush0123456789")
	if line := e.Line(); strings.Contains(line, "hush") {
		t.Errorf("shown: %s", line)
	}
}
