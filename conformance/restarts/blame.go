package restarts

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// blame is the rule that is broken where no lawful state matches what the views show.
func (p *player) blame(signal Signal, o observed, unread error) *Finding {
	if unread != nil && signal == Pause {
		return &Finding{Rule: Paused, Expected: "everything can be read after a pause, as before", Actual: unread.Error()}
	}
	if unread != nil {
		return &Finding{Rule: Serves, Expected: "everything can be read after a restart, as before", Actual: unread.Error()}
	}
	nearest := p.nearest(signal, o)
	f := p.lost(signal, o)
	if f == nil {
		f = p.contradiction(nearest, o)
	}
	if f.wrong == nil {
		f.wrong = p.against(nearest.state, o)
	}
	if signal == Pause {
		f.Rule = Paused
	}
	return f
}

// nearest is the lawful state that fewest views contradict.
func (p *player) nearest(signal Signal, o observed) candidate {
	return slices.MinFunc(p.lawful(signal), func(a, b candidate) int { return cmp.Compare(len(p.against(a.state, o)), len(p.against(b.state, o))) })
}

// lost finds writes without which all is as it should be: one, or all of a kind. Others that were made
// later are there.
func (p *player) lost(signal Signal, o observed) *Finding {
	var sets []func(int, write) bool
	for n := range p.history {
		sets = append(sets, func(at int, _ write) bool { return at == n })
	}
	for _, kind := range kinds() {
		sets = append(sets, func(_ int, w write) bool { return w.kind == kind })
	}
	for _, c := range p.lawful(signal) {
		for _, left := range sets {
			if f := p.withoutThose(c, left, o); f != nil {
				return f
			}
		}
	}
	return nil
}

// withoutThose is the finding that some writes of a state are lost, nil where that is not what the
// views show.
func (p *player) withoutThose(c candidate, left func(int, write) bool, o observed) *Finding {
	state, first := p.base, -1
	for n, w := range p.history[:c.writes] {
		if left(n, w) {
			if first < 0 {
				first = n
			}
			continue
		}
		state = state.after(w)
	}
	if c.more {
		state = state.after(*p.uncertain)
	}
	if first < 0 || len(p.against(state, o)) > 0 {
		return nil
	}
	w := p.history[first]
	rule := Order
	switch w.kind {
	case Logout:
		rule = EndedSessions
	case Delete, Remove, Unfollow:
		rule = Deleted
	case Create, Login, Update, Follow, Post, Edit:
	}
	return &Finding{
		Rule: rule, wrong: p.against(c.state, o),
		Expected: fmt.Sprintf("write %d (%s) outlives the restart, as others do that were sent after it", first+1, p.tell(w)),
		Actual:   fmt.Sprintf("it was answered and is lost: %s", p.show(p.against(c.state, o))),
	}
}

// contradiction names what the views show otherwise than the nearest state.
func (p *player) contradiction(c candidate, o observed) *Finding {
	wrong := p.against(c.state, o)
	rank := []string{WholeUser, EndedSessions, Deleted, WholeEvent, WholeConnection, Order}
	rule := Order
	var shown []mismatch
	for _, m := range wrong {
		switch is := p.ruleOf(m, c.state, o); cmp.Compare(slices.Index(rank, is), slices.Index(rank, rule)) {
		case -1:
			rule, shown = is, []mismatch{m}
		case 0:
			shown = append(shown, m)
		}
	}
	var expected []string
	for _, m := range shown[:min(len(shown), mostShown)] {
		expected = append(expected, p.name(m.fact)+": "+orNothing(m.expected))
	}
	return &Finding{Rule: rule, wrong: shown, Expected: strings.Join(expected, "; "), Actual: p.show(shown)}
}

// ruleOf is the rule that a view breaks which shows something else than a state has.
func (p *player) ruleOf(m mismatch, s state, o observed) string {
	f := m.fact
	back := m.expected == "" && m.seen != ""
	switch f.view {
	case sessionServes:
		if u := p.known.sessions[f.subject].user; s.gone[userKey(u)] && o.facts[fact{canLogIn, u, 0}] != "" {
			return Deleted
		}
		return EndedSessions
	case canLogIn, isRead, isFound:
		if p.halfUser(f.subject, o) {
			return WholeUser
		}
		if back && s.gone[userKey(f.subject)] {
			return Deleted
		}
	case inFollows, inFollowers:
		if m.seen != "" && (o.facts[fact{canLogIn, f.subject, 0}] == "" || o.facts[fact{canLogIn, f.other, 0}] == "") {
			return WholeUser
		}
		if !p.ignored[inFollows] && !p.ignored[inFollowers] && o.facts[fact{inFollows, f.subject, f.other}] != o.facts[fact{inFollowers, f.subject, f.other}] {
			return WholeConnection
		}
		if back && s.gone[link{f.subject, f.other}] {
			return Deleted
		}
	case inFeed:
		if p.halfEvent(f.subject, s, o) || strings.Contains(m.seen, " ") {
			return WholeEvent
		}
		if back && s.gone[eventKey(f.subject)] {
			return Deleted
		}
	}
	return Order
}

// halfUser reports whether some views show a user and others do not, or some fields are changed.
func (p *player) halfUser(u int, o observed) bool {
	shown, hidden := false, false
	for _, v := range []view{canLogIn, isRead, isFound} {
		if p.ignored[v] {
			continue
		}
		seen := o.facts[fact{v, u, 0}]
		shown, hidden = shown || seen != "", hidden || seen == ""
	}
	return shown && hidden || !p.ignored[isRead] && strings.Contains(o.facts[fact{isRead, u, 0}], " ")
}

// halfEvent reports whether some feeds that should have an event show it, and others do not or show
// other fields.
func (p *player) halfEvent(n int, s state, o observed) bool {
	seen := map[string]bool{}
	for f, expected := range s.facts(p.known) {
		if f.view == inFeed && f.subject == n && expected != "" {
			seen[o.facts[f]] = true
		}
	}
	return len(seen) > 1
}

const mostShown = 4

// show says what views show.
func (p *player) show(wrong []mismatch) string {
	var all []string
	for _, m := range wrong[:min(len(wrong), mostShown)] {
		all = append(all, p.name(m.fact)+": "+orNothing(m.seen))
	}
	text := strings.Join(all, "; ")
	if more := len(wrong) - mostShown; more > 0 {
		text += fmt.Sprintf("; and %d more views", more)
	}
	return text
}

func orNothing(value string) string {
	switch value {
	case "":
		return "no"
	case there:
		return "yes"
	}
	return value
}

// name is a view in words.
func (p *player) name(f fact) string {
	switch f.view {
	case canLogIn, isRead, isFound:
		return userName(f.subject) + " " + string(f.view)
	case sessionServes:
		return fmt.Sprintf("session %d of %s is served", f.subject, userName(p.known.sessions[f.subject].user))
	case inFollows:
		return fmt.Sprintf("%s is in the follows of %s", userName(f.other), userName(f.subject))
	case inFollowers:
		return fmt.Sprintf("%s is in the followers of %s", userName(f.subject), userName(f.other))
	}
	return fmt.Sprintf("%s is in the feed of %s", eventName(f.subject), userName(f.other))
}

func (m mismatch) compare(other mismatch) int {
	return cmp.Or(cmp.Compare(m.fact.view, other.fact.view), cmp.Compare(m.fact.subject, other.fact.subject), cmp.Compare(m.fact.other, other.fact.other))
}
