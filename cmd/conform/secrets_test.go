package main

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	markup "html"
	"maps"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/socialfeed/conform/conformance/report"
	"github.com/socialfeed/conform/conformance/result"
	"mvdan.cc/sh/v3/syntax"
)

// The applications of the talkative server: their tokens look different in an
// address, in JSON and in HTML.
const (
	loudApp  = "first/app+of=the&loud<tests>"
	otherApp = "second/app+of=the&loud<tests>"
)

// TestNoOutputTellsASecret has a server say aloud whatever it is told in
// confidence, and looks for that in everything that the commands write.
func TestNoOutputTellsASecret(t *testing.T) {
	t.Parallel()
	heard := &witness{next: talkative(t), sessions: map[string]struct{}{}, passwords: map[string]struct{}{},
		pairs: map[string]struct{}{base64.StdEncoding.EncodeToString([]byte(loudApp + ":")): {}, base64.StdEncoding.EncodeToString([]byte(otherApp + ":")): {}}}
	target := slices.Delete(serve(t, heard), 2, 4) // the token comes from the environment
	dir := t.TempDir()
	out := map[string]string{}
	run := func(name string, args ...string) outcome {
		cmd := command(t, args...)
		cmd.Dir = dir
		cmd.Env = append(cmd.Env, "CONFORM_APP_TOKEN="+loudApp, "CONFORM_SECOND_APP_TOKEN="+otherApp)
		o := finish(t, cmd)
		out[name+": stdout"], out[name+": stderr"] = o.stdout, o.stderr
		return o
	}
	everyFormat := func(name string) (flags []string) {
		for _, format := range report.Formats() {
			flags = append(flags, "--report", fmt.Sprintf("%s=%s.%s", format, name, format))
		}
		return flags
	}
	at := func(args ...string) []string { return append(args, append([]string{"--rate", "30000"}, target...)...) }

	run("run", at(append(everyFormat("run"), "--part", "auth", "--part", "sessions", "--part", "users", "--repeat", "2", "--jobs", "2")...)...).says(t, exitNonConformant, "2 repeats")
	lagging := append([]string{"--rate", "30000", "--rule", "sessions.logout.*", "--repeat", "2", "--jobs", "1"},
		slices.Delete(serve(t, once(slowed(plainEvery+time.Second, heard), heard)), 2, 4)...)
	run("progress", lagging...).says(t, exitConformant, "scenarios", "2 repeats")
	for _, shard := range []string{"1", "2"} {
		run("shard "+shard, at("--shard", shard+"/2", "--report", "json=shard"+shard+".json", "--jobs", "1")...).wants(t, exitNonConformant)
	}
	run("merge", append(everyFormat("merged"), "merge", "shard1.json", "shard2.json")...).wants(t, exitNonConformant)
	run("replay", at(append(everyFormat("replayed"), "replay", "run.json", "--rule", "users.password-hidden")...)...).wants(t, exitNonConformant)
	run("waive", "waive", "run.json", "-o", "waivers.yaml").wants(t, exitConformant)
	for _, format := range report.DiffFormats() {
		run("diff "+format, "diff", "run.json", "shard1.json", "--format", format).wants(t, exitConformant, exitNonConformant, exitNoVerdict)
	}
	for _, format := range report.Formats() {
		run("report "+format, "report", format, "run.json").wants(t, exitConformant)
	}
	run("a mistake", at("--no-such-flag", "x")...).wants(t, exitUsage)
	run("nobody there", "--base-url", "https://127.0.0.1:1").wants(t, exitNoVerdict)

	files, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		out[file.Name()] = read(t, filepath.Join(dir, file.Name()))
	}
	if want := 3*len(report.Formats()) + 3; len(files) != want {
		t.Errorf("the commands left %d files, want %d", len(files), want)
	}
	evidence(t, out)
	heard.in(t, out)
}

// evidence sees that the outputs are there, hold exchanges, and follow their schemas.
func evidence(t *testing.T, out map[string]string) {
	t.Helper()
	for name, schema := range map[string]string{"run.json": reportSchema, "shard1.json": reportSchema, "merged.json": reportSchema,
		"replayed.json": reportSchema, "report json: stdout": reportSchema, "diff json: stdout": "../../conformance/report/diff.schema.json"} {
		follows(t, schema, out[name])
	}
	for _, format := range []string{"text", "json", "html", "junit", "markdown", "har"} {
		for _, name := range []string{"run." + format, "merged." + format, "replayed." + format, "report " + format + ": stdout"} {
			shown := markup.UnescapeString(out[name])
			if !slices.ContainsFunc([]string{"$APP_TOKEN", "$SESSION_TOKEN", "$PASSWORD"}, func(mark string) bool { return strings.Contains(shown, mark) }) {
				t.Errorf("%s shows no evidence: %.200q", name, out[name])
			}
		}
	}
	var r result.Report
	if err := json.Unmarshal([]byte(out["run.json"]), &r); err != nil {
		t.Fatal(err)
	}
	if r.Summary.Requests[http.MethodGet] == 0 || len(r.Exchanges) < 500 {
		t.Errorf("the JSON report beside an archive has %d exchanges", len(r.Exchanges))
	}
	for _, x := range r.Exchanges {
		if _, err := syntax.NewParser(syntax.Variant(syntax.LangPOSIX)).Parse(strings.NewReader(x.Curl), ""); err != nil {
			t.Errorf("%v in %s", err, x.Curl)
		}
	}
}

// in fails the test for every secret in the outputs, in whatever spelling.
func (w *witness) in(t *testing.T, out map[string]string) {
	t.Helper()
	w.mu.Lock()
	defer w.mu.Unlock()
	const many = 200
	if len(w.sessions) < many || len(w.passwords) < many || len(w.pairs) < many {
		t.Fatalf("only %d session tokens, %d passwords and %d pairs went by", len(w.sessions), len(w.passwords), len(w.pairs))
	}
	look := search{}
	for kind, secrets := range map[string]map[string]struct{}{"app token": {loudApp: {}, otherApp: {}}, "session token": w.sessions, "password": w.passwords, "pair": w.pairs} {
		for secret := range secrets {
			for _, spelling := range spellings(secret) {
				look.add(spelling, kind)
			}
		}
		planted := slices.Sorted(maps.Keys(secrets))[len(secrets)/2]
		for _, spelling := range spellings(planted) {
			if _, kinds := look.find("…" + spelling + "…"); !slices.Contains(kinds, kind) {
				t.Errorf("a planted %s is not found: %s", kind, spelling)
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(out)) {
		if at, kinds := look.find(out[name]); len(kinds) > 0 {
			t.Errorf("%s tells a secret (%v): …%q…", name, kinds, out[name][max(0, at-120):min(len(out[name]), at+80)])
		}
	}
}

// spellings are the ways in which a text may stand in an output.
func spellings(s string) []string {
	quoted, err := json.Marshal(s)
	if err != nil {
		return []string{s}
	}
	all := []string{s, url.QueryEscape(s), url.PathEscape(s), markup.EscapeString(s), strings.Trim(string(quoted), `"`), spelled(s)}
	slices.Sort(all)
	return slices.Compact(all) // for most they are the same
}

// search finds any of many texts in one go.
type search map[[start]byte][]wanted

type wanted struct{ text, kind string }

// start is how many bytes tell where a closer look is worth it, and what is too
// short to be told from chance.
const start = 8

func (s search) add(text, kind string) {
	if len(text) >= start {
		s[[start]byte([]byte(text))] = append(s[[start]byte([]byte(text))], wanted{text, kind})
	}
}

// find tells where the first of the texts stands, and of which kinds it is.
func (s search) find(in string) (at int, kinds []string) {
	data := []byte(in)
	for at := range max(0, len(data)-start+1) {
		for _, w := range s[[start]byte(data[at:])] {
			if strings.HasPrefix(in[at:], w.text) {
				kinds = append(kinds, w.kind)
			}
		}
		if len(kinds) > 0 {
			return at, kinds
		}
	}
	return 0, nil
}
