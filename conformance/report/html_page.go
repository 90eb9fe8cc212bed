package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/socialfeed/conform/conformance"
)

// htmlPage is the report as the template shows it: every text bounded, and
// cleared of what does not print.
type htmlPage struct {
	Verdict   htmlVerdict
	Target    string
	Facts     []htmlFact
	Notes     []string
	Statuses  []conformance.Status // the filters' outcomes
	Levels    []conformance.Level
	Summary   htmlSummary
	Endpoints []htmlEndpoint
	Broken    []htmlSection // rules told one by one, with what went wrong
	Grouped   []htmlSection // rules that were not judged, by cause
	Choices   []htmlChoice
	Waivers   []htmlWaiver
	Parts     []htmlPart
	Rules     int
}

// htmlVerdict is the verdict as a word, with the status whose looks it shares.
type htmlVerdict struct {
	Word, Sentence string
	Status         conformance.Status
}

type htmlFact struct{ Name, Value string }

// htmlSection is the rules of one outcome, as cards or in groups.
type htmlSection struct {
	ID, Title, Lead string
	Status          conformance.Status
	Rules           int
	Cards           []*htmlCard
	Groups          []htmlGroup
}

func newHTMLPage(r *conformance.Report, a again) htmlPage {
	at := placesOf(r)
	e := &htmlEvidence{room: maxHTMLEvidence}
	page := htmlPage{
		Verdict:   newHTMLVerdict(r),
		Target:    htmlText(r.Target.BaseURL),
		Facts:     htmlFacts(r),
		Statuses:  conformance.Statuses(),
		Levels:    []conformance.Level{conformance.Must, conformance.Should, conformance.Choice},
		Summary:   newHTMLSummary(r),
		Endpoints: htmlEndpoints(r),
		Broken:    htmlBroken(r, at, e, a),
		Grouped:   htmlGrouped(r, at),
		Choices:   htmlChoices(r, at),
		Waivers:   htmlWaivers(r, at),
		Parts:     htmlParts(r, at),
		Rules:     len(r.Rules),
	}
	e.fill()
	for _, note := range r.Notes {
		page.Notes = append(page.Notes, htmlText(note))
	}
	return page
}

func newHTMLVerdict(r *conformance.Report) htmlVerdict {
	sentence := meaning(r)
	switch r.Verdict {
	case conformance.Conformant:
		return htmlVerdict{"Conformant", sentence, conformance.Pass}
	case conformance.NonConformant:
		return htmlVerdict{"Not conformant", sentence, conformance.Fail}
	case conformance.Incomplete:
		return htmlVerdict{"No verdict", "The run is incomplete. " + sentence, conformance.Warn}
	}
	return htmlVerdict{htmlText(string(r.Verdict)), sentence, conformance.Skipped}
}

func htmlFacts(r *conformance.Report) []htmlFact {
	took := (time.Duration(r.DurationMS) * time.Millisecond).Round(100 * time.Millisecond)
	checks := 0
	for _, n := range r.Summary.Checks {
		checks += n
	}
	gate := "a broken must"
	if r.FailOn == conformance.Should {
		gate = "a broken must or should"
	}
	facts := []htmlFact{
		{"Started", r.StartedAt.UTC().Format("2006-01-02 15:04:05 UTC")},
		{"Duration", took.String()},
		{"Requests", htmlText(requests(r.Summary.Requests))},
		{"Rules", fmt.Sprintf("%d, with %s", len(r.Rules), plural(checks, "check"))},
		{"Fails on", gate},
		{"Seed", fmt.Sprint(r.Seed)},
		{"Judge", "conform " + htmlText(r.Tool.Version)},
	}
	if often := played(r); often != "" {
		facts = append(facts, htmlFact{"Played", often})
	}
	if r.Shard != nil {
		facts = append(facts, htmlFact{"Part of a run", r.Shard.String()})
	}
	return facts
}

// htmlBroken are the rules that the target keeps badly or not at all, with the evidence.
func htmlBroken(r *conformance.Report, at places, e *htmlEvidence, a again) []htmlSection {
	warned := "The contract recommends these, or the target answers in a way that is only just acceptable."
	if r.FailOn == conformance.Should {
		warned += " In this run a broken should counts against the verdict."
	}
	sections := []htmlSection{
		{ID: "failures", Title: "Failures", Status: conformance.Fail, Lead: "Each of these makes the target not conformant."},
		{ID: "unstable", Title: "Unstable", Status: conformance.Unstable, Lead: "These came out differently when they were repeated."},
		{ID: "warnings", Title: "Warnings", Status: conformance.Warn, Lead: warned},
		{ID: "waived", Title: "Waived", Status: conformance.Waived, Lead: "Known deviations that a waiver accepts for now."},
	}
	for i := range sections {
		s := &sections[i]
		for _, rule := range ending(r, s.Status) {
			card := newHTMLCard(rule, at, e)
			card.Again = a.of(rule.ID)
			s.Cards = append(s.Cards, card)
		}
		s.Rules = len(s.Cards)
	}
	return withRules(sections)
}

// htmlGrouped are the rules that were not judged, by what they share.
func htmlGrouped(r *conformance.Report, at places) []htmlSection {
	sections := []htmlSection{
		{ID: "blocked", Title: "Blocked", Status: conformance.Blocked, Lead: "What these rules need does not work: mend that first, then run again."},
		{ID: "errors", Title: "Errors", Status: conformance.Error, Lead: "The judge could not judge these."},
		{ID: "skipped", Title: "Skipped", Status: conformance.Skipped, Lead: "These were left out of the run."},
	}
	for i := range sections {
		s := &sections[i]
		rules := ending(r, s.Status)
		s.Rules = len(rules)
		for _, g := range grouped(rules, htmlCause) {
			s.Groups = append(s.Groups, newHTMLGroup(g, s.Status, at))
		}
	}
	return withRules(sections)
}

// htmlCause is what a rule that was not judged shares with others: the rule in
// its way, or the reason in words.
func htmlCause(rule *conformance.RuleReport) string {
	first := firstOf(rule, rule.Status)
	return cmp.Or(first.BlockedBy, first.Message, rule.Message, "no reason is known")
}

func withRules(sections []htmlSection) []htmlSection {
	return slices.DeleteFunc(sections, func(s htmlSection) bool { return s.Rules == 0 })
}

// ending lists the rules that came out with the status. Unlike holding, it puts
// every rule in one place, so that a page has one anchor for each.
func ending(r *conformance.Report, s conformance.Status) []*conformance.RuleReport {
	var rules []*conformance.RuleReport
	for i := range r.Rules {
		if r.Rules[i].Status == s {
			rules = append(rules, &r.Rules[i])
		}
	}
	return rules
}

// maxHTMLText is how many bytes of the page a text of one line may take.
const maxHTMLText = 600

// htmlText makes one bounded line of a text that may come from the target.
func htmlText(s string) string {
	const reach = 4 * maxHTMLText // what is out of reach anyway need not be cleaned first
	if len(s) > reach {
		s = strings.ToValidUTF8(s[:reach], "") + "…"
	}
	return bounded(clean(s), maxHTMLText)
}
