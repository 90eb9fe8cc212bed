//go:build unix

package shell_test

import (
	"encoding/base64"
	"math/rand/v2"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/conformance/shell"
	"mvdan.cc/sh/v3/syntax"
)

// nasty are characters that mean something to a shell, to printf, or to who reads a log.
var nasty = []rune(":ahu[1]'\"\\$`!{}()[]*?~#%&|;<>= -_az09\t\n\r\x1b\x7f\u00e9\u202e\U0001f989\ufffd")

// drawing draws texts by a seed.
type drawing struct{ *rand.Rand }

// text draws one that a word of a command can hold: none has a NUL.
func (d drawing) text() string {
	const most = 12
	var b strings.Builder
	for range d.IntN(most) {
		if d.IntN(4) == 0 {
			b.WriteByte(byte(1 + d.IntN(255)))
		} else {
			b.WriteRune(nasty[d.IntN(len(nasty))])
		}
	}
	return b.String()
}

func (d drawing) pieces() []result.Piece {
	pieces := make([]result.Piece, 1+d.IntN(4))
	for i := range pieces {
		p := result.Piece{Text: d.text()}
		switch d.IntN(6) {
		case 0, 1:
			p.Var = []string{"APP_TOKEN", "PASSWORD", "A"}[d.IntN(3)]
		case 2:
			p.Var, p.Base64 = "CREDENTIALS", []result.Piece{{Text: p.Text}, {Text: "secret", Var: "PASSWORD"}, {Text: ":"}}
		}
		pieces[i] = p
	}
	return pieces
}

// seeds are how many drawings a test takes, of so many texts each.
const seeds, textsOfASeed = 12, 30

// meant is the text that pieces stand for.
func meant(pieces []result.Piece) string {
	var b strings.Builder
	for _, p := range pieces {
		if p.Base64 != nil {
			b.WriteString(base64.StdEncoding.EncodeToString([]byte(meant(p.Base64))))
		} else {
			b.WriteString(p.Text)
		}
	}
	return b.String()
}

// Every word means its text to a shell, byte for byte, is one word to a parser, and
// prints on one line.
func TestWordsMeanTheirTexts(t *testing.T) {
	t.Parallel()
	for seed := range uint64(seeds) {
		d := drawing{rand.New(rand.NewPCG(seed, 1))}
		s := shell.New()
		var words, want []string
		for range textsOfASeed {
			pieces := d.pieces()
			if strings.HasSuffix(meant(pieces), "\n") { // which what a command prints into a word loses
				continue
			}
			word := s.Word(pieces)
			oneWord(t, word)
			words, want = append(words, word), append(want, meant(pieces))
		}
		told(t, "printf '%s\\000' "+strings.Join(words, " "), s.Variables, want)
	}
}

// What a command prints is the text, byte for byte, line ends included.
func TestPrintfPrintsItsText(t *testing.T) {
	t.Parallel()
	for seed := range uint64(seeds) {
		d := drawing{rand.New(rand.NewPCG(seed, 2))}
		s := shell.New()
		var script strings.Builder
		var want []string
		for range textsOfASeed {
			pieces := d.pieces()
			if d.IntN(2) == 0 {
				pieces = append(pieces, result.Piece{Text: "\n\n"})
			}
			command := s.Printf(pieces)
			oneLine(t, command)
			script.WriteString(command + "; printf '\\000'\n")
			want = append(want, meant(pieces))
		}
		told(t, script.String(), s.Variables, want)
	}
}

// oneWord fails where a text is not exactly one word of one command.
func oneWord(t *testing.T, word string) {
	t.Helper()
	oneLine(t, word)
	file, err := syntax.NewParser(syntax.Variant(syntax.LangPOSIX)).Parse(strings.NewReader("command "+word), "word")
	if err != nil {
		t.Fatalf("%s: %v", word, err)
	}
	if len(file.Stmts) != 1 {
		t.Fatalf("%s makes %d statements", word, len(file.Stmts))
	}
	if call, ok := file.Stmts[0].Cmd.(*syntax.CallExpr); !ok || len(call.Args) != 2 {
		t.Fatalf("%s is not one word", word)
	}
}

// oneLine fails where a text does not print on one line, or has what the runner of a
// pipeline takes for a command.
func oneLine(t *testing.T, text string) {
	t.Helper()
	if strings.Contains(text, "##") || strings.ContainsFunc(text, func(r rune) bool { return !unicode.IsPrint(r) }) {
		t.Fatalf("%q is no line that prints", text)
	}
}

// told runs a script that prints texts with a NUL behind each, in every shell that people
// paste commands into and that this machine has.
func told(t *testing.T, script string, variables map[string]string, want []string) {
	t.Helper()
	for _, shell := range []string{"sh", "bash", "zsh"} {
		if _, err := exec.LookPath(shell); err != nil {
			t.Logf("no %s here", shell)
			continue
		}
		toldBy(t, shell, script, variables, want)
	}
}

func toldBy(t *testing.T, shell, script string, variables map[string]string, want []string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), shell, "-c", script)
	cmd.Env = []string{"PATH=/usr/bin:/bin:/usr/local/bin", "LC_ALL=C"}
	for name, value := range variables {
		cmd.Env = append(cmd.Env, name+"="+value)
	}
	var trouble strings.Builder
	cmd.Stderr = &trouble
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s: %s\n%v: %s", shell, script, err, &trouble)
	}
	got := strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00")
	for i := range min(len(got), len(want)) {
		if got[i] != want[i] {
			t.Fatalf("to %s number %d means %q, not %q:\n%s", shell, i, got[i], want[i], script)
		}
	}
	if !slices.Equal(got, want) {
		t.Fatalf("%s\nmeans to %s %q\nnot %q", script, shell, got, want)
	}
}
