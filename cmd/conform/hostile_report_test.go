package main

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"io"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/socialfeed/conform/conformance/report"
	"github.com/socialfeed/conform/conformance/report/screen"
	"github.com/socialfeed/conform/conformance/report/view"
	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/conformance/rules"
	"go.yaml.in/yaml/v3"
)

// attacks are texts that steer what shows them: a terminal, the log of a pipeline, a page.
func attacks() map[string]string {
	return map[string]string{
		"terminal": "EVIL\x1b[2J\x1b[31m\x1b]8;;https://evil.example\x1b\\EVIL\x1b]0;EVIL\x07\u009b31mEVIL\x7f",
		"bidi":     "EVIL\u202e\u2066EVIL\u2069\u200f\u061c\u200b\u2028EVIL\u2029\ufeff\U000e0001EVIL",
		"lines":    "EVIL\n::error title=EVIL::EVIL\r\n::set-output name=a::EVIL\n##[error]EVIL\nconform: FORGED\rFORGED\n---\nFORGED: [",
		"github":   "::error title=EVIL::EVIL",
		"azure":    "##vso[task.setvariable variable=EVIL]EVIL ##[error]EVIL ##teamcity[EVIL]",
		"gitlab":   "section_start:1:EVIL[collapsed=true]\r\x1b[0KEVIL\nsection_end:1:EVIL\r\x1b[0K",
		"markup":   "]]></failure><EVIL/>--></script><img src=x onerror=EVIL>`EVIL`*/ EVIL {{EVIL}}",
	}
}

// identifying are the fields whose alphabet the schema has: they keep what is there.
func identifying(field string) bool {
	return slices.Contains([]string{"schema", "version", "id", "part", "endpoint", "blocked_by", "blocked_at", "var", "side", "expires", "trace_id", "commit"}, field)
}

// fill puts a text wherever a value has one, and makes what is missing.
func fill(v reflect.Value, field, text string) {
	switch v.Kind() {
	case reflect.String:
		switch v.Interface().(type) {
		case string:
			if !identifying(field) {
				v.SetString(text)
			}
		case result.Status:
			v.SetString(string(result.Fail))
		case result.WaiverState:
			v.SetString("used")
		}
		if field == "var" {
			v.SetString("WORD_1")
		}
		if field == "rule" {
			v.SetString("users.fail")
		}
	case reflect.Pointer:
		if v.IsNil() && v.Type().Elem().Kind() == reflect.Struct {
			v.Set(reflect.New(v.Type().Elem()))
		}
		if !v.IsNil() {
			fill(v.Elem(), field, text)
		}
	case reflect.Slice:
		if v.Type() == reflect.TypeFor[json.RawMessage]() {
			story, _ := json.Marshal(map[string]string{"told": text})
			v.SetBytes(story)
			return
		}
		if v.Len() == 0 {
			v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		}
		for i := range v.Len() {
			fill(v.Index(i), field, text)
		}
	case reflect.Map:
		fillMap(v, text)
	case reflect.Int, reflect.Int64:
		v.SetInt(max(v.Int(), 1))
	case reflect.Struct:
		if v.Type() == reflect.TypeFor[time.Time]() || v.Type() == reflect.TypeFor[result.ObservedChoices]() {
			return
		}
		for i := range v.NumField() {
			name, _, _ := strings.Cut(v.Type().Field(i).Tag.Get("json"), ",")
			if v.Type().Field(i).IsExported() && name != "-" {
				fill(v.Field(i), name, text)
			}
		}
	}
}

// fillMap gives a map an entry whose key and value have a text. Those of counts are kept.
func fillMap(v reflect.Value, text string) {
	switch m := v.Interface().(type) {
	case map[string]int:
		m[text] = 1
	case map[string][]string:
		m[text] = []string{text}
	default:
		if v.Type().ConvertibleTo(reflect.TypeFor[map[string][]string]()) {
			v.Set(reflect.ValueOf(map[string][]string{text: {text}}).Convert(v.Type()))
		}
	}
}

// hostileReport is a report that is an attack in each of its texts.
func hostileReport(t *testing.T, text string, shape func(*result.Report)) []byte {
	t.Helper()
	var r result.Report
	if err := json.Unmarshal([]byte(reportOfNothing), &r); err != nil {
		t.Fatal(err)
	}
	at := rules.GetMe
	for _, id := range []string{"feed.order", "users.me.get", "users.id-type"} {
		known, _ := rules.Load().Rule(id)
		r.Rules = append(r.Rules, result.Rule{ID: id, Level: known.Level, Part: known.Part(), Checks: []result.Check{{Endpoint: at.String(), BlockedBy: "users.create.status", BlockedAt: at.String(), Side: "service"}}})
		if known.Level == "" {
			r.Rules[len(r.Rules)-1].Level = rules.Must
		}
	}
	r.Waivers = []result.AppliedWaiver{{Waiver: result.Waiver{Endpoint: at.String(), Expires: "2099-12-31"}}}
	r.Choices = []result.Choice{{Endpoint: at.String()}}
	r.Endpoints = []result.Endpoint{{Number: int(at), Method: "GET", Path: at.Path(), Checks: r.Summary.Checks}}
	fill(reflect.ValueOf(&r).Elem(), "", text)
	r.Client, r.Shard, r.EndedBy = nil, nil, ""
	r.Implementation, r.Claims = nil, nil // their alphabet is that of names
	for i := range r.Rules {
		r.Rules[i].Checks[0].Drawn = true
	}
	if shape != nil {
		shape(&r)
	}
	var b bytes.Buffer
	if err := report.New(&r, view.Options{}).Write(&b, "json", screen.Layout{}); err != nil {
		t.Fatal(err)
	}
	if _, err := report.ReadJSON(bytes.NewReader(b.Bytes())); err != nil {
		t.Fatalf("the report is refused, and proves nothing: %v", err)
	}
	return b.Bytes()
}

// commanding matches what a pipeline's runner takes for a command.
var commanding = regexp.MustCompile(`(?im)^\s*::|##(\[|vso\[|teamcity\[)|section_(start|end):\d+:\S*\r`)

// harmless sees that a text steers nothing.
func harmless(t *testing.T, what, text string) {
	t.Helper()
	for line := range strings.SplitSeq(text, "\n") {
		if i := strings.IndexFunc(line, func(r rune) bool { return r != '\t' && r != '\ufe0f' && !unicode.IsPrint(r) }); i >= 0 {
			t.Errorf("%s: does not print: %.80q", what, line[max(0, i-20):])
			return
		}
	}
	if at := commanding.FindStringIndex(text); at != nil {
		t.Errorf("%s: a command: %.80q", what, text[at[0]:])
	}
	if strings.Contains(what, "html") || strings.Contains(what, "markdown") {
		return // which show texts of several lines, as what they are
	}
	if at := regexp.MustCompile(`(?m)^(conform: )?FORGED`).FindStringIndex(text); at != nil {
		t.Errorf("%s: a forged line: %.80q", what, text[at[0]:])
	}
}

// Whatever a report says, no command that reads one passes an attack on to a terminal, a log or
// a file.
func TestNoCommandPassesAnAttackOn(t *testing.T) {
	t.Parallel()
	sound := file(t, []byte(reportOfNothing))
	for name, text := range attacks() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			hostile := file(t, hostileReport(t, text, nil))
			client := file(t, hostileReport(t, text, func(r *result.Report) {
				r.Client = &result.Client{Command: text, Flags: []string{text}, Runs: []result.ClientRun{{Surrounding: text, Flags: []string{text}}}}
			}))
			shards := t.TempDir()
			shard := filepath.Join(shards, "1.json")
			writeShard := func(path string, index int) {
				data := hostileReport(t, text, func(r *result.Report) {
					r.Shard = &result.Shard{Index: index, Of: 3, Selection: rules.Selection{Scenarios: []string{text}}}
					r.EndedBy = text
				})
				if err := writeFile(anywhere{}, path, func(w io.Writer) error { _, err := w.Write(data); return err }); err != nil {
					t.Fatal(err)
				}
			}
			writeShard(shard, 1)
			calls := [][]string{
				{"next", hostile}, {"waive", hostile}, {"keep", hostile, "--rule", "feed.order"}, {"keep", hostile, "--rule", "users.status"},
				{"reproduce", hostile, "--rule", "feed.order", "--endpoint", "3"}, {"reproduce", hostile, "--rule", "users.odd"},
				{"replay", hostile, "--rule", "feed.order"}, {"replay", hostile, "--rule", "nowhere"}, {"replay", hostile, "--rule", "feed.order", "--app-token", "x"},
				{"merge", shard, "--report", "markdown=-"}, {"merge", shard}, {"merge", shard, hostile}, {"merge", shard, shard}, {"merge", shards, "-o", "-"},
				{"--self", "--rule", "versions.status", "--last-failed", hostile},
				{"client", "--baseline", hostile, "--dialects", "none", "--weather", "none", "--", "true"},
			}
			for _, format := range report.Formats() {
				calls = append(calls, []string{"report", format, hostile}, []string{"report", format, client})
			}
			for _, format := range report.DiffFormats() {
				calls = append(calls, []string{"diff", sound, hostile, "--format", format}, []string{"diff", hostile, sound, "--format", format}, []string{"diff", client, shard, "--format", format})
			}
			for _, args := range calls {
				var out, diagnostics bytes.Buffer
				run(t.Context(), args, streams{in: strings.NewReader(""), out: &out, err: &diagnostics, program: "conform"})
				what := strings.Join(args, " ")
				harmless(t, what+", stderr", diagnostics.String())
				switch {
				case args[0] == "report" && args[1] == "github":
					commandsOfOurs(t, out.String())
				case args[0] == "report" && args[1] == "junit":
					wellFormed(t, what, out.String())
					harmless(t, what, out.String())
				case args[0] == "waive":
					keptReason(t, out.String(), text)
					harmless(t, what, out.String())
				default:
					harmless(t, what, out.String())
				}
			}
		})
	}
}

// commandsOfOurs sees that annotations are one command a line, of which none was in a text.
func commandsOfOurs(t *testing.T, text string) {
	t.Helper()
	for line := range strings.SplitSeq(strings.TrimSuffix(text, "\n"), "\n") {
		if ok, _ := regexp.MatchString(`^::(error|warning|notice) title=[^\x00-\x1f]*$`, line); !ok || strings.HasPrefix(line, "::error title=EVIL") {
			t.Errorf("no annotation of ours: %.200q", line)
		}
	}
}

func wellFormed(t *testing.T, what, text string) {
	t.Helper()
	decoder := xml.NewDecoder(strings.NewReader(text))
	for {
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			t.Errorf("%s: %v", what, err)
			return
		}
		if element, ok := token.(xml.StartElement); ok && element.Name.Local == "EVIL" {
			t.Errorf("%s: an element of the attack's", what)
		}
	}
}

// keptReason sees that a draft of waivers means what the report said, whatever that is.
func keptReason(t *testing.T, text, reason string) {
	t.Helper()
	var all []map[string]any
	if err := yaml.Unmarshal([]byte(text), &all); err != nil {
		t.Errorf("the draft is no YAML: %v\n%s", err, text)
		return
	}
	if !slices.ContainsFunc(all, func(w map[string]any) bool { return w["reason"] == reason }) {
		t.Errorf("the reason came back changed: %q", all)
	}
}
