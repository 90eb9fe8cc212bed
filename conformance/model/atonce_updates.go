package model

// part is what an operation changes: each of two at once another field.
func part(o Op, first, second string) string {
	if o.AtOnce {
		return first
	}
	return second
}

// lostUpdate looks that of two updates at once, of different fields of one thing, one was
// answered with what both changed: the one that came later.
func (t *playthrough) lostUpdate(one, other *concurrent) {
	kind := one.op.Kind
	keeps, rule := t.world.choices.KeepsEvent, "events.update.applies"
	if kind == Edit {
		keeps, rule = t.world.choices.KeepsUser, "users.me.update.applies"
	}
	if kind != other.op.Kind || kind != Edit && kind != Change || keeps != Yes || one.request.ID != other.request.ID || one.request.Session != other.request.Session {
		return
	}
	for _, answer := range []Response{one.answer, other.answer} {
		both := answer.OK()
		for _, r := range []Request{one.request, other.request} {
			for name, v := range r.Body.(Fields) {
				both = both && (name == "password" || same(v, valueOf(answer.object(), name)))
			}
		}
		if both || !answer.OK() {
			return
		}
	}
	t.differ(Difference{Rule: rule, At: one.request.Endpoint, Expected: "one of two updates at once with what both changed", Actual: "none"})
	t.lost = true
}
