package play

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/socialfeed/conform/conformance/model/value"
	"github.com/socialfeed/conform/conformance/model/world"
	"github.com/socialfeed/conform/conformance/rules"
)

// nameSearches returns searches for a user by its current and former names.
func (t *run) nameSearches(who int) []world.View {
	other := t.otherThan(who)
	if other < 0 {
		return nil
	}
	all := []world.View{t.userSearch("first_name", who, other), t.userSearch("user_name", who, other)}
	const latest = 2
	former := t.state.Users[who].FormerTerms
	for _, term := range former[max(0, len(former)-latest):] {
		all = append(all, formerSearch(term, who, other))
	}
	return all
}

// formerSearch returns the search for a user by a former name.
func formerSearch(term string, who, viewer int) world.View {
	return world.View{At: rules.SearchUsers, Viewer: viewer, Owner: who, Session: -1, Field: "former", Term: term}
}

// userSearch returns the search for a user by the word of its own in a field.
func (t *run) userSearch(field string, who, viewer int) world.View {
	return world.View{At: rules.SearchUsers, Viewer: viewer, Owner: who, Session: -1, Field: field, Term: t.state.Users[who].Terms[field]}
}

// wholeSearches returns searches for a user by its email and its last name.
func (t *run) wholeSearches(who int) []world.View {
	const longest = 60
	var all []world.View
	for _, field := range []string{"email", "last_name"} {
		whole, _ := t.state.Users[who].Fields[field].First().(string)
		if other := t.otherThan(who); other >= 0 && whole != "" && value.IsASCII(whole) && len(whole) <= longest && strings.TrimSpace(whole) == whole {
			all = append(all, world.View{At: rules.SearchUsers, Viewer: other, Owner: who, Session: -1, Field: field, Term: whole, Exact: true})
		}
	}
	return all
}

// namePartSearches returns searches for a user by parts of its names that begin or end at a
// word and include its own token, and by common words in them.
func (t *run) namePartSearches(who int) []world.View {
	const longest = 60
	other, u := t.otherThan(who), t.state.Users[who]
	if other < 0 || !u.Lives() {
		return nil
	}
	var all []world.View
	for _, field := range []string{"first_name", "last_name", "user_name"} {
		whole, _ := u.Fields[field].First().(string)
		token := u.Terms[field]
		for _, word := range strings.Fields(whole) {
			if commonWords()[word] {
				all = append(all, world.View{At: rules.SearchUsers, Viewer: other, Owner: who, Session: -1, Field: field, Term: word, Exact: true})
			}
		}
		if field == "last_name" {
			token = u.Terms["first_name"]
		}
		for _, part := range partsWith(strings.TrimSpace(whole), token) {
			if n := utf8.RuneCountInString(part.Term); part.Term != token && n <= longest && !strings.ContainsFunc(part.Term, invisible) {
				part.At, part.Viewer, part.Owner, part.Session, part.Field, part.Exact = rules.SearchUsers, other, who, -1, field, true
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
func partsWith(text, token string) []world.View {
	const longest = 32
	before, after, there := strings.Cut(text, token)
	if !there || token == "" {
		return nil
	}
	var all []world.View
	words := strings.SplitAfter(before, " ")
	for i, word := range slices.Backward(words) {
		all = append(all, world.View{Term: strings.TrimLeft(strings.Join(words[i:], ""), " ") + token, Word: word})
	}
	words = strings.SplitAfter(after, " ")
	for i, word := range words {
		all = append(all, world.View{Term: strings.TrimRight(token+strings.Join(words[:i+1], ""), " "), Word: word})
	}
	if runes := []rune(text); before == "" && len(runes) > longest {
		all = append(all, world.View{Term: string(runes[:len(runes)-1])})
	}
	return slices.CompactFunc(all, func(a, b world.View) bool { return a.Term == b.Term })
}

// invisible reports whether a character is one that a search may ignore.
func invisible(r rune) bool {
	return unicode.IsControl(r) || unicode.Is(unicode.Cf, r) || r == '\u00a0'
}

// sharedNameSearches returns searches by two users for the token that several user names share,
// and for the users who share a last name.
func (t *run) sharedNameSearches() []world.View {
	var all []world.View
	for _, who := range t.living() {
		if other := t.otherThan(who); t.sharedLastName != "" && other >= 0 && t.state.Users[who].SurelyHolds("last_name", t.sharedLastName) {
			all = append(all, world.View{At: rules.SearchUsers, Viewer: other, Owner: who, Session: -1, Field: "last_name", Term: t.sharedLastName, Exact: true})
		}
	}
	for i, who := range t.living() {
		const searchers = 2
		if slot := t.slotOf[who]; t.sharedName != "" && i < searchers && slot < t.story.SharedNames {
			all = append(all, world.View{At: rules.SearchUsers, Viewer: who, Owner: who, Session: -1, Field: world.SharedNameField, Term: t.sharedName, Exact: true})
		}
	}
	return all
}
