package report

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/conformance/rules"
)

// TestScriptDeletesUsersOfTheSecondApplication: a user that a step makes under the second
// application's token, with a session or without, is deleted under that token, whatever its
// name and the token are made of.
func TestScriptDeletesUsersOfTheSecondApplication(t *testing.T) {
	for _, program := range []string{"sh", "curl", "jq"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skip(err)
		}
	}
	var mu sync.Mutex
	var asked []string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		app, session, _ := r.BasicAuth()
		var sent struct {
			UserName string `json:"user_name"`
		}
		_ = json.NewDecoder(r.Body).Decode(&sent) // a deletion has no body
		mu.Lock()
		asked = append(asked, strings.TrimSpace(r.Method+" "+r.URL.Path+" "+app+" "+session+sent.UserName))
		mu.Unlock()
		token := map[string]string{rules.Login.Path(): "opened", rules.CreateUser.Path(): "given"}[r.URL.Path]
		_, _ = w.Write([]byte(`{"user_name":"Ada, b *","session_token":"` + token + `"}`))
	}))
	defer server.Close()
	create := result.Step{Method: http.MethodPost, Path: literal(rules.CreateUser.Path()), Headers: plainFields(),
		User: []result.Piece{{Var: "SECOND_APP_TOKEN"}, {Text: ":"}},
		Body: []result.Piece{{Text: `{"password":"`}, {Var: "PASSWORD_1"}, {Text: `"}`}}}
	decide := create
	decide.Captures = []result.Capture{{Var: "SESSION_TOKEN_1", Field: "session_token"}}
	check := result.Check{Reproduction: &result.Reproduction{Passwords: 1, Steps: []result.Step{create, decide}, Answer: result.Answer{Status: 500}}}
	var script strings.Builder
	r := &result.Report{Target: result.Target{BaseURL: server.URL}}
	if err := Reproduce(&script, Shell, r, result.Rule{ID: "users.create"}, check); err != nil {
		t.Fatal(err)
	}
	run := exec.CommandContext(t.Context(), "sh")
	run.Stdin, run.Dir = strings.NewReader(script.String()), t.TempDir()
	run.Env = append(run.Environ(), "APP_TOKEN=first", "SECOND_APP_TOKEN=sec,ond")
	if out, err := run.CombinedOutput(); err != nil {
		t.Fatalf("%v:\n%s", err, out)
	}
	for _, wanted := range []string{"POST /0.2/user/login sec,ond Ada, b *", "DELETE /0.2/user sec,ond opened", "DELETE /0.2/user sec,ond given"} {
		if !slices.Contains(asked, wanted) {
			t.Errorf("%q was not asked, but\n%s", wanted, strings.Join(asked, "\n"))
		}
	}
}
