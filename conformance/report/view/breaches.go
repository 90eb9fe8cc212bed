package view

import (
	"fmt"
	"strings"

	"github.com/socialfeed/conform/conformance/report/plain"
	"github.com/socialfeed/conform/conformance/result"
)

// breachesOf says what a client's tests notice, nil where the report is on something else.
func breachesOf(r *result.Report) *result.Breaches {
	if r.Client == nil {
		return nil
	}
	return r.Client.Breaches
}

// mapTitle is the title of the map of rules by endpoint.
func mapTitle(r *result.Report) string {
	if breachesOf(r) != nil {
		return "Noticed"
	}
	return "Exercised"
}

// ofTests puts the score in the place of the verdict where the report is on a client's tests.
func (v *Verdict) ofTests(r *result.Report) {
	b := breachesOf(r)
	if b == nil {
		return
	}
	v.Title = fmt.Sprintf("Noticed %d of %d", b.Noticed, b.Met)
	v.Words = strings.ToLower(v.Title)
	if r.Verdict == result.Conformant && b.Noticed < b.Met {
		v.Status = result.Warn
	}
	v.Sentence = sentenceOf(r, b)
}

// sentenceOf names the first rules of which a breach was not seen.
func sentenceOf(r *result.Report, b *result.Breaches) string {
	const most = 8
	said := []string{strings.ToUpper(b.String()[:1]) + b.String()[1:]}
	if b.MinScore > 0 {
		said[0] += fmt.Sprintf(", and %.0f%% are wanted", b.MinScore)
	}
	if unseen := r.Unseen(); len(unseen) > 0 {
		told := strings.Join(unseen[:min(len(unseen), most)], ", ")
		if rest := len(unseen) - most; rest > 0 {
			told += fmt.Sprintf(" and %d more", rest)
		}
		said = append(said, "unseen: "+told)
	}
	if r.EndedBy != "" {
		said = append(said, "the run ended early: "+plain.Short(r.EndedBy))
	}
	return strings.Join(said, "; ") + "."
}

// unseenSections names the sections of a report on a client's tests: what a server does wrong is the
// tests' to see.
func unseenSections(all []*Section) {
	for _, s := range all {
		switch s.ID {
		case Failures, Warnings:
			s.Title, s.Lead = "Unseen by the tests", "The tests pass while the server breaks these rules: what is expected is what a test would assert."
		case Skipped:
			s.Lead = "No breach of these rules changed an answer to the tests."
		}
	}
}
