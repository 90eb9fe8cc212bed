package wire

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/conformance/rules"
)

// A text that nobody redacted is swept wherever it is in the results.
func TestResultsAreSwept(t *testing.T) {
	const secret = "s3cret-of-a-session"
	r := NewRedactor("the-app-of-a-test", "")
	r.Learn(secret, "SESSION_TOKEN")
	out := result.Outcomes{
		Notes: []string{"so says " + secret}, EndedBy: strings.ToUpper(secret), Requests: map[string]int{secret: 2, "GET": 1}, Missing: secret[3:12],
		Checks: []result.CheckResult{{Rule: "users.create", Check: result.Check{Message: "got " + secret, Actual: secret, Expected: "a session token"}}},
	}
	r.Sweep(&out)
	data, err := json.Marshal(out.Checks)
	if err != nil {
		t.Fatal(err)
	}
	text := string(data) + out.Notes[0] + out.EndedBy + out.Missing
	if strings.Contains(strings.ToLower(text), secret[3:12]) || out.Requests[secret] != 0 || out.Requests["$SESSION_TOKEN"] != 2 || out.Requests["GET"] != 1 {
		t.Errorf("%s %v", text, out.Requests)
	}
	if c := out.Checks[0]; c.Rule != "users.create" || c.Expected != "a session token" || c.Message != "got $SESSION_TOKEN" {
		t.Errorf("%+v", c)
	}
}

// TestNamesOfRulesAndEndpointsAreNotSwept: an app token that is a part of such a name changes it in no field.
func TestNamesOfRulesAndEndpointsAreNotSwept(t *testing.T) {
	for _, token := range []string{"create.status", "/0.2/user", "transport"} {
		r := NewRedactor(token, "")
		rule, endpoint := "users.create.status", rules.CreateUser.String()
		out := result.Report{
			Rules:     []result.Rule{{ID: rule, Part: "transport", Checks: []result.Check{{Endpoint: endpoint, BlockedBy: rule, Message: "it is " + token}}}},
			Endpoints: []result.Endpoint{{Number: 1, Method: "POST"}},
			Choices:   []result.Choice{{Rule: rule, Endpoint: endpoint}},
		}
		r.Sweep(&out)
		check := out.Rules[0].Checks[0]
		for _, got := range []string{out.Rules[0].ID, check.BlockedBy, out.Choices[0].Rule} {
			if got != rule {
				t.Errorf("with the token %s, %s is %s", token, rule, got)
			}
		}
		if check.Endpoint != endpoint || out.Choices[0].Endpoint != endpoint || check.Message != "it is $APP_TOKEN" {
			t.Errorf("with the token %s: %+v", token, check)
		}
	}
}
