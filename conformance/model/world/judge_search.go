package world

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/socialfeed/conform/conformance/model/blame"
	"github.com/socialfeed/conform/conformance/model/exchange"
	"github.com/socialfeed/conform/conformance/model/value"
	"github.com/socialfeed/conform/conformance/rules"
)

// longestTerm is how many characters a search term may have that no valid server refuses for its
// length, of which the contract says nothing.
const longestTerm = 40

// judgeSearch checks that a search finds a user by its current names, and not by former ones.
// Whether users find themselves is open.
func (st *State) judgeSearch(v View, r exchange.Response) []blame.Difference {
	u := st.Users[v.Owner]
	objects, ok := r.Objects()
	if r.Refused() && utf8.RuneCountInString(v.Term) > longestTerm {
		return nil
	}
	if r.Status != 200 || !ok {
		if !u.Lives() || v.Field == "former" { // no user has to be found
			return []blame.Difference{{Rule: "search.no-match-empty", At: rules.SearchUsers, Expected: "200 and []", Actual: r.Show(), Key: v.Key("", "")}}
		}
		return []blame.Difference{{Rule: "search.status", At: rules.SearchUsers, Expected: "200 and an array of users", Actual: r.Show(), Key: v.Key("", "")}}
	}
	if v.Field == SharedNameField {
		return append(st.missingSharedNames(v, objects), st.nonMatches(v, objects)...)
	}
	there := slices.ContainsFunc(objects, func(o value.Fields) bool { return value.ID(o["id"]) == value.ID(u.ID) })
	d := blame.Difference{At: rules.SearchUsers, Key: v.Key("", v.Term), Timeless: !there && slices.ContainsFunc(st.nonMatches(v, objects), func(d blame.Difference) bool { return d.Timeless })}
	switch {
	case !u.Lives() && there:
		d.Rule, d.Expected, d.Actual = "search.deleted-excluded", "no deleted user", "the user is there"
	case !u.Lives():
		return st.nonMatches(v, objects)
	case v.Field == "former" && there && slices.Contains(u.FormerTerms, v.Term) && !u.holdsNow(strings.ToLower(v.Term)):
		d.Rule, d.Expected, d.Actual = "search.non-match-excluded", "no user for its former name", "the user is there"
	case v.Field != "former" && !there && v.Viewer != v.Owner && u.SurelyHolds(v.Field, v.Term) && !st.Choices.Lengths.MayBeCut(v.At, len(objects)):
		d.Rule = map[string]string{"user_name": "search.user-name", "first_name": "search.first-name", "last_name": "search.last-name", "email": "search.email", WholeNameField: "search.exact"}[v.Field]
		if v.Field == "user_name" && !v.Exact && strings.EqualFold(v.Term, u.Name) {
			d.Rule = "search.exact"
		}
		if v.Exact && !u.holdsSameCase(v.Field, v.Term) {
			d.Rule = "search.unicode-case"
		}
		if v.Term != strings.ToLower(v.Term) && value.IsASCII(v.Term) && v.Term == strings.ToUpper(v.Term) {
			d.Rule = "search.case-insensitive"
		}
		if v.Field != "email" && d.Rule != "search.exact" && strings.ContainsAny(cmp.Or(v.Word, v.Term), `%_*.\`) {
			d.Rule = "search.literal-term"
		}
		if slices.ContainsFunc(objects, func(o value.Fields) bool { return value.Same(o["user_name"], u.Name) }) {
			d.Rule = "users.id-stable"
		}
		d.Expected, d.Actual = fmt.Sprintf("user %d by its %s", v.Owner, v.Field), fmt.Sprintf("%d other users", len(objects))
	default:
		return append(st.nonMatches(v, objects), st.staleFound(v, objects)...)
	}
	return []blame.Difference{d}
}

// staleFound returns the differences for what a search shows of living users of the story.
func (st *State) staleFound(v View, objects []value.Fields) []blame.Difference {
	var found []blame.Difference
	for _, o := range objects {
		if who, known := st.UserByID(value.ID(o["id"])); known && st.Users[who].Lives() {
			found = append(found, st.staleUser(v, who, o)...)
		}
	}
	return found
}

// nonMatches returns the differences for users that a search finds though no field of theirs
// contains the term. Only a term that contains the owner's own word is judged: users from
// outside of the story may have any other term in a field that the answer leaves out.
func (st *State) nonMatches(v View, objects []value.Fields) []blame.Difference {
	term := strings.ToLower(v.Term)
	word := strings.ToLower(st.Users[v.Owner].Terms[strings.TrimPrefix(v.Field, "whole ")])
	if v.Field == "former" || v.Field == SharedNameField {
		word = term
	}
	if word == "" || !value.IsASCII(term) || !strings.Contains(term, word) {
		return nil
	}
	var found []blame.Difference
	for _, o := range objects {
		id := value.ID(o["id"])
		who, known := st.UserByID(id)
		if holds(o, term) || known && (who == v.Owner || st.Users[who].mayHold(term)) {
			continue
		}
		d := blame.Difference{Rule: "search.non-match-excluded", At: rules.SearchUsers, Key: v.Key(id, v.Term),
			Timeless: known && v.Field != "former" && v.Field != SharedNameField, // others may have had the term
			Expected: fmt.Sprintf("only users who have %q", v.Term), Actual: "user " + id + " is there"}
		if known && !st.Users[who].Lives() {
			d.Rule, d.Timeless = "search.deleted-excluded", false
		}
		found = append(found, d)
	}
	return found
}

// missingSharedNames returns the differences for users that a search for their shared token
// misses.
func (st *State) missingSharedNames(v View, objects []value.Fields) []blame.Difference {
	var found []blame.Difference
	for who, u := range st.Users {
		if who == v.Viewer || !u.Lives() || !u.SurelyHolds("user_name", v.Term) || st.Choices.Lengths.MayBeCut(v.At, len(objects)) ||
			slices.ContainsFunc(objects, func(o value.Fields) bool { return value.ID(o["id"]) == value.ID(u.ID) }) {
			continue
		}
		found = append(found, blame.Difference{Rule: "search.user-name", At: rules.SearchUsers, Key: v.Key(value.ID(u.ID), v.Term),
			Expected: fmt.Sprintf("user %d by part of its user_name", who), Actual: fmt.Sprintf("%d other users", len(objects))})
	}
	return found
}

// holdsNow reports whether a user may have a text in any of its fields.
func (u *User) holdsNow(term string) bool {
	for _, values := range u.Fields {
		if slices.ContainsFunc(values, func(v any) bool { return holds(v, term) }) {
			return true
		}
	}
	return false
}

// mayHold reports whether a user may have a text in any of its fields, or had it in a former
// name.
func (u *User) mayHold(term string) bool {
	return u.holdsNow(term) || slices.ContainsFunc(u.FormerTerms, func(name string) bool { return holds(name, term) })
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
func (u *User) holdsSameCase(field, text string) bool {
	value, _ := u.Fields[strings.TrimPrefix(field, "whole ")].First().(string)
	return strings.Contains(value, text)
}

// SurelyHolds reports whether every lawful value of a user's field contains a text. A map
// contains it if a value equals it.
func (u *User) SurelyHolds(field, text string) bool {
	values := u.Fields[strings.TrimPrefix(field, "whole ")]
	for _, v := range values {
		switch v := v.(type) {
		case string:
			if !strings.Contains(strings.ToLower(v), strings.ToLower(text)) {
				return false
			}
		case map[string]any:
			if !slices.ContainsFunc(slices.Collect(maps.Values(v)), func(each any) bool { return value.Same(each, text) }) {
				return false
			}
		default:
			return false
		}
	}
	return len(values) > 0
}
