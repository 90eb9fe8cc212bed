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
		case rules.User:
			observeID(&t.Users, r, "id", o.Endpoint)
			observeCollection(t, r, "metadata")
			observeCollection(t, r, "social_ids")
		case rules.Connection:
			observeID(&t.Users, r, "user_from_id", o.Endpoint)
			observeID(&t.Users, r, "user_to_id", o.Endpoint)
		case rules.Event:
			observeID(&t.Events, r, "id", o.Endpoint)
			observeID(&t.Users, r, "user_id", o.Endpoint)
			observeCollection(t, r, "metadata")
		}
	}
	// The brief answer to a login is no User, and has a user's id.
	if record, ok := jsonvalue.AsRecord(o.value); ok && o.Endpoint == rules.Login && o.succeeded() && !o.has(rules.User) {
		observeID(&t.Users, resource{record: record}, "id", rules.Login)
	}
}

// observeID looks at an id in a resource, its own or another's.
func observeID(s *result.Shapes, r resource, field string, at rules.Endpoint) {
	if r.record.Has(field) {
		s.Add(idShape(r.record[field]), at)
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
