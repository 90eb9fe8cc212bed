package model

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/socialfeed/conform/conformance/rules"
)

// judgeSearch looks whether a user is found by what it is called now, and no
// longer by what it was called. Whether users find themselves is open.
func (w *World) judgeSearch(v view, r Response) []Difference {
	u := w.users[v.owner]
	objects, ok := r.objects()
	if r.Status != 200 || !ok {
		if !u.lives() || v.field == "former" { // where nobody may be found
			return []Difference{{Rule: "search.no-match-empty", At: rules.SearchUsers, Expected: "200 and []", Actual: r.show(), key: v.entry("")}}
		}
		return []Difference{{Rule: "search.status", At: rules.SearchUsers, Expected: "200 and an array of users", Actual: r.show(), key: v.entry("")}}
	}
	there := slices.ContainsFunc(objects, func(o Fields) bool { return idText(o["id"]) == idText(u.id) })
	d := Difference{At: rules.SearchUsers, key: v.entry(v.term)}
	switch {
	case !u.lives() && there:
		d.Rule, d.Expected, d.Actual = "search.deleted-excluded", "no deleted user", "the user is there"
	case !u.lives():
		return nil
	case v.field == "former" && there && slices.Contains(u.former, v.term):
		d.Rule, d.Expected, d.Actual = "search.non-match-excluded", "no user by what it was called before", "the user is there"
	case v.field != "former" && !there && v.viewer != v.owner && u.surely(v.field, v.term) && len(objects) < promisedLength:
		d.Rule = map[string]string{"user_name": "search.user-name", "first_name": "search.first-name", "last_name": "search.last-name", "email": "search.email"}[v.field]
		if v.exact && !u.spelled(v.field, v.term) {
			d.Rule = "search.unicode-case"
		}
		if v.term != strings.ToLower(v.term) && ascii(v.term) && v.term == strings.ToUpper(v.term) {
			d.Rule = "search.case-insensitive"
		}
		if v.field != "email" && strings.ContainsAny(v.term, `%_*.\`) {
			d.Rule = "search.literal-term"
		}
		if slices.ContainsFunc(objects, func(o Fields) bool { return same(o["user_name"], u.name) }) {
			d.Rule = "users.id-stable"
		}
		d.Expected, d.Actual = fmt.Sprintf("user %d by its %s", v.owner, v.field), fmt.Sprintf("%d other users", len(objects))
	default:
		return nil
	}
	return []Difference{d}
}

// spelled reports whether a text stands in a field in the same case.
func (u *user) spelled(field, text string) bool {
	value, _ := u.fields[field].first().(string)
	return strings.Contains(value, text)
}

// surely reports whether a field of a user holds a text, whatever was left open.
// In a map it is the value of any key.
func (u *user) surely(field, text string) bool {
	values := u.fields[field]
	for _, v := range values {
		switch value := v.(type) {
		case string:
			if !strings.Contains(strings.ToLower(value), strings.ToLower(text)) {
				return false
			}
		case map[string]any:
			if !slices.ContainsFunc(slices.Collect(maps.Values(value)), func(each any) bool { return same(each, text) }) {
				return false
			}
		default:
			return false
		}
	}
	return len(values) > 0
}
