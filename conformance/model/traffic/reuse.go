package traffic

import (
	"net/http"
	"slices"

	"github.com/socialfeed/conform/conformance/model/reuse"
	"github.com/socialfeed/conform/conformance/model/value"
	"github.com/socialfeed/conform/conformance/rules"
)

// reusable returns the users of a scenario that were created with a session and whose profile
// and session are as they were. If right, the target behaved correctly in the scenario, and
// requests that it refused count as not sent; else only those that nobody has acted on since,
// nor they themselves, are reusable.
func (f *scenarioTraffic) reusable(all []Observation, right bool) []reuse.User {
	var found []reuse.User
	for i, x := range all {
		sent, _ := x.Sent.(map[string]any)
		o := x.Object()
		token, _ := o["session_token"].(string)
		if x.Endpoint != rules.CreateUser || x.Status != 201 || x.Doubtful || token == "" || sent["password"] == nil || sent["email"] == nil || sent["custom_id"] != nil || !createdAsSent(sent, o) {
			continue
		}
		a := reuse.User{App: x.App, Sent: sent, Answer: o, Session: token, Created: x.To}
		a.Involved = !unchangedSince(a, all[i+1:], right)
		if a.ID() != "" && (!a.Involved || right && usableSince(a, all[i+1:])) {
			a.Events, a.EventsKnown = f.eventsOf(a, all)
			a.EventsKnown = a.EventsKnown && !sharesSocialID(a, all)
			found = append(found, a)
		}
	}
	return found
}

// createdAsSent reports whether a create sent only documented values and all of them came back.
func createdAsSent(sent, answer value.Fields) bool {
	for name, v := range sent {
		if name != "password" && (!documented(rules.CreateUser, name, v) || !value.Set{v}.Allows(value.Of(answer, name))) {
			return false
		}
	}
	return true
}

// unchangedSince reports whether nobody wrote to a user, or as it, after its creation.
func unchangedSince(a reuse.User, after []Observation, right bool) bool {
	for _, x := range after {
		sent, _ := x.Sent.(map[string]any)
		switch {
		case x.reads():
		case x.Endpoint == rules.Login && a.MayLogInAs(sent): // a target may count wrong passwords
			return false
		case right && x.refused() && (x.Session != a.Session || x.Endpoint != rules.DeleteMe && x.Endpoint != rules.Logout): // if the user was deleted or logged out nevertheless, reusing it would break everything
		case x.Endpoint == rules.ConnectSocial || x.Endpoint == rules.NoEndpoint:
			return false // whom it may affect is unknown
		case x.Session == a.Session, x.ID == a.ID(), value.ID(sent["user_to_id"]) == a.ID():
			return false
		}
	}
	return true
}

// usableSince reports whether a user's profile and session are as at its creation, where the target
// refused what it had to. Nobody was deleted beside it, which may have done more than it should.
func usableSince(a reuse.User, after []Observation) bool {
	changes := []rules.Endpoint{rules.UpdateMe, rules.Logout, rules.DeleteMe, rules.NoEndpoint}
	return !slices.ContainsFunc(after, func(x Observation) bool {
		sent, _ := x.Sent.(map[string]any)
		switch {
		case x.reads():
			return false
		case x.Endpoint == rules.Login:
			return a.MayLogInAs(sent)
		case x.Endpoint == rules.DeleteMe && !x.refused():
			return true
		case x.refused() && (x.Endpoint == rules.UpdateMe || x.Session != a.Session):
			return false
		}
		return x.Session == a.Session && (x.Doubtful || slices.Contains(changes, x.Endpoint)) || x.Endpoint == rules.NoEndpoint && x.ID == a.ID()
	})
}

// sharesSocialID reports whether another user of the scenario was to have a social id of this one.
func sharesSocialID(a reuse.User, all []Observation) bool {
	mine, _ := a.Sent["social_ids"].(map[string]any)
	return slices.ContainsFunc(all, func(x Observation) bool {
		sent, _ := x.Sent.(map[string]any)
		theirs, _ := sent["social_ids"].(map[string]any)
		for network, id := range theirs {
			if value.Same(id, mine[network]) && (x.Endpoint != rules.CreateUser || value.ID(x.Object()["id"]) != a.ID()) {
				return true
			}
		}
		return false
	})
}

// eventsOf returns the events that a user has at the end of a scenario, in order of creation, and
// whether that is certain.
func (f *scenarioTraffic) eventsOf(a reuse.User, all []Observation) (events []reuse.Event, certain bool) {
	var ids []string
	latest, earlier := map[string]Observation{}, map[string][]value.Fields{}
	for _, x := range all {
		id, own := x.ID, x.App == a.App && x.Session == a.Session
		before, known := latest[id]
		switch {
		case x.refused() || x.reads():
			continue
		case x.Endpoint == rules.ConnectSocial && own: // which may have changed its social ids
			return nil, false
		case x.Endpoint == rules.CreateEvent && own:
			id = value.ID(x.Object()["id"])
			ids = append(ids, id)
		case x.Endpoint != rules.UpdateEvent && x.Endpoint != rules.DeleteEvent || !known:
			continue
		case !own || x.From.Before(before.To):
			return nil, false
		}
		if latest[id] = x; id == "" || !x.OK() || x.Doubtful {
			return nil, false
		}
		if known {
			earlier[id] = append(earlier[id], before.Object())
		}
	}
	for _, id := range ids {
		x := latest[id]
		if x.Endpoint == rules.DeleteEvent {
			continue
		}
		versions := f.resources[resource{a.App, true, id}].versions
		events = append(events, reuse.Event{Answer: x.Object(), Earlier: earlier[id], Fields: versions[len(versions)-1].fields})
	}
	return events, true
}

// reads reports whether the exchange changes nothing.
func (x Observation) reads() bool {
	return x.Endpoint.Method() == http.MethodGet
}

// refused reports whether the target certainly refused the request because of what it asks for.
func (x Observation) refused() bool {
	return x.Status/100 == 4 && x.Status != http.StatusTooManyRequests && x.Status != http.StatusRequestTimeout && !x.Doubtful
}
