package model

// disjointField returns the field that an update changes: two concurrent updates change different
// fields.
func disjointField(o Op, first, second string) string {
	if o.AtOnce {
		return first
	}
	return second
}

// judgeLostUpdate checks two concurrent updates of different fields of one user or event: the
// answer to the later one must show both changes.
func (t *run) judgeLostUpdate(one, other *concurrentOp) {
	kind := one.op.Kind
	keeps, rule := t.state.choices.KeepsEvent, "events.update.applies"
	if kind == Edit {
		keeps, rule = t.state.choices.KeepsUser, "users.me.update.applies"
	}
	if kind != other.op.Kind || kind != Edit && kind != Change || keeps != Yes || one.request.ID != other.request.ID || one.request.Session != other.request.Session {
		return
	}
	for _, answer := range []Response{one.answer, other.answer} {
		both := answer.OK()
		for _, r := range []Request{one.request, other.request} {
			for name, v := range r.Body.(Fields) {
				shown := t.state.choices.orFormed(name, v, lawfulSent(name, v)) // it may be kept in another form
				both = both && (name == "password" || shown.allows(valueOf(answer.object(), name)))
			}
		}
		if both || !answer.OK() {
			return
		}
	}
	t.recordDifference(Difference{Rule: rule, At: one.request.Endpoint, Expected: "after two updates at the same time, an answer with both changes", Actual: "two answers, each without the other's change"})
	t.lost = true
}
