// Package plain makes lines of plain text of what may come from outside: cleaned, cut, wrapped, and commands
// that can be pasted.
package plain

import (
	"strings"
	"unicode/utf8"

	"github.com/jedib0t/go-pretty/v6/text"
	"github.com/socialfeed/conform/conformance/clean"
)

// Line makes one line of a text that may come from the target: white space becomes single
// spaces, and control characters are spelled out.
func Line(s string) string { return clean.Line(s) }

// Visible spells out the characters that do not print.
func Visible(s string) string { return clean.Visible(s) }

// Clip wraps a text into at most the given number of lines, and marks that it was cut. A
// single line is filled to its end.
func Clip(s string, width, most int) []string {
	if most == 1 && Columns(s) > width {
		s = s[:within(s, width-1)]
		return []string{strings.TrimRight(s, " ") + "…"}
	}
	// What will be cut off need not be wrapped.
	bound := most * width * utf8.UTFMax
	cut := len(s) > bound
	if cut {
		s = strings.ToValidUTF8(s[:bound], "")
	}
	lines := Wrap(s, width)
	if cut || len(lines) > most {
		lines = lines[:min(len(lines), most)]
		last := &lines[len(lines)-1]
		if Columns(*last) > width-1 {
			*last, _ = split(*last, width-1)
		}
		*last += "…"
	}
	return lines
}

// Wrap breaks a text into lines of at most width columns: at spaces, and inside a word only
// where it is longer than a line.
func Wrap(s string, width int) []string {
	var lines []string
	line, filled := "", 0
	flush := func() {
		lines, line, filled = append(lines, line), "", 0
	}
	add := func(word string) {
		if line != "" {
			line, filled = line+" ", filled+1
		}
		line, filled = line+word, filled+Columns(word)
	}
	for word := range strings.FieldsSeq(s) {
		for word != "" {
			room := width - filled
			if line != "" {
				room--
			}
			switch size := Columns(word); {
			case size <= room:
				add(word)
				word = ""
			case line != "" && (size <= width || room < width/2):
				flush()
			default:
				head, tail := split(word, room)
				add(head)
				flush()
				word = tail
			}
		}
	}
	if line != "" {
		flush()
	}
	return lines
}

// split cuts a word that is too long, after a separator if there is one near the end.
func split(word string, room int) (head, tail string) {
	end := within(word, room)
	if after := strings.LastIndexAny(word[:end], ",;&") + 1; after > end/2 {
		end = BeforeName(word, after)
	}
	return word[:end], word[end:]
}

// within is the index at which to cut a text so that it fits into the columns: after at least
// one character, and never inside a placeholder such as $APP_TOKEN.
func within(s string, columns int) int {
	end, used := 0, 0
	for i, r := range s {
		used += text.RuneWidth(r)
		if used > columns && i > 0 {
			break
		}
		end = i + utf8.RuneLen(r)
	}
	return BeforeName(s, end)
}

// BeforeName moves a cut that would go through a placeholder such as $APP_TOKEN before it,
// unless the text begins with it.
func BeforeName(s string, end int) int {
	if start := strings.LastIndexByte(s[:end], '$'); start > 0 && inName(s[start+1:end]) && inName(s[end:min(end+1, len(s))]) {
		return start
	}
	return end
}

// inName reports whether a character may be part of a placeholder's name.
func inName(s string) bool {
	return strings.Trim(s, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789") == ""
}

// Columns is how wide a text is on a screen.
func Columns(s string) int { return text.StringWidthWithoutEscSequences(s) }

// MaxLine is the most bytes that a text of one line has.
const MaxLine = 1000

// Short is a text in one line of at most maxLine bytes and a mark.
func Short(s string) string { return Cut(Line(Cut(s, MaxLine)), MaxLine) }
