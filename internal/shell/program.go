package shell

import (
	"embed"
	"fmt"
	"strings"
	"unicode"
)

// Command is a line for a shell: a call, a pipeline, a list.
type Command interface{ line() (string, error) }

// Statement is a command, or another part of a program: an assignment, a function, a
// comment, constant text.
type Statement interface{ lines() (string, error) }

// Text writes a program.
func Text(program ...Statement) (string, error) {
	var b strings.Builder
	for _, s := range program {
		text, err := s.lines()
		if err != nil {
			return "", fmt.Errorf("writing a program of a shell: %w", err)
		}
		b.WriteString(text + "\n")
	}
	return b.String(), nil
}

// Line writes a command as one line to paste. A NUL in a word, which no shell can express, is an error.
func Line(c Command) (string, error) { return c.line() }

// MustLine is Line for words that have passed a check that refuses a NUL; of others it is "".
func MustLine(c Command) string {
	text, err := c.line()
	if err != nil {
		return ""
	}
	return text
}

// call is a command with its arguments.
type call struct{ words []Word }

// Call is a command of a constant name, or a function of the program, with arguments.
func Call(name constant, arguments ...Word) Command {
	return call{append([]Word{Plain(string(name))}, arguments...)}
}

// Run is a command whose name is a word, too.
func Run(words ...Word) Command { return call{words} }

func (c call) line() (string, error) {
	written := make([]string, len(c.words))
	for i, w := range c.words {
		var err error
		if written[i], err = w.write(); err != nil {
			return "", err
		}
	}
	return strings.Join(written, " "), nil
}

func (c call) lines() (string, error) { return c.line() }

// print is the command that prints a word.
type print struct{ word Word }

// Print is the command that prints a word, byte for byte: it may have NULs in its text.
func Print(word Word) Command { return print{word} }

func (p print) line() (string, error)  { return p.word.printf() }
func (p print) lines() (string, error) { return p.line() }

// list is commands with an operator between them.
type list struct {
	operator string
	commands []Command
}

// Pipe is a pipeline.
func Pipe(commands ...Command) Command { return list{" | ", commands} }

// Both runs the second command where the first succeeds.
func Both(first, second Command) Command { return list{" && ", []Command{first, second}} }

// Either runs the second command where the first fails.
func Either(first, second Command) Command { return list{" || ", []Command{first, second}} }

func (l list) line() (string, error) {
	written := make([]string, len(l.commands))
	for i, c := range l.commands {
		var err error
		if written[i], err = c.line(); err != nil {
			return "", err
		}
	}
	return strings.Join(written, l.operator), nil
}

func (l list) lines() (string, error) { return l.line() }

// assignment sets a variable.
type assignment struct {
	name  Name
	value Word
}

// Set sets a variable. It fails where the value is the output of a command that fails.
func Set(name Name, value Word) Command { return assignment{name, value} }

func (a assignment) line() (string, error) {
	value, err := a.value.write()
	return a.name.text + "=" + value, err
}

func (a assignment) lines() (string, error) { return a.line() }

// export sets a variable for other programs.
type export struct{ assignment }

// Export sets a variable of the environment.
func Export(name Name, value Word) Command { return export{assignment{name, value}} }

func (e export) line() (string, error) {
	text, err := e.assignment.line()
	return "export " + text, err
}

func (e export) lines() (string, error) { return e.line() }

// simple is constant text as a command.
type simple string

// Simple is a constant command, such as one that has redirections.
func Simple(text constant) Command { return simple(text) }

func (s simple) line() (string, error)  { return string(s), nil }
func (s simple) lines() (string, error) { return string(s), nil }

// Fixed is constant lines.
func Fixed(text constant) Statement { return simple(strings.TrimSuffix(string(text), "\n")) }

// statement is the statement of a command of any type.
type statement struct{ Command }

// Do is a command as a statement.
func Do(c Command) Statement { return statement{c} }

func (s statement) lines() (string, error) { return s.line() }

// background is a command that is not waited for.
type background struct{ command Command }

// Background starts a command, and does not wait for it.
func Background(c Command) Statement { return background{c} }

func (b background) lines() (string, error) {
	text, err := b.command.line()
	return text + " &", err
}

// function is a function of the program.
type function struct {
	name string
	body []Statement
}

// Function declares a function.
func Function(name constant, body ...Statement) Statement { return function{string(name), body} }

func (f function) lines() (string, error) {
	text, err := Text(f.body...)
	if strings.TrimSpace(text) == "" {
		text = ":\n"
	}
	return f.name + "() {\n" + text + "}", err
}

// comment is a line that no shell runs.
type comment string

// Comment is constant text and others in a comment of one line, without what does not print.
func Comment(about constant, texts ...string) Statement {
	return comment(about + constant(strings.Join(texts, "")))
}

func (c comment) lines() (string, error) {
	return "# " + strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return ' '
		}
		return r
	}, string(c)), nil
}

// Embedded is the program text of a file that was embedded at compile time.
func Embedded(files embed.FS, name constant) Statement {
	text, err := files.ReadFile(string(name))
	if err != nil { // no file of this name was embedded: a mistake of the program
		panic(err)
	}
	return simple(strings.TrimSuffix(string(text), "\n"))
}
