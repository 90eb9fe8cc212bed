package play

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/socialfeed/conform/conformance/model/blame"
	"github.com/socialfeed/conform/conformance/model/exchange"
	"github.com/socialfeed/conform/conformance/model/reuse"
	"github.com/socialfeed/conform/conformance/model/story"
	"github.com/socialfeed/conform/conformance/model/world"
	"github.com/socialfeed/conform/conformance/rules"
)

// ReadExisting reads existing users in many ways, without writing: it searches for each by all its
// names, repeats the same reads, and asks for ids and terms that nobody has. Each difference
// is confirmed by further reads.
func (p *Player) ReadExisting(ctx context.Context, users []reuse.User, reads int) ([]Finding, *Outcome, error) {
	s := &existingReads{run: p.newRun(story.Story{Name: "reads of existing users", Slots: len(users)})}
	for _, a := range users {
		s.reuse(a)
	}
	if len(users) < 2 {
		return nil, &s.outcome, nil
	}
	s.search(ctx, reads-repeatedReadCount-oddRequestCount)
	s.repeatReads(ctx)
	s.oddRequests(ctx)
	if s.err != nil {
		return s.findings, &s.outcome, fmt.Errorf("reading existing users: %w", s.err)
	}
	return s.findings, &s.outcome, nil
}

// existingReads is one run of ReadExisting.
type existingReads struct {
	*run
	findings []Finding
}

// How many of the requests of ReadExisting are not searches.
const repeatedReadCount, oddRequestCount = 20, 13

// search searches for users by their names, as other users, `most` times at most. Of names with
// the same outline in a field one comes first, those with most unusual characters first; the
// remaining names follow.
func (s *existingReads) search(ctx context.Context, most int) {
	fields := []string{"first_name", "user_name", "last_name", "email"}
	fresh := make([][]world.View, len(fields))
	var alike []world.View
	seen := map[string]bool{}
	for i, u := range s.state.Users {
		for k, field := range fields {
			for _, term := range s.terms(u, field) {
				v := world.View{At: rules.SearchUsers, Viewer: s.searcher(i), Owner: i, Session: -1, Field: field, Term: term, Exact: true}
				if shape := field + " " + outline(term); !seen[shape] {
					seen[shape] = true
					fresh[k] = append(fresh[k], v)
				} else {
					alike = append(alike, v)
				}
			}
		}
	}
	for _, views := range fresh {
		slices.SortStableFunc(views, func(a, b world.View) int { return unusualCharacters(b.Term) - unusualCharacters(a.Term) })
	}
	fresh = slices.DeleteFunc(fresh, func(views []world.View) bool { return len(views) == 0 })
	all := append(inTurns(fresh, func([][]world.View) {}), alike...)
	s.eachReadAhead(ctx, s.player.options.ReadsAtOnce, all[:max(0, min(len(all), most))], func(v world.View) { s.compareOne(ctx, v) })
}

// unusualCharacters returns how many different characters of a text are not ASCII letters or digits.
func unusualCharacters(text string) int {
	odd := map[rune]bool{}
	for _, r := range text {
		if r > unicode.MaxASCII || !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			odd[r] = true
		}
	}
	return len(odd)
}

// searcher returns who searches for a user: mostly the same user, since some mistakes show only
// at a later request of a session, and others for the rest.
func (s *existingReads) searcher(owner int) int {
	const few = 4
	if owner == 0 || owner%few == 0 {
		return (owner + 1) % len(s.state.Users)
	}
	return 0
}

// outline returns the shape of a text: runs of letters and digits are reduced to one.
func outline(text string) string {
	var b strings.Builder
	var last rune
	for _, r := range text {
		switch {
		case r >= 'a' && r <= 'z':
			r = 'a'
		case r >= 'A' && r <= 'Z':
			r = 'A'
		case r >= '0' && r <= '9':
			r = 'a' // as tokens have them, too
		}
		if r != last {
			b.WriteRune(r)
		}
		last = r
	}
	return b.String()
}

// terms returns what a user must be found by in a field: the whole value or most of it, and the
// same in other case.
func (s *existingReads) terms(u *world.User, field string) []string {
	const fewest, longTerm = 3, 33
	whole, _ := u.Fields[field].First().(string)
	whole = strings.TrimSpace(whole)
	if utf8.RuneCountInString(whole) < fewest || strings.ContainsFunc(whole, invisible) || strings.ContainsAny(whole, "\r\n\t") || strings.Trim(whole, "abcdefghijklmnopqrstuvwxyz0123456789 ") == "" && strings.Trim(whole, "0123456789") != "" && len(whole) < longTerm {
		return nil // scenarios search for such names already
	}
	all := []string{whole}
	if runes := []rune(whole); len(runes) > longTerm && len(runes) < 100 {
		all = []string{string(runes[:len(runes)-1])}
	}
	if other := otherCase(whole); other != whole {
		all = append(all, other)
	}
	return all
}

// otherCase swaps the case of the letters beyond ASCII that have exactly one other case.
func otherCase(text string) string {
	return strings.Map(func(r rune) rune {
		upper, lower := unicode.ToUpper(r), unicode.ToLower(r)
		switch {
		case r <= unicode.MaxASCII || unicode.ToLower(upper) != lower || unicode.ToUpper(lower) != upper || unicode.SimpleFold(unicode.SimpleFold(r)) != r:
			return r
		case r == upper:
			return lower
		}
		return upper
	}, text)
}

// repeatReads repeats reads of what does not change: each must show the same.
func (s *existingReads) repeatReads(ctx context.Context) {
	if s.player.options.Lag > 0 {
		return // stale answers may alternate with fresh ones for a while
	}
	views := []world.View{world.Own(rules.GetMe, 0), {At: rules.SearchUsers, Viewer: 0, Owner: 1, Session: -1, Field: "user_name", Term: s.state.Users[1].Name, Exact: true}}
	for range repeatedReadCount / len(views) {
		for _, v := range views {
			s.evidence = nil
			answer := s.read(ctx, v)
			for _, d := range s.newDifferences(v, answer) {
				d.Evidence = slices.Clone(s.evidence)
				s.confirm(ctx, v, d)
			}
		}
	}
}

// oddRequests asks for ids and terms that nobody has. Any answer but a 5xx is lawful, which the
// passive rules judge.
func (s *existingReads) oddRequests(ctx context.Context) {
	digits := strings.Repeat("9", 25)
	for _, r := range []exchange.Request{
		{Endpoint: rules.SearchUsers, Query: map[string]string{"q": strings.Repeat("long ", 300)}},
		{Endpoint: rules.SearchUsers, Query: map[string]string{"q": "a\x00b"}},
		{Endpoint: rules.SearchUsers, Query: map[string]string{"q": "\xff\xfe"}},
		{Endpoint: rules.SearchUsers, Query: map[string]string{"q": "👩‍👩‍👧‍👦"}},
		{Endpoint: rules.GetUser, ID: digits}, {Endpoint: rules.GetUser, ID: "\xff"}, {Endpoint: rules.FollowsOf, ID: digits}, {Endpoint: rules.FollowersOf, ID: digits}, {Endpoint: rules.FriendsOf, ID: digits},
		{Endpoint: rules.FollowsOf, ID: "-1"}, {Endpoint: rules.FollowersOf, ID: "0"}, {Endpoint: rules.FriendsOf, ID: "1e3"}, {Endpoint: rules.GetUser, ID: "null"},
	} {
		s.sendAs(ctx, 0, r)
	}
}

// compareOne compares one view with the state by itself, and confirms the differences.
func (s *existingReads) compareOne(ctx context.Context, v world.View) {
	s.evidence = nil // each read has its own evidence
	s.compareAndConfirm(ctx, v)
}

// compareAndConfirm compares a view with the state after what was sent so far, and confirms the
// differences.
func (s *existingReads) compareAndConfirm(ctx context.Context, v world.View) {
	known := len(s.outcome.Differences)
	s.compareView(ctx, v)
	for _, d := range s.outcome.Differences[known:] {
		s.confirm(ctx, v, d)
	}
}

const confirmations = 3 // of what is found without a story to play again

// confirm reads a difference again and keeps it as a finding. Its evidence has the reads that
// do not show it before the one that does.
func (s *existingReads) confirm(ctx context.Context, v world.View, d blame.Difference) {
	f := Finding{Difference: d, Log: append(slices.Clone(s.outcome.Log), fmt.Sprintf("user %d is looked at, which was created before", v.Owner))}
	var others []any
	for range confirmations {
		answer := s.read(ctx, v)
		if slices.ContainsFunc(s.state.Judge(v, answer), d.Same) {
			f.Seen++
		} else {
			others = append(others, answer.Evidence)
		}
	}
	if s.err != nil {
		return
	}
	f.Evidence = slices.Concat(others, d.Evidence)
	f.Stable = f.Seen == confirmations
	s.reported[d.Key] = d.Key != (blame.Key{})
	if !slices.ContainsFunc(s.findings, func(o Finding) bool { return o.Same(d) }) {
		s.findings = append(s.findings, f)
	}
}

// inTurns takes the first of each list, then the second, and so on. Before each round the
// remaining lists may be reordered.
func inTurns[T any](lists [][]T, order func(left [][]T)) []T {
	var all []T
	for len(lists) > 0 {
		order(lists)
		var left [][]T
		for _, list := range lists {
			all = append(all, list[0])
			if len(list) > 1 {
				left = append(left, list[1:])
			}
		}
		lists = left
	}
	return all
}
