package traffic

import (
	"testing"

	"github.com/socialfeed/conform/conformance/model/value"
	"github.com/socialfeed/conform/conformance/rules"
)

// TestWhatTheServerSetsIsNotWritten checks that a field which the target is to set itself counts
// as nothing that a client wrote: a target that answers it as sent may show its own value later.
func TestWhatTheServerSetsIsNotWritten(t *testing.T) {
	const sent, kept = "2001-02-03T04:05:06Z", "2026-01-01T00:00:00Z"
	user := func(at string) value.Fields {
		return value.Fields{"id": "7", "user_name": "a", "email": "a@example.com", "created_at": at, "session_token": "token"}
	}
	s, checker := &seen{}, NewChecker()
	s.add(rules.CreateUser, 201, value.Fields{"user_name": "a", "email": "a@example.com", "password": "p", "created_at": sent}, user(sent)).Session = ""
	s.add(rules.MyFriends, 200, nil, []any{map[string]any(user(kept))})
	if users := checker.Observe(s.all, true); len(users) != 0 {
		t.Errorf("a user with created_at %s, as no other has it, can be reused", sent)
	}
}
