package passive

import (
	"github.com/socialfeed/conform/conformance/internal/jsonvalue"
	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/conformance/rules"
)

// observeChoices records the choices that show on an exchange.
func observeChoices(t *result.ObservedChoices, o *decodedExchange) {
	for _, r := range o.resources {
		switch r.kind {
		case userKind:
			observeID(&t.Users, r, o.Endpoint)
			observeCollection(t, r, "metadata")
			observeCollection(t, r, "social_ids")
		case connectionKind:
			observeUser(t, r, "user_from_id", o.Endpoint)
			observeUser(t, r, "user_to_id", o.Endpoint)
		case eventKind:
			observeID(&t.Events, r, o.Endpoint)
			observeUser(t, r, "user_id", o.Endpoint)
			observeCollection(t, r, "metadata")
		}
	}
	// The brief answer to a login is no User, and has a user's id.
	if record, ok := jsonvalue.AsRecord(o.value); ok && o.Endpoint == rules.Login && o.succeeded() && !o.has(userKind) {
		observeID(&t.Users, resource{record: record}, rules.Login)
	}
}

func observeID(s *result.Shapes, r resource, at rules.Endpoint) {
	if r.record.Has("id") {
		s.Add(idShape(r.record["id"]), at)
	}
}

// observeUser looks at the id of a user in another resource.
func observeUser(t *result.ObservedChoices, r resource, field string, at rules.Endpoint) {
	if r.record.Has(field) {
		t.Users.Add(idShape(r.record[field]), at)
	}
}

// observeCollection looks at a map that a resource may have, and may have no entries for.
func observeCollection(t *result.ObservedChoices, r resource, field string) {
	switch v := r.record[field].(type) {
	case map[string]any:
		t.EmptySent = t.EmptySent || len(v) == 0
	case []any:
		t.EmptySent = t.EmptySent || len(v) == 0
	default:
		t.EmptyOmitted = t.EmptyOmitted || !r.record.Has(field)
	}
}
