package conformance

import (
	"cmp"
	"mime"
	"net/http"
	"strings"

	"github.com/socialfeed/conform/conformance/internal/wire"
	"github.com/socialfeed/conform/conformance/observed"
	"github.com/socialfeed/conform/conformance/rules"
)

// endpointProbe finds out by valid requests which endpoints exist. If it could not create what
// a request needs, it sends a made-up id: then an answer counts only if nothing but a missing
// route explains it.
type endpointProbe struct {
	t         *T
	me, other *Actor
	connected bool   // they follow each other and are friends
	event     string // the id of one of the other's, "" for none
	mine      string // the id of one of mine, "" for none
	nowhere   map[string]*wire.Exchange
}

func newEndpointProbe(t *T) *endpointProbe {
	l := &endpointProbe{t: t, nowhere: map[string]*wire.Exchange{}}
	try := outcomeOf // what does not work is judged by its own rule
	try(func() { l.me = t.Actor() })
	if l.me == nil {
		return l
	}
	try(func() { l.other = t.Actor() })
	if l.other == nil {
		return l
	}
	try(func() {
		l.me.Follow(l.other)
		l.other.Follow(l.me)
		l.me.Befriend(l.other)
		l.connected = true
	})
	try(func() { l.mine = l.me.Post(nil).ID(); l.event = l.other.Post(nil).ID() })
	return l
}

// probe sends a valid request to an endpoint, and reports whether the answer says that there is
// no such endpoint. The exchange is nil if there was no answer.
func (l *endpointProbe) probe(e rules.Endpoint) (answer *wire.Exchange, absent bool) {
	x := l.send(func() *Answer { return l.t.Send(l.as(e), e, l.request(e)...) })
	if x == nil || !observed.SaysAbsent(x.Status) {
		return x, false
	}
	return x, x.Status != http.StatusNotFound || l.hasObject(e) || l.likeNowhere(x)
}

func (l *endpointProbe) send(ask func() *Answer) (x *wire.Exchange) {
	outcomeOf(func() { x = ask().exchange }) // no answer proves nothing
	return x
}

// as returns the credentials that an endpoint requires.
func (l *endpointProbe) as(e rules.Endpoint) Credentials {
	switch {
	case e.Caller() == rules.AnyCaller:
		return Anonymous{}
	case e.Caller() == rules.Application:
		return l.t.AppOnly()
	case l.me == nil:
		return Basic{App: l.t.AppToken(), Session: l.t.Secret(l.t.Unique())}
	}
	return l.me
}

// request returns the content of a valid request to an endpoint.
func (l *endpointProbe) request(e rules.Endpoint) []With {
	asked := e.Request()
	fill := l.t.samples(l.user(), l.value)
	var with []With
	for _, parameter := range asked.Path {
		with = append(with, IDText(fill(parameter.Sample).(string)))
	}
	for _, parameter := range asked.Query {
		if parameter.Sample != "" {
			with = append(with, Query(parameter.Name, fill(parameter.Sample).(string)))
		}
	}
	if asked.Body != nil {
		with = append(with, JSON(Fields(asked.ValidBody(fill))))
	}
	return with
}

// value fills in the ids of a valid request.
func (l *endpointProbe) value(source rules.Source) any {
	own, others := l.ids()
	switch source {
	case rules.OwnID:
		return own
	case rules.OtherID:
		return others
	case rules.OwnEventID:
		return cmp.Or(l.mine, "1")
	}
	return nil
}

// user returns the fields of the probing user, or of a made-up one.
func (l *endpointProbe) user() Fields {
	if l.me != nil {
		return l.me.Required(nil)
	}
	return l.t.NewUser(nil)
}

// ids returns the ids of the two users, made up if there are none.
func (l *endpointProbe) ids() (own, others string) {
	own, others = "1", "2"
	if l.me != nil {
		own = l.me.ID.String()
	}
	if l.other != nil {
		others = l.other.ID.String()
	}
	return own, others
}

// hasObject reports whether what a request to the endpoint names or lists exists, so that 404
// is no valid answer.
func (l *endpointProbe) hasObject(e rules.Endpoint) bool {
	switch e {
	case rules.UpdateEvent, rules.DeleteEvent:
		return l.mine != ""
	case rules.Feed:
		return l.connected && l.event != ""
	case rules.DeleteConnection, rules.MyFollows, rules.MyFollowers, rules.MyFriends, rules.FollowsOf, rules.FollowersOf, rules.FriendsOf:
		return l.connected
	case rules.CreateConnection:
		return l.other != nil
	case rules.Login, rules.GetUser, rules.SearchUsers:
		return l.me != nil
	}
	return true
}

// likeNowhere reports whether an answer equals the target's answer for a path that the contract
// does not have.
func (l *endpointProbe) likeNowhere(x *wire.Exchange) bool {
	nowhere, known := l.nowhere[x.Method]
	if !known {
		path := "/0.2/" + l.t.Unique()
		nowhere = l.send(func() *Answer { return l.t.SendTo(l.as(rules.GetMe), x.Method, path) })
		l.nowhere[x.Method] = nowhere
	}
	return nowhere != nil && nowhere.Status == x.Status && mediaTypeOf(nowhere) == mediaTypeOf(x) && bodyWithoutPath(nowhere) == bodyWithoutPath(x)
}

func mediaTypeOf(x *wire.Exchange) string {
	mediaType, _, _ := mime.ParseMediaType(x.RespHeader.Get("Content-Type"))
	return mediaType
}

// bodyWithoutPath returns the response's body without the path, which many servers repeat in
// it.
func bodyWithoutPath(x *wire.Exchange) string {
	return strings.ReplaceAll(string(x.RespBody), x.URL.Path, "")
}

// samples returns what fills in the values of a valid request to an endpoint: the ids that the
// caller gives, the fields of its sender, and those of a user that does not exist.
func (t *T) samples(sender Fields, ids func(rules.Source) any) func(rules.Source) any {
	fresh := t.NewUser(nil)
	return func(source rules.Source) any {
		switch source {
		case rules.OwnID, rules.OtherID, rules.OwnEventID:
			return ids(source)
		case rules.NewName:
			return fresh["user_name"]
		case rules.NewEmail:
			return fresh["email"]
		case rules.NewPassword:
			return fresh["password"]
		case rules.OwnName:
			return sender["user_name"]
		case rules.OwnEmail:
			return sender["email"]
		case rules.OwnPassword:
			return sender["password"]
		}
		return t.Unique()
	}
}
