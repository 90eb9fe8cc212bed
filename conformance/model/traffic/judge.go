package traffic

import (
	"slices"
	"time"

	"github.com/socialfeed/conform/conformance/model/blame"
	"github.com/socialfeed/conform/conformance/model/leeway"
	"github.com/socialfeed/conform/conformance/model/value"
	"github.com/socialfeed/conform/conformance/rules"
)

// judge compares the resources that an answer shows with what was written.
func (f *scenarioTraffic) judge(x Observation) {
	if !x.OK() || x.Doubtful {
		return
	}
	if objects, ok := x.Objects(); ok {
		for _, o := range objects {
			f.compare(x, o)
		}
		return
	}
	if x.Endpoint == rules.Login && !x.Detailed {
		return
	}
	f.compare(x, x.Object())
}

// compare compares one resource that an answer shows with what was written.
func (f *scenarioTraffic) compare(x Observation, o value.Fields) {
	history := f.resources[resource{x.App, ofEvents(x.Endpoint), value.ID(o["id"])}]
	if history == nil {
		return
	}
	if f.knowsAnswerAlone(x) {
		history = f.written(x, history)
	}
	for _, name := range fieldsOf(x.Endpoint) {
		if !f.judges(x, history) {
			break
		}
		got := value.Of(o, name)
		want, changed, written := history.lawful(name, x, f.facts.lag(x))
		f.checker.recordForms(name, want, got)
		if want == nil || f.refused[name].Allows(got) || f.facts != nil && slices.ContainsFunc(want, beyond) {
			continue
		}
		self := f.sessionUsers[[2]string{x.App, x.Session}] == value.ID(o["id"]) && mayHide(x.Endpoint)
		among := f.among(x, value.ID(o["id"]))
		if !value.Same(got, value.Absent{}) && !self && among != unclear {
			f.checker.shows[shownField{x.Endpoint, name, among}] = true
		}
		if want.Allows(got) {
			f.keeps(x.Endpoint, name, changed, want, got)
			f.answersAsSent(x, name)
			continue
		}
		if history.wrongValues[name].Allows(got) {
			continue
		}
		rule, at := shownRule(x.Endpoint, name, changed, want, got)
		d := blame.Difference{Rule: rule, At: at, Expected: name + " " + want.Show(), Actual: name + " " + value.Show(got), Evidence: []any{written, x.Evidence},
			Stale: changed && x.Endpoint == rules.GetMe && history.had(name, got)}
		if written == x.Evidence {
			d.Evidence = []any{x.Evidence}
		}
		if value.Same(got, value.Absent{}) && mayHide(x.Endpoint) && (self || name == "email" || f.facts != nil && name != "user_name") {
			continue // whether others see it is open, and a user may have chosen it
		}
		if value.Same(got, value.Absent{}) && mayHide(x.Endpoint) {
			f.checker.omit(omission{shownField{x.Endpoint, name, toWhom(x.Endpoint, among)}, d})
			continue
		}
		history.wrongValues[name] = history.wrongValues[name].Or(got)
		if kept, is := leeway.FormOf(name, want, got); is {
			f.checker.omit(omission{otherThan(kept), d})
			continue
		}
		if ofEvents(x.Endpoint) && want.Allows(value.Absent{}) {
			f.checker.suspectDefault(possibleDefault{name, got, d})
			continue
		}
		if f.knowsAnswerAlone(x) {
			f.checker.overwritten.add(x.Endpoint, name, resource{x.App, ofEvents(x.Endpoint), value.ID(o["id"])}, d)
			continue
		}
		f.checker.blame(d)
	}
	if !f.knowsAnswerAlone(x) && f.judges(x, history) { // an id may be given again
		f.compareCreation(x, history, o)
	}
}

// compareCreation checks that a resource shows the created_at of the answer to its creation.
func (f *scenarioTraffic) compareCreation(x Observation, history *resourceHistory, o value.Fields) {
	const name = "created_at"
	got := value.Of(o, name)
	if value.SameInstant(got, history.created) || history.wrongValues[name].Allows(got) {
		return
	}
	rule, at := shownRule(x.Endpoint, name, false, value.Set{history.created}, got)
	updated, ofUpdate := len(history.versions) > 1, x.Endpoint == rules.UpdateEvent || x.Endpoint == rules.UpdateMe || x.Endpoint == rules.GetMe
	switch {
	case updated && ofEvents(x.Endpoint):
		rule, at = "events.update.keeps-identity", rules.UpdateEvent
	case updated:
		rule, at = "users.me.update.keeps-identity", rules.UpdateMe
	default:
		f.checker.misdates[x.Endpoint] = true
	}
	d := blame.Difference{Rule: rule, At: at, Expected: name + " " + value.Show(history.created), Actual: name + " " + value.Show(got), Evidence: []any{x.Evidence}}
	if updated && !ofUpdate {
		f.checker.misdate(misdated{x.Endpoint, d})
		return
	}
	history.wrongValues[name] = history.wrongValues[name].Or(got)
	f.checker.blame(d)
}

// mayHide reports whether an endpoint may leave out fields of a user.
func mayHide(at rules.Endpoint) bool {
	return at == rules.GetUser || at.ListsUsers()
}

// lawful returns the lawful values of a field in an answer, nil if they are unknown, whether an
// update changed the field, and the evidence of the write. An answer that lags may show values that were
// replaced up to so long before.
func (s *resourceHistory) lawful(name string, x Observation, lag time.Duration) (values value.Set, changed bool, written any) {
	for i, v := range s.versions {
		if v.from.After(x.To) {
			break // as all later ones
		}
		if writes(x.Endpoint) && v.written != x.Evidence || lag != always && s.superseded(i, x.From.Add(-lag)) {
			continue
		}
		known, there := v.fields[name]
		if !there || !v.certain {
			return nil, false, nil
		}
		values, changed, written = values.Or(known...), i > 0, v.written
	}
	return values, changed, written
}

// had reports whether a version of a resource may have had a value.
func (s *resourceHistory) had(name string, value any) bool {
	return slices.ContainsFunc(s.versions, func(v version) bool { return v.fields[name].Allows(value) })
}

// superseded reports whether a later version has replaced one before a time.
func (s *resourceHistory) superseded(i int, before time.Time) bool {
	return slices.ContainsFunc(s.versions[i+1:], func(later version) bool {
		return later.certain && later.from.After(s.versions[i].to) && !later.to.After(before)
	})
}

// shownRule returns the rule about a field being shown as it was written.
func shownRule(at rules.Endpoint, name string, changed bool, want value.Set, got any) (string, rules.Endpoint) {
	switch at {
	case rules.CreateUser:
		if name == "user_name" {
			return blame.Unicode(want, got, at, "users.create.body")
		}
		return blame.Unicode(want, got, at, "users.create.echo")
	case rules.UpdateMe:
		return blame.Unicode(want, got, at, "users.me.update.applies")
	case rules.GetMe:
		if changed {
			return blame.Unicode(want, got, rules.UpdateMe, "users.me.update.applies")
		}
		return blame.Unicode(want, got, at, "users.me.get")
	case rules.Login:
		return "sessions.login.details", at
	case rules.GetUser:
		return "users.get.other", at
	case rules.SearchUsers:
		return "search.status", at
	case rules.CreateEvent:
		return blame.Created(name, want, got)
	case rules.UpdateEvent:
		return "events.update.applies", at
	case rules.Feed:
		return "feed.event-shape", at
	}
	return blame.List(at)
}
