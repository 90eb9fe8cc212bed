package play

import (
	"context"
	"slices"
	"strings"

	"github.com/socialfeed/conform/conformance/model/body"
	"github.com/socialfeed/conform/conformance/model/leeway"
	"github.com/socialfeed/conform/conformance/model/story"
	"github.com/socialfeed/conform/conformance/model/value"
	"github.com/socialfeed/conform/conformance/model/world"
)

// takeNames gives a user the names and ids of a user of another application, or similar
// ones if those are refused: whether names are unique across applications is open. Within one
// application it gives a user the names that another one gave up.
func (t *run) takeNames(ctx context.Context, o story.Op, _ world.Pair) []world.View {
	if !t.story.CrossesApps(o) {
		return t.takeFormerNames(ctx, o)
	}
	here := t.application
	t.switchTo(o.Other)
	b := t.actor(ctx, o.Other)
	t.application = here
	if b < 0 {
		return nil
	}
	slot := o.Actor % t.story.Slots
	who, there := t.slots[slot]
	names, term := t.namesLike(o)
	if !t.namesFree(names.Fields, who, there) || there && !t.state.Users[who].Lives() {
		return nil
	}
	t.count(story.TakeNames, "%v", there)
	var views []world.View
	if there {
		views = t.edit(ctx, o, world.Pair{From: who, To: -1}, namesOfOther)
	} else if who = t.create(ctx, t.creation(0, names, term, true)); who >= 0 {
		t.assign(slot, who)
		views = t.allViewsOf(who)
	}
	return views
}

// namesFree reports whether nobody else of the application has one of the names or ids, nor had it
// before deletion unless names are known to be free again then.
func (t *run) namesFree(fields value.Fields, but int, there bool) bool {
	for who, u := range t.state.Users {
		if there && who == but || !u.Lives() && t.state.Choices.NamesRecur == leeway.Yes {
			continue
		}
		if slices.ContainsFunc([]string{"user_name", "email", "custom_id", "social_ids"}, func(name string) bool {
			return fields[name] != nil && u.Fields[name].Allows(fields[name])
		}) {
			return false
		}
	}
	return true
}

// namesLike returns the names and ids of the user whom an operation names, with similar ones as
// the fallback, and the term that the name is searched by.
func (t *run) namesLike(o story.Op) (*body.Drawn, string) {
	u := t.userInSlot(o.Other)
	if !t.story.CrossesApps(o) {
		return t.formerNames(u)
	}
	fields := value.Fields{"user_name": u.Name, "email": u.Email}
	for _, name := range []string{"custom_id", "social_ids"} {
		if _, missing := u.Fields[name].First().(value.Absent); !missing && len(u.Fields[name]) == 1 {
			fields[name] = u.Fields[name][0]
		}
	}
	d := t.payloads.Begin(fields)
	for name, v := range fields {
		d.Fallback[name] = sameForm(v)
	}
	d.Optional, d.Refusable["user_name"] = true, "of another application"
	if o.WithPassword {
		d = d.With(t.payloads.Begin(value.Fields{"password": u.Password}))
	}
	return d, u.Terms["user_name"]
}

// userInSlot returns the user in a slot, of whatever application.
func (t *run) userInSlot(slot int) *world.User {
	a := t.applications[t.story.ApplicationOf(slot)]
	return a.state.Users[a.slots[slot%t.story.Slots]]
}

// sameForm returns another name or id of the same form.
func sameForm(v any) any { return variant(v, "lorem") }

// variant returns another name or id of the same form, derived from a token: with other digits
// if it has many, else with other letters. What follows an @ is kept.
func variant(v any, token string) any {
	if ids, ok := v.(map[string]any); ok {
		others := value.Fields{}
		for network, id := range ids {
			others[network] = variant(id, token)
		}
		return others
	}
	const many = 5
	text, _ := v.(string)
	local, domain := text, ""
	if at := strings.IndexByte(text, '@'); at >= 0 {
		local, domain = text[:at], text[at:]
	}
	digits, n := 0, 0
	for _, r := range local {
		if '0' <= r && r <= '9' {
			digits++
		}
	}
	turn := func(r, first, all rune) rune {
		by := rune(token[n%len(token)]-'a')%(all-1) + 1
		n++
		return first + (r-first+by)%all
	}
	return strings.Map(func(r rune) rune {
		switch {
		case digits >= many && '1' <= r && r <= '9': // leading zeros stay
			return turn(r, '1', 9)
		case digits < many && 'a' <= r && r <= 'z':
			return turn(r, 'a', 26)
		case digits < many && 'A' <= r && r <= 'Z':
			return turn(r, 'A', 26)
		}
		return r
	}, local) + domain
}
