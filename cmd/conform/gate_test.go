package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/refserver"
)

// fast spares the tests the pace that a foreign target is owed.
func fast(args ...string) []string { return append(args, "--rate", "30000", "--jobs", "2") }

// logout answers a logout that worked with another status, as told by the number
// of the logout; 204 is what the contract wants.
func logout(next http.Handler, status func(n int64) int) http.Handler {
	var n atomic.Int64
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodDelete || r.URL.Path != "/0.2/user/logout" {
			next.ServeHTTP(w, r)
			return
		}
		answered := httptest.NewRecorder()
		next.ServeHTTP(answered, r)
		if answered.Code == http.StatusNoContent {
			if is := status(n.Add(1)); is != http.StatusNoContent {
				w.Header().Set("Content-Type", "application/json")
				w.WriteHeader(is)
				fmt.Fprint(w, "{}")
				return
			}
		}
		maps.Copy(w.Header(), answered.Header())
		w.WriteHeader(answered.Code)
		w.Write(answered.Body.Bytes())
	})
}

func always(status int) func(int64) int { return func(int64) int { return status } }

// says sees that an outcome has an exit code and certain words on stdout or stderr.
func (o outcome) says(t *testing.T, code int, words ...string) {
	t.Helper()
	o.wants(t, code)
	said := strings.Join(strings.Fields(o.stdout+" "+o.stderr), " ") // lines may be wrapped
	for _, word := range words {
		if !strings.Contains(said, word) {
			t.Errorf("%q is not said:\n%s\n%s", word, o.stderr, o.stdout)
		}
	}
}

func read(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// TestWaiveKeepsWhatHolds drafts from a report that was held against waivers.
func TestWaiveKeepsWhatHolds(t *testing.T) {
	t.Parallel()
	waivers := file(t, []byte("- {rule: sessions.logout.status, reason: the team knows, link: 'https://example.com/7', expires: 2999-12-31}\n"))
	args := append(serve(t, logout(reference(t, nil), always(http.StatusOK))), fast("--rule", "sessions.logout.*", "--waivers", waivers)...)
	o := judged(t, args...)
	o.wants(t, exitConformant)
	again := conform(t, "waive", file(t, []byte(o.written)))
	again.says(t, exitConformant, "rule: sessions.logout.status", "the team knows", "https://example.com/7", "2999-12-31")
	none := judged(t, append(serve(t, reference(t, nil)), fast("--rule", "sessions.logout.*")...)...)
	empty := conform(t, "waive", file(t, []byte(none.written)))
	if empty.says(t, exitConformant, "nothing to waive"); empty.stdout != "[]\n" {
		t.Errorf("an empty draft reads %q", empty.stdout)
	}
	conform(t, "waive", file(t, []byte(o.written)), "-o", waivers).says(t, exitUsage, "is there already: --force writes over it")
	if !strings.Contains(read(t, waivers), "{rule: ") {
		t.Error("the team's waivers were written over")
	}
	conform(t, "waive", file(t, []byte(o.written)), "-o", waivers, "--force").says(t, exitConformant, "1 kept")
}

// TestReplayCommandTakesTheTargetsTrust pastes the command that a failure names.
func TestReplayCommandTakesTheTargetsTrust(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "out.json")
	target := serve(t, logout(reference(t, nil), always(http.StatusOK)))
	o := conform(t, append(target, fast("--rule", "sessions.logout.status", "--report", "json="+path)...)...)
	command := "conform replay " + path + " --rule sessions.logout.status --base-url " + target[1] + " --ca-cert " + target[5]
	o.stdout = strings.ReplaceAll(o.stdout, "\\\n", "") // a long one goes on on the next line
	o.says(t, exitNonConformant, command)
	again := conform(t, append(strings.Fields(command)[1:], "--app-token", appToken)...)
	again.says(t, exitNonConformant, "FAIL sessions.logout.status")
}

// TestDiffOfDialects lists exactly the settings in which two dialects differ.
func TestDiffOfDialects(t *testing.T) {
	t.Parallel()
	choices := func(name string) string {
		i := slices.IndexFunc(refserver.Dialects(), func(d refserver.Dialect) bool { return d.Name == name })
		good := reference(t, func(o *refserver.Options) { o.Choices = refserver.Dialects()[i].Choices })
		o := judged(t, append(serve(t, good), fast("--second-app-token", secondAppToken)...)...)
		o.wants(t, exitConformant)
		return file(t, []byte(o.written))
	}
	plain, same, other := choices("default"), choices("default"), choices("replacing")
	conform(t, "diff", plain, same, "--fail-on", "drift").says(t, exitConformant, "Nothing became different")
	conform(t, "diff", plain, other).says(t, exitConformant, "Changed choices: 3", "kept → cleared")
	o := conform(t, "diff", plain, other, "--fail-on", "drift", "--format", "json")
	o.wants(t, exitNonConformant)
	var d result.Diff
	if err := json.Unmarshal([]byte(o.stdout), &d); err != nil {
		t.Fatal(err)
	}
	var drifted []string
	for _, c := range d.Drift {
		drifted = append(drifted, c.Rule)
	}
	if want := []string{"users.me.update.omitted-fields", "events.update.omitted-fields", "versions.credentials"}; !slices.Equal(drifted, want) {
		t.Errorf("drifted: %v, want %v", drifted, want)
	}
	if len(d.Broken)+len(d.Mended)+len(d.Judged)+len(d.Unjudged) > 0 {
		t.Errorf("more became different than the choices: %v", o.stdout)
	}
}

// TestDiffTellsRegressions compares a good target with a broken one.
func TestDiffTellsRegressions(t *testing.T) {
	t.Parallel()
	run := func(status int) string {
		return file(t, []byte(judged(t, append(serve(t, logout(reference(t, nil), always(status))), fast("--rule", "sessions.logout.*")...)...).written))
	}
	good, bad := run(http.StatusNoContent), run(http.StatusOK)
	conform(t, "diff", good, bad).says(t, exitNonConformant, "Newly broken: 1", "sessions.logout.status (must) DELETE /0.2/user/logout", "pass → fail")
	conform(t, "diff", bad, good).says(t, exitConformant, "Fixed: 1", "fail → pass", "diff takes the old one first")
	conform(t, "diff", good, bad, "--format", "markdown").says(t, exitNonConformant, "### Newly broken: 1", "- `sessions.logout.status` at `DELETE /0.2/user/logout`: pass → fail")
	cut := strings.ReplaceAll(read(t, good), `"status": "pass"`, `"status": "error"`)
	conform(t, "diff", good, file(t, []byte(cut))).says(t, exitNoVerdict, "No longer judged", "pass → error")
}

// TestMergedShardsAreTheWholeRun plays three shards and puts them together.
func TestMergedShardsAreTheWholeRun(t *testing.T) {
	t.Parallel()
	target := append(serve(t, logout(reference(t, nil), always(http.StatusOK))), fast("--part", "sessions", "--part", "users", "--part", "transport")...)
	whole := judged(t, append(target, "--seed", "1")...)
	whole.wants(t, exitNonConformant)
	var shards []string
	for _, shard := range []string{"1/3", "2/3", "3/3"} {
		shards = append(shards, file(t, []byte(judged(t, append(target, "--shard", shard)...).written)))
	}
	out := filepath.Join(t.TempDir(), "merged.json")
	merged := conform(t, "merge", shards[2], shards[0], shards[1], "-o", out)
	merged.stdout = strings.ReplaceAll(merged.stdout, "\\\n", "") // a long line goes on on the next
	merged.says(t, exitNonConformant, "NOT CONFORMANT", "FAIL sessions.logout.status", "conform replay "+out)
	merged.read(t, out)
	if got, want := outcomes(merged.report), outcomes(whole.report); !slices.Equal(got, want) {
		t.Errorf("merged\n%s\nwhole\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	for _, both := range [][2]any{{merged.report.Summary.Checks, whole.report.Summary.Checks}, {merged.report.Summary.Rules, whole.report.Summary.Rules},
		{merged.report.Endpoints, whole.report.Endpoints}, {merged.report.Choices, whole.report.Choices}} {
		if !reflect.DeepEqual(both[0], both[1]) {
			t.Errorf("merged %v\nwhole  %v", both[0], both[1])
		}
	}
	waivers := file(t, []byte("- {rule: sessions.logout.status, reason: the team knows, expires: 2999-12-31}\n"))
	conform(t, "merge", shards[0], shards[1], shards[2], "--waivers", waivers, "--quiet").says(t, exitConformant)
	conform(t, "merge", shards[0], shards[2], "--waivers", waivers).says(t, exitNoVerdict, "shard 2/3 is missing")
	conform(t, "merge", shards[0], shards[1], shards[0]).says(t, exitUsage, "two reports are of shard 1/3")
	conform(t, "merge", out).says(t, exitUsage, "is of no shard")
}
