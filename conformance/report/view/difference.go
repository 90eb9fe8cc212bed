package view

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Span is a part of a text that is compared with another one.
type Span struct {
	Text    string
	Differs bool
}

// maxTokens bounds the tokens of a text that is compared: the work is their square.
const maxTokens = 600

// Differences splits the expected and the actual text into what they share and what they
// do not. When they share too little, they are not split at all.
func Differences(expected, actual string) (left, right []Span) {
	if strings.Contains(expected, "\n") && strings.Contains(actual, "\n") {
		return lineDifferences(expected, actual)
	}
	a, b := tokens(expected), tokens(actual)
	inA, inB, weight := longestShared(a, b)
	if weight*5 < max(wordBytes(a), wordBytes(b))*2 {
		return []Span{{Text: expected}}, []Span{{Text: actual}}
	}
	return spans(a, inA), spans(b, inB)
}

// lineDifferences compares texts, such as indented JSON, line by line. A comma at the end of
// a line is ignored.
func lineDifferences(expected, actual string) (left, right []Span) {
	a, b := strings.SplitAfter(expected, "\n"), strings.SplitAfter(actual, "\n")
	bare := func(lines []string) []string {
		var all []string
		for _, line := range lines {
			all = append(all, strings.TrimSuffix(strings.TrimRight(line, "\n"), ","))
		}
		return all
	}
	inA, inB, _ := longestShared(bare(a), bare(b))
	return lineSpans(a, inA), lineSpans(b, inB)
}

// lineSpans marks the lines that are not shared, without their indentation and line end.
func lineSpans(lines []string, shared []bool) []Span {
	var all []Span
	for i, line := range lines {
		if shared[i] {
			all = append(all, Span{Text: line})
			continue
		}
		text := strings.TrimLeft(strings.TrimRight(line, "\n"), " ")
		before, after, _ := strings.Cut(line, text)
		if text == "" {
			before, after = line, ""
		}
		all = append(all, Span{Text: before}, Span{text, text != ""}, Span{Text: after})
	}
	return all
}

// tokens splits a text into words, blanks and single other characters.
func tokens(s string) []string {
	var all []string
	class := func(r rune) int {
		switch {
		case unicode.IsLetter(r), unicode.IsDigit(r), r == '_', r == '-', r == '.':
			return 1
		case unicode.IsSpace(r):
			return 2
		}
		return 0
	}
	last := 0
	for s != "" {
		if name := quotedWord.FindString(s); name != "" {
			all, s, last = append(all, name), s[len(name):], 0
			continue
		}
		r, size := utf8.DecodeRuneInString(s)
		if c := class(r); c == 0 || c != last || len(all) == 0 {
			all = append(all, s[:size])
			last = c
		} else {
			all[len(all)-1] += s[:size]
		}
		s = s[size:]
	}
	return all
}

// quotedWord is a short JSON string at the beginning of a text, which is one token.
var quotedWord = regexp.MustCompile(`^"[^"\\\s]{0,40}"`)

func wordBytes(tokens []string) int {
	n := 0
	for _, t := range tokens {
		if strings.ContainsFunc(t, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) {
			n += len(t)
		}
	}
	return n
}

// longestShared finds the longest sequence that two texts share: which tokens of
// each are in it, and how many bytes of words they have. Texts of too many tokens
// share nothing.
func longestShared(a, b []string) (inA, inB []bool, weight int) {
	inA, inB = make([]bool, len(a)), make([]bool, len(b))
	if len(a) > maxTokens || len(b) > maxTokens {
		return inA, inB, 0
	}
	best := make([][]uint16, len(a)+1) // of the rests from there
	for i := range best {
		best[i] = make([]uint16, len(b)+1)
	}
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if a[i] == b[j] {
				best[i][j] = best[i+1][j+1] + 1
			} else {
				best[i][j] = max(best[i+1][j], best[i][j+1])
			}
		}
	}
	for i, j := 0, 0; i < len(a) && j < len(b); {
		switch {
		case a[i] == b[j]:
			inA[i], inB[j] = true, true
			weight += wordBytes(a[i : i+1])
			i, j = i+1, j+1
		case best[i+1][j] >= best[i][j+1]:
			i++
		default:
			j++
		}
	}
	return inA, inB, weight
}

func spans(tokens []string, shared []bool) []Span {
	var all []Span
	blank := func(i int) bool { return i >= 0 && i < len(tokens) && strings.TrimSpace(tokens[i]) == "" }
	for i, t := range tokens {
		differs := !shared[i]
		if blank(i) { // marked between what differs alone
			differs = i > 0 && !shared[i-1] && i+1 < len(tokens) && !shared[i+1] && !strings.Contains(t, "\n")
		}
		if len(all) > 0 && all[len(all)-1].Differs == differs {
			all[len(all)-1].Text += t
		} else {
			all = append(all, Span{t, differs})
		}
	}
	return all
}
