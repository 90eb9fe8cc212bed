package report

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/jedib0t/go-pretty/v6/text"
)

// clean makes one line of a text that may come from the target: white space
// becomes single spaces, and what could steer a terminal is spelled out.
func clean(s string) string {
	return visible(strings.Join(strings.Fields(s), " "))
}

// visible spells out the characters that do not print.
func visible(s string) string {
	if strings.IndexFunc(s, unprintable) < 0 && utf8.ValidString(s) {
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

func unprintable(r rune) bool { return !unicode.IsPrint(r) }

// clip wraps a text and keeps so many lines of it, marked where they are not all.
func clip(s string, width, most int) []string {
	// What is out of reach anyway need not be wrapped first.
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

// wrap breaks a text into lines of at most so many columns: at spaces, and
// inside a word only where it is longer than a line.
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
	for _, word := range strings.Fields(s) {
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

// split cuts a word that is longer than the room: after a separator when one is
// near the end, and never inside a placeholder such as $APP_TOKEN.
func split(word string, room int) (head, tail string) {
	end, used := 0, 0
	for i, r := range word {
		used += text.RuneWidth(r)
		if used > room && i > 0 {
			break
		}
		end = i + utf8.RuneLen(r)
	}
	if after := strings.LastIndexAny(word[:end], ",;&") + 1; after > end/2 {
		end = after
	}
	end = beforeName(word, end)
	return word[:end], word[end:]
}

// beforeName is where to cut a text instead when the cut would go through a
// placeholder such as $APP_TOKEN, unless the text begins with it.
func beforeName(s string, end int) int {
	if start := strings.LastIndexByte(s[:end], '$'); start > 0 && inName(s[start+1:end]) && inName(s[end:min(end+1, len(s))]) {
		return start
	}
	return end
}

// inName tells whether the text can stand in a placeholder's name.
func inName(s string) bool {
	return strings.Trim(s, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_") == ""
}

func columns(s string) int { return text.StringWidthWithoutEscSequences(s) }
