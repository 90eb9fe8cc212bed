package report

import (
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/conformance/rules"
)

// newReport is a report on rules and choices that a test wrote down, its sums done.
func newReport(verdict result.Verdict, rs []result.Rule, choices ...result.Choice) *result.Report {
	r := &result.Report{
		Schema: result.Schema, Tool: result.Tool{Version: "1.2.3"},
		Target:    result.Target{BaseURL: "https://feed.example:8443"},
		StartedAt: time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC), DurationMS: 12345, Seed: 424242,
		FailOn: rules.Must, Verdict: verdict, Rules: rs, Choices: append([]result.Choice{}, choices...),
		Summary: result.Summary{Rules: map[result.Status]int{}, Checks: map[result.Status]int{},
			Requests: map[string]int{"GET": 640, "POST": 400, "PUT": 100, "DELETE": 64}},
	}
	for _, s := range result.Statuses() { // a real report has all of them
		r.Summary.Rules[s], r.Summary.Checks[s] = 0, 0
	}
	at := map[string]map[result.Status]int{}
	for _, rule := range rs {
		r.Summary.Rules[rule.Status]++
		for _, c := range rule.Checks {
			r.Summary.Checks[c.Status]++
			if at[c.Endpoint] == nil {
				at[c.Endpoint] = map[result.Status]int{}
			}
			at[c.Endpoint][c.Status]++
		}
	}
	for _, e := range rules.Endpoints() {
		er := result.Endpoint{Number: int(e), Method: e.Method(), Path: e.Path(),
			Status: result.Skipped, Checks: map[result.Status]int{}}
		for _, s := range result.Statuses() {
			if er.Checks[s] = at[e.String()][s]; er.Checks[s] > 0 && er.Status == result.Skipped {
				er.Status = s
			}
		}
		r.Endpoints = append(r.Endpoints, er)
	}
	return r
}

func newRule(id string, level rules.Level, checks ...result.Check) result.Rule {
	rule := result.Rule{ID: id, Level: level, Part: strings.SplitN(id, ".", 2)[0],
		Statement: "A sentence that says what the rule " + id + " asks of a target, long enough to be wrapped here and there.",
		Source:    "Endpoints, rule 1; Errors, row 400", Status: result.Skipped, Checks: checks}
	if len(checks) == 0 {
		rule.Checks = []result.Check{}
	}
	for _, s := range result.Statuses() {
		for _, c := range checks {
			if c.Status == s {
				rule.Status = s
				return rule
			}
		}
	}
	return rule
}

func newCheck(e rules.Endpoint, s result.Status) result.Check {
	return result.Check{Endpoint: e.String(), Scenario: "a story about " + e.String(), Status: s, Exchanges: []result.Exchange{}}
}

// broken is a check that went wrong at an endpoint, with one exchange.
func broken(e rules.Endpoint, s result.Status, expected string, status int, body string) result.Check {
	c := newCheck(e, s)
	c.Expected, c.Actual = expected, fmt.Sprintf("%d with %s", status, body)
	c.Message = "expected " + c.Expected + "; got " + c.Actual
	c.Exchanges = append(c.Exchanges, newExchange(e, status, body))
	return c
}

func newExchange(e rules.Endpoint, status int, body string) result.Exchange {
	return result.Exchange{
		Request: result.Request{Method: e.Method(), URL: "https://feed.example:8443" + e.Path(),
			Headers: http.Header{"Accept": {"application/json"}, "Authorization": {"Basic base64($APP_TOKEN:$SESSION_TOKEN)"}}},
		Response: &result.Response{Status: status, Body: body,
			Headers: http.Header{"Content-Type": {"application/json"}, "Date": {"Wed, 04 Mar 2026 05:06:07 GMT"}}},
		StartedAt: time.Date(2026, 3, 4, 5, 6, 8, 0, time.UTC), DurationMS: 3.25,
		Curl: `curl -sS -i -X ` + e.Method() + ` -u "$APP_TOKEN:$SESSION_TOKEN" -H 'Accept: application/json' 'https://feed.example:8443` + e.Path() + `'`,
	}
}

// passing is a run in which nothing went wrong: a rule at every endpoint, and
// as many choices as the catalogue may bring.
func passing() *result.Report {
	var rs []result.Rule
	var choices []result.Choice
	for i, e := range rules.Endpoints() {
		rs = append(rs, newRule(fmt.Sprintf("part.rule-%d", i), rules.Must, newCheck(e, result.Pass)))
	}
	rs = append(rs, newRule("part.should", rules.Should, newCheck(rules.Feed, result.Pass)))
	for i := range 28 {
		id := fmt.Sprintf("choices.number-%d", i)
		rs = append(rs, newRule(id, rules.Choice, newCheck(rules.GetMe, result.Observed)))
		choices = append(choices, result.Choice{Rule: id, Endpoint: rules.GetMe.String(), Answer: "kept as sent"})
	}
	for _, e := range rules.Endpoints() {
		status := "400"
		if e == rules.Versions {
			status = "403"
		}
		choices = append(choices, result.Choice{Rule: "transport.user-agent-status", Endpoint: e.String(), Answer: status})
	}
	choices = append(choices, result.Choice{Rule: "users.id-type",
		Answer: "digit string at POST /0.2/user/login; integer at GET /0.2/user, GET /0.2/user/feed"})
	rates := newRule("limits.rate.get", rules.Must)
	rates.Message = "needs --rate-limits"
	return newReport(result.Conformant, append(rs, rates), choices...)
}

// failing has one failure or warning of each kind.
func failing() *result.Report {
	missing := []result.Check{newCheck(rules.CreateUser, result.Pass)}
	for e := rules.Logout; e <= rules.Feed; e++ {
		missing = append(missing, broken(e, result.Fail, "401 Unauthorized", 200, `{"id":`+fmt.Sprint(int(e))+`}`))
	}
	missing = append(missing, broken(rules.Versions, result.Fail, "401 Unauthorized", 500, `{}`))

	long := broken(rules.CreateEvent, result.Fail, "verb "+strings.Repeat("🦉", 120), 201,
		`{"metadata":{`+strings.Repeat(`"key":"value",`, 140)+`}… (cut at 2048 of 9000 bytes)`)
	long.Exchanges[0].Curl = `curl -sS -i -X POST -u "$APP_TOKEN:$SESSION_TOKEN" --data-raw '{"verb":"` + strings.Repeat("v", 2000) + `"}' 'https://feed.example:8443/0.2/user/events'`
	long.Actual = "something else"

	passive := newCheck(rules.Feed, result.Fail)
	passive.Expected, passive.Actual = "no null", "null at [0].language (2 of 31 responses)"
	passive.Exchanges = []result.Exchange{newExchange(rules.Feed, 200, `[{"said":"first"}]`),
		newExchange(rules.Feed, 200, `[{"language":null,"said":"second"}]`)}

	hung := newCheck(rules.NoEndpoint, result.Fail)
	hung.Expected, hung.Actual = "a refusal", "no response"
	hung.Exchanges = []result.Exchange{newExchange(rules.GetMe, 0, "")}
	hung.Exchanges[0].Response, hung.Exchanges[0].Error = nil, "the target closed the connection"

	hostile := broken(rules.GetUser, result.Fail, "200 OK", 404, "\x1b[2Jgone\u202e\r\nand\ttwo lines")
	hostile.Exchanges[0].Response.Headers.Set("Www-Authenticate", "Basic\x07 realm")

	rules := []result.Rule{
		newRule("auth.missing", rules.Must, missing...),
		newRule("events.create.echo", rules.Must, long),
		newRule("transport.no-null", rules.Must, passive, newCheck(rules.GetMe, result.Pass)),
		newRule("transport.https-only", rules.Must, hung),
		newRule("users.get.other", rules.Must, hostile),
		newRule("sessions.login.id-string", rules.Should, broken(rules.Login, result.Warn, "a string", 200, `{"id":7}`)),
		newRule("users.me.get", rules.Must, newCheck(rules.GetMe, result.Pass)),
		newRule("search.exact", rules.Must, newCheck(rules.SearchUsers, result.Pass)),
	}
	r := newReport(result.NonConformant, rules, result.Choice{Rule: "users.id-type", Answer: "integer everywhere"})
	r.Notes = []string{"3 users could not be deleted from the target: their names begin with cfabc"}
	return r
}

// unreachable is what is left of a run whose target went away at once.
func unreachable() *result.Report {
	parts := []string{"transport", "auth", "sessions", "users", "search", "connections", "social", "events", "feed", "versions", "errors", "limits"}
	var rs []result.Rule
	for i := range 190 {
		e := rules.Endpoints()[i%22]
		c := newCheck(e, result.Error)
		c.Message = "not judged: the target stopped answering"
		if i == 0 {
			c.Message = "could not judge: the connection was refused"
		}
		rs = append(rs, newRule(fmt.Sprintf("%s.rule-%d", parts[i%len(parts)], i), rules.Must, c))
	}
	r := newReport(result.Incomplete, rs)
	r.EndedBy = "the target stopped answering"
	r.Notes = []string{"the run ended early: the target stopped answering; 0 of 160 scenarios were played"}
	r.Summary.Requests = map[string]int{"GET": 4}
	return r
}

// blockedRun has rules that wait for others.
func blockedRun() *result.Report {
	by := func(rule string, e rules.Endpoint) result.Check {
		c := newCheck(e, result.Blocked)
		c.Message, c.BlockedBy = "logging in did not work", rule
		return c
	}
	var rs []result.Rule
	for i := range 12 {
		rs = append(rs, newRule(fmt.Sprintf("feed.rule-%d", i), rules.Must, by("sessions.login.user-name", rules.Feed)))
	}
	rs = append(rs,
		newRule("search.exact", rules.Must, by("users.create.status", rules.SearchUsers), newCheck(rules.GetUser, result.Pass)),
		newRule("search.email", rules.Must, by("users.create.status", rules.SearchUsers)),
		newRule("versions.status", rules.Must, newCheck(rules.Versions, result.Pass)))
	for _, reason := range []string{"not selected", "needs --rate-limits", "needs --second-app-token", "left out by --skip"} {
		rule := newRule("part."+strings.ReplaceAll(reason, " ", "-"), rules.Should)
		rule.Message = reason
		rs = append(rs, rule, rule)
	}
	return newReport(result.Incomplete, rs)
}

// someRules is a small catalogue.
func someRules() []rules.Rule {
	return []rules.Rule{
		{ID: "transport.no-null", Level: rules.Must, Passive: true, Statement: "No response contains null, at any depth.",
			Source: "What the service does, transport rule 5", Judged: "Walks through every JSON response body."},
		{ID: "transport.https-only", Level: rules.Must, Statement: "The host does not serve the API over plain HTTP.",
			Source: "What the service does, transport rule 1", Judged: "Sends a plain HTTP request.", Example: "GET http://<HOST>:<PORT>/0.2/user\n"},
		{ID: "connections.create.duplicate", Level: rules.Choice, Endpoints: []rules.Endpoint{rules.CreateConnection},
			With: []rules.Endpoint{rules.MyFollows}, Statement: "Creating the same connection twice is left open, a|b and *all*.",
			Source: "Endpoints, row 9", Judged: "Creates it twice and records the status."},
		{ID: "limits.rate.scope", Level: rules.Should, Needs: "rate-limits", Source: "Limits, item 4", Judged: strings.Repeat("Looks and waits. ", 20),
			Endpoints: []rules.Endpoint{1, 3, 4, 5, 6, 8, 9}, Statement: strings.Repeat("A long statement goes on. ", 8)},
	}
}

// exactly is a text as the pieces of a request.
func exactly(text string) []result.Piece { return []result.Piece{{Text: text}} }

// usualFields are the header fields of a request in a story.
func usualFields() []result.Field {
	return []result.Field{{Name: "Accept", Value: exactly("application/json")}, {Name: "User-Agent", Value: exactly("conform-reproduction")}}
}
