//go:build unix

package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/socialfeed/conform/internal/testkit"
	"github.com/socialfeed/conform/refserver"
)

// A failure is written in other forms, whose requests mean those of the shell script, and
// whose statuses tell the fault from none.
func TestReproductionsInOtherFormsMeanTheSame(t *testing.T) {
	t.Parallel()
	testkit.Needs(t, "curl", "jq")
	readers := map[string]func(*testing.T, string) story{"hurl": readHurl, "http": readHTTPFile}
	good := serve(t, reference(t, nil))
	fits := map[string]int{}
	for _, name := range []string{"users.create.status", "sessions-password-may-go-on", "feed.purge.followers", "events.update.others", "limits.metadata.keys"} {
		t.Run(name, func(t *testing.T) {
			fault, seen := faultOf(t, name), &recording{}
			bad := serve(t, seen.before(reference(t, func(options *refserver.Options) { fault.Apply(options) })))
			report := reportOf(t, bad, fault.Rule)
			script := reproductionOf(t, report, fault.Rule, "sh")
			seen.take()
			scripted(t, script, bad)
			want := slices.Compact(seen.take()) // what lags is read several times
			for form, read := range readers {
				o := conform(t, "reproduce", report, "--rule", fault.Rule, "--as", form)
				if o.code == exitUsage {
					if strings.Count(o.stderr, "\n") != 1 || !strings.Contains(o.stderr, "write it as sh") {
						t.Errorf("%s: %q", form, o.stderr)
					}
					continue
				}
				fits[form]++
				s := read(t, o.stdout)
				status := s.play(t, bad)
				if got := slices.Compact(seen.take()); !slices.Equal(got, want) {
					t.Errorf("%s sends\n%s\nand sh\n%s\n%s", form, strings.Join(got, "\n"), strings.Join(want, "\n"), o.stdout)
				}
				if s.unlike != 0 && (status != s.unlike || s.play(t, good) == s.unlike) {
					t.Errorf("%s does not tell the fault: %d is %d there", form, s.unlike, status)
				}
				if strings.Contains(o.stdout, appToken) {
					t.Errorf("%s holds the token", form)
				}
			}
		})
	}
	for form := range readers {
		if fits[form] < 2 {
			t.Errorf("%s fits %d stories", form, fits[form])
		}
	}
}

// A Go test fails against the fault and passes without.
func TestReproductionsAsGoTests(t *testing.T) {
	t.Parallel()
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	good := serve(t, reference(t, nil))
	for _, name := range []string{"users.create.status", "connections-friends-of-user-ids-rounded", "feed.purge.followers"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			fault := faultOf(t, name)
			bad := serve(t, reference(t, func(options *refserver.Options) { fault.Apply(options) }))
			file := reproductionOf(t, reportOf(t, bad, fault.Rule), fault.Rule, "go")
			dir := t.TempDir()
			sums := read(t, filepath.Join(root, "go.sum"))
			module := "module reproduction\n\ngo 1.26\n\nrequire github.com/socialfeed/conform v0.0.0\n\nreplace github.com/socialfeed/conform => " + root + "\n"
			for name, text := range map[string]string{"go.mod": module, "go.sum": sums, "failure_test.go": read(t, file)} {
				if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			build := exec.CommandContext(t.Context(), "go", "test", "-c", "-vet=all", "-mod=mod", "-o", "failure.test", ".")
			build.Dir = dir
			if said, err := build.CombinedOutput(); err != nil {
				t.Fatalf("%v\n%s", err, said)
			}
			for target, fails := range map[*[]string]bool{&bad: true, &good: false} {
				run := exec.CommandContext(t.Context(), filepath.Join(dir, "failure.test"))
				run.Env = append(os.Environ(), "BASE_URL="+(*target)[1], "APP_TOKEN="+(*target)[3], "SECOND_APP_TOKEN="+secondAppToken, "CA_CERT="+(*target)[5])
				said, err := run.CombinedOutput()
				if failed := err != nil && bytes.Contains(said, []byte("expected ")); failed != fails || !fails && err != nil {
					t.Errorf("it fails: %t, want %t: %v\n%s", failed, fails, err, said)
				}
			}
		})
	}
}

// reportOf judges a rule of a target and names the report.
func reportOf(t *testing.T, target []string, rule string) string {
	t.Helper()
	report := filepath.Join(t.TempDir(), "report.json")
	conform(t, append(slices.Clone(target), fast("--rule", rule, "--report", "json="+report, "-q")...)...)
	return report
}

// reproductionOf writes the reproduction of a rule, and names the file.
func reproductionOf(t *testing.T, report, rule, form string) string {
	t.Helper()
	path := strings.TrimSuffix(report, "json") + form
	conform(t, "reproduce", report, "--rule", rule, "--as", form, "-o", path).wants(t, exitConformant)
	return path
}

// recording keeps what requests mean, but for what differs from run to run.
type recording struct {
	mu  sync.Mutex
	all []string
}

// madeUp is what differs: words, ids and tokens.
var madeUp = regexp.MustCompile(`[A-Za-z0-9]{5,}`)

func (r *recording) before(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		body, err := io.ReadAll(req.Body)
		if err != nil {
			return
		}
		req.Body = io.NopCloser(bytes.NewReader(body))
		user, password, _ := req.BasicAuth()
		fields := req.Header.Clone()
		for _, name := range []string{"Authorization", "Content-Length", "Accept-Encoding", "Connection"} {
			fields.Del(name)
		}
		if !strings.Contains(req.UserAgent(), "reproduction") { // its cleaning up
			told := fmt.Sprint(req.URL, " ", user, ":", password, " ", string(body))
			told = madeUp.ReplaceAllStringFunc(told, func(word string) string { return strings.Repeat("x", len(word)) })
			r.mu.Lock()
			r.all = append(r.all, fmt.Sprint(req.Method, " ", told, " ", fields))
			r.mu.Unlock()
		}
		next.ServeHTTP(w, req)
	})
}

// take returns what was kept, and forgets it.
func (r *recording) take() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	all := r.all
	r.all = nil
	return all
}

// story is the requests of a file.
type story struct {
	steps  []step
	unlike int // the status that the deciding answer is not to have, 0 where the file does not say
}

// step is one request, with variables in double braces.
type step struct {
	method, address, user, body string
	header                      [][2]string
	captures                    map[string]string // of fields, by variable
	decides                     bool
}

// play sends the requests to a target, and tells the status of the deciding one.
func (s story) play(t *testing.T, target []string) (status int) {
	t.Helper()
	known := map[string]string{"base_url": target[1], "app_token": target[3], "second_app_token": secondAppToken}
	for _, each := range s.steps {
		fill := func(text string) string {
			for name, value := range known {
				text = strings.ReplaceAll(text, "{{"+name+"}}", value)
			}
			if strings.Contains(text, "{{") {
				t.Fatalf("a variable that nothing sets: %s", text)
			}
			return strings.ReplaceAll(text, "\x00", "{")
		}
		req, err := http.NewRequestWithContext(t.Context(), each.method, fill(each.address), strings.NewReader(fill(each.body)))
		if err != nil {
			t.Fatal(err)
		}
		for _, field := range each.header {
			req.Header.Add(field[0], fill(field[1]))
		}
		if user, password, has := strings.Cut(fill(each.user), ":"); has {
			req.SetBasicAuth(user, password)
		}
		resp, err := trusting(t, target).Do(req)
		if err != nil {
			t.Fatal(err)
		}
		answer := map[string]any{}
		decoder := json.NewDecoder(resp.Body)
		decoder.UseNumber()
		err = decoder.Decode(&answer)
		resp.Body.Close()
		for name, field := range each.captures {
			if err != nil || answer[field] == nil {
				t.Fatalf("no %s in the answer: %d", field, resp.StatusCode)
			}
			known[name] = fmt.Sprint(answer[field])
		}
		if each.decides {
			status = resp.StatusCode
		}
	}
	return status
}
