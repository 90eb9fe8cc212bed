package traffic

import (
	"slices"
	"strings"

	"github.com/socialfeed/conform/conformance/model/value"
	"github.com/socialfeed/conform/conformance/rules"
)

// A target may show a user's profile to whoever is connected to that user, and to no others: what
// it leaves out says something only where it was shown to others who are connected in the same way.

// connection is what a user has asked for of another one in an application.
type connection struct{ app, from, to string }

// unclear stands for a user of whom it is not known how it is connected to the viewer: by social
// ids, by a request without a certain answer, or not any more, which may show for a while.
const unclear = "unclear"

// connect records a connection that a user asked for or ended.
func (f *scenarioTraffic) connect(x Observation) {
	viewer := f.sessionUsers[[2]string{x.App, x.Session}]
	if viewer == "" || !x.OK() && !x.Doubtful {
		return
	}
	sent, _ := x.Sent.(map[string]any)
	kind, _ := sent["type"].(string)
	if x.Doubtful {
		kind = unclear
	}
	switch x.Endpoint {
	case rules.CreateConnection:
		c := connection{x.App, viewer, value.ID(sent["user_to_id"])}
		f.connections[c] = append(f.connections[c], kind)
	case rules.DeleteConnection:
		c := connection{x.App, viewer, x.ID}
		f.connections[c] = append(f.connections[c], unclear)
	case rules.ConnectSocial:
		f.social[[2]string{x.App, viewer}] = true
	}
}

// among says how a user is connected to the viewer: "" for a stranger.
func (f *scenarioTraffic) among(x Observation, id string) string {
	viewer := f.sessionUsers[[2]string{x.App, x.Session}]
	out, in := f.connections[connection{x.App, viewer, id}], f.connections[connection{x.App, id, viewer}]
	switch {
	case f.social[[2]string{x.App, viewer}], f.social[[2]string{x.App, id}], slices.Contains(out, unclear), slices.Contains(in, unclear):
		return unclear
	case len(out)+len(in) == 0:
		return ""
	}
	return kindsOf(out) + " and back " + kindsOf(in)
}

// kindsOf are the kinds of connections in a fixed order, each once.
func kindsOf(all []string) string {
	return strings.Join(slices.Compact(slices.Sorted(slices.Values(all))), "+")
}

// toWhom says to which viewers an endpoint must have shown a field for its omission to be a
// difference: to strangers, to whom nothing is shown that others do not see; or, where only those
// who are connected are listed, to others who are connected in the same way.
func toWhom(at rules.Endpoint, among string) string {
	if own := rules.OwnLists(); slices.Contains(own[:], at) {
		return among
	}
	return ""
}
