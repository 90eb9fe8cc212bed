package restarts

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/socialfeed/conform/conformance/result"
)

// scenario begins what reports call a story with restarts.
const scenario = "a story with restarts: "

// Checks are what the run comes to, by rule. The error is why it ended early.
func (o Outcome) Checks(ended error) []result.CheckResult {
	var all []result.CheckResult
	add := func(rule string, c result.Check) {
		c.Exchanges = []result.Exchange{}
		if c.Scenario == "" {
			c.Scenario = "stories with restarts"
		}
		all = append(all, result.CheckResult{Rule: rule, Check: c})
	}
	for _, rule := range Rules() {
		i := slices.IndexFunc(o.Findings, func(f *Finding) bool { return f.Rule == rule })
		switch {
		case i >= 0:
			add(rule, o.Findings[i].check())
		case o.BlockedBy != "":
			add(rule, result.Check{Status: result.Blocked, BlockedBy: o.BlockedBy, Message: "a step of every story is refused, also without a restart"})
		case o.blockedView(rule) != "":
			add(rule, result.Check{Status: result.Blocked, BlockedBy: o.blockedView(rule), Message: "what shows it is wrong without a restart, too"})
		case ended != nil:
			add(rule, result.Check{Status: result.Error, Message: "not judged: " + ended.Error()})
		default:
			add(rule, result.Check{Status: result.Pass, Message: fmt.Sprintf("%s with %s", stories(o.Stories), result.Plural(o.Restarts, "restart"))})
		}
	}
	for rule, answer := range map[string]string{AfterKill: o.kept(Kill), AfterStop: o.kept(Stop), Sessions: o.sessions()} {
		if answer == "" {
			add(rule, result.Check{Status: result.Skipped, Message: "no story showed it"})
			continue
		}
		add(rule, result.Check{Status: result.Observed, Message: answer})
	}
	return all
}

func stories(n int) string {
	if n == 1 {
		return "1 story"
	}
	return fmt.Sprint(n, " stories")
}

// check is the finding as it stands in reports.
func (f *Finding) check() result.Check {
	story, err := json.Marshal(f.recording)
	if err != nil { // of strings and numbers
		panic(err)
	}
	var steps []string
	for _, line := range f.Timeline {
		steps = append(steps, strings.TrimSpace(line))
	}
	return result.Check{
		Status: result.Warn, Scenario: scenario + strings.Join(steps, "; "), Timeline: f.Timeline, Restarts: story, Drawn: true,
		Message: "expected " + f.Expected + "; got " + f.Actual, Expected: f.Expected, Actual: f.Actual,
	}
}

// blockedView is the rule of a view without which a rule cannot be judged, where that view is wrong
// without a restart too, "" where none is.
func (o Outcome) blockedView(rule string) string {
	needs := map[string][]view{
		EndedSessions: {sessionServes}, WholeUser: {canLogIn, isRead}, WholeEvent: {inFeed}, WholeConnection: {inFollows, inFollowers},
	}
	for _, v := range needs[rule] {
		if o.ignored[v] {
			return v.rule()
		}
	}
	return ""
}

// rule is the rule of the catalogue that a view rests on.
func (v view) rule() string {
	return map[view]string{
		canLogIn: "sessions.login.user-name", isRead: "users.get.other", isFound: "search.user-name", inFollows: "connections.lists.of-user",
		inFollowers: "connections.lists.of-user", inFeed: "feed.follow.new-events", sessionServes: "sessions.logout.destroys",
	}[v]
}

// kept is the least that outlived a signal.
func (o Outcome) kept(s Signal) string {
	least := Kept(0)
	for _, each := range o.survived {
		if each.signal == s && (least == 0 || each.kept < least) {
			least = each.kept
		}
	}
	return least.String()
}

func (o Outcome) sessions() string {
	all, outlived := 0, 0
	for _, each := range o.survived {
		if each.early {
			all++
		}
		if each.early && each.session {
			outlived++
		}
	}
	switch {
	case all == 0:
		return ""
	case outlived == all:
		return "all outlive it"
	case outlived == 0:
		return "none outlives it"
	}
	return "some outlive it"
}
