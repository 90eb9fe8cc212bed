package report

import (
	"bytes"
	"strings"
	"testing"

	"github.com/socialfeed/conform/conformance/report/example"
	"github.com/socialfeed/conform/conformance/report/screen"
	"github.com/socialfeed/conform/conformance/report/view"
	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/conformance/rules"
)

// unbuilt is a report on a target that lacks the feed and creating events, and breaks
// a rule besides.
func unbuilt() *result.Report {
	blocked := func(by string, at rules.Endpoint) result.Check {
		return result.Check{Endpoint: at.String(), Status: result.Blocked, BlockedBy: by, Message: "needs it", Exchanges: []result.Exchange{}}
	}
	failed := func(at rules.Endpoint) result.Check {
		return result.Check{Endpoint: at.String(), Scenario: "a story", Status: result.Fail, Message: "expected 200; got 404", Expected: "200", Actual: "404",
			Exchanges: []result.Exchange{}}
	}
	r := newReport(result.NonConformant, []result.Rule{
		newRule("users.me.get", rules.Must, failed(rules.GetMe)),
		newRule("events.create.status", rules.Must, failed(rules.CreateEvent)),
		newRule("events.create.echo", rules.Must, blocked("events.create.status", rules.CreateEvent)),
		newRule("events.create.body", rules.Must, blocked("events.create.status", rules.CreateEvent)),
		newRule("feed.status", rules.Must, failed(rules.Feed)),
		newRule("feed.order", rules.Must, blocked("feed.status", rules.Feed)),
		newRule("feed.empty", rules.Must, blocked("feed.status", rules.Feed)),
		newRule("feed.event-shape", rules.Must, blocked("feed.status", rules.Feed)),
		newRule("search.updated", rules.Must, blocked("users.me.get", rules.SearchUsers)),
	})
	there := true
	for i := range r.Endpoints {
		r.Endpoints[i].Implemented = &there
	}
	r.Endpoints[rules.CreateEvent-1].Implemented, r.Endpoints[rules.Feed-1].Implemented = new(bool), new(bool)
	r.Summary.Endpoints = &result.EndpointCount{Implemented: 20, Missing: 2, Of: 22}
	return r
}

// What frees the most comes first, but nothing before what it builds on.
func TestNextInOrder(t *testing.T) {
	want := "to do next:\n  #18 POST /0.2/user/events  (2 rules wait for it)\n  #21 GET /0.2/user/feed  (3 rules wait for it)\n  #4  users.me.get  (1 rule waits for it)\n"
	if told := written(t, unbuilt(), view.Options{}); !strings.Contains(told, want) {
		t.Errorf("%s", told)
	}
}

func TestNextTellsTheFirstInFull(t *testing.T) {
	var b bytes.Buffer
	if err := screen.WriteNext(&b, view.New(unbuilt(), view.Options{Report: "r.json"}), screen.Layout{}); err != nil {
		t.Fatal(err)
	}
	for _, says := range []string{"implemented 20 of 22", "Implement POST /0.2/user/events", `{"verb":"like"}`, "201 Created", "got         404",
		"conform replay r.json --rule events.create.status", "Then\n  #21 GET /0.2/user/feed", "contract"} {
		if !strings.Contains(b.String(), says) {
			t.Errorf("it does not say %q:\n%s", says, b.String())
		}
	}
	b.Reset()
	if err := screen.WriteNext(&b, view.New(passing(), view.Options{}), screen.Layout{}); err != nil || !strings.Contains(b.String(), "nothing is left to do next") {
		t.Errorf("of a green report: %q, %v", b.String(), err)
	}
	b.Reset()
	cut := passing()
	cut.EndedBy = "interrupted"
	if err := screen.WriteNext(&b, view.New(cut, view.Options{}), screen.Layout{}); err != nil || strings.Contains(b.String(), "nothing is left") || !strings.Contains(b.String(), "judge it again") {
		t.Errorf("of a run that ended early: %q, %v", b.String(), err)
	}
	if text := written(t, unbuilt(), view.Options{}); !strings.Contains(text, "implemented 20 of 22, to do next:\n  #18 POST /0.2/user/events") {
		t.Errorf("the report does not begin with it:\n%.600s", text)
	}
}

// Of a broken rule the request that showed it is told: a valid one, and the answer to that, would
// say nothing of a refusal that is missing.
func TestNextTellsOfABrokenRuleWhatShowedIt(t *testing.T) {
	r := newReport(result.NonConformant, []result.Rule{newRule("transport.user-agent-required", rules.Must, result.Check{
		Endpoint: rules.CreateUser.String(), Scenario: "a story", Status: result.Fail, Expected: "a refusal (any 4xx)", Actual: "201",
		Exchanges: []result.Exchange{{Curl: "curl -H 'User-Agent:' https://localhost/0.2/users", Request: result.Request{Method: "POST", URL: "https://localhost/0.2/users"},
			Response: &result.Response{Status: 201}}},
	})})
	var b bytes.Buffer
	if err := screen.WriteNext(&b, view.New(r, view.Options{}), screen.Layout{}); err != nil {
		t.Fatal(err)
	}
	if said := b.String(); !strings.Contains(said, "  try         curl -H 'User-Agent:' https://localhost/0.2/users\n") || !strings.Contains(said, "1 rule is broken") || strings.Contains(said, "201 Created") {
		t.Errorf("%s", said)
	}
}

// What a drawn story showed once, and nobody had the time to play again, is not lost: the report and what
// is next have the command that plays it.
func TestWhatWasSeenOnceIsPlayedAgain(t *testing.T) {
	r := newReport(result.Incomplete, []result.Rule{newRule("feed.merge", rules.Must, result.Check{Endpoint: rules.Feed.String(), Scenario: "drawn from seed 7", Drawn: true,
		Status: result.Error, Message: "could not judge: the time was up", Story: []byte(`{"rule":"feed.merge"}`), Exchanges: []result.Exchange{}})})
	var next bytes.Buffer
	if err := screen.WriteNext(&next, view.New(r, view.Options{Report: "r.json"}), screen.Layout{}); err != nil {
		t.Fatal(err)
	}
	for of, said := range map[string]string{"what is next": next.String(), "the report": written(t, r, view.Options{Report: "r.json"})} {
		if !strings.Contains(said, "again       conform replay r.json --rule feed.merge") || strings.Contains(said, "nothing is left") {
			t.Errorf("%s says\n%s", of, said)
		}
	}
}

// Where the contract's words name a table of fields, the command that shows it is told.
func TestNextTellsWhereTheFieldsStand(t *testing.T) {
	r := newReport(result.NonConformant, []result.Rule{newRule("connections.create.follow", rules.Must, result.Check{
		Endpoint: rules.CreateConnection.String(), Status: result.Fail, Expected: "201", Actual: "404", Exchanges: []result.Exchange{}})})
	r.Rules[0].Source = "Endpoints, row 9; Resources and their fields, Connection; What the service does, transport rule 6"
	var b bytes.Buffer
	if err := screen.WriteNext(&b, view.New(r, view.Options{}), screen.Layout{}); err != nil {
		t.Fatal(err)
	}
	if said := b.String(); !strings.Contains(said, "  fields      conform contract Connection\n") || strings.Contains(said, "contract    Resources") || strings.Contains(said, "contract User") {
		t.Errorf("%s", said)
	}
}

// Every endpoint has an example of a request and of its answer.
func TestEveryEndpointHasAnExample(t *testing.T) {
	for _, e := range rules.Endpoints() {
		request, answer := example.Of(e).RequestLines(), example.Of(e).ResponseLines()
		if !strings.HasPrefix(request[0], e.Method()+" "+e.Path()) || !strings.HasPrefix(answer[0], "20") {
			t.Errorf("%s: %q, %q", e, request, answer)
		}
	}
}

// What is beyond the room is counted, with the command that shows it.
func TestNextSaysWhereTheRestIs(t *testing.T) {
	r := unbuilt()
	for i := range r.Endpoints {
		r.Endpoints[i].Implemented = new(bool)
	}
	for path, says := range map[string]string{"r.json": "and 9 more; all: conform report text r.json\n", "": "and 9 more; all: conform --base-url https://feed.example:8443\n"} {
		var b bytes.Buffer
		if err := screen.WriteNext(&b, view.New(r, view.Options{Report: path}), screen.Layout{}); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(b.String(), says) {
			t.Errorf("%q is not in\n%s", says, b.String())
		}
	}
}
