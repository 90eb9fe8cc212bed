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

	"github.com/socialfeed/conform/internal/shell"
	"mvdan.cc/sh/v3/syntax"
)

// nasty are characters that mean something to a shell, to printf, or to who reads a log.
var nasty = []rune(":ahu[1]'\"\\$`!{}()[]*?~#%&|;<>=^ -@_az09\t\n\r\x1b\x7f\u00e9\u202e\U0001f989\ufffd")

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

// values are what the variables hold.
func values() map[string]string {
	return map[string]string{"APP_TOKEN": "`id` $(id) ' \" * \\", "A": "a\nb", "ID_1": "-n ; id"}
}

// word draws a word, and tells what it means.
func (d drawing) word() (word shell.Word, means string) {
	var words []shell.Word
	for range 1 + d.IntN(4) {
		text := d.text()
		w, m := shell.Lit(text), text
		switch d.IntN(6) {
		case 0, 1:
			name := []string{"APP_TOKEN", "A", "ID_1"}[d.IntN(3)]
			variable, err := shell.NameOf(name)
			if err != nil {
				panic(err)
			}
			w, m = shell.Var(variable), values()[name]
		case 2:
			w, m = shell.Base64(shell.Joined(w, shell.Var(shell.Named("A")), shell.Lit(":"))), base64.StdEncoding.EncodeToString([]byte(text+values()["A"]+":"))
		}
		words, means = append(words, w), means+m
	}
	if len(words) == 1 && d.IntN(2) == 0 {
		text := d.text()
		return shell.Plain(text), text
	}
	return shell.Joined(words...), means
}

// seeds are how many drawings a test takes, of so many words each.
const seeds, wordsOfASeed = 6, 16

// Every word means its text to a shell, byte for byte, is one word to a parser, and is read again as
// what it was.
func TestWordsMeanTheirTexts(t *testing.T) {
	t.Parallel()
	for seed := range uint64(seeds) {
		d := drawing{rand.New(rand.NewPCG(seed, 1))}
		var words []shell.Word
		var want []string
		for range wordsOfASeed {
			word, means := d.word()
			oneWord(t, word)
			words, want = append(words, word), append(want, means)
		}
		line := written(t, shell.Call("printf", append([]shell.Word{shell.Lit(`%s\000`)}, words...)...))
		told(t, line, want)
		line = written(t, shell.Call("curl", words...))
		if strings.Contains(line, "\n") { // a word that ends with one
			continue
		}
		again, input, ok := shell.ReadLine(line)
		if !ok || input != nil || written(t, shell.Run(again...)) != line {
			t.Fatalf("%s\nis read as %v", line, again)
		}
	}
}

// What a command prints is the text, byte for byte, line ends included.
func TestPrintPrintsItsText(t *testing.T) {
	t.Parallel()
	for seed := range uint64(seeds) {
		d := drawing{rand.New(rand.NewPCG(seed, 2))}
		var program []shell.Statement
		var want []string
		for range wordsOfASeed {
			word, means := d.word()
			if d.IntN(2) == 0 {
				word, means = shell.Joined(word, shell.Lit("\n\n")), means+"\n\n"
			}
			oneLine(t, written(t, shell.Print(word)))
			piped := written(t, shell.Pipe(shell.Print(word), shell.Call("cat")))
			if _, input, ok := shell.ReadLine(piped); !ok || written(t, shell.Print(*input)) != written(t, shell.Print(word)) {
				t.Fatalf("%s is not read", piped)
			}
			program = append(program, shell.Do(shell.Print(word)), shell.Fixed(`printf '\000'`))
			want = append(want, means)
		}
		text, err := shell.Text(program...)
		if err != nil {
			t.Fatal(err)
		}
		told(t, text, want)
	}
}

// A whole program of every kind of statement hands on its texts as they are.
func TestProgramsHandOnTheirTexts(t *testing.T) {
	t.Parallel()
	for seed := range uint64(seeds) {
		d := drawing{rand.New(rand.NewPCG(seed, 3))}
		var program []shell.Statement
		var want []string
		show := shell.Fixed(`printf '%s\000' "$X_1" "$X_2"`)
		for range wordsOfASeed {
			first, firstMeans := d.word()
			second, secondMeans := d.word()
			program = append(program, shell.Comment("a comment of ", d.text(), d.text()), shell.Function("set_it", shell.Comment("", d.text()),
				shell.Do(shell.Both(shell.Set(shell.Numbered("X", 1), first), shell.Either(shell.Export(shell.Named("X_2"), second), shell.Simple("exit 2"))))),
				shell.Fixed("set_it"), show)
			want = append(want, firstMeans, secondMeans)
		}
		text, err := shell.Text(program...)
		if err != nil {
			t.Fatal(err)
		}
		told(t, text, want)
	}
}

func TestNoWordHoldsANUL(t *testing.T) {
	t.Parallel()
	for _, word := range []shell.Word{shell.Lit("a\x00"), shell.Plain("\x00"), shell.Joined(shell.Lit("\x00"), shell.Var(shell.Named("A")))} {
		if text, err := shell.Line(shell.Call("printf", word)); err == nil {
			t.Errorf("a NUL stands in %q", text)
		}
	}
}

func TestNamesAreLettersInUpperCase(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"", "a", "A B", "A;id", "$A", "1A", "A\n", "Ä", strings.Repeat("A", 100)} {
		if name, err := shell.NameOf(text); err == nil {
			t.Errorf("%q is the name %s", text, name)
		}
	}
}

// FuzzReadLine: a line that is read is of literals and variables alone, to a parser of the shell too, and is
// written again in the writer's own way.
func FuzzReadLine(f *testing.F) {
	for _, line := range []string{`curl -sS -X 'a' "$A:$B" 'it'\''s'`, `printf 'a%%\n%s' "$A" | curl --data-binary @- "$(printf '\033')"`, `curl "$(printf 'a' | base64 | tr -d '\n')"`,
		"curl `id`", "curl $(id)", "curl 'a'; id", `curl "$(id)"`, "curl a > b", "curl ~ *", `curl "$A`, `curl 'a' \`} {
		f.Add(line)
	}
	f.Fuzz(func(t *testing.T, line string) {
		words, input, ok := shell.ReadLine(line)
		if !ok {
			return
		}
		command := shell.Run(words...)
		if input != nil {
			command = shell.Pipe(shell.Print(*input), command)
		}
		text, err := shell.Line(command)
		if err != nil { // a NUL that printf printed
			return
		}
		again, _, ok := shell.ReadLine(text)
		if !strings.Contains(text, "\n") && (!ok || written(t, shell.Run(again...)) != written(t, shell.Run(words...))) {
			t.Fatalf("%s\nis written as\n%s", line, text)
		}
		file, err := syntax.NewParser(syntax.Variant(syntax.LangPOSIX)).Parse(strings.NewReader(text), "line")
		if err != nil || len(file.Stmts) != 1 {
			t.Fatalf("%s: %v", text, err)
		}
		harmless(t, file)
	})
}

// harmless fails where a program runs something besides its one command and what prints its texts.
func harmless(t *testing.T, file *syntax.File) {
	t.Helper()
	syntax.Walk(file, func(node syntax.Node) bool {
		switch node := node.(type) {
		case *syntax.Stmt:
			if node.Background || len(node.Redirs) > 0 || node.Negated {
				t.Fatal("it does more than call a command")
			}
		case *syntax.CmdSubst:
			for _, s := range node.Stmts {
				command := s.Cmd
				if pipe, is := command.(*syntax.BinaryCmd); is {
					for {
						first, is := pipe.X.Cmd.(*syntax.BinaryCmd)
						if !is {
							break
						}
						pipe = first
					}
					command = pipe.X.Cmd
				}
				if call, is := command.(*syntax.CallExpr); !is || call.Args[0].Lit() != "printf" {
					t.Fatal("it runs another command than printf")
				}
			}
		}
		return true
	})
}

func written(t *testing.T, c shell.Command) string {
	t.Helper()
	text, err := shell.Line(c)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// oneWord fails where a word is not exactly one of a command.
func oneWord(t *testing.T, word shell.Word) {
	t.Helper()
	text := written(t, shell.Call("command", word))
	if !strings.HasSuffix(text, "\n'") { // the line end at a text's end stands in quotes
		oneLine(t, text)
	}
	file, err := syntax.NewParser(syntax.Variant(syntax.LangPOSIX)).Parse(strings.NewReader(text), "word")
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	if len(file.Stmts) != 1 {
		t.Fatalf("%s makes %d statements", text, len(file.Stmts))
	}
	if call, ok := file.Stmts[0].Cmd.(*syntax.CallExpr); !ok || len(call.Args) != 2 {
		t.Fatalf("%s is not one word", text)
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
func told(t *testing.T, script string, want []string) {
	t.Helper()
	for _, shell := range []string{"sh", "bash", "zsh"} {
		if _, err := exec.LookPath(shell); err != nil {
			t.Logf("no %s here", shell)
			continue
		}
		toldBy(t, shell, script, want)
	}
}

func toldBy(t *testing.T, shell, script string, want []string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), shell, "-c", script)
	cmd.Dir = t.TempDir()
	cmd.Env = []string{"PATH=/usr/bin:/bin:/usr/local/bin", "LC_ALL=C"}
	for name, value := range values() {
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
