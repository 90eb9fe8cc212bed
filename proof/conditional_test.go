package proof_test

import (
	"encoding/json"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"
	"time"

	"github.com/socialfeed/conform/conformance"
	"github.com/socialfeed/conform/conformance/model/story"
	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/conformance/rules"
	"github.com/socialfeed/conform/refserver"
)

// TestATagThatOutlivesAnUpdateIsFound judges a server that gives a user's own record the same ETag for ever: a client
// that has the record learns of no update. Nothing but a read that asks for what is new shows it.
func TestATagThatOutlivesAnUpdateIsFound(t *testing.T) {
	server, err := refserver.New(refserver.Options{AppTokens: []string{"app", "second"}, RateLimit: -1, PasswordCost: 1})
	must(t, err)
	const tag = `"record"`
	ts := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet || r.URL.Path != "/0.2/user" {
			server.ServeHTTP(w, r)
			return
		}
		now := httptest.NewRecorder()
		server.ServeHTTP(now, r)
		if now.Code == http.StatusOK {
			now.Header().Set("ETag", tag)
			if r.Header.Get("If-None-Match") == tag {
				w.WriteHeader(http.StatusNotModified)
				return
			}
		}
		maps.Copy(w.Header(), now.Header())
		w.WriteHeader(now.Code)
		_, _ = w.Write(now.Body.Bytes())
	}))
	defer ts.Close()
	config := conformance.Config{Target: conformance.Target{BaseURL: ts.URL, AppToken: "app", CACert: certificateOf(ts)}, Settle: time.Second, Rate: 900, Seed: 1}
	twice := story.Story{Name: "a record before and after an update", Slots: 1, Plain: true, Compare: story.CompareAfterEach, Ops: []story.Op{{Kind: story.LogIn}, {Kind: story.Edit, NewToken: true}}}
	text, err := json.Marshal(story.CorpusEntry{Rule: "users.me.update.applies", Endpoint: rules.UpdateMe, Story: &twice})
	must(t, err)
	report, err := conformance.Run(t.Context(), config, func(s *conformance.Suite) { s.Story(twice.Name, string(text)) })
	must(t, err)
	var broken []string
	for _, rule := range report.Rules {
		if rule.Status == result.Fail {
			broken = append(broken, rule.ID)
		}
	}
	if !slices.Equal(broken, []string{"users.me.update.applies"}) {
		t.Errorf("broken: %v", broken)
	}
}
