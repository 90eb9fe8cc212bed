// Package shell writes texts as words of a POSIX shell's commands.
package shell

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/internal/quote"
)

// Text writes texts with secrets as words of a POSIX shell's command, which
// variables complete. A variable stands for one text: where a secret comes in a
// second spelling, that one has a variable of its own.
type Text struct {
	Variables map[string]string // name → the text it stands for
}

// New makes one without variables.
func New() *Text { return &Text{Variables: map[string]string{}} }

// variable is the name that stands for the text of a result.Piece.
func (s *Text) variable(p result.Piece) string {
	for n := 1; ; n++ {
		name := p.Var
		if n > 1 {
			name = fmt.Sprintf("%s_%d", p.Var, n)
		}
		if text, taken := s.Variables[name]; !taken || text == p.Text {
			s.Variables[name] = p.Text
			return name
		}
	}
}

// Word is one word that means the text, on one line and in characters that print.
func (s *Text) Word(pieces []result.Piece) string {
	if !Printable(pieces) {
		return `"$(` + s.Printf(pieces) + `)"`
	}
	if plainlyQuoted(pieces) {
		return `"` + s.inQuotes(pieces) + `"`
	}
	var b strings.Builder
	for _, p := range pieces {
		if p.Var == "" {
			b.WriteString(quote.Shell(p.Text))
		} else {
			b.WriteString(`"` + s.expansion(p, "") + `"`)
		}
	}
	return b.String()
}

// plainlyQuoted reports whether the text has a secret and reads well in double
// quotes: nothing in it means anything there.
func plainlyQuoted(pieces []result.Piece) bool {
	secret := false
	for _, p := range pieces {
		if p.Base64 != nil || p.Var == "" && strings.ContainsAny(p.Text, "\"\\$`!'{ ") {
			return false
		}
		secret = secret || p.Var != ""
	}
	return secret
}

func (s *Text) inQuotes(pieces []result.Piece) string {
	var b strings.Builder
	for i, p := range pieces {
		if p.Var == "" {
			b.WriteString(p.Text)
			continue
		}
		next := ""
		for _, after := range pieces[i+1:] {
			if next != "" || after.Var != "" {
				break
			}
			next = after.Text
		}
		b.WriteString(s.expansion(p, next))
	}
	return b.String()
}

// expansion is what the shell puts the secret in the place of, inside of double
// quotes and in front of the next text.
func (s *Text) expansion(p result.Piece, next string) string {
	if p.Base64 != nil {
		return `$(` + s.Printf(p.Base64) + ` | base64 | tr -d '\n')`
	}
	name := s.variable(p)
	if joins(next) {
		return "${" + name + "}"
	}
	return "$" + name
}

// joins reports whether a shell would take the text for a part of the expansion before it:
// for more of the name or, in zsh, for a subscript or for modifiers.
func joins(next string) bool {
	if next == "" || next == ":" {
		return false
	}
	return strings.ContainsRune("_[:", rune(next[0])) || next[0] < utf8.RuneSelf && (unicode.IsLetter(rune(next[0])) || unicode.IsDigit(rune(next[0])))
}

// Printf is a command that prints the text byte by byte, whatever is in it.
func (s *Text) Printf(pieces []result.Piece) string {
	var format, arguments strings.Builder
	for _, p := range pieces {
		if p.Var != "" {
			format.WriteString("%s")
			arguments.WriteString(` "` + s.expansion(p, "") + `"`)
			continue
		}
		for i := 0; i < len(p.Text); {
			r, size := utf8.DecodeRuneInString(p.Text[i:])
			format.WriteString(printfEscape(r, p.Text[i:i+size]))
			i += size
		}
	}
	if strings.HasPrefix(format.String(), "-") { // which printf would take for an option
		return `printf '\055` + format.String()[1:] + "'" + arguments.String()
	}
	return "printf '" + format.String() + "'" + arguments.String()
}

// printfEscape spells one character in a format of printf.
func printfEscape(r rune, text string) string {
	switch {
	case r == '\n':
		return `\n`
	case r == '\\':
		return `\\`
	case r == '%':
		return "%%"
	case r == '\'' || r == '#' || !unicode.IsPrint(r) || r == utf8.RuneError:
		var b strings.Builder
		for _, c := range []byte(text) {
			fmt.Fprintf(&b, `\%03o`, c)
		}
		return b.String()
	}
	return text
}

// Printable reports whether all that is shown of the text prints, on one line, and
// is nothing that the runner of a pipeline takes for a command.
func Printable(pieces []result.Piece) bool {
	for _, p := range pieces {
		if p.Var == "" && (strings.Contains(p.Text, "##") || !utf8.ValidString(p.Text) || strings.ContainsFunc(p.Text, func(r rune) bool { return !unicode.IsPrint(r) })) {
			return false
		}
	}
	return true
}
