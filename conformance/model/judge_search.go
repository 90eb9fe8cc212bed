package model

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/socialfeed/conform/conformance/rules"
)

// longestTerm is how many characters a search term may have that no valid server refuses for its
// length, of which the contract says nothing.
const longestTerm = 40

// judgeSearch checks that a search finds a user by its current names, and not by former ones.
// Whether users find themselves is open.
func (st *State) judgeSearch(v view, r Response) []Difference {
	u := st.users[v.owner]
	objects, ok := r.objects()
	if r.Refused() && utf8.RuneCountInString(v.term) > longestTerm {
		return nil
	}
	if r.Status != 200 || !ok {
		if !u.lives() || v.field == "former" { // no user has to be found
			return []Difference{{Rule: "search.no-match-empty", At: rules.SearchUsers, Expected: "200 and []", Actual: r.show(), key: v.key("", "")}}
		}
		return []Difference{{Rule: "search.status", At: rules.SearchUsers, Expected: "200 and an array of users", Actual: r.show(), key: v.key("", "")}}
	}
	if v.field == sharedNameField {
		return append(st.missingSharedNames(v, objects), st.nonMatches(v, objects)...)
	}
	there := slices.ContainsFunc(objects, func(o Fields) bool { return idText(o["id"]) == idText(u.id) })
	d := Difference{At: rules.SearchUsers, key: v.key("", v.term), timeless: !there && slices.ContainsFunc(st.nonMatches(v, objects), func(d Difference) bool { return d.timeless })}
	switch {
	case !u.lives() && there:
		d.Rule, d.Expected, d.Actual = "search.deleted-excluded", "no deleted user", "the user is there"
	case !u.lives():
		return st.nonMatches(v, objects)
	case v.field == "former" && there && slices.Contains(u.formerTerms, v.term) && !u.holdsNow(strings.ToLower(v.term)):
		d.Rule, d.Expected, d.Actual = "search.non-match-excluded", "no user for its former name", "the user is there"
	case v.field != "former" && !there && v.viewer != v.owner && u.surelyHolds(v.field, v.term) && !st.choices.Lengths.mayBeCut(v.at, len(objects)):
		d.Rule = map[string]string{"user_name": "search.user-name", "first_name": "search.first-name", "last_name": "search.last-name", "email": "search.email", wholeNameField: "search.exact"}[v.field]
		if v.field == "user_name" && !v.exact && strings.EqualFold(v.term, u.name) {
			d.Rule = "search.exact"
		}
		if v.exact && !u.holdsSameCase(v.field, v.term) {
			d.Rule = "search.unicode-case"
		}
		if v.term != strings.ToLower(v.term) && ascii(v.term) && v.term == strings.ToUpper(v.term) {
			d.Rule = "search.case-insensitive"
		}
		if v.field != "email" && d.Rule != "search.exact" && strings.ContainsAny(cmp.Or(v.word, v.term), `%_*.\`) {
			d.Rule = "search.literal-term"
		}
		if slices.ContainsFunc(objects, func(o Fields) bool { return same(o["user_name"], u.name) }) {
			d.Rule = "users.id-stable"
		}
		d.Expected, d.Actual = fmt.Sprintf("user %d by its %s", v.owner, v.field), fmt.Sprintf("%d other users", len(objects))
	default:
		return append(st.nonMatches(v, objects), st.staleFound(v, objects)...)
	}
	return []Difference{d}
}

// staleFound returns the differences for what a search shows of living users of the story.
func (st *State) staleFound(v view, objects []Fields) []Difference {
	var found []Difference
	for _, o := range objects {
		if who, known := st.userByID(idText(o["id"])); known && st.users[who].lives() {
			found = append(found, st.staleUser(v, who, o)...)
		}
	}
	return found
}

// nonMatches returns the differences for users that a search finds though no field of theirs
// contains the term. Only a term that contains the owner's own word is judged: users from
// outside of the story may have any other term in a field that the answer leaves out.
func (st *State) nonMatches(v view, objects []Fields) []Difference {
	term := strings.ToLower(v.term)
	word := strings.ToLower(st.users[v.owner].terms[strings.TrimPrefix(v.field, "whole ")])
	if v.field == "former" || v.field == sharedNameField {
		word = term
	}
	if word == "" || !ascii(term) || !strings.Contains(term, word) {
		return nil
	}
	var found []Difference
	for _, o := range objects {
		id := idText(o["id"])
		who, known := st.userByID(id)
		if holds(o, term) || known && (who == v.owner || st.users[who].mayHold(term)) {
			continue
		}
		d := Difference{Rule: "search.non-match-excluded", At: rules.SearchUsers, key: v.key(id, v.term),
			timeless: known && v.field != "former" && v.field != sharedNameField, // others may have had the term
			Expected: fmt.Sprintf("only users who have %q", v.term), Actual: "user " + id + " is there"}
		if known && !st.users[who].lives() {
			d.Rule, d.timeless = "search.deleted-excluded", false
		}
		found = append(found, d)
	}
	return found
}

// missingSharedNames returns the differences for users that a search for their shared token
// misses.
func (st *State) missingSharedNames(v view, objects []Fields) []Difference {
	var found []Difference
	for who, u := range st.users {
		if who == v.viewer || !u.lives() || !u.surelyHolds("user_name", v.term) || st.choices.Lengths.mayBeCut(v.at, len(objects)) ||
			slices.ContainsFunc(objects, func(o Fields) bool { return idText(o["id"]) == idText(u.id) }) {
			continue
		}
		found = append(found, Difference{Rule: "search.user-name", At: rules.SearchUsers, key: v.key(idText(u.id), v.term),
			Expected: fmt.Sprintf("user %d by part of its user_name", who), Actual: fmt.Sprintf("%d other users", len(objects))})
	}
	return found
}

// holdsNow reports whether a user may have a text in any of its fields.
func (u *user) holdsNow(term string) bool {
	for _, values := range u.fields {
		if slices.ContainsFunc(values, func(v any) bool { return holds(v, term) }) {
			return true
		}
	}
	return false
}

// mayHold reports whether a user may have a text in any of its fields, or had it in a former
// name.
func (u *user) mayHold(term string) bool {
	return u.holdsNow(term) || slices.ContainsFunc(u.formerTerms, func(name string) bool { return holds(name, term) })
}

// holds reports whether a value contains a text, in any case.
func holds(v any, term string) bool {
	switch v := v.(type) {
	case string:
		return strings.Contains(strings.ToLower(v), term)
	case map[string]any:
		return slices.ContainsFunc(slices.Collect(maps.Values(v)), func(each any) bool { return holds(each, term) })
	case []any:
		return slices.ContainsFunc(v, func(each any) bool { return holds(each, term) })
	}
	return false
}

// holdsSameCase reports whether a field contains a text in the same case.
func (u *user) holdsSameCase(field, text string) bool {
	value, _ := u.fields[strings.TrimPrefix(field, "whole ")].first().(string)
	return strings.Contains(value, text)
}

// surelyHolds reports whether every lawful value of a user's field contains a text. A map
// contains it if a value equals it.
func (u *user) surelyHolds(field, text string) bool {
	values := u.fields[strings.TrimPrefix(field, "whole ")]
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
