package report

import (
	"bytes"
	"strings"
	"testing"

	"github.com/socialfeed/conform/conformance/report/screen"
	"github.com/socialfeed/conform/conformance/report/view"
	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/conformance/rules"
)

// ofClient is a report on a client.
func ofClient() *result.Report {
	x := result.Exchange{Number: 3, Request: result.Request{Method: "POST", URL: "https://127.0.0.1/0.2/user/events"}, Response: &result.Response{Status: 201}}
	at := rules.CreateEvent.String()
	r := &result.Report{Target: result.Target{BaseURL: "client: npm test"}, FailOn: rules.Must,
		Client: &result.Client{Command: "npm test", Runs: []result.ClientRun{{Surrounding: "default", Requests: 4}, {Surrounding: "uuid-ids", Exit: 1, Requests: 2}}},
		Rules: []result.Rule{
			{ID: "client.accept", Level: rules.Must, Part: "client", Statement: "a", Checks: []result.Check{
				{Endpoint: at, Status: result.Pass, Seen: 4}, {Endpoint: rules.GetMe.String(), Status: result.Pass, Seen: 1}}},
			{ID: "client.checks-504", Level: rules.Must, Part: "client", Statement: "b", Checks: []result.Check{{Endpoint: at, Scenario: "weather-504",
				Status: result.Fail, Message: "request 3: repeated", Actual: "request 3: repeated", Expected: "a look", Exchanges: []result.Exchange{x}}}},
			{ID: "client.nfc", Level: rules.Should, Part: "client", Statement: "c", Checks: []result.Check{{Status: result.Skipped, Message: "unexercised: nothing"}}},
		}}
	r.Summarize()
	return r
}

func TestReportsReadForClients(t *testing.T) {
	for format, says := range map[string][]string{
		"text": {"client: npm test", "uuid-ids           RED, exit 1, 2 requests", "endpoint           4 18", "client.accept      ✓  ✓", "client.checks-504  ·  ✗",
			"request 3: repeated", "conform client -- npm test", "unexercised"},
		"markdown": {"client.checks-504  ·  ✗", "RED, exit 1"},
		"html": {"client: npm test", "conform client -- npm test", "Exercised: rules by endpoint", `<a href="#rule-client.accept"><code>client.<wbr>accept</code></a></th><td role="cell" class="cell pass">`,
			`client.<wbr>checks-504</code></a></th><td role="cell" class="cell"></td><td role="cell" class="cell fail">`},
		"junit":  {"client.checks-504", "weather-504"},
		"github": {"client.checks-504 (must) at #18"},
	} {
		var b bytes.Buffer
		if err := New(ofClient(), view.Options{}).Write(&b, format, screen.Layout{}); err != nil {
			t.Fatal(err)
		}
		for _, text := range says {
			if !strings.Contains(b.String(), text) {
				t.Errorf("%s does not say %q:\n%s", format, text, b.String())
			}
		}
		if strings.Contains(b.String(), "conform replay") || strings.Contains(b.String(), "--base-url") {
			t.Errorf("%s tells to judge a service", format)
		}
	}
}
