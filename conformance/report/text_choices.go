package report

import (
	"slices"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"

	"github.com/socialfeed/conform/conformance"
)

// answer is what the target does at some endpoints where the contract is silent.
type answer struct {
	rule, text string
	endpoints  []string
}

// choices is the table of the answers, last in the report since none is a fault.
func (p *page) choices(r *conformance.Report, at places) {
	if len(r.Choices) == 0 {
		return
	}
	p.heading("Choices: what the target does where the contract is silent")
	answers := folded(r.Choices)
	longest, different := 0, map[string]int{}
	for _, a := range answers {
		different[a.rule]++
		longest = max(longest, columns(clean(a.rule)))
	}
	room := max(p.width-longest-4, 20)
	var rows []table.Row
	for _, a := range answers {
		told := at.brief(a.text)
		if where := at.short(a.endpoints); where != "" && different[a.rule] > 1 {
			told += " (" + where + ")"
		}
		rows = append(rows, table.Row{clean(a.rule), strings.Join(clip(clean(told), room, 3), "\n")})
	}
	p.table(wide, nil, rows)
}

// folded makes one answer of the equal ones that a rule has.
func folded(choices []conformance.ChoiceReport) []answer {
	var answers []answer
	for _, c := range choices {
		i := slices.IndexFunc(answers, func(a answer) bool { return a.rule == c.Rule && a.text == c.Answer })
		if i < 0 {
			i = len(answers)
			answers = append(answers, answer{rule: c.Rule, text: c.Answer})
		}
		answers[i].endpoints = append(answers[i].endpoints, c.Endpoint)
	}
	return answers
}
