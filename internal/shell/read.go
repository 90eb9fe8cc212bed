package shell

import (
	"regexp"
	"strconv"
	"strings"
	"unicode"
)

// The parts of a word, as this package writes them.
var (
	writtenQuoted = regexp.MustCompile(`^'([^']*)'`)
	writtenName   = regexp.MustCompile(`^\$(?:([A-Z][A-Z0-9_]*)|\{([A-Z][A-Z0-9_]*)\})`)
	writtenInside = regexp.MustCompile("^[^\"\\\\$`!'{ ]+")
	writtenPrintf = regexp.MustCompile(`^printf '([^']*)'`)
)

// ReadLine reads a line as Line writes it of a call, or of a pipeline of Print and a call. It returns the
// words of the call and what is printed into it, nil for nothing. It reports false for any other
// text: a line that it reads is of literals and variables alone.
func ReadLine(line string) (words []Word, input *Word, ok bool) {
	if strings.ContainsFunc(line, func(r rune) bool { return !unicode.IsPrint(r) }) {
		return nil, nil, false
	}
	r := &reader{rest: line}
	if printed, is := r.printf(); is {
		if !r.skip(" | ") {
			return nil, nil, false
		}
		input = &printed
	}
	for {
		word, is := r.word()
		if !is {
			return nil, nil, false
		}
		words = append(words, word)
		if r.rest == "" {
			return words, input, true
		}
		if !r.skip(" ") {
			return nil, nil, false
		}
	}
}

// reader reads what this package wrote.
type reader struct{ rest string }

func (r *reader) skip(text string) bool {
	rest, found := strings.CutPrefix(r.rest, text)
	if found {
		r.rest = rest
	}
	return found
}

func (r *reader) take(pattern *regexp.Regexp) []string {
	found := pattern.FindStringSubmatch(r.rest)
	if found != nil {
		r.rest = r.rest[len(found[0]):]
	}
	return found
}

// word reads a word up to a blank or the end.
func (r *reader) word() (Word, bool) {
	var parts []Word
	if found := r.take(writtenPlain); found != nil {
		return Plain(found[0]), r.rest == "" || strings.HasPrefix(r.rest, " ")
	}
	for r.rest != "" && r.rest[0] != ' ' {
		if found := r.take(writtenQuoted); found != nil {
			parts = append(parts, Lit(found[1]))
			continue
		}
		if r.skip(`\'`) {
			parts = append(parts, Lit("'"))
			continue
		}
		inside, ok := r.inQuotes()
		if !ok {
			return Word{}, false
		}
		parts = append(parts, inside...)
	}
	return Joined(parts...), len(parts) > 0
}

// inQuotes reads the text between double quotes.
func (r *reader) inQuotes() (parts []Word, ok bool) {
	if !r.skip(`"`) {
		return nil, false
	}
	for !r.skip(`"`) {
		if found := r.take(writtenInside); found != nil {
			parts = append(parts, Lit(found[0]))
			continue
		}
		part, ok := r.expansion()
		if !ok {
			return nil, false
		}
		parts = append(parts, part)
	}
	return parts, true
}

// expansion reads a variable, or a text that is printed.
func (r *reader) expansion() (Word, bool) {
	if found := r.take(writtenName); found != nil {
		name, err := NameOf(found[1] + found[2])
		return Var(name), err == nil
	}
	if !r.skip("$(") {
		return Word{}, false
	}
	printed, ok := r.printf()
	if !ok {
		return Word{}, false
	}
	if r.skip(` | base64 | tr -d '\n')`) {
		return Base64(printed), true
	}
	return printed, r.skip(")")
}

// printf reads the command that prints a word.
func (r *reader) printf() (Word, bool) {
	found := r.take(writtenPrintf)
	if found == nil {
		return Word{}, false
	}
	var parts []Word
	for i, text := range strings.Split(strings.ReplaceAll(found[1], "%%", "\x00"), "%s") {
		if i > 0 {
			if !r.skip(` "`) {
				return Word{}, false
			}
			value, ok := r.expansion()
			if !ok || !r.skip(`"`) {
				return Word{}, false
			}
			parts = append(parts, value)
		}
		text, ok := unescaped(text)
		if !ok {
			return Word{}, false
		}
		parts = append(parts, Lit(text))
	}
	return Joined(parts...), true
}

// unescaped undoes printfEscape, in a text whose %% are NULs.
func unescaped(text string) (string, bool) {
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == 0:
			b.WriteByte('%')
		case c == '%':
			return "", false
		case c != '\\':
			b.WriteByte(c)
		case strings.HasPrefix(text[i:], `\\`):
			b.WriteByte('\\')
			i++
		case strings.HasPrefix(text[i:], `\n`):
			b.WriteByte('\n')
			i++
		default:
			code, err := strconv.ParseUint(text[i+1:min(i+4, len(text))], 8, 8)
			if err != nil || i+4 > len(text) {
				return "", false
			}
			b.WriteByte(byte(code))
			i += 3
		}
	}
	return b.String(), true
}
