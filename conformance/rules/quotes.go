package rules

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// Quote is the text of a place in the contract.
type Quote struct {
	Where string `json:"where"` // as a rule's source names it
	Text  string `json:"text"`  // in one line; "" where the place is a whole table, to be looked up
}

// Quotes are the sentences of the contract that a rule's source points at, in its
// order. Other sources, such as an RFC, are not quoted.
func (c *Contract) Quotes(source string) []Quote {
	var all []Quote
	for where := range strings.SplitSeq(source, "; ") {
		sections, locator := c.find(where)
		if len(sections) == 0 {
			continue
		}
		q := Quote{Where: where}
		var texts []string
		for _, s := range sections {
			texts = append(texts, s.at(locator)...)
		}
		q.Text = strings.Join(texts, " / ")
		all = append(all, q)
	}
	return all
}

// Tables are the titles of the tables of fields that a text names.
func (c *Contract) Tables(text string) []string {
	words := strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && r != '-' })
	var all []string
	for _, s := range c.sections {
		title, _, _ := strings.Cut(s.title, " (")
		if s.part == "Resources and their fields" && slices.Contains(words, title) {
			all = append(all, title)
		}
	}
	return all
}

// find splits a place into the sections that it is in, and where in them.
func (c *Contract) find(where string) (found []section, locator string) {
	rest := ""
	for _, s := range c.sections {
		if after, ok := strings.CutPrefix(where, s.part); ok && (after == "" || after[0] == ',') {
			found, rest = append(found, s), strings.TrimPrefix(after, ", ")
		}
	}
	if len(found) < 2 {
		return found, rest
	}
	names, locator := rest, "" // of parts of the part
	if at := locatorPattern.FindStringIndex(rest); at != nil {
		names, locator = rest[:at[0]], rest[at[0]:]
	}
	return slices.DeleteFunc(found, func(s section) bool {
		title, _, _ := strings.Cut(s.title, " (")
		return !slices.Contains(listPattern.Split(strings.Trim(names, ", "), -1), title)
	}), locator
}

var (
	locatorPattern = regexp.MustCompile(`(^|, )(rows?|closing note|items?|rules?)\b`)
	listPattern    = regexp.MustCompile(`, | and `)
	tokenPattern   = regexp.MustCompile(`'[^']*'|\([^)]*\)|[^\s,]+`)
)

// at are the texts that a locator such as "row 8 and rules 2 and 3" names.
func (s section) at(locator string) []string {
	tokens := tokenPattern.FindAllString(locator, -1)
	var all []string
	var kinds []kind
	last, ranged := "", false
	for i, token := range tokens {
		switch strings.TrimSuffix(token, "s") {
		case "and", "transport":
			continue
		case "row":
			kinds = []kind{row}
			continue
		case "rule":
			kinds = []kind{numbered}
			continue
		case "item":
			if kinds = []kind{bullet}; !s.has(bullet) || s.part == "Limits" {
				kinds = []kind{numbered}
			}
			continue
		case "to":
			ranged = true
			continue
		case "closing", "introduction", "table", "statu":
			return append(all, s.note(tokens[i:])...)
		}
		if strings.HasPrefix(token, "(") {
			all = narrowed(all, strings.Trim(token, "()"))
			continue
		}
		label := strings.Trim(token, "'")
		from := label
		if ranged {
			from = next(last)
		}
		for ; ; from = next(from) {
			all = append(all, s.labelled(kinds, from)...)
			if from == label || !ranged {
				break
			}
		}
		last, ranged = label, false
	}
	return all
}

// note are the texts of a place that has no label.
func (s section) note(words []string) []string {
	var all []string
	for i, e := range s.entries {
		first := e.kind == paragraph && i == 0
		about := e.kind == paragraph && !first && slices.ContainsFunc(words, func(w string) bool {
			const long = 7 // letters: a word that names the subject of the note
			return len(w) >= long && strings.Contains(e.text, w)
		})
		switch words[0] {
		case "introduction":
			about = first
		case "table":
			about = e.kind == row
		case "status":
			about = strings.HasPrefix(e.text, "Status classes")
		}
		if about {
			all = append(all, e.text)
		}
	}
	return all
}

func (s section) has(k kind) bool {
	return slices.ContainsFunc(s.entries, func(e entry) bool { return e.kind == k })
}

func (s section) labelled(kinds []kind, label string) []string {
	var all []string
	for _, e := range s.entries {
		if slices.Contains(kinds, e.kind) && e.label == label {
			all = append(all, e.text)
		}
	}
	return all
}

// narrowed keeps the texts with a word, or all where none has it.
func narrowed(texts []string, word string) []string {
	with := slices.DeleteFunc(slices.Clone(texts), func(t string) bool { return !strings.Contains(t, word) })
	if len(with) == 0 {
		return texts
	}
	return with
}

func digits(n int) string { return strconv.Itoa(n) }

func next(label string) string {
	n, _ := strconv.Atoi(label) // a range is of numbers
	return digits(n + 1)
}
