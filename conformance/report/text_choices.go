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
	longest := 0
	for _, a := range answers {
		longest = max(longest, columns(clean(a.rule)))
	}
	room := max(p.width-longest-4, 20)
	var rows []table.Row
	for i, a := range answers {
		told := a.text
		if where := at.short(a.endpoints); where != "" && !alone(answers, i) {
			told += " (" + where + ")"
		}
		rows = append(rows, table.Row{clean(a.rule), strings.Join(clip(clean(told), room, 3), "\n")})
	}
	p.table(nil, rows)
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

// alone tells whether the rule has this one answer everywhere. A rule's answers
// stand together.
func alone(answers []answer, i int) bool {
	return (i == 0 || answers[i-1].rule != answers[i].rule) &&
		(i == len(answers)-1 || answers[i+1].rule != answers[i].rule)
}
