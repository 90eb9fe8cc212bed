package rulebook

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/socialfeed/conform/conformance/report/plain"
	"github.com/socialfeed/conform/conformance/report/screen"
	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/conformance/rules"
)

// Findings are the rules and the lines of the contract that match a word or an endpoint.
type Findings struct {
	Rules    []rules.Rule
	Contract []rules.Quote
}

// Empty reports whether nothing was found.
func (f Findings) Empty() bool { return len(f.Rules)+len(f.Contract) == 0 }

// Find looks for an endpoint's number, or its method and path, or a word.
func Find(c *rules.Catalogue, contract *rules.Contract, asked string) Findings {
	var f Findings
	at, isEndpoint := rules.ParseEndpoint(asked)
	for _, e := range rules.Endpoints() {
		if strings.EqualFold(e.String(), asked) {
			at, isEndpoint = e, true
		}
	}
	if isEndpoint {
		f.Contract = contract.Quotes(fmt.Sprintf("Endpoints, row %d", int(at)))
	} else {
		f.Contract = slices.DeleteFunc(contract.Lines(asked), func(q rules.Quote) bool { return strings.HasSuffix(q.Text, ":") }) // a heading says nothing
	}
	words := strings.Fields(strings.ToLower(asked))
	for _, rule := range c.Rules() {
		text := strings.ToLower(rule.ID + " " + strings.ReplaceAll(rule.ID, "-", " ") + " " + rule.Statement)
		said := !slices.ContainsFunc(words, func(word string) bool { return !strings.Contains(text, word) })
		if isEndpoint && rule.Touches(at) || !isEndpoint && said {
			f.Rules = append(f.Rules, rule)
		}
	}
	return f
}

const (
	maxFoundRules = 60
	maxFoundLines = 8
)

// Found writes the findings, the contract's lines first.
func Found(w io.Writer, f Findings, l screen.Layout) error {
	p := screen.NewPage(w, l)
	for i, q := range f.Contract {
		if i == maxFoundLines {
			p.Line(fmt.Sprintf("  and %s of the contract", result.Plural(len(f.Contract)-i, "more line")))
			break
		}
		p.Lines("contract", plain.Clip(q.Where+": "+q.Text, p.Width-screen.LabelWidth-4, 4))
	}
	if len(f.Rules) > 0 {
		p.Heading("%s", result.Plural(len(f.Rules), "rule"))
	}
	longest := 0
	for _, rule := range f.Rules {
		longest = max(longest, len(rule.ID))
	}
	for i, rule := range f.Rules {
		if i == maxFoundRules {
			p.Line(fmt.Sprintf("  and %d more: conform rules lists them", len(f.Rules)-i))
			break
		}
		lines := plain.Clip(rule.Statement, max(30, p.Width-longest-4), 2)
		for k, line := range lines {
			name := ""
			if k == 0 {
				name = rule.ID
			}
			p.Line(fmt.Sprintf("  %-*s  %s", longest, name, line))
		}
	}
	return p.End()
}
