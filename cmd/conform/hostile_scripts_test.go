//go:build unix

package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"maps"
	"net/http"
	"net/http/httputil"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/internal/redact"
	"github.com/socialfeed/conform/internal/testkit"
	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/faults"
)

// TestScriptsOfHostileTargetsRunNothing breaks each rule on a server of the contract whose every text is an
// attack. The built command judges it and writes the failure in each form, and what was written is run at the
// target and at one without the fault: in an empty folder, beside a host that must hear nothing, with a
// secret in the environment that must not show. It tells the fault from none.
//
// HOSTILE=all takes every rule, HOSTILE_RULE those of a pattern; PROOF_TURN, a number, says which few have
// their turn otherwise.
func TestScriptsOfHostileTargetsRunNothing(t *testing.T) {
	t.Parallel()
	testkit.Needs(t, "sh", "curl", "jq", "awk")
	if os.Getenv("HTTPYAC") == "" {
		t.Log("HTTPYAC names no program: .http files are written, not sent (npm install httpyac, then HTTPYAC=node_modules/.bin/httpyac)")
	}
	table := &hostileTable{counts: map[string]map[string]int{}}
	t.Cleanup(func() { t.Log("\n" + table.String()) })
	for i, fault := range hostileFaults(t) {
		t.Run(fault.Rule, func(t *testing.T) {
			t.Parallel()
			h := newHostility(t, fault, i)
			all := h.judged(t)
			t.Logf("%s: %v", fault.Rule, all)
			for form, came := range all {
				table.add(form, came)
			}
		})
	}
}

// hostileFaults are one fault for each rule that has its turn.
func hostileFaults(t *testing.T) []faults.Fault {
	t.Helper()
	const oneIn = 40
	turn, _ := strconv.Atoi(os.Getenv("PROOF_TURN")) // 0 without
	pattern := os.Getenv("HOSTILE_RULE")
	var all []faults.Fault
	for _, f := range faults.All() {
		h := fnv.New32a()
		h.Write([]byte(f.Rule))
		mine, err := path.Match(pattern, f.Rule)
		if err != nil {
			t.Fatal(err)
		}
		switch {
		case f.Listen != nil, strings.HasPrefix(f.Rule, "limits.rate."), slices.ContainsFunc(all, func(o faults.Fault) bool { return o.Rule == f.Rule }):
		case mine || pattern == "" && (os.Getenv("HOSTILE") == "all" || (int(h.Sum32()%oneIn)+turn)%oneIn == 0):
			all = append(all, f)
		}
	}
	return all
}

// hostility is a target with a fault and one without, whose texts are attacks, and what is watched.
type hostility struct {
	*testkit.Canaries
	rule         string
	turn         int
	bad, good    []string
	secret, home string
	heard        atomic.Bool // the secret, by a target
}

func newHostility(t *testing.T, fault faults.Fault, i int) *hostility {
	t.Helper()
	h := &hostility{Canaries: testkit.NewCanaries(t), rule: fault.Rule, turn: i, home: t.TempDir(), secret: fmt.Sprintf("canary-secret-%d", os.Getpid())}
	id, token, said := hostileTexts(h.Host, i)
	t.Logf("ids end with %q, tokens with %q", id, token)
	h.bad = h.serve(t, disguise{reference(t, func(o *refserver.Options) { fault.Apply(o) }), id, token, said})
	h.good = h.serve(t, disguise{reference(t, nil), id, token, said})
	return h
}

// hostileTexts are the attacks of the i-th target. What other texts share with a token is a secret, which no report
// has: they share nothing.
func hostileTexts(host string, i int) (id, token, said string) {
	var all []string
	attacks := testkit.Attacks(host)
	delete(attacks, "a NUL") // no shell holds one
	for _, name := range slices.Sorted(maps.Keys(attacks)) {
		all = append(all, strings.ToValidUTF8(attacks[name], "�"))
	}
	token = all[i%len(all)]
	shared := func(text string) bool {
		for at := range len(text) - redact.Window {
			if strings.Contains(token, text[at:at+redact.Window]) {
				return true
			}
		}
		return false
	}
	all = slices.DeleteFunc(all, shared)
	return all[i%len(all)], token, strings.Join(all, " ")
}

// serve serves a target that listens for the secret.
func (h *hostility) serve(t *testing.T, d disguise) []string {
	t.Helper()
	return serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if dump, err := httputil.DumpRequest(r, true); err == nil && bytes.Contains(dump, []byte(h.secret)) {
			h.heard.Store(true)
		}
		d.ServeHTTP(w, r)
	}))
}

// What comes of writing and running a form.
const (
	tells     = "tells"
	refused   = "refused"    // with a reason: the form cannot express the story
	sendsNone = "sends none" // of what may be syntax
	written   = "written"    // and not run here
	wrong     = "WRONG"
)

// judged judges the target, writes the failure in each form and runs it. It returns what came of it.
func (h *hostility) judged(t *testing.T) map[string]string {
	t.Helper()
	report := filepath.Join(t.TempDir(), "report.json")
	run := h.within(t, command(t, append(slices.Clone(h.bad), fast("--rule", h.rule, "--report", "json="+report, "-q")...)...))
	if code := run.code; code != exitNonConformant && code != exitConformant && code != exitNoVerdict {
		t.Errorf("judging ends with %d: %s", code, run.stderr)
	}
	came := map[string]string{"report": string(verdictOn(t, report, h.rule))}
	for _, form := range []string{"sh", "hurl", "http", "go"} {
		o := h.within(t, command(t, "reproduce", report, "--rule", h.rule, "--as", form))
		switch {
		case o.code == exitUsage && strings.Count(o.stderr, "\n") == 1:
			came[form] = refused
			if form == "sh" && !strings.Contains(o.stderr, "no script") && !strings.Contains(o.stderr, "nothing of") {
				t.Errorf("a script for sh can have every story: %s", o.stderr)
			}
		case o.code != exitConformant:
			t.Errorf("%s: exit %d: %s", form, o.code, o.stderr)
			came[form] = wrong
		default:
			maps.Copy(came, h.tried(t, form, o.stdout))
		}
	}
	h.watched(t, "writing "+h.rule, read(t, report))
	return came
}

// verdictOn is what a report says of a rule.
func verdictOn(t *testing.T, path, rule string) result.Status {
	t.Helper()
	var r result.Report
	if err := json.Unmarshal([]byte(read(t, path)), &r); err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(r.Rules, func(each result.Rule) bool { return each.ID == rule })
	if i < 0 {
		t.Fatalf("the report lacks %s", rule)
	}
	return r.Rules[i].Status
}

// within runs the command in the canary's folder, with the secret.
func (h *hostility) within(t *testing.T, cmd *exec.Cmd) outcome {
	t.Helper()
	cmd.Dir, cmd.Env = h.Folder, append(cmd.Env, "HOME="+h.home, "DATABASE_PASSWORD="+h.secret)
	o := finish(t, cmd)
	h.watched(t, strings.Join(cmd.Args[:2], " "), o.stdout+o.stderr)
	return o
}

// watched sees that nothing ran, nothing was heard, and nothing shows the secret.
func (h *hostility) watched(t *testing.T, doing, said string) {
	t.Helper()
	if what := h.Touched(); what != "" {
		t.Errorf("%s: %s", doing, what)
	}
	if strings.Contains(said, h.secret) || h.heard.Load() {
		t.Errorf("%s: the secret shows (a target heard it: %t)", doing, h.heard.Load())
	}
}

// shells are sh, and another shell by turns.
func (h *hostility) shells() [][]string {
	all := [][]string{{"bash"}, {"dash"}, {"zsh", "--emulate", "sh"}}
	standard, _ := exec.LookPath("sh") // which is needed
	same, _ := filepath.EvalSymlinks(standard)
	all = slices.DeleteFunc(all, func(shell []string) bool {
		path, err := exec.LookPath(shell[0])
		resolved, _ := filepath.EvalSymlinks(path)
		return err != nil || resolved == same
	})
	if len(all) == 0 {
		return [][]string{{"sh"}}
	}
	return [][]string{{"sh"}, all[h.turn%len(all)]}
}

// tried runs what was written, by each program that runs the form.
func (h *hostility) tried(t *testing.T, form, text string) map[string]string {
	t.Helper()
	switch form {
	case "sh":
		came := map[string]string{}
		for _, shell := range h.shells() {
			came[shell[0]] = h.tellsApart(t, shell[0], text, func(_ string, code int) bool { return code == exitNonConformant }, append(slices.Clone(shell), file(t, []byte(text)))...)
		}
		return came
	case "go":
		return map[string]string{form: h.tellsApart(t, form, text, func(said string, _ int) bool { return strings.Contains(said, "expected ") }, compiled(t, text))}
	case "http":
		readHTTPFile(t, text)
		return map[string]string{form: h.edited(t, text)}
	default:
		readHurl(t, text)
		return map[string]string{form: written}
	}
}

// tellsApart runs a program at the target with the fault and at the one without.
func (h *hostility) tellsApart(t *testing.T, form, text string, shows func(said string, code int) bool, program ...string) string {
	t.Helper()
	came := tells
	for target, fails := range map[*[]string]bool{&h.bad: true, &h.good: false} {
		code, said := h.run(t, *target, program...)
		if shows(said, code) != fails || !fails && code != 0 {
			t.Errorf("%s ends with %d, where the fault is: %t: %s\n%s", form, code, fails, said, h.kept(t, form, text))
			came = wrong
		}
		h.watched(t, form, said)
	}
	return came
}

// kept says where a program was kept that did something wrong: HOSTILE_KEEP names the folder.
func (h *hostility) kept(t *testing.T, form, text string) string {
	t.Helper()
	folder := os.Getenv("HOSTILE_KEEP")
	if folder == "" {
		return "HOSTILE_KEEP=FOLDER keeps the program"
	}
	path := filepath.Join(folder, h.rule+"."+form)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// run runs a program at a target, in the canary's folder, with the secret.
func (h *hostility) run(t *testing.T, target []string, program ...string) (code int, said string) {
	t.Helper()
	temporary := t.TempDir()
	cmd := exec.CommandContext(t.Context(), program[0], program[1:]...)
	cmd.Dir = h.Folder
	cmd.Env = append(os.Environ(), "HOME="+h.home, "TMPDIR="+temporary, "DATABASE_PASSWORD="+h.secret, "BASE_URL="+target[1], "APP_TOKEN="+target[3],
		"SECOND_APP_TOKEN="+secondAppToken, "CA_CERT="+target[5], "NODE_EXTRA_CA_CERTS="+target[5], "CURL_CA_BUNDLE="+os.DevNull)
	out, err := cmd.CombinedOutput()
	if err != nil && !errors.As(err, new(*exec.ExitError)) {
		t.Fatal(err)
	}
	if left, err := os.ReadDir(temporary); err != nil || len(left) > 0 {
		t.Errorf("%s leaves %v in the temporary folder: %v", program[0], left, err)
	}
	return cmd.ProcessState.ExitCode(), string(out)
}

// edited sends a .http file by httpYac. From hostile answers it takes nothing that may be syntax: it sends none of the
// requests that would need it.
func (h *hostility) edited(t *testing.T, text string) string {
	t.Helper()
	program := os.Getenv("HTTPYAC")
	if program == "" {
		return written
	}
	story := filepath.Join(h.Folder, "story.http") // httpYac wants it in the folder that it runs in
	if err := os.WriteFile(story, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	code, said := h.run(t, h.bad, program, "send", story, "--all", "--var", "app_token="+appToken, "second_app_token="+secondAppToken)
	if err := os.Remove(story); err != nil {
		t.Fatal(err)
	}
	h.watched(t, "httpYac", said)
	if strings.Contains(said, "take the script for sh") {
		return sendsNone
	}
	if code != 0 {
		return tells
	}
	return written
}

// compiled is the program of a Go test.
func compiled(t *testing.T, text string) string {
	t.Helper()
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	module := "module reproduction\n\ngo 1.26\n\nrequire github.com/socialfeed/conform v0.0.0\n\nreplace github.com/socialfeed/conform => " + root + "\n"
	for name, text := range map[string]string{"go.mod": module, "go.sum": read(t, filepath.Join(root, "go.sum")), "failure_test.go": text} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	build := exec.CommandContext(t.Context(), "go", "test", "-c", "-mod=mod", "-o", "failure.test", ".")
	build.Dir = dir
	if said, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s\n%s", err, said, text)
	}
	return filepath.Join(dir, "failure.test")
}

// hostileTable counts what came of each form.
type hostileTable struct {
	mu     sync.Mutex
	counts map[string]map[string]int
}

func (h *hostileTable) add(form, came string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.counts[form] == nil {
		h.counts[form] = map[string]int{}
	}
	h.counts[form][came]++
}

// String is a line for each form.
func (h *hostileTable) String() string {
	h.mu.Lock()
	defer h.mu.Unlock()
	var b strings.Builder
	for _, form := range slices.Sorted(maps.Keys(h.counts)) {
		fmt.Fprintf(&b, "%-6s %v\n", form, h.counts[form])
	}
	return b.String()
}
