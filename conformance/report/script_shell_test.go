package report

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/socialfeed/conform/conformance/report/script"
	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/conformance/rules"
)

// TestScriptDeletesUsersOfTheSecondApplication: a user that a step makes under the second
// application's token, with a session or without, is deleted under that token, whatever its
// name and the token are made of.
func TestScriptDeletesUsersOfTheSecondApplication(t *testing.T) {
	needs(t, "sh", "curl", "jq")
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
	create := result.Step{Method: http.MethodPost, Path: exactly(rules.CreateUser.Path()), Headers: usualFields(),
		User: []result.Piece{{Var: "SECOND_APP_TOKEN"}, {Text: ":"}},
		Body: []result.Piece{{Text: `{"password":"`}, {Var: "PASSWORD_1"}, {Text: `"}`}}}
	decide := create
	decide.Captures = []result.Capture{{Var: "SESSION_TOKEN_1", Field: "session_token"}}
	check := result.Check{Reproduction: &result.Reproduction{Passwords: 1, Steps: []result.Step{create, decide}, Answer: result.Answer{Status: 500}}}
	if code, out := played(t, server.URL, check, "APP_TOKEN=first", "SECOND_APP_TOKEN=sec,ond"); code != 0 {
		t.Fatalf("it ends with %d:\n%s", code, out)
	}
	for _, wanted := range []string{"POST /0.2/user/login sec,ond Ada, b *", "DELETE /0.2/user sec,ond opened", "DELETE /0.2/user sec,ond given"} {
		if !slices.Contains(asked, wanted) {
			t.Errorf("%q was not asked, but\n%s", wanted, strings.Join(asked, "\n"))
		}
	}
}

// TestScriptsCompareWhatIsTheSameInEachRun holds answers against a recorded one: ids, times,
// tokens and passwords differ from run to run, and nothing else may.
func TestScriptsCompareWhatIsTheSameInEachRun(t *testing.T) {
	needs(t, "sh", "jq", "awk")
	for name, test := range map[string]struct {
		recorded, answer string
		same             bool
	}{
		"ids and times":               {`{"id":1,"created_at":"2026-01-02T03:04:05Z"}`, `{"id":2,"created_at":"2027-11-12T13:14:15Z"}`, true},
		"ids of other types":          {`{"id":1}`, `{"id":"1"}`, false},
		"ids in place of users":       {`[20211]`, `[20202]`, true},
		"ids in place of users, text": {`[20211]`, `["20202"]`, false},
		"a text":                      {`{"verb":"like"}`, `{"verb":"Like"}`, false},
		"the id of an event's object": {`[{"id":1,"object":{"id":"garden"}}]`, `[{"id":1,"object":{"id":"Garden"}}]`, false},
		"times in another form":       {`{"created_at":"Mon, 23 Nov 2026 18:04:37 GMT"}`, `{"created_at":"Sat, 01 May 2027 08:14:07 GMT"}`, true},
		"times in two forms":          {`{"created_at":"2026-11-23 18:21:38"}`, `{"created_at":"2026-11-23T18:21:38Z"}`, false},
		"times as numbers":            {`{"last_login":1795456897}`, `{"last_login":1795456999}`, true},
		"a hash of a password":        {`{"password_hash":"$2a$10$abc"}`, `{"password_hash":"$2a$10$xyz"}`, true},
		"a hash, and none":            {`{"password_hash":"$2a$10$abc"}`, `{}`, false},
	} {
		t.Run(name, func(t *testing.T) {
			head, err := os.ReadFile("script/programs/head.sh")
			if err != nil {
				t.Fatal(err)
			}
			text := string(head) + `begin
printf '%s' "$RECORDED" >"$dir/recorded"
printf '%s' "$ANSWER" >"$dir/answer"
[ "$(normal "$dir/answer")" = "$(normal "$dir/recorded")" ]`
			run := exec.CommandContext(t.Context(), "sh")
			run.Stdin, run.Dir = strings.NewReader(text), t.TempDir()
			run.Env = append(run.Environ(), "RECORDED="+test.recorded, "ANSWER="+test.answer, "trust=")
			out, err := run.CombinedOutput()
			if same := err == nil; same != test.same || len(out) > 0 {
				t.Errorf("the same: %v, want %v; it says %q", same, test.same, out)
			}
		})
	}
}

// TestScriptsMakeTokensOfOthers sends what is made of tokens: of the app's, and of a session's that
// an answer gave before. What cannot compute does not take such a story.
func TestScriptsMakeTokensOfOthers(t *testing.T) {
	needs(t, "sh", "curl", "jq")
	var asked []string // by one request after the other
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		app, session, _ := r.BasicAuth()
		asked = append(asked, app+":"+session)
		_, _ = w.Write([]byte(`{"session_token":"given-by-it"}`))
	}))
	defer server.Close()
	create := result.Step{Method: http.MethodPost, Path: exactly(rules.CreateUser.Path()), Headers: usualFields(),
		User: []result.Piece{{Var: "APP_TOKEN"}, {Text: ":"}}, Captures: []result.Capture{{Var: "SESSION_TOKEN_1", Field: "session_token"}}}
	near := result.Step{Method: http.MethodGet, Path: exactly(rules.GetMe.Path()), Headers: usualFields(),
		User: []result.Piece{{Var: "APP_TOKEN_FIRST_3"}, {Text: "x:"}, {Var: "SESSION_TOKEN_1_FIRST_5"}}}
	upper := near
	upper.User = []result.Piece{{Var: "APP_TOKEN_UPPER"}, {Text: ":"}, {Var: "SESSION_TOKEN_1_UPPER"}}
	check := result.Check{Reproduction: &result.Reproduction{Steps: []result.Step{create, near, upper}, Answer: result.Answer{Status: 500}}}
	if code, out := played(t, server.URL, check, "APP_TOKEN=apptoken"); code != 0 {
		t.Fatalf("it ends with %d:\n%s", code, out)
	}
	for _, wanted := range []string{"appx:given", "APPTOKEN:GIVEN-BY-IT"} {
		if !slices.Contains(asked, wanted) {
			t.Errorf("%q was not sent, but\n%s", wanted, strings.Join(asked, "\n"))
		}
	}
	for _, form := range []script.Form{script.Hurl, script.HTTPFile, script.GoTest} {
		if err := script.Write(io.Discard, form, soundReport(), result.Rule{ID: "users.create"}, check); err == nil {
			t.Errorf("%s takes it", form)
		}
	}
}

// TestScriptsDecideByWhatIsExpected: where a status is expected, any other one is the failure, and
// not only the one that was blamed; a target that is busy decides nothing.
func TestScriptsDecideByWhatIsExpected(t *testing.T) {
	needs(t, "sh", "curl", "jq")
	const undecided, unknown = "nothing was decided", "refuses the app token"
	for _, test := range []struct {
		expected, actual string
		passing          []string
		blamed, answered int
		exit             int
		says             string
	}{
		{"401 Unauthorized", "200 with []", []string{"401"}, 200, 200, 1, "is there"},
		{"401 Unauthorized", "200 with []", []string{"401"}, 200, 401, 0, "is not there"},
		{"401 Unauthorized", "200 with []", []string{"401"}, 200, 404, 1, "is there"},
		{"401 Unauthorized", "200 with []", []string{"401"}, 200, 429, 2, undecided},
		{"401 Unauthorized", "200 with []", []string{"401"}, 200, 503, 2, undecided},
		{"401 Unauthorized", "503 with []", []string{"401"}, 503, 503, 1, "is there"},
		{"404 Not Found", "200 with []", []string{"404"}, 200, 401, 2, unknown},
		{"404 Not Found", "200 with []", []string{"404"}, 200, 401, 1, "is there"},
		{"404 Not Found or 400 Bad Request", "204 with no body", []string{"404", "400"}, 204, 400, 0, "is not there"},
		{"a refusal (any 4xx)", "200 with []", []string{result.AnyRefusal}, 200, 422, 0, "is not there"},
		{"a refusal (any 4xx)", "200 with []", []string{result.AnyRefusal}, 200, 500, 1, "is there"},
		{"a refusal (any 4xx)", "200 with []", []string{result.AnyRefusal}, 200, 429, 2, undecided},
		{"[]", "[1]", nil, 200, 200, 0, "this is not the answer that was blamed"},
		{"[]", "[1]", nil, 200, 429, 2, undecided},
		{"401 Unauthorized", "200 with [1]", nil, 200, 200, 0, "this is not the answer that was blamed"}, // a report of before the statuses stood there
	} {
		t.Run(fmt.Sprintf("%s, blamed for %s, answers %d: %s", test.expected, test.actual, test.answered, test.says), func(t *testing.T) {
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if r.Method == http.MethodDelete || test.says == unknown { // any other is whether the app token is known
					w.WriteHeader(test.answered)
				}
			}))
			defer server.Close()
			step := result.Step{Method: http.MethodDelete, Path: exactly(rules.DeleteMe.Path()), Headers: usualFields(), User: []result.Piece{{Var: "APP_TOKEN"}, {Text: ":"}}}
			check := result.Check{Expected: test.expected, Actual: test.actual,
				Reproduction: &result.Reproduction{Steps: []result.Step{step}, Answer: result.Answer{Status: test.blamed, Body: exactly("[1]")}, Passing: test.passing}}
			if code, out := played(t, server.URL, check, "APP_TOKEN=first"); code != test.exit || !strings.Contains(out, test.says) {
				t.Errorf("it ends with %d, want %d, and says %s", code, test.exit, out)
			}
		})
	}
}

// TestForgedReproductionsAreRefused has a report whose statuses are commands, and one that asks for more
// requests than the judge does.
func TestForgedReproductionsAreRefused(t *testing.T) {
	step := result.Step{Method: http.MethodGet, Path: exactly(rules.GetMe.Path()), Headers: usualFields()}
	for _, status := range []string{"", "$(id)", "200) id ;;", "5xx", "4xx ", "200\n"} {
		check := result.Check{Reproduction: &result.Reproduction{Steps: []result.Step{step}, Passing: []string{"401", status}}}
		if err := script.Write(io.Discard, script.Shell, soundReport(), result.Rule{ID: "users.me.get"}, check); err == nil {
			t.Errorf("%q is taken for a status", status)
		}
	}
	for _, times := range []int{-1, result.MostRepeats + 1} {
		check := result.Check{Reproduction: &result.Reproduction{Steps: []result.Step{step}, Repeats: times}}
		if err := script.Write(io.Discard, script.Shell, soundReport(), result.Rule{ID: "users.me.get"}, check); err == nil {
			t.Errorf("a request is sent %d times", times)
		}
	}
}

// TestScriptsNeedAnAnswer runs a script where nothing answers.
func TestScriptsNeedAnAnswer(t *testing.T) {
	needs(t, "sh", "curl", "jq")
	create := result.Step{Method: http.MethodPost, Path: exactly(rules.CreateUser.Path()), Headers: usualFields(),
		User: []result.Piece{{Var: "APP_TOKEN"}, {Text: ":"}}, Body: exactly(`{"user_name":"ada"}`), Captures: []result.Capture{{Var: "SESSION_TOKEN_1", Field: "session_token"}}}
	for name, steps := range map[string][]result.Step{"to the first request": {create, create}, "to the deciding one": {create}} {
		t.Run(name, func(t *testing.T) {
			check := result.Check{Reproduction: &result.Reproduction{Steps: steps, Answer: result.Answer{Status: 500}}}
			if code, out := played(t, "http://127.0.0.1:1", check, "APP_TOKEN=first"); code != 2 {
				t.Errorf("it ends with %d, and says %s", code, out)
			}
		})
	}
}

// played runs the script of a failure at a target, and returns its exit code and what it says.
func played(t *testing.T, baseURL string, check result.Check, environment ...string) (code int, out string) {
	t.Helper()
	var text strings.Builder
	r := &result.Report{Target: result.Target{BaseURL: baseURL}}
	if err := script.Write(&text, script.Shell, r, result.Rule{ID: "users.create"}, check); err != nil {
		t.Fatal(err)
	}
	run := exec.CommandContext(t.Context(), "sh")
	run.Stdin, run.Dir = strings.NewReader(text.String()), t.TempDir()
	run.Env = append(run.Environ(), environment...)
	said, err := run.CombinedOutput()
	if exited := new(exec.ExitError); err != nil && !errors.As(err, &exited) {
		t.Fatal(err)
	}
	return run.ProcessState.ExitCode(), string(said)
}

// needs skips a test where a program that it runs is not there.
func needs(t *testing.T, programs ...string) {
	t.Helper()
	for _, program := range programs {
		if _, err := exec.LookPath(program); err != nil {
			t.Skip(err)
		}
	}
}

// soundReport is a report whose target has an address, so that another defect is what is refused.
func soundReport() *result.Report {
	return &result.Report{Target: result.Target{BaseURL: "https://feeds.example"}}
}
