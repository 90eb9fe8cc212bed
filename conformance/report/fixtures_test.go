package report

import (
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/socialfeed/conform/conformance"
)

// newReport is a report on rules and choices that a test wrote down, its sums done.
func newReport(verdict conformance.Verdict, rules []conformance.RuleReport, choices ...conformance.ChoiceReport) *conformance.Report {
	r := &conformance.Report{
		Schema: conformance.ReportSchema, Tool: conformance.Tool{Version: "1.2.3"},
		Target:    conformance.TargetReport{BaseURL: "https://feed.example:8443"},
		StartedAt: time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC), DurationMS: 12345, Seed: 424242,
		FailOn: conformance.Must, Verdict: verdict, Rules: rules, Choices: append([]conformance.ChoiceReport{}, choices...),
		Summary: conformance.Summary{Rules: map[conformance.Status]int{}, Checks: map[conformance.Status]int{},
			Requests: map[string]int{"GET": 640, "POST": 400, "PUT": 100, "DELETE": 64}},
	}
	for _, s := range conformance.Statuses() { // a real report has all of them
		r.Summary.Rules[s], r.Summary.Checks[s] = 0, 0
	}
	at := map[string]map[conformance.Status]int{}
	for _, rule := range rules {
		r.Summary.Rules[rule.Status]++
		for _, c := range rule.Checks {
			r.Summary.Checks[c.Status]++
			if at[c.Endpoint] == nil {
				at[c.Endpoint] = map[conformance.Status]int{}
			}
			at[c.Endpoint][c.Status]++
		}
	}
	for _, e := range conformance.Endpoints() {
		er := conformance.EndpointReport{Number: int(e), Method: e.Method(), Path: e.Path(),
			Status: conformance.Skipped, Checks: map[conformance.Status]int{}}
		for _, s := range conformance.Statuses() {
			if er.Checks[s] = at[e.String()][s]; er.Checks[s] > 0 && er.Status == conformance.Skipped {
				er.Status = s
			}
		}
		r.Endpoints = append(r.Endpoints, er)
	}
	return r
}

func newRule(id string, level conformance.Level, checks ...conformance.CheckReport) conformance.RuleReport {
	rule := conformance.RuleReport{ID: id, Level: level, Part: strings.SplitN(id, ".", 2)[0],
		Statement: "A sentence that says what the rule " + id + " asks of a target, long enough to be wrapped here and there.",
		Source:    "Endpoints, rule 1; Errors, row 400", Status: conformance.Skipped, Checks: checks}
	if len(checks) == 0 {
		rule.Checks = []conformance.CheckReport{}
	}
	for _, s := range conformance.Statuses() {
		for _, c := range checks {
			if c.Status == s {
				rule.Status = s
				return rule
			}
		}
	}
	return rule
}

func newCheck(e conformance.Endpoint, s conformance.Status) conformance.CheckReport {
	return conformance.CheckReport{Endpoint: e.String(), Scenario: "a story about " + e.String(), Status: s, Exchanges: []conformance.Exchange{}}
}

// broken is a check that went wrong at an endpoint, with one exchange.
func broken(e conformance.Endpoint, s conformance.Status, expected string, status int, body string) conformance.CheckReport {
	c := newCheck(e, s)
	c.Expected, c.Actual = expected, fmt.Sprintf("%d with %s", status, body)
	c.Message = "expected " + c.Expected + "; got " + c.Actual
	c.Exchanges = append(c.Exchanges, newExchange(e, status, body))
	return c
}

func newExchange(e conformance.Endpoint, status int, body string) conformance.Exchange {
	return conformance.Exchange{
		Request: conformance.RequestRecord{Method: e.Method(), URL: "https://feed.example:8443" + e.Path(),
			Headers: http.Header{"Accept": {"application/json"}, "Authorization": {"Basic base64($APP_TOKEN:$SESSION_TOKEN)"}}},
		Response: &conformance.ResponseRecord{Status: status, Body: body,
			Headers: http.Header{"Content-Type": {"application/json"}, "Date": {"Wed, 04 Mar 2026 05:06:07 GMT"}}},
		StartedAt: time.Date(2026, 3, 4, 5, 6, 8, 0, time.UTC), DurationMS: 3.25,
		Curl: `curl -sS -i -X ` + e.Method() + ` -u "$APP_TOKEN:$SESSION_TOKEN" -H 'Accept: application/json' 'https://feed.example:8443` + e.Path() + `'`,
	}
}

// passing is a run in which nothing went wrong: a rule at every endpoint, and
// as many choices as the catalogue may bring.
func passing() *conformance.Report {
	var rules []conformance.RuleReport
	var choices []conformance.ChoiceReport
	for i, e := range conformance.Endpoints() {
		rules = append(rules, newRule(fmt.Sprintf("part.rule-%d", i), conformance.Must, newCheck(e, conformance.Pass)))
	}
	rules = append(rules, newRule("part.should", conformance.Should, newCheck(conformance.Feed, conformance.Pass)))
	for i := range 28 {
		id := fmt.Sprintf("choices.number-%d", i)
		rules = append(rules, newRule(id, conformance.Choice, newCheck(conformance.GetMe, conformance.Observed)))
		choices = append(choices, conformance.ChoiceReport{Rule: id, Endpoint: conformance.GetMe.String(), Answer: "kept as sent"})
	}
	for _, e := range conformance.Endpoints() {
		status := "400"
		if e == conformance.Versions {
			status = "403"
		}
		choices = append(choices, conformance.ChoiceReport{Rule: "transport.user-agent-status", Endpoint: e.String(), Answer: status})
	}
	choices = append(choices, conformance.ChoiceReport{Rule: "users.id-type",
		Answer: "digit string at POST /0.2/user/login; integer at GET /0.2/user, GET /0.2/user/feed"})
	rates := newRule("limits.rate.get", conformance.Must)
	rates.Message = "needs --rate-limits"
	return newReport(conformance.Conformant, append(rules, rates), choices...)
}

// failing has one failure or warning of each kind.
func failing() *conformance.Report {
	missing := []conformance.CheckReport{newCheck(conformance.CreateUser, conformance.Pass)}
	for e := conformance.Logout; e <= conformance.Feed; e++ {
		missing = append(missing, broken(e, conformance.Fail, "401 Unauthorized", 200, `{"id":`+fmt.Sprint(int(e))+`}`))
	}
	missing = append(missing, broken(conformance.Versions, conformance.Fail, "401 Unauthorized", 500, `{}`))

	long := broken(conformance.CreateEvent, conformance.Fail, "verb "+strings.Repeat("🦉", 120), 201,
		`{"metadata":{`+strings.Repeat(`"key":"value",`, 140)+`}… (cut at 2048 of 9000 bytes)`)
	long.Exchanges[0].Curl = `curl -sS -i -X POST -u "$APP_TOKEN:$SESSION_TOKEN" --data-raw '{"verb":"` + strings.Repeat("v", 2000) + `"}' 'https://feed.example:8443/0.2/user/events'`
	long.Actual = "something else"

	passive := newCheck(conformance.Feed, conformance.Fail)
	passive.Expected, passive.Actual = "no null", "null at [0].language (2 of 31 responses)"
	passive.Exchanges = []conformance.Exchange{newExchange(conformance.Feed, 200, `[{"said":"first"}]`),
		newExchange(conformance.Feed, 200, `[{"language":null,"said":"second"}]`)}

	hung := newCheck(conformance.NoEndpoint, conformance.Fail)
	hung.Expected, hung.Actual = "a refusal", "no response"
	hung.Exchanges = []conformance.Exchange{newExchange(conformance.GetMe, 0, "")}
	hung.Exchanges[0].Response, hung.Exchanges[0].Error = nil, "the target closed the connection"

	hostile := broken(conformance.GetUser, conformance.Fail, "200 OK", 404, "\x1b[2Jgone\u202e\r\nand\ttwo lines")
	hostile.Exchanges[0].Response.Headers.Set("Www-Authenticate", "Basic\x07 realm")

	rules := []conformance.RuleReport{
		newRule("auth.missing", conformance.Must, missing...),
		newRule("events.create.echo", conformance.Must, long),
		newRule("transport.no-null", conformance.Must, passive, newCheck(conformance.GetMe, conformance.Pass)),
		newRule("transport.https-only", conformance.Must, hung),
		newRule("users.get.other", conformance.Must, hostile),
		newRule("sessions.login.id-string", conformance.Should, broken(conformance.Login, conformance.Warn, "a string", 200, `{"id":7}`)),
		newRule("users.me.get", conformance.Must, newCheck(conformance.GetMe, conformance.Pass)),
		newRule("search.exact", conformance.Must, newCheck(conformance.SearchUsers, conformance.Pass)),
	}
	r := newReport(conformance.NonConformant, rules, conformance.ChoiceReport{Rule: "users.id-type", Answer: "integer everywhere"})
	r.Notes = []string{"3 users could not be deleted from the target: their names begin with cfabc"}
	return r
}

// unreachable is what is left of a run whose target went away at once.
func unreachable() *conformance.Report {
	parts := []string{"transport", "auth", "sessions", "users", "search", "connections", "social", "events", "feed", "versions", "errors", "limits"}
	var rules []conformance.RuleReport
	for i := range 190 {
		e := conformance.Endpoints()[i%22]
		c := newCheck(e, conformance.Error)
		c.Message = "not judged: the target stopped answering"
		if i == 0 {
			c.Message = "could not judge: the connection was refused"
		}
		rules = append(rules, newRule(fmt.Sprintf("%s.rule-%d", parts[i%len(parts)], i), conformance.Must, c))
	}
	r := newReport(conformance.Incomplete, rules)
	r.EndedBy = "the target stopped answering"
	r.Notes = []string{"the run ended early: the target stopped answering; 0 of 160 scenarios were played"}
	r.Summary.Requests = map[string]int{"GET": 4}
	return r
}

// blockedRun has rules that wait for others.
func blockedRun() *conformance.Report {
	by := func(rule string, e conformance.Endpoint) conformance.CheckReport {
		c := newCheck(e, conformance.Blocked)
		c.Message, c.BlockedBy = "logging in did not work", rule
		return c
	}
	var rules []conformance.RuleReport
	for i := range 12 {
		rules = append(rules, newRule(fmt.Sprintf("feed.rule-%d", i), conformance.Must, by("sessions.login.user-name", conformance.Feed)))
	}
	rules = append(rules,
		newRule("search.exact", conformance.Must, by("users.create.status", conformance.SearchUsers), newCheck(conformance.GetUser, conformance.Pass)),
		newRule("search.email", conformance.Must, by("users.create.status", conformance.SearchUsers)),
		newRule("versions.status", conformance.Must, newCheck(conformance.Versions, conformance.Pass)))
	for _, reason := range []string{"not selected", "needs --rate-limits", "needs --second-app-token", "left out by --skip"} {
		rule := newRule("part."+strings.ReplaceAll(reason, " ", "-"), conformance.Should)
		rule.Message = reason
		rules = append(rules, rule, rule)
	}
	return newReport(conformance.Incomplete, rules)
}

// someRules is a small catalogue.
func someRules() []conformance.Rule {
	return []conformance.Rule{
		{ID: "transport.no-null", Level: conformance.Must, Passive: true, Statement: "No response contains null, at any depth.",
			Source: "What the service does, transport rule 5", Judged: "Walks through every JSON response body."},
		{ID: "transport.https-only", Level: conformance.Must, Statement: "The host does not serve the API over plain HTTP.",
			Source: "What the service does, transport rule 1", Judged: "Sends a plain HTTP request.", Example: "GET http://<HOST>:<PORT>/0.2/user\n"},
		{ID: "connections.create.duplicate", Level: conformance.Choice, Endpoints: []conformance.Endpoint{conformance.CreateConnection},
			With: []conformance.Endpoint{conformance.MyFollows}, Statement: "Creating the same connection twice is left open, a|b and *all*.",
			Source: "Endpoints, row 9", Judged: "Creates it twice and records the status."},
		{ID: "limits.rate.scope", Level: conformance.Should, Needs: "rate-limits", Source: "Limits, item 4", Judged: strings.Repeat("Looks and waits. ", 20),
			Endpoints: []conformance.Endpoint{1, 3, 4, 5, 6, 8, 9}, Statement: strings.Repeat("A long statement goes on. ", 8)},
	}
}
