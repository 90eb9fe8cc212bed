package clean

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"strings"
	"testing"
	"unicode"

	"go.yaml.in/yaml/v3"
)

func TestRunnersAreSentNoCommands(t *testing.T) {
	for line, want := range map[string]string{
		"::error::x":                      ": :error::x",
		" \t::set-env name=a::b":          ` \t::set-env name=a::b`,
		"\x1b[31m::error::":               "\x1b[31m: :error::",
		"said ##[error]x":                 "said # #[error]x",
		"##teamcity[message text='x']":    "# #teamcity[message text='x']",
		"##VSO[task.setvariable x]":       "# #VSO[task.setvariable x]",
		"a::b, # [x] and ## [y]":          "a::b, # [x] and ## [y]",
		"section_start:1:x\r\x1b[0Ktitle": `section_start:1:x\r` + `\x1b[0Ktitle`,
		"\u009b31m\u202eabc\u2028\x00":    `\u009b31m\u202eabc\u2028\x00`,
	} {
		if got := Screen(line); got != want {
			t.Errorf("%q becomes %q, want %q", line, got, want)
		}
	}
}

func TestWriterCleansWholeLines(t *testing.T) {
	var b bytes.Buffer
	w := NewWriter(&b, Log)
	for _, part := range []string{"a\n :", ":err", "or\nrest\x1b["} {
		if _, err := w.Write([]byte(part)); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	if want := "a\n : :error\nrest\\x1b["; b.String() != want {
		t.Errorf("%q, want %q", b.String(), want)
	}
}

// FuzzGate holds what each reader of an output relies on: nothing in it steers a
// terminal or a runner, and JSON and XML mean what they meant.
func FuzzGate(f *testing.F) {
	f.Add("::error::x ##[group]")
	f.Add("\x1b]0;title\a\u009b2J\u202e\ufffe")
	f.Fuzz(func(t *testing.T, s string) {
		for _, line := range []string{Log(s), Log(Line(s))} {
			if strings.ContainsFunc(line, func(r rune) bool { return !unicode.IsPrint(r) }) {
				t.Fatalf("%q", line)
			}
			runs(t, line)
		}
		text, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		var back, plain string
		if json.Unmarshal([]byte(JSON(string(text))), &back) != nil || json.Unmarshal(text, &plain) != nil || back != plain {
			t.Fatalf("%q means %q in JSON", s, back)
		}
		var b bytes.Buffer
		if err := xml.EscapeText(&b, []byte(Visible(s))); err != nil {
			t.Fatal(err)
		}
		var element struct {
			Text string `xml:",chardata"`
		}
		for line := range strings.SplitSeq(b.String(), "\n") {
			runs(t, Markup(line))
		}
		if err := xml.Unmarshal([]byte("<a>"+Markup(b.String())+"</a>"), &element); err != nil || element.Text != Visible(s) {
			t.Fatalf("%q means %q in XML (%v)", s, element.Text, err)
		}
	})
}

// runs fails the test for a line that a runner takes for a command.
func runs(t *testing.T, line string) {
	t.Helper()
	lower := strings.ToLower(line)
	if strings.HasPrefix(strings.TrimSpace(line), "::") || strings.Contains(lower, "##[") || strings.Contains(lower, "##vso[") || strings.Contains(lower, "##teamcity[") {
		t.Fatalf("a command: %q", line)
	}
}

// A line of YAML prints, and a parser reads the same text from it.
func TestYAMLPrintsAndMeansTheSame(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"plain", "a\u202eb\u2066", "##vso[a]b", "##[error]", "\U000e0001", "\x1b[31m", "café 🦉"} {
		line := YAML(`"` + text + `"`)
		if i := strings.IndexFunc(line, unprintable); i >= 0 || marker.MatchString(line) {
			t.Errorf("%q is written as %q", text, line)
		}
		var back string
		if err := yaml.Unmarshal([]byte(line), &back); err != nil || back != text {
			t.Errorf("%q came back as %q: %v", text, back, err)
		}
		if NeedsQuotes(text) != (line != `"`+text+`"`) {
			t.Errorf("%q: needs quotes: %t", text, NeedsQuotes(text))
		}
	}
}
