// Package shell builds programs of a POSIX shell from a tree of commands and words, and writes
// them. It is the only place where text becomes a program of a shell. Whatever comes from outside
// enters as a literal, which the writer quotes; syntax is made of constants alone.
package shell

import (
	"fmt"
	"regexp"
)

// Constant is program text. Its type is only named here: outside of this package, constants
// become one, and variables do not. No text that a program gets at run time is syntax.
type constant string

// Name is the name of a variable of the shell.
type Name struct{ text string }

// namePattern is the alphabet of names: letters in upper case, digits and underscores.
var namePattern = regexp.MustCompile(`^[A-Z][A-Z0-9_]{0,60}$`)

// NameOf returns a text as the name of a variable. A text that is not such a name is an error.
func NameOf(text string) (Name, error) {
	if !namePattern.MatchString(text) {
		return Name{}, fmt.Errorf("%q is not the name of a variable: letters in upper case, digits and underscores", text)
	}
	return Name{text}, nil
}

// Named returns the variable of a constant name.
func Named(name constant) Name { return Name{string(name)} }

// Numbered returns the variable of a kind and a number, such as ID_1.
func Numbered(kind constant, number int) Name { return Name{fmt.Sprintf("%s_%d", kind, number)} }

// String returns the name.
func (n Name) String() string { return n.text }

// Word is one word of a command, whatever its parts hold: blanks do not split it, and patterns
// match nothing.
type Word struct {
	parts []part
	plain bool // written without quotes where no character needs them
}

// part is a piece of a word: a text, a variable, or what a command prints.
type part struct {
	text    string
	name    Name    // "" for none
	base64  *Word   // printed in base64
	command Command // whose output it is
}

// Lit is the word that means the text, byte for byte. No word can hold a NUL.
func Lit(text string) Word { return Word{parts: []part{{text: text}}} }

// Plain is Lit, written without quotes where the text means itself to every shell.
func Plain(text string) Word { return Word{parts: []part{{text: text}}, plain: true} }

// Var is the word with the value of a variable.
func Var(name Name) Word { return Word{parts: []part{{name: name}}} }

// Base64 is the word with another one in base64.
func Base64(word Word) Word { return Word{parts: []part{{base64: &word}}} }

// Output is the word that a command prints, without line ends behind it.
func Output(command Command) Word { return Word{parts: []part{{command: command}}} }

// Joined is one word of several, without anything between them.
func Joined(words ...Word) Word {
	var joined Word
	for _, w := range words {
		for _, p := range w.parts {
			last := len(joined.parts) - 1
			if p.isText() && last >= 0 && joined.parts[last].isText() {
				joined.parts[last].text += p.text
				continue
			}
			joined.parts = append(joined.parts, p)
		}
	}
	return joined
}

func (p part) isText() bool { return p.name.text == "" && p.base64 == nil && p.command == nil }

// Text returns the word as a reader sees it: $NAME stands for a variable, and base64(…) for what
// is printed so.
func (w Word) Text() string {
	text := ""
	for _, p := range w.parts {
		switch {
		case p.name.text != "":
			text += "$" + p.name.text
		case p.base64 != nil:
			text += "base64(" + p.base64.Text() + ")"
		default:
			text += p.text
		}
	}
	return text
}
