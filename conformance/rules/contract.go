package rules

import (
	"strings"

	"github.com/socialfeed/conform/docs"
)

// Contract is the text that the rules are made of, by its parts.
type Contract struct{ sections []section }

// section is a part of the contract, or a part of one.
type section struct {
	part, title string // the title is the part's own if it has no further parts
	text        string // as Markdown, without the heading
	entries     []entry
}

// entry is a place in the contract that a rule's source can name.
type entry struct {
	kind  kind
	label string // a row's first cell, or a number
	text  string // in one line
}

type kind int

const (
	paragraph kind = iota
	row
	numbered
	bullet
)

// ReadContract reads the embedded contract.
func ReadContract() *Contract {
	c := &Contract{}
	part, title, from := "", "", 0
	lines := strings.Split(docs.Contract(), "\n")
	end := func(to int) {
		if text := strings.TrimSpace(strings.Join(lines[from:to], "\n")); part != "" && text != "" {
			c.sections = append(c.sections, section{part, title, text, entriesOf(text)})
		}
		from = to + 1
	}
	for i, line := range lines {
		if heading, ok := strings.CutPrefix(line, "## "); ok {
			end(i)
			part, title = heading, heading
		} else if heading, ok := strings.CutPrefix(line, "### "); ok {
			end(i)
			title = heading
		}
	}
	end(len(lines))
	return c
}

// Whole is the contract as it stands, as Markdown.
func (c *Contract) Whole() string { return docs.Contract() }

// Lines are the items, rows and paragraphs that hold a text, whatever its case, with the
// title of where they stand.
func (c *Contract) Lines(text string) []Quote {
	var all []Quote
	for _, s := range c.sections {
		where := s.part
		if s.title != s.part {
			where += ", " + strings.SplitN(s.title, " (", 2)[0]
		}
		for _, e := range s.entries {
			if strings.Contains(strings.ToLower(e.text), strings.ToLower(text)) {
				all = append(all, Quote{where, e.text})
			}
		}
	}
	return all
}

// Parts are the titles of the contract's parts.
func (c *Contract) Parts() []string {
	var all []string
	for _, s := range c.sections {
		if len(all) == 0 || all[len(all)-1] != s.part {
			all = append(all, s.part)
		}
	}
	return all
}

// Part is the text of the part, or of the part of a part, whose title begins with a
// word, as Markdown with its headings; "" if there is none.
func (c *Contract) Part(word string) string {
	begins := func(title string) bool { return strings.HasPrefix(strings.ToLower(title), strings.ToLower(word)) }
	var b strings.Builder
	for _, s := range c.sections {
		if word == "" || !begins(s.part) && !begins(s.title) {
			continue
		}
		if b.Len() > 0 {
			b.WriteString("\n")
		}
		heading := "## " + s.part
		if s.title != s.part {
			heading += ": " + strings.SplitN(s.title, " (", 2)[0]
		}
		b.WriteString(heading + "\n\n" + s.text + "\n")
	}
	return b.String()
}

// entriesOf takes a section's Markdown apart.
func entriesOf(text string) []entry {
	var all []entry
	var header []string
	bullets := 0
	for line := range strings.SplitSeq(text, "\n") {
		number, item, isNumbered := strings.Cut(line, ". ")
		switch {
		case line == "":
			header = nil
		case strings.HasPrefix(line, "|"):
			cells := cellsOf(line)
			if header == nil {
				header = cells
			} else if strings.Trim(cells[0], "-") != "" {
				all = append(all, entry{row, cells[0], rowText(header, cells)})
			}
		case strings.HasPrefix(line, "- "):
			bullets++
			all = append(all, entry{bullet, digits(bullets), plain(line[2:])})
		case isNumbered && strings.Trim(number, "0123456789") == "":
			all = append(all, entry{numbered, number, plain(item)})
		default:
			all = append(all, entry{paragraph, "", plain(line)})
		}
	}
	return all
}

func cellsOf(line string) []string {
	cells := strings.Split(strings.Trim(line, "|"), "|")
	for i, cell := range cells {
		cells[i] = plain(strings.TrimSpace(cell))
	}
	return cells
}

// rowText is a row of a table in one line: its key, then each further cell after its
// column's name.
func rowText(header, cells []string) string {
	var told []string
	for i, cell := range cells {
		switch {
		case cell == "" || i >= len(header) || header[i] == "#":
		case i == 0 || header[i] == "Meaning" || header[i] == "Notes":
			told = append(told, cell)
		case header[i] == "Path":
			told[len(told)-1] += " " + cell // behind its method
		case header[i] == "Method":
			told = append(told, cell)
		default:
			told = append(told, strings.ToLower(header[i])+": "+cell)
		}
	}
	return strings.Join(told, " · ")
}

func plain(markdown string) string { return strings.ReplaceAll(strings.TrimSpace(markdown), "`", "") }
