//go:build unix

package main

import (
	"bytes"
	"encoding/json"
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
	for i, rule := range hostileRules(t) {
		t.Run(rule, func(t *testing.T) {
			t.Parallel()
			var all map[string]string
			for _, fault := range faultsOf(rule) { // the first that shows behind the disguise
				if all = newHostility(t, fault, i).judged(t); all["report"] != string(result.Pass) {
					break
				}
			}
			t.Logf("%s: %v", rule, all)
			for form, came := range all {
				table.add(form, came)
			}
		})
	}
}

// hostileRules are those that have their turn.
func hostileRules(t *testing.T) []string {
	t.Helper()
	const oneIn = 40
	turn, _ := strconv.Atoi(os.Getenv("PROOF_TURN")) // 0 without
	pattern := os.Getenv("HOSTILE_RULE")
	var all []string
	for _, f := range faults.All() {
		h := fnv.New32a()
		h.Write([]byte(f.Rule))
		mine, err := path.Match(pattern, f.Rule)
		if err != nil {
			t.Fatal(err)
		}
		switch {
		case f.Listen != nil, strings.HasPrefix(f.Rule, "limits.rate."), slices.Contains(all, f.Rule):
		case mine || pattern == "" && (os.Getenv("HOSTILE") == "all" || (int(h.Sum32()%oneIn)+turn)%oneIn == 0):
			all = append(all, f.Rule)
		}
	}
	return all
}

// faultsOf are those of a rule that a handler has.
func faultsOf(rule string) []faults.Fault {
	return slices.DeleteFunc(faults.All(), func(f faults.Fault) bool { return f.Rule != rule || f.Listen != nil })
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
	h.bad = h.serve(t, disguise{reference(t, func(o *refserver.Options) { fault.Apply(o) }), id, token, said, new(sync.Map), new(sync.Map)})
	h.good = h.serve(t, disguise{reference(t, nil), id, token, said, new(sync.Map), new(sync.Map)})
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
		for at := range len(text) - redact.Window + 1 {
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
	run := h.within(t, command(t, append(slices.Clone(h.bad), fast("--rule", h.rule, "--second-app-token", secondAppToken, "--report", "json="+report, "-q")...)...))
	if code := run.code; code != exitNonConformant && code != exitConformant && code != exitNoVerdict {
		t.Errorf("judging ends with %d: %s", code, run.stderr)
	}
	came := map[string]string{"report": string(verdictOn(t, report, h.rule))}
	for _, form := range []string{"sh", "go", "hurl", "http"} { // an editor stops at a failure, and leaves what it made
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
	for _, c := range r.Rules[i].Checks {
		if c.Status != result.Fail && c.Status != result.Pass {
			t.Logf("%s at %s: %s: %s", rule, c.Endpoint, c.Status, c.Message)
		}
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
