// Package clean is the gate through which every text from outside (of a target, a
// certificate, a report's file) passes on its way to a terminal, a log or a file:
// behind it, nothing steers what reads it.
package clean

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// Visible spells out the characters that do not print: control characters, those
// that turn the direction of writing, and what is no UTF-8.
func Visible(s string) string {
	if prints(s) || strings.IndexFunc(s, unprintable) < 0 && utf8.ValidString(s) {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		if unprintable(r) {
			b.WriteString(strings.Trim(strconv.QuoteRune(r), "'"))
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// prints reports whether a text is of the characters of ASCII that print alone.
func prints(s string) bool {
	for i := range len(s) {
		if s[i] < ' ' || s[i] > '~' {
			return false
		}
	}
	return true
}

func unprintable(r rune) bool { return !unicode.IsPrint(r) }

// Line is a text as one line that prints: white space becomes single spaces.
func Line(s string) string { return Visible(strings.Join(strings.Fields(s), " ")) }

// color is an escape sequence of colours, which a terminal may be sent.
var color = regexp.MustCompile("\x1b\\[[0-9;]*m")

// Screen is a line that was laid out for a terminal: of its escape sequences only
// colours stay, and no runner of a pipeline takes it for a command.
func Screen(line string) string {
	var b strings.Builder
	from := 0
	for _, at := range color.FindAllStringIndex(line, -1) {
		b.WriteString(Visible(line[from:at[0]]) + line[at[0]:at[1]])
		from = at[1]
	}
	return Defused(b.String() + Visible(line[from:]))
}

// Log is a line of a log: it prints, and no runner takes it for a command.
func Log(line string) string { return Defused(Visible(line)) }

// marker is what begins a command of GitHub's, Azure's or TeamCity's runner anywhere in a line.
var marker = regexp.MustCompile(`(?i)##((?:vso|teamcity)?\[)`)

// leading is what begins one of GitHub's runner behind blanks alone.
var leading = regexp.MustCompile(`^(?:\s|` + color.String() + `)*:(:)`)

// Defused is a line that no runner of a pipeline takes for a command.
func Defused(line string) string { return defused(line, "# ", ": ") }

// Markup is a line of XML or HTML that no runner takes for a command; it means the same.
func Markup(line string) string { return defused(line, "&#35;", "&#58;") }

// defused is a line with something else for the first # or : of a command.
func defused(line, hash, colon string) string {
	if strings.Contains(line, "##") {
		line = marker.ReplaceAllString(line, hash+"#$1")
	}
	if at := leading.FindStringSubmatchIndex(line); at != nil {
		line = line[:at[2]-1] + colon + line[at[2]:]
	}
	return line
}

// JSON is a line of JSON that prints and that no runner takes for a command; it
// means the same.
func JSON(line string) string {
	return escaped(line, `\u0023`, func(r rune) string {
		switch {
		case r < ' ':
			return string(r)
		case r > 0xffff:
			high, low := utf16.EncodeRune(r)
			return fmt.Sprintf(`\u%04x\u%04x`, high, low)
		}
		return fmt.Sprintf(`\u%04x`, r)
	})
}

// YAML is a line of YAML that prints and that no runner takes for a command; it means the same
// where the texts for which NeedsQuotes is true are in double quotes.
func YAML(line string) string {
	return escaped(line, `\x23`, func(r rune) string { return fmt.Sprintf(`\U%08x`, r) })
}

// escaped is a line with escapes: for the first # of a runner's command, and for each character that does
// not print.
func escaped(line, hash string, escape func(r rune) string) string {
	if strings.Contains(line, "##") {
		line = marker.ReplaceAllString(line, hash+`#$1`)
	}
	if prints(line) || strings.IndexFunc(line, unprintable) < 0 {
		return line
	}
	var b strings.Builder
	for _, r := range line {
		if unprintable(r) {
			b.WriteString(escape(r))
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// NeedsQuotes reports whether a text is one that YAML writes with escapes.
func NeedsQuotes(text string) bool { return YAML(text) != text }

// Writer passes each line that is written to it through a function, and on.
type Writer struct {
	to   io.Writer
	line func(string) string
	rest []byte // of a line that is not over
	out  bytes.Buffer
}

// NewWriter makes a writer. What no end of line follows waits for Flush.
func NewWriter(to io.Writer, line func(string) string) *Writer { return &Writer{to: to, line: line} }

// Write hands on the lines that are complete.
func (w *Writer) Write(b []byte) (int, error) {
	end := bytes.LastIndexByte(b, '\n')
	if end < 0 {
		w.rest = append(w.rest, b...)
		return len(b), nil
	}
	w.out.Reset()
	for line := range strings.SplitSeq(string(append(w.rest, b[:end]...)), "\n") {
		w.out.WriteString(w.line(line))
		w.out.WriteByte('\n')
	}
	w.rest = append(w.rest[:0], b[end+1:]...)
	if _, err := w.to.Write(w.out.Bytes()); err != nil {
		return 0, err
	}
	return len(b), nil
}

// Flush hands on a line that has no end.
func (w *Writer) Flush() error {
	if len(w.rest) == 0 {
		return nil
	}
	_, err := io.WriteString(w.to, w.line(string(w.rest)))
	w.rest = nil
	return err
}

// Guarded passes each line that is written through a function.
func Guarded(w io.Writer, guard func(line string) string, write func(io.Writer) error) error {
	lines := NewWriter(w, guard)
	return cmp.Or(write(lines), lines.Flush())
}
