package model

import (
	"context"
	"slices"
	"strings"
)

// becomeNamesake gives a user the names and ids of one of another application, others
// where they are refused: over what names are unique, the contract does not say.
func (t *playthrough) becomeNamesake(ctx context.Context, o Op) []view {
	if !t.story.crosses(o) {
		return nil
	}
	here := t.application
	t.enter(o.B)
	b := t.actor(ctx, o.B)
	t.application = here
	if b < 0 {
		return nil
	}
	slot := abs(o.A) % t.story.Slots
	who, there := t.slots[slot]
	names, term := t.namesLike(o)
	if !t.free(names.fields, who, there) || there && !t.world.users[who].lives() {
		return nil
	}
	t.covered(Namesake, "%v", there)
	var views []view
	if there {
		views = t.edit(ctx, o, who)
	} else if who = t.create(ctx, t.creation(0, names, term, true)); who >= 0 {
		t.settleIn(slot, who)
		views = t.wholly(who)
	}
	return views
}

// free reports whether nobody else of the application has one of the names or ids, nor
// had it before where that is not known to be nothing.
func (t *playthrough) free(fields Fields, but int, there bool) bool {
	for who, u := range t.world.users {
		if there && who == but || !u.lives() && t.world.choices.NamesRecur == Yes {
			continue
		}
		if slices.ContainsFunc([]string{"user_name", "email", "custom_id", "social_ids"}, func(name string) bool {
			return fields[name] != nil && u.fields[name].allows(fields[name])
		}) {
			return false
		}
	}
	return true
}

// namesLike are the names and ids of the user whom an operation names, and what the name
// is searched by; where they are refused, others of the same form.
func (t *playthrough) namesLike(o Op) (*payload, string) {
	u := t.inSlot(o.B)
	fields := Fields{"user_name": u.name, "email": u.email}
	for _, name := range []string{"custom_id", "social_ids"} {
		if _, missing := u.fields[name].first().(absent); !missing && len(u.fields[name]) == 1 {
			fields[name] = u.fields[name][0]
		}
	}
	d := t.payloads.begin(fields)
	for name, v := range fields {
		d.plainer[name] = alike(v)
	}
	d.optional, d.refusable["user_name"] = true, "of another application"
	if abs(o.V)%2 == 1 {
		d = d.with(t.payloads.begin(Fields{"password": u.password}))
	}
	return d, u.terms["user_name"]
}

// inSlot is the user in a slot, of whatever application.
func (t *playthrough) inSlot(slot int) *user {
	a := t.applications[t.story.home(slot)]
	return a.world.users[a.slots[abs(slot)%t.story.Slots]]
}

// alike is another name or id of the same form.
func alike(v any) any { return varied(v, "lorem") }

// varied is another name or id of the same form, which a token decides: with other digits
// where it has many, else with other letters. What stands behind an @ stays.
func varied(v any, token string) any {
	if ids, ok := v.(map[string]any); ok {
		others := Fields{}
		for network, id := range ids {
			others[network] = varied(id, token)
		}
		return others
	}
	const many = 5
	text, _ := v.(string)
	local, domain := text, ""
	if at := strings.IndexByte(text, '@'); at >= 0 {
		local, domain = text[:at], text[at:]
	}
	isDigit := func(r rune) bool { return '0' <= r && r <= '9' }
	digits, n := countOf(local, isDigit) >= many, 0
	turn := func(r, first, all rune) rune {
		by := rune(token[n%len(token)]-'a')%(all-1) + 1
		n++
		return first + (r-first+by)%all
	}
	return strings.Map(func(r rune) rune {
		switch {
		case digits && '1' <= r && r <= '9': // leading zeros stay
			return turn(r, '1', 9)
		case !digits && 'a' <= r && r <= 'z':
			return turn(r, 'a', 26)
		case !digits && 'A' <= r && r <= 'Z':
			return turn(r, 'A', 26)
		}
		return r
	}, local) + domain
}

// countOf is how many characters of a text are such.
func countOf(text string, such func(rune) bool) int {
	n := 0
	for _, r := range text {
		if such(r) {
			n++
		}
	}
	return n
}
