package story

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/socialfeed/conform/conformance/rules"
)

// readActions are the ways to read the target.
func readActions() []*Action {
	read := func(name string, at rules.Endpoint, what string, compare func(*World, Diff, Response) []Diff) *Action {
		return &Action{Name: name, Weight: 1, At: at, Plans: planRead(name), Request: requestRead(at), Expect: func(*World, Step) Expect { return Expect{} },
			Compare: func(w *World, c call) []Diff {
				d := c.readDiff(w)
				if w.users[d.View.viewer].app != w.users[d.View.owner].app {
					return w.diffElsewhere(d, c.answer)
				}
				return compare(w, d, c.answer)
			},
			Say: func(s Step) string {
				if s.Other > 0 {
					return fmt.Sprintf("reads the %s of user %d", what, s.Other)
				}
				return "reads its " + what
			}}
	}
	search := read("search", rules.SearchUsers, "search", (*World).diffSearch)
	search.Request = requestSearch
	search.Say = func(s Step) string {
		return strings.TrimSpace(fmt.Sprintf("searches for user %d by its %s %s", s.Other, s.How, s.By))
	}
	versions := read("see versions", rules.Versions, "versions", func(w *World, d Diff, r Response) []Diff { return w.diffVersions(d, r) })
	versions.Say = func(Step) string { return "reads the versions" }
	return []*Action{
		read("see me", rules.GetMe, "record", (*World).diffUser),
		read("see user", rules.GetUser, "record", (*World).diffUser),
		search,
		read("see follows", rules.MyFollows, "follows", (*World).diffList),
		read("see followers", rules.MyFollowers, "followers", (*World).diffList),
		read("see friends", rules.MyFriends, "friends", (*World).diffList),
		read("see feed", rules.Feed, "feed", (*World).diffFeed),
		versions,
		{Name: "wait", At: rules.NoEndpoint, Plans: planWait, Say: func(Step) string { return "waits" }},
	}
}

// listOf returns the endpoint of a list as others read it.
func listOf(at rules.Endpoint) rules.Endpoint {
	for i, own := range rules.OwnLists() {
		if at == own {
			return rules.ListsOfUser()[i]
		}
	}
	return at
}

// requestRead returns the request of a read: of another user if the step names one.
func requestRead(at rules.Endpoint) func(*World, Step) (Request, bool) {
	return func(w *World, s Step) (Request, bool) {
		who, there := w.who(s.User, false)
		if !there || !w.users[who].lives() && s.Session == 0 {
			return Request{}, false
		}
		r := Request{Endpoint: at}
		switch {
		case s.Other > 0 && at != rules.Versions:
			other, known := w.who(s.Other, s.Former)
			if !known {
				return r, false
			}
			r.Endpoint, r.ID = listOf(at), idText(w.users[other].id)
			if _, own := w.userByID(w.users[who].app, r.ID); own && w.elsewhere(pair{who, other}) {
				return r, false
			}
		case at == rules.GetUser:
			return r, false
		}
		return r, true
	}
}

// requestSearch returns the request of a search for a user by one of its fields.
func requestSearch(w *World, s Step) (Request, bool) {
	who, there := w.who(s.User, false)
	other, known := w.who(s.Other, s.Former)
	if !there || !known || !w.users[who].lives() && s.Session == 0 {
		return Request{}, false
	}
	term := w.users[other].term(s.By, s.How)
	return Request{Endpoint: rules.SearchUsers, Query: map[string]string{"q": term}}, utf8.RuneCountInString(term) > 2
}

// term returns the text by which a user is searched, "" for none.
func (u *user) term(field, how string) string {
	whole, _ := u.fields[field].first().(string)
	token := u.tokens[field]
	switch how {
	case formerTerm:
		if len(u.formerTerms) == 0 {
			return ""
		}
		return u.formerTerms[len(u.formerTerms)-1]
	case wholeTerm:
		if strings.TrimSpace(whole) != whole || strings.ContainsFunc(whole, invisible) || utf8.RuneCountInString(whole) > longestTerm {
			return ""
		}
		return whole
	case upperTerm:
		return strings.ToUpper(token)
	case longerTerm:
		return longer(strings.TrimSpace(whole), token)
	}
	if token == "" || !strings.Contains(whole, token) {
		return whole
	}
	return token
}

// longer returns a token with the word next to it in a text, "" if there is none.
func longer(text, token string) string {
	before, after, there := strings.Cut(text, token)
	if !there || token == "" {
		return ""
	}
	words := strings.SplitAfter(after, " ")
	if len(words) > 1 && strings.TrimSpace(words[0]) == "" {
		words = []string{words[0] + words[1]}
	}
	term := strings.TrimRight(token+words[0], " ")
	if before != "" {
		front := strings.Fields(before)
		if len(front) > 0 {
			if i := strings.LastIndex(before, front[len(front)-1]); i >= 0 {
				term = before[i:] + token
			}
		}
	}
	if strings.ContainsFunc(term, invisible) || utf8.RuneCountInString(term) > longestTerm {
		return ""
	}
	return term
}

// invisible reports whether a character is one that a search may ignore.
func invisible(r rune) bool {
	return unicode.IsControl(r) || unicode.Is(unicode.Cf, r) || r == '\u00a0'
}

// readDiff returns the beginning of a difference that a read shows.
func (c call) readDiff(w *World) Diff {
	viewer, _ := w.who(c.User, false)
	owner := viewer
	if c.Other > 0 {
		owner, _ = w.who(c.Other, c.Former)
	}
	return Diff{Step: c.Step, At: c.Endpoint, Status: c.answer.Status, App: c.App, Term: c.Query["q"],
		View: sighting{at: c.Endpoint, viewer: viewer, owner: owner, subject: -1}}
}

// diffElsewhere checks that an answer shows nothing of another application.
func (w *World) diffElsewhere(d Diff, r Response) []Diff {
	shown, _ := r.objects()
	if o := r.object(); o != nil && r.OK() {
		shown = append(shown, o)
	}
	for _, o := range shown {
		if other, is := w.foreign(d.App, o); is {
			d.Kind, d.View.subject, d.Got = Foreign, other, valueOf(o, "id")
			return []Diff{d}
		}
	}
	return nil
}

// diffVersions checks that the list of versions has 0.2 as current, and as nothing else, once it is
// shown. Which credentials it takes is open.
func (w *World) diffVersions(d Diff, r Response) []Diff {
	if !r.OK() {
		return nil
	}
	entries, _ := r.objects()
	current := 0
	for _, entry := range entries {
		if entry["version"] == "0.2" && entry["status"] == "current" {
			current++
		} else if entry["version"] == "0.2" {
			current = len(entries) + 1
		}
	}
	if current == 0 || current > len(entries) {
		d.Kind, d.Got = WrongField, r.Body
		d.Field, d.Want = "status", allowed{"current"}
		return []Diff{d}
	}
	return nil
}
