package report

import (
	"strings"
	"unicode/utf8"

	"github.com/jedib0t/go-pretty/v6/text"
	"github.com/socialfeed/conform/conformance/clean"
)

// oneLine makes one line of a text that may come from the target: white space becomes single
// spaces, and control characters are spelled out.
func oneLine(s string) string { return clean.Line(s) }

// visible spells out the characters that do not print.
func visible(s string) string { return clean.Visible(s) }

// clip wraps a text into at most the given number of lines, and marks that it was cut. A
// single line is filled to its end.
func clip(s string, width, most int) []string {
	if most == 1 && columns(s) > width {
		s = s[:within(s, width-1)]
		return []string{strings.TrimRight(s, " ") + "…"}
	}
	// What will be cut off need not be wrapped.
	bound := most * width * utf8.UTFMax
	cut := len(s) > bound
	if cut {
		s = strings.ToValidUTF8(s[:bound], "")
	}
	lines := wrap(s, width)
	if cut || len(lines) > most {
		lines = lines[:min(len(lines), most)]
		last := &lines[len(lines)-1]
		if columns(*last) > width-1 {
			*last, _ = split(*last, width-1)
		}
		*last += "…"
	}
	return lines
}

// wrap breaks a text into lines of at most width columns: at spaces, and inside a word only
// where it is longer than a line.
func wrap(s string, width int) []string {
	var lines []string
	line, filled := "", 0
	flush := func() {
		lines, line, filled = append(lines, line), "", 0
	}
	add := func(word string) {
		if line != "" {
			line, filled = line+" ", filled+1
		}
		line, filled = line+word, filled+columns(word)
	}
	for word := range strings.FieldsSeq(s) {
		for word != "" {
			room := width - filled
			if line != "" {
				room--
			}
			switch size := columns(word); {
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
		end = beforeName(word, after)
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
	return beforeName(s, end)
}

// beforeName moves a cut that would go through a placeholder such as $APP_TOKEN before it,
// unless the text begins with it.
func beforeName(s string, end int) int {
	if start := strings.LastIndexByte(s[:end], '$'); start > 0 && inName(s[start+1:end]) && inName(s[end:min(end+1, len(s))]) {
		return start
	}
	return end
}

// inName reports whether a character may be part of a placeholder's name.
func inName(s string) bool {
	return strings.Trim(s, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789") == ""
}

func columns(s string) int { return text.StringWidthWithoutEscSequences(s) }

// maxLine is the most bytes that a text of one line has.
const maxLine = 1000

// short is a text in one line of at most maxLine bytes and a mark.
func short(s string) string { return cut(oneLine(cut(s, maxLine)), maxLine) }
