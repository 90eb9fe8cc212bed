package play

import (
	"github.com/socialfeed/conform/conformance/model/blame"
	"github.com/socialfeed/conform/conformance/model/exchange"
	"github.com/socialfeed/conform/conformance/model/leeway"
	"github.com/socialfeed/conform/conformance/model/story"
	"github.com/socialfeed/conform/conformance/model/value"
)

// disjointField returns the field that an update changes: two concurrent updates change different
// fields.
func disjointField(o story.Op, first, second string) string {
	if o.AtOnce {
		return first
	}
	return second
}

// judgeLostUpdate checks two concurrent updates of different fields of one user or event: the
// answer to the later one must show both changes.
func (t *run) judgeLostUpdate(one, other *concurrentOp) {
	kind := one.op.Kind
	keeps, rule := t.state.Choices.KeepsEvent, "events.update.applies"
	if kind == story.Edit {
		keeps, rule = t.state.Choices.KeepsUser, "users.me.update.applies"
	}
	if kind != other.op.Kind || kind != story.Edit && kind != story.Change || keeps != leeway.Yes || one.request.ID != other.request.ID || one.request.Session != other.request.Session {
		return
	}
	for _, answer := range []exchange.Response{one.answer, other.answer} {
		both := answer.OK()
		for _, r := range []exchange.Request{one.request, other.request} {
			for name, v := range r.Body.(value.Fields) {
				shown := t.state.Choices.OrFormed(name, v, leeway.Sent(name, v)) // it may be kept in another form
				both = both && (name == "password" || shown.Allows(value.Of(answer.Object(), name)))
			}
		}
		if both || !answer.OK() {
			return
		}
	}
	t.recordDifference(blame.Difference{Rule: rule, At: one.request.Endpoint, Expected: "after two updates at the same time, an answer with both changes", Actual: "two answers, each without the other's change"})
	t.lost = true
}
