package traffic

import (
	"testing"
	"time"

	"github.com/socialfeed/conform/conformance/model/value"
	"github.com/socialfeed/conform/conformance/rules"
)

// TestTextsMayBeKeptInOtherForms has a target show texts otherwise than they were sent: in lower case,
// without the blanks around them, or with a sign for half a surrogate pair. That is a choice where it
// does so everywhere.
func TestTextsMayBeKeptInOtherForms(t *testing.T) {
	for name, test := range map[string]struct {
		field, sent string
		shown       []string // by a create, and by reads of the user's own
		want        string
	}{
		"an email in lower case":                       {"email", "Ann@Example.com", []string{"ann@example.com", "ann@example.com"}, ""},
		"an email in lower case once":                  {"email", "Ann@Example.com", []string{"ann@example.com", "Ann@Example.com"}, "users.create.echo"},
		"a name in lower case":                         {"first_name", "Ann", []string{"ann", "ann"}, "users.create.echo"},
		"a name without blanks around it":              {"first_name", " Ann ", []string{"Ann", "Ann"}, ""},
		"a name without blanks once":                   {"first_name", " Ann ", []string{"Ann", " Ann "}, "users.create.echo"},
		"a name without blanks inside":                 {"first_name", "A nn", []string{"Ann", "Ann"}, "users.create.echo"},
		"three signs for half a pair of surrogates":    {"first_name", "a\ufffd", []string{"a\ufffd\ufffd\ufffd", "a\ufffd\ufffd\ufffd"}, ""},
		"a name of which nothing is kept but one sign": {"first_name", "Ann", []string{"A", "A"}, "users.create.echo"},
	} {
		t.Run(name, func(t *testing.T) {
			s, checker := &seen{now: time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC)}, NewChecker()
			user := func(shown string) value.Fields {
				return value.Fields{"id": "7", "user_name": "a", test.field: shown, "session_token": "token"}
			}
			s.add(rules.CreateUser, 201, value.Fields{"user_name": "a", test.field: test.sent}, user(test.shown[0])).Session = ""
			for _, shown := range test.shown[1:] {
				s.add(rules.GetMe, 200, nil, user(shown))
			}
			if blamed := s.blamedBy(checker); blamed != test.want {
				t.Errorf("blamed is %q, want %q", blamed, test.want)
			}
		})
	}
}
