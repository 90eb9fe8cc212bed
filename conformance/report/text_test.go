package report

import (
	"bytes"
	"cmp"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/jedib0t/go-pretty/v6/text"
	"github.com/socialfeed/conform/conformance/report/plain"
	"github.com/socialfeed/conform/conformance/report/rulebook"
	"github.com/socialfeed/conform/conformance/report/screen"
	"github.com/socialfeed/conform/conformance/report/view"
	"github.com/socialfeed/conform/conformance/result"
)

func TestMain(m *testing.M) {
	// The locale of the machine must not decide how wide a symbol is.
	text.OverrideRuneWidthEastAsianWidth(false)
	flag.Bool("update", false, "write the golden files")
	os.Exit(m.Run())
}

func reports() map[string]*result.Report {
	return map[string]*result.Report{
		"passing": passing(), "failing": failing(), "unreachable": unreachable(), "blocked": blockedRun(),
	}
}

func written(t *testing.T, r *result.Report, o view.Options, layout ...screen.Layout) string {
	t.Helper()
	var b bytes.Buffer
	if err := screen.Write(&b, view.New(r, o), cmp.Or(append(layout, screen.Layout{})...)); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// golden compares with a file of the golden reports, or writes it with -update.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("..", "..", "testdata", "reports", name)
	if flag.Lookup("update").Value.String() == "true" {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("%v (go test -update writes it)", err)
	}
	if got != string(want) {
		t.Errorf("%s differs (go test -update rewrites it); got:\n%s", path, got)
	}
}

func TestTextGolden(t *testing.T) {
	for name, r := range reports() {
		t.Run(name, func(t *testing.T) { golden(t, name+".txt", written(t, r, view.Options{})) })
	}
	t.Run("narrow", func(t *testing.T) {
		golden(t, "failing-80.txt", written(t, failing(), view.Options{}, screen.Layout{Width: 80}))
	})
	t.Run("colour", func(t *testing.T) {
		golden(t, "failing-colour.txt", written(t, failing(), view.Options{}, screen.Layout{Color: true}))
	})
}

func TestTextIsShort(t *testing.T) {
	for name, most := range map[string]int{"passing": 80, "unreachable": 25, "blocked": 35} {
		if lines := strings.Count(written(t, reports()[name], view.Options{}, screen.Layout{Width: 80}), "\n"); lines > most {
			t.Errorf("%s: %d lines, want at most %d", name, lines, most)
		}
	}
}

// What cannot be broken is a word of a command.
func TestTextKeepsItsWidth(t *testing.T) {
	for name, r := range reports() {
		for _, width := range []int{80, 100, 140} {
			for line := range strings.SplitSeq(written(t, r, view.Options{}, screen.Layout{Width: width}), "\n") {
				if strings.TrimRight(line, " ") != line {
					t.Errorf("%s: trailing spaces in %q", name, line)
				}
				if plain.Columns(line) > width && len(plain.ShellWords(strings.TrimSpace(line))) > 2 {
					t.Errorf("%s: %d columns instead of %d: %s", name, plain.Columns(line), width, line)
				}
			}
		}
	}
}

func TestColourAddsNothingButColour(t *testing.T) {
	for name, r := range reports() {
		plain, painted := written(t, r, view.Options{}), written(t, r, view.Options{}, screen.Layout{Color: true})
		if plain == painted {
			t.Errorf("%s: nothing is painted", name)
		}
		if text.StripEscape(painted) != plain {
			t.Errorf("%s: without its colours the text is another", name)
		}
	}
}

func TestTargetCannotSteerTheTerminal(t *testing.T) {
	got := written(t, failing(), view.Options{})
	for _, forbidden := range []string{"\x1b", "\x07", "\u202e", "\r", "\t"} {
		if strings.Contains(got, forbidden) {
			t.Errorf("%q reached the page", forbidden)
		}
	}
	if !strings.Contains(got, `\x1b[2Jgone\u202e and two lines`) {
		t.Error("what the target sent is not spelled out")
	}
}

// A pasted command must mean what the judge sent, with the placeholders to fill in.
func TestCommandSurvivesItsLayout(t *testing.T) {
	curl := `curl -sS -i -X POST -u "$APP_TOKEN:$SESSION_TOKEN" -H 'X: it'\''s  two' --data-raw '{"password":"'"$PASSWORD"'"}' 'https://h/p'`
	for _, width := range []int{20, 60, 100, 500} {
		pasted := strings.ReplaceAll(strings.Join(plain.Command(curl, width), "\n"), " \\\n  ", " ")
		if pasted != curl {
			t.Errorf("at %d columns it reads %s", width, pasted)
		}
	}
}

func TestCredentialsOfACommandAreKept(t *testing.T) {
	for _, width := range []int{60, 80, 100, 200} {
		got := written(t, failing(), view.Options{}, screen.Layout{Width: width})
		if told, tried := strings.Count(got, "✗ FAIL")+strings.Count(got, "! WARN"), strings.Count(got, `-u "$APP_TOKEN:$SESSION_TOKEN"`)+strings.Count(got, "too long to print"); told == 0 || told != tried {
			t.Errorf("at %d columns: %d failures, and %d commands with credentials to fill in", width, told, tried)
		}
	}
}

func TestPlaceholdersStayWhole(t *testing.T) {
	for width := 20; width < 60; width++ {
		lines := plain.Wrap(strings.Repeat("x", 17)+"$SESSION_TOKEN"+strings.Repeat("y", 30), width)
		if !strings.Contains(strings.Join(lines, "\n"), "$SESSION_TOKEN") {
			t.Errorf("at %d columns: %q", width, lines)
		}
		if strings.Join(lines, "") != strings.Repeat("x", 17)+"$SESSION_TOKEN"+strings.Repeat("y", 30) {
			t.Errorf("at %d columns something is lost: %q", width, lines)
		}
	}
}

// full fails once so many bytes were written.
type full struct{ room int }

func (f *full) Write(b []byte) (int, error) {
	if f.room -= len(b); f.room < 0 {
		return 0, errors.New("no space left")
	}
	return len(b), nil
}

func TestFailingWriterSurfaces(t *testing.T) {
	rules := someRules()
	for name, write := range map[string]func(*full) error{
		"text":     func(w *full) error { return screen.Write(w, view.New(failing(), view.Options{}), screen.Layout{}) },
		"json":     func(w *full) error { return writeJSONReport(w, view.New(failing(), view.Options{})) },
		"rules":    func(w *full) error { return rulebook.Rules(w, rules, "text") },
		"markdown": func(w *full) error { return rulebook.Rules(w, rules, "markdown") },
		"as json":  func(w *full) error { return rulebook.Rules(w, rules, "json") },
		"explain":  func(w *full) error { return rulebook.Explain(w, rules[0], screen.Layout{}) },
	} {
		for _, room := range []int{0, 100} {
			if err := write(&full{room}); err == nil || !strings.Contains(err.Error(), "no space left") {
				t.Errorf("%s with room for %d bytes: %v", name, room, err)
			}
		}
		if err := write(&full{1 << 20}); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}
