package traffic

import (
	"strings"

	"github.com/socialfeed/conform/conformance/model/value"
	"github.com/socialfeed/conform/conformance/rules"
)

// A server may take an id in another spelling than its own: a UUID in upper case, a number with leading zeros.

// spelled returns an exchange with the id in its path as the target spells it.
func (s *facts) spelled(x Observation) Observation {
	x.ID = s.spelling(x.App, x.Endpoint == rules.UpdateEvent || x.Endpoint == rules.DeleteEvent, x.ID)
	return x
}

// spelling returns an id as the target spells it, and as it is if it is unknown.
func (s *facts) spelling(app string, event bool, id string) string {
	known := func(id string) bool {
		r := resource{app, event, id}
		return s.people.Contains(r) || s.events.Contains(r) || s.written.Contains(r)
	}
	if known(id) {
		return id
	}
	for _, other := range spellings(id) {
		if known(other) {
			return other
		}
	}
	return id
}

// spellings are other spellings of a UUID or a number.
func spellings(id string) []string {
	const digits, uuid = "0123456789", 36 // characters
	switch {
	case strings.Trim(id, digits) == "":
		return []string{strings.TrimLeft(id, "0")}
	case len(id) == uuid && strings.Trim(id, digits+"abcdefABCDEF-") == "":
		return []string{strings.ToLower(id), strings.ToUpper(id)}
	}
	return nil
}

// target is the id of the user to whom a request asks to be connected, by its answer if the request does not tell, ""
// if neither does. Both may name different ones: then it is not certain.
func (s *facts) target(x Observation) (id string, certain bool) {
	sent, _ := x.Sent.(map[string]any)
	asked := s.spelling(x.App, false, value.ID(sent["user_to_id"]))
	answered := value.ID(x.Object()["user_to_id"])
	if asked == "" {
		return answered, answered != ""
	}
	return asked, asked == answered
}
