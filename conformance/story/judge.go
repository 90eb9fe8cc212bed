package story

import (
	"fmt"
	"slices"

	"github.com/socialfeed/conform/conformance/rules"
)

// settle judges the answer to a write in each world, and keeps the worlds that explain it.
func (r *run) settle(a *Action, c call) {
	var next []*World
	var found []Diff
	var seenBy *World
	for i, w := range r.worlds {
		after, diffs := w.judge(a, c, false)
		if len(diffs) == 0 || r.dry() {
			next = append(next, after)
		}
		if i == 0 || len(diffs) < len(found) {
			found, seenBy = diffs, after
		}
	}
	if len(next) > 0 {
		r.worlds = next
		return
	}
	r.worlds = []*World{seenBy}
	r.report(seenBy, found, c.Request)
}

// judge returns the world after an answer, and how the answer differs from what the contract says.
// Of requests at the same time the credentials are not judged: a target may look at them first.
func (w *World) judge(a *Action, c call, beside bool) (*World, []Diff) {
	e, why := a.expected(w, c.Step)
	if beside && (why == byEndedSession || why == byDeletedUser) {
		e, why = a.Expect(w, c.Step), notRefused
	}
	after := w.clone()
	wrong := Diff{Kind: WrongStatus, Step: c.Step, At: c.Endpoint, Status: c.answer.Status, Got: c.answer.Body, Expect: e, App: c.App, View: sighting{at: c.Endpoint, viewer: -1, owner: -1, subject: -1}}
	if c.limited != nil {
		wrong.Want = allowed{c.limited}
	}
	switch {
	case c.answer.OK() && e.Status > 0:
		if a.Apply != nil {
			a.Apply(after, c)
		}
		var found []Diff
		if c.answer.Status != e.Status && !e.Either {
			found = append(found, wrong)
		}
		if a.Compare != nil {
			found = append(found, a.Compare(after, c)...)
		}
		return after, found
	case c.answer.Refused() && (beside || e.Either || e.Status == 0 && (e.Refusals == nil || slices.Contains(e.Refusals, c.answer.Status))):
		after.tried(why, c)
		return after, nil
	}
	return after, []Diff{wrong}
}

// tried keeps what a refused request tried to write.
func (w *World) tried(why refusal, c call) {
	who, _ := w.who(c.User, false)
	now := w.now()
	which, onEvent := w.eventOf(c.Step)
	switch c.Endpoint {
	case rules.DeleteConnection:
		if to, known := w.who(c.Other, false); known {
			w.record(past{do: "disconnect", user: who, other: to, event: -1, refused: max(why, byAbsence)})
		}
	case rules.UpdateEvent, rules.DeleteEvent:
		if !onEvent || why == notRefused {
			return
		}
		attempts := slices.Clone(w.events[which].attempts)
		if c.Endpoint == rules.DeleteEvent {
			attempts = append(attempts, attempted{at: c.Endpoint, why: why, when: now})
		}
		for field, value := range c.Request.Body {
			attempts = append(attempts, attempted{c.Endpoint, why, field, value, now})
		}
		w.events[which].attempts = attempts
		w.record(past{do: c.Do, user: who, other: w.events[which].owner, event: which, refused: why})
	case rules.UpdateMe:
		if why == notRefused {
			return
		}
		attempts := slices.Clone(w.users[who].attempts)
		for field, value := range c.Request.Body {
			attempts = append(attempts, attempted{c.Endpoint, why, field, value, now})
		}
		w.users[who].attempts = attempts
	}
}

// report records differences, each once.
func (r *run) report(w *World, found []Diff, q Request) {
	if r.err != nil || r.lost {
		return
	}
	for _, d := range found {
		if r.reported[d.key()] {
			continue
		}
		r.reported[d.key()] = true
		place := w.blame(d)
		if place.Rule == "" {
			r.err = fmt.Errorf("the table of blame has no rule for difference %d at endpoint %d", d.Kind, d.At)
			return
		}
		each := Difference{Place: place, Expected: d.expected(w), Actual: d.actual(), Step: r.index, Evidence: slices.Clone(r.evidence), kind: d.Kind, seenAt: d.At, roles: w.rolesIn(d)}
		if before, was := r.right[q.key()]; was {
			each.AfterRight = true
			each.Actual += ", after the same request was answered as expected"
			n := len(each.Evidence) - 1
			each.Evidence = append(slices.Clone(each.Evidence[:n]), before, each.Evidence[n])
		}
		if w.choices != nil && d.App > 0 {
			each.Expected = "in the second application " + each.Expected
		}
		if !r.outcome.Has(each) {
			r.outcome.Differences = append(r.outcome.Differences, each)
		}
		if d.Kind == WrongStatus && d.Status/100 == 2 && d.Expect.Status == 0 {
			r.lost = true // what comes of it follows from that
		}
		if d.Kind == WrongStatus && d.Status/100 != 2 && d.Expect.Status > 0 {
			r.lost = true
		}
	}
}

// rolesIn returns the roles that a difference is about.
func (w *World) rolesIn(d Diff) []int {
	all := slices.Clone(d.Step.roles())
	switch {
	case d.View.subject < 0 || d.Kind == Foreign:
	case d.View.isEvent:
		all = append(all, w.users[w.events[d.View.subject].owner].role)
	default:
		all = append(all, w.users[d.View.subject].role)
	}
	slices.Sort(all)
	return slices.Compact(all)
}
