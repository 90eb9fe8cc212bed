//go:build unix

package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"strings"
	"testing"

	"github.com/socialfeed/conform/client"
	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/faults"
)

// follows has ada follow bob, who creates an event and deletes it; ada reads her feed before and after.
func (w *watchedSession) follows() {
	w.t.Helper()
	const hash = "2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae"
	ctx := w.t.Context()
	api, err := client.New(client.Config{BaseURL: w.url, AppToken: appToken, UserAgent: "feedreader/1.0", HTTPClient: &http.Client{Transport: w.http.Transport}})
	if err != nil {
		w.t.Fatal(err)
	}
	_, ada, err := api.CreateUserWithLogin(ctx, client.UserFields{UserName: "ada", Password: hash, Email: "ada@example.com"})
	if err != nil {
		w.t.Fatal(err)
	}
	bob, bobs, err := api.CreateUserWithLogin(ctx, client.UserFields{UserName: "bob", Password: hash, Email: "bob@example.com"})
	if err != nil {
		w.t.Fatal(err)
	}
	if _, err := ada.Connect(ctx, bob.ID, client.Follow); err != nil {
		w.t.Error(err)
	}
	event, err := bobs.CreateEvent(ctx, client.EventFields{Verb: "liked"})
	if err != nil {
		w.t.Fatal(err)
	}
	if _, err := ada.Feed(ctx); err != nil {
		w.t.Error(err)
	}
	if err := bobs.DeleteEvent(ctx, event.ID); err != nil {
		w.t.Error(err)
	}
	if _, err := ada.Feed(ctx); err != nil {
		w.t.Error(err)
	}
}

// TestWatchRemembersWhatWasWritten watches services that contradict earlier writes: the finding is told at once, and in the
// report, where it does not depend on other clients, or all of them are said to pass.
func TestWatchRemembersWhatWasWritten(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		fault, rule string
		flags       []string
	}{
		"a sound service":                             {"", "", []string{"--all-traffic", "--settle", "0s"}},
		"a feed that lacks an event":                  {"feed-hides-later-events", "feed.follow.new-events", []string{"--all-traffic", "--settle", "0s"}},
		"a feed that lacks an event, other clients":   {"feed-hides-later-events", "", []string{"--settle", "0s"}},
		"an event that is back":                       {"feed-deleted-event-stays-for-last-follower", "feed.event-delete", []string{"--settle", "0s"}},
		"an event that is back, and may soon be gone": {"feed-deleted-event-stays-for-last-follower", "", nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := startWatch(t, reference(t, func(o *refserver.Options) {
				if test.fault != "" {
					fault, err := faults.Find(test.fault)
					if err != nil {
						t.Fatal(err)
					}
					fault.Apply(o)
				}
			}), test.flags...)
			w.follows()
			o := w.stop()
			code := exitConformant
			if test.rule != "" {
				code = exitNonConformant
			}
			o.wants(t, code)
			if blamed := strings.Join(o.blamed(), " "); blamed != test.rule {
				t.Errorf("blamed is %q, want %q", blamed, test.rule)
			}
			if test.rule != "" && !strings.Contains(o.stderr, test.rule) {
				t.Errorf("it is not told at once:\n%s", o.stderr)
			}
		})
	}
}

// TestArchivesRememberWhatWasWritten judges an archive in which a deleted event is back, and the same traffic in two
// archives, whose clocks may differ.
func TestArchivesRememberWhatWasWritten(t *testing.T) {
	t.Parallel()
	const event = `{"id":9,"user_id":7,"verb":"like","enabled":true,"created_at":"2026-01-02T12:00:00Z","updated_at":"2026-01-02T12:00:00Z"}`
	entry := func(w *bufio.Writer, second int, method, path, sent string, status int, answer string) {
		text, _ := json.Marshal(answer)
		post := ""
		if sent != "" {
			quoted, _ := json.Marshal(sent)
			post = fmt.Sprintf(`,"postData":{"mimeType":"application/json","text":%s}`, quoted)
		}
		fmt.Fprintf(w, `{"startedDateTime":"2026-01-02T12:%02d:00Z","time":5,"request":{"method":%q,"url":"https://feeds.example%s","httpVersion":"HTTP/1.1","headers":[
			{"name":"User-Agent","value":"feedreader/1.0"},{"name":"Accept","value":"application/json"},{"name":"Content-Type","value":"application/json"},
			{"name":"Authorization","value":"Basic YXBwLXRva2VuLTAxMjM0NTY3ODk6c2Vzc2lvbi1vZi1hZGEtMDEyMzQ1Njc4OQ=="}]%s},
			"response":{"status":%d,"headers":[{"name":"Content-Type","value":"application/json"}],"content":{"size":%d,"text":%s}}}`, second, method, path, post, status, len(answer), text)
	}
	writes := func(w *bufio.Writer) {
		entry(w, 1, "POST", "/0.2/user/events", `{"verb":"like"}`, 201, event)
		fmt.Fprint(w, ",")
		entry(w, 2, "DELETE", "/0.2/user/events/9", "", 204, "")
	}
	reads := func(w *bufio.Writer) { entry(w, 3, "GET", "/0.2/user/feed", "", 200, "["+event+"]") }
	both := archivedAs(t, func(w *bufio.Writer) {
		writes(w)
		fmt.Fprint(w, ",")
		reads(w)
	})
	first, second := archivedAs(t, writes), archivedAs(t, reads)
	for name, test := range map[string]struct {
		args   []string
		blamed bool
	}{
		"one archive":                          {[]string{both}, true},
		"two":                                  {[]string{first, second}, false},
		"two, of all traffic":                  {[]string{first, second, "--all-traffic"}, true},
		"one that lags for less than a minute": {[]string{both, "--settle", "10m"}, false},
	} {
		path := t.TempDir() + "/report.json"
		o := conform(t, append([]string{"har", "--report", "json=" + path}, test.args...)...)
		if _, err := os.Stat(path); err != nil {
			t.Fatalf("%s: %s", name, o.stderr)
		}
		o.read(t, path)
		if blamed := strings.Contains(strings.Join(o.blamed(), " "), "feed.event-delete"); blamed != test.blamed {
			t.Errorf("%s: blamed is %v", name, o.blamed())
		}
	}
}
