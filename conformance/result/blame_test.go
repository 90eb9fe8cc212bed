package result

import (
	"testing"

	"github.com/socialfeed/conform/conformance/rules"
)

// A blocked check names a rule that is to blame.
func TestBlameIsPlaced(t *testing.T) {
	catalogue := rules.Load()
	const feed, users = "GET /0.2/user/feed", "POST /0.2/users"
	check := func(at string, s Status, by, stepAt string) Check {
		return Check{Endpoint: at, Status: s, BlockedBy: by, BlockedAt: stepAt, Message: "needs it"}
	}
	for name, tc := range map[string]struct {
		blocked Check
		others  []Rule
		status  Status
		by      string
	}{
		"one that failed":                        {check(feed, Blocked, "a", ""), []Rule{{ID: "a", Checks: []Check{check(feed, Fail, "", "")}}}, Blocked, "a"},
		"one that nobody judged":                 {check(feed, Blocked, "a", ""), []Rule{{ID: "a", Checks: []Check{check(feed, Skipped, "", "")}}}, Blocked, "a"},
		"one that passed":                        {check(feed, Blocked, "a", users), []Rule{{ID: "a", Checks: []Check{check(feed, Pass, "", "")}}}, Error, ""},
		"one that passed, beside one that broke": {check(feed, Blocked, "a", users), []Rule{{ID: "a", Checks: []Check{check(users, Pass, "", "")}}, {ID: "b", Checks: []Check{check(users, Fail, "", "")}}}, Blocked, "b"},
		"one that passed, beside one that needs the endpoint": {check(users, Blocked, "feed.status", feed),
			[]Rule{{ID: "feed.status", Checks: []Check{check(feed, Pass, "", "")}}, {ID: "feed.unfollow", Checks: []Check{check(users, Fail, "", "")}}}, Blocked, "feed.unfollow"},
		"one that is blocked itself": {check(feed, Blocked, "a", ""), []Rule{{ID: "a", Checks: []Check{check(feed, Blocked, "b", "")}}, {ID: "b", Checks: []Check{check(users, Error, "", "")}}}, Blocked, "a"},
		"itself":                     {check(feed, Blocked, "x", ""), nil, Error, ""},
		"a circle":                   {check(feed, Blocked, "a", ""), []Rule{{ID: "a", Checks: []Check{check(feed, Blocked, "x", "")}}}, Error, ""},
	} {
		t.Run(name, func(t *testing.T) {
			r := &Report{Rules: append([]Rule{{ID: "x", Checks: []Check{tc.blocked}}}, tc.others...)}
			r.placeBlame(catalogue)
			if got := r.Rules[0].Checks[0]; got.Status != tc.status || got.BlockedBy != tc.by {
				t.Errorf("%s by %q: %s", got.Status, got.BlockedBy, got.Message)
			}
		})
	}
	shard := &Report{Shard: &Shard{Index: 1, Of: 2}, Rules: []Rule{{ID: "x", Checks: []Check{check(feed, Blocked, "a", "")}}, {ID: "a", Checks: []Check{check(feed, Pass, "", "")}}}}
	if shard.placeBlame(catalogue); shard.Rules[0].Checks[0].Status != Blocked {
		t.Error("one shard tells what only the whole shows")
	}
}

// A rule that a valid target need not keep leaves no verdict open: what it blocks is skipped, and what waits for that, too.
func TestARuleThatNeedNotBeKeptLeavesNothingOpen(t *testing.T) {
	const feed = "GET /0.2/user/feed"
	check := func(s Status, by string) Check {
		return Check{Endpoint: feed, Scenario: "a story", Status: s, BlockedBy: by, Message: "needs it"}
	}
	for status, want := range map[Status]Status{Warn: Skipped, Error: Blocked} {
		r := &Report{Rules: []Rule{
			{ID: "feed.order", Checks: []Check{check(Blocked, "feed.merge")}},
			{ID: "feed.merge", Checks: []Check{check(Blocked, "feed.refollow")}},
			{ID: "feed.refollow", Checks: []Check{check(status, "")}},
			{ID: "feed.status", Checks: []Check{check(Blocked, "feed.unfollow")}},
			{ID: "feed.unfollow", Checks: []Check{check(Fail, "")}},
		}}
		r.placeBlame(rules.Load())
		for i, wanted := range map[int]Status{0: want, 1: want, 3: Blocked} {
			if got := r.Rules[i].Checks[0]; got.Status != wanted || (got.Status == Skipped) != (got.BlockedBy == "") {
				t.Errorf("feed.refollow with %s: %s is %s by %q, want %s", status, r.Rules[i].ID, got.Status, got.BlockedBy, wanted)
			}
		}
	}
}

// Where several rules are broken at the endpoint of a step, the one that is broken by such an answer as the
// step got is to blame.
func TestBlameFollowsTheAnswer(t *testing.T) {
	const users = "POST /0.2/users"
	answered := func(s Status, by string, status int) Check {
		decided := 0
		return Check{Endpoint: users, Status: s, BlockedBy: by, BlockedAt: users, Message: "needs it",
			Exchanges: []Exchange{{Request: Request{Method: "POST"}, Response: &Response{Status: status}}}, Deciding: &decided}
	}
	for status, want := range map[int]string{500: "errors.no-5xx", 422: "limits.metadata.keys", 201: "transport.blank-omitted", 418: "transport.blank-omitted"} {
		r := &Report{Rules: []Rule{
			{ID: "feed.status", Checks: []Check{answered(Blocked, "users.create.status", status)}},
			{ID: "users.create.status", Checks: []Check{answered(Pass, "", 201)}},
			{ID: "transport.blank-omitted", Checks: []Check{answered(Fail, "", 201)}},
			{ID: "errors.no-5xx", Checks: []Check{answered(Fail, "", 500)}},
			{ID: "limits.metadata.keys", Checks: []Check{answered(Fail, "", 422)}},
		}}
		if r.placeBlame(rules.Load()); r.Rules[0].Checks[0].BlockedBy != want {
			t.Errorf("a step that got a %d is blocked by %s, not by %s", status, r.Rules[0].Checks[0].BlockedBy, want)
		}
	}
}

// A step that did not work, as a complete answer shows that no valid target gives, breaks
// the rule that stands for it, though that holds elsewhere.
func TestAStepThatFailedBreaksItsRule(t *testing.T) {
	catalogue := rules.Load()
	const follow, connections = "connections.create.follow", "POST /0.2/user/connections"
	for name, tc := range map[string]struct {
		by, at string
		answer *Response
		status Status
	}{
		"a conflict":                          {follow, connections, &Response{Status: 409}, Fail},
		"what a should is about":              {"feed.refollow", connections, &Response{Status: 409}, Warn},
		"a body that it may refuse":           {follow, connections, &Response{Status: 422}, ""},
		"a server error":                      {follow, connections, &Response{Status: 500}, ""},
		"no answer":                           {follow, connections, nil, ""},
		"an endpoint that it says nothing of": {follow, "GET /0.2/user/feed", &Response{Status: 409}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			first := 0
			blocked := Check{Endpoint: "GET /0.2/user/feed", Scenario: "a story", Status: Blocked, BlockedBy: tc.by, BlockedAt: tc.at, Message: "needs it",
				Expected: "success", Actual: "409 Conflict", Deciding: &first, Exchanges: []Exchange{{Response: tc.answer}}}
			r := &Report{Rules: []Rule{{ID: "feed.merge", Checks: []Check{blocked, blocked}}, {ID: tc.by, Checks: []Check{{Status: Pass}}}}}
			r.placeBlame(catalogue)
			waits, step := r.Rules[0].Checks[0], r.Rules[1].Checks[1:]
			switch {
			case tc.status == "" && (waits.Status != Error || len(step) > 0):
				t.Errorf("the check is %s, and its step %+v", waits.Status, step)
			case tc.status == Fail && (waits.Status != Blocked || waits.BlockedBy != tc.by), tc.status == Warn && waits.Status != Skipped:
				t.Errorf("the check is %s by %s", waits.Status, waits.BlockedBy)
			case tc.status != "" && (len(step) != 1 || step[0].Status != tc.status || step[0].Endpoint != tc.at):
				t.Errorf("the check is %s by %s, and its step %+v", waits.Status, waits.BlockedBy, step)
			}
		})
	}
}
