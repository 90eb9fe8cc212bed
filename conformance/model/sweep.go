package model

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/socialfeed/conform/conformance/rules"
)

// Sweep looks at users that there are from all sides, without writing anything: it
// searches for each by all that it is called, reads what there is to read again and
// again, and asks for what nobody is called. Each difference is looked at again.
func (p *Player) Sweep(ctx context.Context, users []Adopted, reads int) ([]Finding, *Outcome, error) {
	s := &sweep{playthrough: p.playthrough(Story{Name: "sweep", Slots: len(users)})}
	for _, a := range users {
		s.adopt(a)
	}
	if len(users) < 2 {
		return nil, &s.outcome, nil
	}
	s.search(ctx, reads-repeatedReads-oddReads)
	s.again(ctx)
	s.odd(ctx)
	if s.err != nil {
		return s.findings, &s.outcome, fmt.Errorf("looking at users that there are: %w", s.err)
	}
	return s.findings, &s.outcome, nil
}

// sweep is a sweep on its way.
type sweep struct {
	*playthrough
	findings []Finding
}

// How many of the reads of a sweep are not searches.
const repeatedReads, oddReads = 20, 13

// search searches for users by their names, as other users, `most` times at most. Of names
// with the same outline in a field one comes first: the oddest of each field before the
// others. The names that are left follow.
func (s *sweep) search(ctx context.Context, most int) {
	fields := []string{"first_name", "user_name", "last_name", "email"}
	fresh := make([][]view, len(fields))
	var alike []view
	looked := map[string]bool{}
	for i, u := range s.world.users {
		for k, field := range fields {
			for _, term := range s.terms(u, field) {
				v := view{at: rules.SearchUsers, viewer: s.searcher(i), owner: i, session: -1, field: field, term: term, exact: true}
				if looks := field + " " + outline(term); !looked[looks] {
					looked[looks] = true
					fresh[k] = append(fresh[k], v)
				} else {
					alike = append(alike, v)
				}
			}
		}
	}
	for _, views := range fresh {
		slices.SortStableFunc(views, func(a, b view) int { return oddity(b.term) - oddity(a.term) })
	}
	fresh = slices.DeleteFunc(fresh, func(views []view) bool { return len(views) == 0 })
	all := append(inTurns(fresh, func([][]view) {}), alike...)
	for _, v := range all[:max(0, min(len(all), most))] {
		s.see(ctx, v)
	}
}

// oddity is how many different characters a text has that are no plain letters or digits.
func oddity(text string) int {
	odd := map[rune]bool{}
	for _, r := range text {
		if r > unicode.MaxASCII || !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			odd[r] = true
		}
	}
	return len(odd)
}

// searcher is who searches for a user: one who searches for most, since some mistakes
// show at a later request of a session alone, and others for the rest.
func (s *sweep) searcher(owner int) int {
	const few = 4
	if owner == 0 || owner%few == 0 {
		return (owner + 1) % len(s.world.users)
	}
	return 0
}

// outline is what a text looks like: runs of letters and of digits are one of each.
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

// terms are what a user must be found by in a field: all of it, or most, and the same in other case.
func (s *sweep) terms(u *user, field string) []string {
	const fewest, longTerm = 3, 33
	whole, _ := u.fields[field].first().(string)
	whole = strings.TrimSpace(whole)
	if len(whole) < fewest || strings.ContainsAny(whole, "\r\n\t") || strings.Trim(whole, "abcdefghijklmnopqrstuvwxyz0123456789 ") == "" && strings.Trim(whole, "0123456789") != "" && len(whole) < longTerm {
		return nil // what scenarios search for
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

func (l lawful) first() any {
	if len(l) == 0 {
		return nil
	}
	return l[0]
}

// otherCase swaps the case of the letters beyond ASCII that have one other case.
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

// again reads what does not change over and over: the same must come back each time.
func (s *sweep) again(ctx context.Context) {
	if s.player.options.Lag > 0 {
		return // what is stale may come back for a while
	}
	views := []view{own(rules.GetMe, 0), {at: rules.SearchUsers, viewer: 0, owner: 1, session: -1, field: "user_name", term: s.world.users[1].name, exact: true}}
	for range repeatedReads / len(views) {
		for _, v := range views {
			s.evidence = nil
			answer := s.read(ctx, v)
			for _, d := range s.news(v, answer) {
				d.Evidence = slices.Clone(s.evidence)
				s.find(ctx, v, d)
			}
		}
	}
}

// odd asks for what nobody is called. How it is answered is open, but nothing may break of it.
func (s *sweep) odd(ctx context.Context) {
	digits := strings.Repeat("9", 25)
	for _, r := range []Request{
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

// see looks until a view shows what it must, or the settle time is over.
func (s *sweep) see(ctx context.Context, v view) {
	known := len(s.outcome.Differences)
	s.evidence = nil // each look stands for itself
	s.settle(ctx, v)
	for _, d := range s.outcome.Differences[known:] {
		s.find(ctx, v, d)
	}
}

// find looks at a difference again, and keeps it: with the looks that do not show it, before
// the one that does.
func (s *sweep) find(ctx context.Context, v view, d Difference) {
	const times = 3
	f := Finding{Difference: d, Told: []string{fmt.Sprintf("user %d is looked at, which was created before", v.owner)}}
	var others []any
	for range times {
		answer := s.read(ctx, v)
		if slices.ContainsFunc(s.world.judge(v, answer), d.same) {
			f.Seen++
		} else {
			others = append(others, answer.Evidence)
		}
	}
	if s.err != nil {
		return
	}
	f.Evidence = slices.Concat(others, d.Evidence)
	f.Stable = f.Seen == times
	s.tainted[d.key] = d.key != ""
	if !slices.ContainsFunc(s.findings, func(o Finding) bool { return o.same(d) }) {
		s.findings = append(s.findings, f)
	}
}
