package shell

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// errNUL is why a text is not a word.
var errNUL = errors.New("a word of a shell cannot hold a NUL")

// write is the word as program text: on one line and in characters that print.
func (w Word) write() (string, error) {
	for _, p := range w.parts {
		if strings.ContainsRune(p.text, 0) {
			return "", errNUL
		}
	}
	switch {
	case w.plain && w.isPlain():
		return w.parts[0].text, nil
	case !w.Prints():
		return w.printed()
	case w.readsWellInQuotes():
		return w.inQuotes()
	}
	var b strings.Builder
	for _, p := range w.parts {
		if p.isText() {
			b.WriteString(quoted(p.text))
			continue
		}
		text, err := p.expansion("")
		if err != nil {
			return "", err
		}
		b.WriteString(`"` + text + `"`)
	}
	if b.Len() == 0 {
		return "''", nil
	}
	return b.String(), nil
}

func quoted(text string) string { return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'" }

// writtenPlain matches the words in which no shell reads anything. Only options have an equals sign:
// a word with one may be an assignment, and zsh takes one at the beginning for a command's path.
var writtenPlain = regexp.MustCompile(`^(?:-[A-Za-z0-9._/+,:@%…=-]*|[A-Za-z0-9._/+,:@%…][A-Za-z0-9._/+,:@%…-]*)`)

func (w Word) isPlain() bool {
	return len(w.parts) == 1 && w.parts[0].isText() && w.parts[0].text != "" && writtenPlain.FindString(w.parts[0].text) == w.parts[0].text
}

// Prints reports whether all text of the word prints, on one line, and is nothing that the runner
// of a pipeline takes for a command.
func (w Word) Prints() bool {
	for _, p := range w.parts {
		if strings.Contains(p.text, "##") || !utf8.ValidString(p.text) || strings.ContainsFunc(p.text, func(r rune) bool { return !unicode.IsPrint(r) }) {
			return false
		}
	}
	return true
}

// printed is the word as the output of printf. The line ends behind it, which the shell drops from an
// output, are in quotes.
func (w Word) printed() (string, error) {
	last := len(w.parts) - 1
	body, ends := w, ""
	if text := w.parts[last].text; strings.HasSuffix(text, "\n") {
		kept := strings.TrimRight(text, "\n")
		body.parts = append(append([]part{}, w.parts[:last]...), part{text: kept})
		ends = "'" + text[len(kept):] + "'"
	}
	print, err := body.printf()
	return `"$(` + print + `)"` + ends, err
}

// readsWellInQuotes reports whether the word has a variable and reads well in double quotes: nothing in
// its text means anything there.
func (w Word) readsWellInQuotes() bool {
	variable := false
	for _, p := range w.parts {
		if p.base64 != nil || p.command != nil || strings.ContainsAny(p.text, "\"\\$`!'{ ") {
			return false
		}
		variable = variable || p.name.text != ""
	}
	return variable
}

func (w Word) inQuotes() (string, error) {
	var b strings.Builder
	for i, p := range w.parts {
		if p.isText() {
			b.WriteString(p.text)
			continue
		}
		next := ""
		if i+1 < len(w.parts) {
			next = w.parts[i+1].text
		}
		text, err := p.expansion(next)
		if err != nil {
			return "", err
		}
		b.WriteString(text)
	}
	return `"` + b.String() + `"`, nil
}

// expansion is the form of the part in double quotes, in front of the next text.
func (p part) expansion(next string) (string, error) {
	switch {
	case p.base64 != nil:
		print, err := p.base64.printf()
		return `$(` + print + ` | base64 | tr -d '\n')`, err
	case p.command != nil:
		text, err := p.command.line()
		return `$(` + text + `)`, err
	case joins(next):
		return "${" + p.name.text + "}", nil
	}
	return "$" + p.name.text, nil
}

// joins reports whether a shell would take the text for a part of the expansion before it:
// for more of the name or, in zsh, for a subscript or for modifiers.
func joins(next string) bool {
	if next == "" || next == ":" {
		return false
	}
	return strings.ContainsRune("_[:", rune(next[0])) || next[0] < utf8.RuneSelf && (unicode.IsLetter(rune(next[0])) || unicode.IsDigit(rune(next[0])))
}

// printf is a command that prints the word byte by byte, a NUL too.
func (w Word) printf() (string, error) {
	var format, arguments strings.Builder
	for _, p := range w.parts {
		if !p.isText() {
			text, err := p.expansion("")
			if err != nil {
				return "", err
			}
			format.WriteString("%s")
			arguments.WriteString(` "` + text + `"`)
			continue
		}
		for i := 0; i < len(p.text); {
			r, size := utf8.DecodeRuneInString(p.text[i:])
			format.WriteString(printfEscape(r, p.text[i:i+size]))
			i += size
		}
	}
	text := format.String()
	if strings.HasPrefix(text, "-") { // which printf would take for an option
		text = `\055` + text[1:]
	}
	return "printf '" + text + "'" + arguments.String(), nil
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
