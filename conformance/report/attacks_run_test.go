package report

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/socialfeed/conform/conformance/report/script"
	"github.com/socialfeed/conform/internal/testkit"
)

// hostileTarget answers with an attack as every id and token. With the fault it has 500 where 404 is due.
func hostileTarget(t *testing.T, attack string, fault bool) *httptest.Server {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		switch {
		case r.Method == http.MethodPost:
			w.WriteHeader(http.StatusCreated)
			_ = json.NewEncoder(w).Encode(map[string]string{"id": attack, "session_token": attack, "user_name": attack})
		case r.Method == http.MethodDelete:
			w.WriteHeader(http.StatusNoContent)
		default:
			id := strings.TrimPrefix(r.URL.Path, "/0.2/users/")
			_, session, _ := r.BasicAuth()
			sent := string([]rune(attack))     // as JSON has it
			if id != sent || session != sent { // not what was given: a lawful 403
				t.Errorf("it asks for %q as %q, not %q", id, session, sent)
			}
			w.WriteHeader(map[bool]int{true: 500, false: 404}[fault])
			_, _ = fmt.Fprint(w, "{}")
		}
	}))
	t.Cleanup(server.Close)
	return server
}

// TestScriptsOfAHostileTargetTellTheFault runs the script for sh at a target that answers with attacks. Nothing
// of them runs, no other host is called, and the exit code tells the fault from none. All attacks stand in one
// answer; ATTACKS=all tries each by itself, too.
func TestScriptsOfAHostileTargetTellTheFault(t *testing.T) {
	needs(t, "sh", "curl", "jq", "awk")
	canaries := testkit.NewCanaries(t)
	host := canaries.Host
	all := testkit.Attacks(host)
	delete(all, "a NUL") // no shell holds one: the script refuses it
	together := strings.Join(slices.Sorted(maps.Values(all)), " ")
	tried := map[string]string{"all together": strings.Trim(together, "\n")}
	if os.Getenv("ATTACKS") == "all" {
		maps.Copy(tried, all)
	}
	for name, attack := range tried {
		t.Run(name, func(t *testing.T) {
			for _, fault := range []bool{true, false} {
				r := attackedReport()
				r.Target.BaseURL, r.Target.Trust = hostileTarget(t, attack, fault).URL, nil
				script, err := programOf(script.Shell, r)
				if err != nil {
					t.Fatal(err)
				}
				run := exec.CommandContext(t.Context(), "sh")
				run.Stdin, run.Dir = strings.NewReader(script), canaries.Folder
				run.Env = append(os.Environ(), "APP_TOKEN=first", "TMPDIR="+t.TempDir(), "no_proxy=*")
				out, err := run.CombinedOutput()
				if err != nil && !errors.As(err, new(*exec.ExitError)) {
					t.Fatal(err)
				}
				if code, want := run.ProcessState.ExitCode(), map[bool]int{true: 1, false: 0}[fault]; code != want {
					t.Errorf("it ends with %d, want %d, and says %s", code, want, out)
				}
			}
			canaries.Untouched(t)
		})
	}
}

// TestEditorsRunNothingOfAHostileTarget sends the requests of a .http file by httpYac, at a target whose
// token is JavaScript in braces. HTTPYAC names httpYac's program.
func TestEditorsRunNothingOfAHostileTarget(t *testing.T) {
	program := os.Getenv("HTTPYAC")
	if program == "" {
		t.Skip("HTTPYAC names no program: npm install httpyac, then HTTPYAC=node_modules/.bin/httpyac")
	}
	canaries := testkit.NewCanaries(t)
	host := canaries.Host
	for _, name := range []string{"JavaScript in braces", "JavaScript in a script", "another request", "an import", "half a brace"} {
		for given, token := range map[string]string{"hostile": testkit.Attacks(host)[name], "harmless": "abc"} {
			r := attackedReport()
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
				w.Header().Set("Content-Type", "application/json")
				if req.Method == http.MethodGet {
					w.WriteHeader(http.StatusInternalServerError)
				}
				_ = json.NewEncoder(w).Encode(map[string]string{"id": token, "session_token": token})
			}))
			r.Target.BaseURL, r.Target.Trust = server.URL, nil
			text, err := programOf(script.HTTPFile, r)
			if err != nil {
				t.Fatal(err)
			}
			folder := t.TempDir() // of which httpYac wants the file to be a part
			path := filepath.Join(folder, "story.http")
			if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			run := exec.CommandContext(t.Context(), program, "send", path, "--all", "--var", "app_token=first")
			run.Dir = folder
			out, _ := run.CombinedOutput() // fails where the target has the failure, and where it is hostile
			server.Close()
			if left, err := os.ReadDir(folder); err != nil || len(left) != 1 {
				t.Errorf("something ran: %v %v", left, err)
			}
			if told := strings.Contains(string(out), "expected 404"); given == "harmless" && !told {
				t.Errorf("the failure is not told: %s", out)
			}
		}
		canaries.Untouched(t)
	}
}

// TestEditorsFollowNoRedirect sends a .http file to a target that redirects to another host.
func TestEditorsFollowNoRedirect(t *testing.T) {
	t.Parallel()
	text, err := programOf(script.HTTPFile, attackedReport())
	if err != nil {
		t.Fatal(err)
	}
	if requests, kept := strings.Count(text, " {{base_url}}/"), strings.Count(text, "\n# @no-redirect\n"); requests == 0 || kept != requests {
		t.Errorf("%d of %d requests follow no redirect:\n%s", kept, requests, text)
	}
	program := os.Getenv("HTTPYAC")
	if program == "" {
		return // the test above says how to have it
	}
	canaries := testkit.NewCanaries(t)
	asked := 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked++
		http.Redirect(w, r, "http://"+canaries.Host+"/", http.StatusTemporaryRedirect)
	}))
	defer server.Close()
	r := attackedReport()
	r.Target.BaseURL, r.Target.Trust = server.URL, nil
	if text, err = programOf(script.HTTPFile, r); err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "story.http"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	run := exec.CommandContext(t.Context(), program, "send", "story.http", "--all", "--var", "app_token=first")
	run.Dir = folder
	out, _ := run.CombinedOutput() // the answers give nothing
	if canaries.Untouched(t); asked == 0 {
		t.Errorf("nothing was sent: %s", out)
	}
}
