package rules

import (
	_ "embed"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Sentence is a sentence, an item or a row of the contract, with its rules.
type Sentence struct {
	Part  string   `json:"part"`  // of the contract, with the part of the part
	Text  string   `json:"text"`  // in one line
	Rules []string `json:"rules"` // whose sources name it, in the catalogue's order
	Why   string   `json:"why,omitempty"`
}

//go:embed ledger.yaml
var ledgerYAML []byte

// unjudged are the places of the contract that no rule judges, with the reason.
func unjudged() []struct{ Source, Why string } {
	var all struct {
		Unjudged []struct{ Source, Why string }
	}
	if err := yaml.Unmarshal(ledgerYAML, &all); err != nil {
		panic("conformance: ledger.yaml: " + err.Error())
	}
	return all.Unjudged
}

// Ledger are the sentences of the contract, in its order, each with the rules that judge it, those of clients
// included, or with the reason why none does.
func (c *Contract) Ledger(all []Rule) []Sentence {
	var ledger []Sentence
	for _, s := range c.sections {
		for _, e := range s.entries {
			ledger = append(ledger, Sentence{Part: s.name(), Text: e.text, Rules: []string{}})
		}
	}
	mark := func(source string, mark func(*Sentence)) {
		for where := range strings.SplitSeq(source, "; ") {
			sections, locator := c.find(where)
			for _, s := range sections {
				texts := s.at(locator)
				for i := range ledger {
					if at := &ledger[i]; at.Part == s.name() && (slices.Contains(texts, at.Text) || locator == "" && s.isMeant(at.Text)) {
						mark(at)
					}
				}
			}
		}
	}
	for _, rule := range all {
		mark(rule.Source, func(s *Sentence) {
			if !slices.Contains(s.Rules, rule.ID) {
				s.Rules = append(s.Rules, rule.ID)
			}
		})
	}
	for _, place := range unjudged() {
		mark(place.Source, func(s *Sentence) { s.Why = place.Why })
	}
	return ledger
}

// LedgerOf is the ledger of the part, or of the part of a part, whose title begins with a word; of all for "".
func (c *Contract) LedgerOf(word string, all []Rule) []Sentence {
	return slices.DeleteFunc(c.Ledger(all), func(s Sentence) bool {
		titles := strings.SplitN(s.Part, ", ", 2)
		return !slices.ContainsFunc(titles, func(title string) bool { return strings.HasPrefix(strings.ToLower(title), strings.ToLower(word)) })
	})
}

// name is the title of a section, behind that of the part which it belongs to.
func (s section) name() string {
	if s.title == s.part {
		return s.part
	}
	title, _, _ := strings.Cut(s.title, " (")
	return s.part + ", " + title
}

// isMeant reports whether a source that names the section alone means a text of it: a row of its table, or any if
// it has no table.
func (s section) isMeant(text string) bool {
	return !s.has(row) || slices.ContainsFunc(s.entries, func(e entry) bool { return e.kind == row && e.text == text })
}
