package model

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/socialfeed/conform/conformance/rules"
)

// called are the searches for a user by what it is called, and was.
func (t *playthrough) called(who int) []view {
	other := t.third(who)
	if other < 0 {
		return nil
	}
	all := []view{t.search("first_name", who, other), t.search("user_name", who, other)}
	const latest = 2
	former := t.world.users[who].former
	for _, term := range former[max(0, len(former)-latest):] {
		all = append(all, view{at: rules.SearchUsers, viewer: other, owner: who, session: -1, field: "former", term: term})
	}
	return all
}

func (t *playthrough) search(field string, who, viewer int) view {
	return view{at: rules.SearchUsers, viewer: viewer, owner: who, session: -1, field: field, term: t.world.users[who].terms[field]}
}

// byParts are the searches for a user by parts of its names that begin or end with a
// word, and that hold what is its own.
func (t *playthrough) byParts(who int) []view {
	const longest = 60
	other, u := t.third(who), t.world.users[who]
	if other < 0 || !u.lives() {
		return nil
	}
	var all []view
	for _, field := range []string{"first_name", "last_name", "user_name"} {
		whole, _ := u.fields[field].first().(string)
		token := u.terms[field]
		if field == "last_name" {
			token = u.terms["first_name"]
		}
		for _, part := range partsWith(strings.TrimSpace(whole), token) {
			if n := utf8.RuneCountInString(part.term); part.term != token && n <= longest && !strings.ContainsFunc(part.term, unseen) {
				part.at, part.viewer, part.owner, part.session, part.field, part.exact = rules.SearchUsers, other, who, -1, field, true
				all = append(all, part)
			}
		}
	}
	return all
}

// partsWith are the parts of a text from each of its words to a token, or from the token
// to the end of each, the shortest first.
func partsWith(text, token string) []view {
	const longest = 32
	before, after, there := strings.Cut(text, token)
	if !there || token == "" {
		return nil
	}
	var all []view
	words := strings.SplitAfter(before, " ")
	for i := len(words) - 1; i >= 0; i-- {
		all = append(all, view{term: strings.TrimLeft(strings.Join(words[i:], ""), " ") + token, word: words[i]})
	}
	words = strings.SplitAfter(after, " ")
	for i := range words {
		all = append(all, view{term: strings.TrimRight(token+strings.Join(words[:i+1], ""), " "), word: words[i]})
	}
	if runes := []rune(text); before == "" && len(runes) > longest {
		all = append(all, view{term: string(runes[:len(runes)-1])})
	}
	return slices.CompactFunc(all, func(a, b view) bool { return a.term == b.term })
}

// unseen reports whether a character is one that searches may well pass over.
func unseen(r rune) bool { return unicode.IsControl(r) || unicode.Is(unicode.Cf, r) || r == '\u00a0' }

// ofKin are the searches, by several, for all who have the same in their names.
func (t *playthrough) ofKin() []view {
	var all []view
	for i, who := range t.living() {
		const searchers = 2
		if slot := t.came[who]; t.kin != "" && i < searchers && slot < t.story.Kin {
			all = append(all, view{at: rules.SearchUsers, viewer: who, owner: who, session: -1, field: kinship, term: t.kin, exact: true})
		}
	}
	return all
}

// kinship searches for all who have the same in their names.
const kinship = "kinship"

// wholeName searches for a user by all of the user name.
const wholeName = "whole user_name"
