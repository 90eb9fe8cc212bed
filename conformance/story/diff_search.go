package story

import (
	"maps"
	"slices"
	"strings"
	"unicode/utf8"
)

// longestTerm is how many characters a search term may have that no valid server refuses for its
// length, of which the contract says nothing.
const longestTerm = 40

// diffSearch checks that a search finds a user by its current names, and not by former ones.
// Whether users find themselves is open.
func (w *World) diffSearch(d Diff, r Response) []Diff {
	owner := d.View.owner
	u := &w.users[owner]
	term := d.Term
	objects, ok := r.objects()
	if r.Refused() && utf8.RuneCountInString(term) > longestTerm {
		return nil
	}
	if r.Status != 200 || !ok {
		d.Kind, d.View.subject, d.Got = Unreadable, -1, r.Body
		return []Diff{d}
	}
	there := slices.ContainsFunc(objects, func(o Fields) bool { return idText(o["id"]) == idText(u.id) })
	d.View.subject, d.Field = owner, d.Step.By
	former := d.Step.How == formerTerm
	nonMatches := w.nonMatches(d, objects)
	switch {
	case !u.lives() && there, former && there && !u.holdsNow(strings.ToLower(term)):
		d.Kind = Extra
		return []Diff{d}
	case !u.lives() || former:
		return nonMatches
	case !there && d.View.viewer != owner && u.surelyHolds(d.Step.By, term) && len(objects) < promisedLength:
		d.Kind, d.Got = Missing, len(objects)
		d.Timeless = slices.ContainsFunc(nonMatches, func(d Diff) bool { return d.Timeless })
		if i := slices.IndexFunc(objects, func(o Fields) bool { return same(o["user_name"], u.name) }); i >= 0 {
			d.Kind, d.Want, d.Got = WrongID, allowed{u.id}, valueOf(objects[i], "id")
		}
		return []Diff{d}
	}
	found := nonMatches
	for _, o := range objects {
		if who, known := w.userByID(u.app, idText(o["id"])); known && w.users[who].lives() {
			each := d
			each.View.subject = who
			found = append(found, w.diffShown(each, o)...)
		}
	}
	return found
}

// nonMatches returns the differences for users that a search finds though no field of theirs
// contains the term. Only a term that contains the owner's own token is judged: users from
// outside the story may have any other term in a field that the answer leaves out.
func (w *World) nonMatches(d Diff, objects []Fields) []Diff {
	u := &w.users[d.View.owner]
	term := strings.ToLower(d.Term)
	word := strings.ToLower(u.tokens[d.Step.By])
	if d.Step.How == formerTerm {
		word = term
	}
	if word == "" || !ascii(term) || !strings.Contains(term, word) {
		return nil
	}
	var found []Diff
	for _, o := range objects {
		who, known := w.userByID(u.app, idText(o["id"]))
		if holds(o, term) || known && (who == d.View.owner || w.users[who].mayHold(term)) {
			continue
		}
		each := d
		each.Kind, each.View.subject, each.Got = Extra, who, valueOf(o, "id")
		each.Timeless = known && w.users[who].lives() && d.Step.How != formerTerm // others may have had the term
		if !known {
			if other, is := w.foreign(u.app, o); is {
				each.Kind, each.View.subject = Foreign, other
			}
		}
		found = append(found, each)
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

// surelyHolds reports whether every allowed value of a user's field contains a text. A map
// contains it if a value equals it.
func (u *user) surelyHolds(field, text string) bool {
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
