package model

import (
	"slices"
	"time"

	"github.com/socialfeed/conform/conformance/rules"
)

// judge compares what an answer shows with what was written.
func (f *following) judge(x Sighting) {
	if !x.OK() || x.Doubtful {
		return
	}
	if objects, ok := x.objects(); ok {
		for _, o := range objects {
			f.compare(x, o)
		}
		return
	}
	if x.Endpoint == rules.Login && !x.Detailed {
		return
	}
	f.compare(x, x.object())
}

func (f *following) compare(x Sighting, o Fields) {
	is := f.things[thing{x.App, ofEvents(x.Endpoint), idText(o["id"])}]
	if is == nil {
		return
	}
	for _, name := range fieldsOf(x.Endpoint) {
		got := valueOf(o, name)
		want, changed, written := is.lawful(name, x)
		if want == nil || f.refused[name].allows(got) {
			continue
		}
		self := f.holders[[2]string{x.App, x.Session}] == idText(o["id"]) && mayHide(x.Endpoint)
		if !same(got, absent{}) && !self {
			f.shadow.shows[place{x.Endpoint, name}] = true
		}
		if want.allows(got) || is.wrong[name].allows(got) {
			continue
		}
		rule, at := shownRule(x.Endpoint, name, changed, want, got)
		d := Difference{Rule: rule, At: at, Expected: name + " " + want.show(), Actual: name + " " + showValue(got), Evidence: []any{written, x.Evidence}}
		if written == x.Evidence {
			d.Evidence = []any{x.Evidence}
		}
		if same(got, absent{}) && mayHide(x.Endpoint) && (self || name == "email") {
			continue // whether others see it is open
		}
		if same(got, absent{}) && mayHide(x.Endpoint) {
			f.shadow.hidden = append(f.shadow.hidden, omission{place{x.Endpoint, name}, d})
			continue
		}
		is.wrong[name] = is.wrong[name].or(got)
		if ofEvents(x.Endpoint) && want.allows(absent{}) {
			f.shadow.filled = append(f.shadow.filled, filling{name, got, d})
			continue
		}
		f.shadow.found = append(f.shadow.found, d)
	}
	f.compareCreation(x, is, o)
}

// compareCreation sees that a thing was created when the answer to its create says so.
func (f *following) compareCreation(x Sighting, is *shadowed, o Fields) {
	const name = "created_at"
	got := valueOf(o, name)
	if x.Endpoint == rules.Login || sameInstant(got, is.created) || is.wrong[name].allows(got) {
		return
	}
	rule, at := shownRule(x.Endpoint, name, false, lawful{is.created}, got)
	if updated := len(is.versions) > 1; updated {
		switch x.Endpoint {
		case rules.UpdateEvent:
			rule = "events.update.keeps-identity"
		case rules.UpdateMe, rules.GetMe:
			rule, at = "users.me.update.keeps-identity", rules.UpdateMe
		default:
			return // whether the update or the endpoint is to blame cannot be told
		}
	}
	is.wrong[name] = is.wrong[name].or(got)
	f.shadow.found = append(f.shadow.found, Difference{Rule: rule, At: at, Expected: name + " " + showValue(is.created), Actual: name + " " + showValue(got), Evidence: []any{x.Evidence}})
}

// mayHide reports whether an endpoint may leave out fields of a user.
func mayHide(at rules.Endpoint) bool {
	switch at {
	case rules.GetUser, rules.SearchUsers, rules.MyFollows, rules.MyFollowers, rules.MyFriends, rules.FollowsOf, rules.FollowersOf, rules.FriendsOf:
		return true
	}
	return false
}

// lawful are the lawful values of a field in an answer, nil where they are not known,
// whether it was changed by an update, and by what it was written. Lists, feeds and
// searches may lag, and show what was there before.
func (s *shadowed) lawful(name string, x Sighting) (values lawful, changed bool, written any) {
	lags := x.Endpoint != rules.GetMe && !writes(x.Endpoint) && x.Endpoint != rules.Login
	for i, v := range s.versions {
		if v.from.After(x.To) {
			break // as all later ones
		}
		if writes(x.Endpoint) && v.written != x.Evidence || !lags && s.superseded(i, x.From) {
			continue
		}
		known, there := v.fields[name]
		if !there || !v.certain {
			return nil, false, nil
		}
		values, changed, written = values.or(known...), i > 0, v.written
	}
	return values, changed, written
}

// superseded reports whether a later version stood in for one before a time.
func (s *shadowed) superseded(i int, before time.Time) bool {
	return slices.ContainsFunc(s.versions[i+1:], func(later version) bool {
		return later.certain && later.from.After(s.versions[i].to) && !later.to.After(before)
	})
}

// shownRule is the rule that stands for a field being shown as it was written.
func shownRule(at rules.Endpoint, name string, changed bool, want lawful, got any) (string, rules.Endpoint) {
	switch at {
	case rules.CreateUser:
		if name == "user_name" {
			return unicodeRule(want, got, at, "users.create.body")
		}
		return unicodeRule(want, got, at, "users.create.echo")
	case rules.UpdateMe:
		return unicodeRule(want, got, at, "users.me.update.applies")
	case rules.GetMe:
		if changed {
			return unicodeRule(want, got, rules.UpdateMe, "users.me.update.applies")
		}
		return unicodeRule(want, got, at, "users.me.get")
	case rules.Login:
		return "sessions.login.details", at
	case rules.GetUser:
		return "users.get.other", at
	case rules.SearchUsers:
		return "search.status", at
	case rules.CreateEvent:
		return createRule(name, want, got)
	case rules.UpdateEvent:
		return "events.update.applies", at
	case rules.Feed:
		return "feed.event-shape", at
	}
	return listRule(at)
}
