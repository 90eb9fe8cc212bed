package model

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/socialfeed/conform/conformance/rules"
)

// nameSearches returns searches for a user by its current and former names.
func (t *run) nameSearches(who int) []view {
	other := t.otherThan(who)
	if other < 0 {
		return nil
	}
	all := []view{t.userSearch("first_name", who, other), t.userSearch("user_name", who, other)}
	const latest = 2
	former := t.state.users[who].formerTerms
	for _, term := range former[max(0, len(former)-latest):] {
		all = append(all, formerSearch(term, who, other))
	}
	return all
}

// formerSearch returns the search for a user by a former name.
func formerSearch(term string, who, viewer int) view {
	return view{at: rules.SearchUsers, viewer: viewer, owner: who, session: -1, field: "former", term: term}
}

// userSearch returns the search for a user by the word of its own in a field.
func (t *run) userSearch(field string, who, viewer int) view {
	return view{at: rules.SearchUsers, viewer: viewer, owner: who, session: -1, field: field, term: t.state.users[who].terms[field]}
}

// wholeSearches returns searches for a user by its email and its last name.
func (t *run) wholeSearches(who int) []view {
	const longest = 60
	var all []view
	for _, field := range []string{"email", "last_name"} {
		whole, _ := t.state.users[who].fields[field].first().(string)
		if other := t.otherThan(who); other >= 0 && whole != "" && ascii(whole) && len(whole) <= longest && strings.TrimSpace(whole) == whole {
			all = append(all, view{at: rules.SearchUsers, viewer: other, owner: who, session: -1, field: field, term: whole, exact: true})
		}
	}
	return all
}

// namePartSearches returns searches for a user by parts of its names that begin or end at a
// word and include its own token, and by common words in them.
func (t *run) namePartSearches(who int) []view {
	const longest = 60
	other, u := t.otherThan(who), t.state.users[who]
	if other < 0 || !u.lives() {
		return nil
	}
	var all []view
	for _, field := range []string{"first_name", "last_name", "user_name"} {
		whole, _ := u.fields[field].first().(string)
		token := u.terms[field]
		for _, word := range strings.Fields(whole) {
			if commonWords()[word] {
				all = append(all, view{at: rules.SearchUsers, viewer: other, owner: who, session: -1, field: field, term: word, exact: true})
			}
		}
		if field == "last_name" {
			token = u.terms["first_name"]
		}
		for _, part := range partsWith(strings.TrimSpace(whole), token) {
			if n := utf8.RuneCountInString(part.term); part.term != token && n <= longest && !strings.ContainsFunc(part.term, invisible) {
				part.at, part.viewer, part.owner, part.session, part.field, part.exact = rules.SearchUsers, other, who, -1, field, true
				all = append(all, part)
			}
		}
	}
	return all
}

// commonWords are words that are part of names, and that indexes of texts leave out.
func commonWords() map[string]bool {
	return map[string]bool{"will": true, "the": true, "van": true}
}

// partsWith returns the parts of a text from each of its words to a token, or from the token to
// the end of each word, shortest first.
func partsWith(text, token string) []view {
	const longest = 32
	before, after, there := strings.Cut(text, token)
	if !there || token == "" {
		return nil
	}
	var all []view
	words := strings.SplitAfter(before, " ")
	for i, word := range slices.Backward(words) {
		all = append(all, view{term: strings.TrimLeft(strings.Join(words[i:], ""), " ") + token, word: word})
	}
	words = strings.SplitAfter(after, " ")
	for i, word := range words {
		all = append(all, view{term: strings.TrimRight(token+strings.Join(words[:i+1], ""), " "), word: word})
	}
	if runes := []rune(text); before == "" && len(runes) > longest {
		all = append(all, view{term: string(runes[:len(runes)-1])})
	}
	return slices.CompactFunc(all, func(a, b view) bool { return a.term == b.term })
}

// invisible reports whether a character is one that a search may ignore.
func invisible(r rune) bool {
	return unicode.IsControl(r) || unicode.Is(unicode.Cf, r) || r == '\u00a0'
}

// sharedNameSearches returns searches by two users for the token that several user names share,
// and for the users who share a last name.
func (t *run) sharedNameSearches() []view {
	var all []view
	for _, who := range t.living() {
		if other := t.otherThan(who); t.sharedLastName != "" && other >= 0 && t.state.users[who].surelyHolds("last_name", t.sharedLastName) {
			all = append(all, view{at: rules.SearchUsers, viewer: other, owner: who, session: -1, field: "last_name", term: t.sharedLastName, exact: true})
		}
	}
	for i, who := range t.living() {
		const searchers = 2
		if slot := t.slotOf[who]; t.sharedName != "" && i < searchers && slot < t.story.SharedNames {
			all = append(all, view{at: rules.SearchUsers, viewer: who, owner: who, session: -1, field: sharedNameField, term: t.sharedName, exact: true})
		}
	}
	return all
}
