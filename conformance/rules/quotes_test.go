package rules

import (
	"strings"
	"testing"
)

// TestEverySourceIsQuoted sees that no rule's source leads nowhere: each place of the
// contract that it names says something, unless it is a table as a whole.
func TestEverySourceIsQuoted(t *testing.T) {
	catalogue := Load()
	contract := ReadContract()
	for _, rule := range catalogue.Rules() {
		quotes := contract.Quotes(rule.Source)
		said := 0
		for _, q := range quotes {
			whole := strings.Count(q.Where, ", ") == 1 && strings.HasPrefix(q.Where, "Resources and their fields, ") || strings.HasSuffix(q.Where, "Event, Object and Metadata")
			if q.Text == "" && !whole {
				t.Errorf("%s: %s says nothing", rule.ID, q.Where)
			}
			if strings.ContainsAny(q.Text, "|`\n") {
				t.Errorf("%s: %s: %q", rule.ID, q.Where, q.Text)
			}
			said++
		}
		if elsewhere := strings.Count(rule.Source, "RFC "); said+elsewhere != strings.Count(rule.Source, "; ")+1 {
			t.Errorf("%s: %q leads to %d places", rule.ID, rule.Source, said)
		}
	}
}

func TestQuotes(t *testing.T) {
	contract := ReadContract()
	for source, want := range map[string]string{
		"Endpoints, row 11":                                               "GET /0.2/user/follows · auth: both · request: none · success: 200, array of User that the session user follows.",
		"What the service does, transport rule 5":                         "Blank fields are omitted from responses. They are not sent as null.",
		"What the service does, item 3":                                   "Events are shown to the friends or followers of the user who performed them. Deleting a user also removes that user's events from the feeds of connected users.",
		"Errors, rows 403 and 404":                                        "403 · No access to the requested thing. / 404 · Resource not found.",
		"Errors, status classes":                                          "Status classes: 1XX informational, 2XX success, 3XX redirection, 4XX client error, 5XX server error.",
		"Limits, row 'POST, PUT' and item 2":                              "POST, PUT · category: writing data · limit: 1.000/minute / Exceeding a limit yields 429.",
		"Authentication, items 4 to 5":                                    "A session token is obtained from the login endpoint, or from create-user with withLogin=true. Logout destroys it. / Unsatisfactory credentials give 401.",
		"Resources and their fields, User, row email":                     "email · type: string · required: required by the user-object table; create lists it as optional · Can be used to log in.",
		"States and transitions, row 'no session' (login)":                "no session · trigger: POST /0.2/user/login · condition: valid credentials · next state: session token valid · also happens: The response carries the session token.",
		"Resources and their fields, User, closing note on uniqueness":    "Image entry fields beyond url: not shown. Maximum lengths and uniqueness rules for user fields other than metadata: not shown.",
		"Errors, closing note on the missing User-Agent header; RFC 9110": "Shape of the error body: not shown. Status for a missing User-Agent header: not shown.",
	} {
		got := contract.Quotes(source)
		if len(got) != 1 || got[0].Text != want {
			t.Errorf("%s: %q", source, got)
		}
	}
}

func TestContractParts(t *testing.T) {
	contract := ReadContract()
	if parts := contract.Parts(); len(parts) != 9 || parts[0] != "What the service does" {
		t.Errorf("%q", parts)
	}
	for word, begins := range map[string]string{"limits": "## Limits\n\n| Method", "object": "## Resources and their fields: Object\n\n| Field", "nothing": "", "": ""} {
		if got := contract.Part(word); !strings.HasPrefix(got, begins) || begins == "" && got != "" {
			t.Errorf("%s: %.80q", word, got)
		}
	}
}

func TestTablesOfFields(t *testing.T) {
	contract := ReadContract()
	for text, want := range map[string]string{
		"request: User fields, or any Event fields (metadata)":           "User Event",
		"Resources and their fields, Event, Object and Metadata":         "Event Object Metadata",
		"Every request must carry a User-Agent header, and path EventID": "",
	} {
		if got := strings.Join(contract.Tables(text), " "); got != want {
			t.Errorf("%s: %q", text, got)
		}
	}
}
