package conformance

import (
	"cmp"
	"mime"
	"net/http"
	"strings"

	"github.com/socialfeed/conform/conformance/internal/wire"
	"github.com/socialfeed/conform/conformance/rules"
)

// lookout finds out by valid requests which endpoints exist. Where it could not create
// what a request needs, it sends a made-up stand-in: then an answer counts only if
// nothing but a missing route explains it.
type lookout struct {
	t         *T
	me, other *Actor
	connected bool   // they follow each other and are friends
	event     string // the id of one of the other's, "" for none
	mine      string // the id of one of mine, "" for none
	nowhere   map[string]*wire.Exchange
}

func newLookout(t *T) *lookout {
	l := &lookout{t: t, nowhere: map[string]*wire.Exchange{}}
	try := outcomeOf // what does not work is told by its own rule
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

// at sends a valid request to an endpoint, and reports whether its answer says that
// there is none; the exchange is nil where no answer came.
func (l *lookout) at(e rules.Endpoint) (answer *wire.Exchange, absent bool) {
	x := l.send(func() *Answer { return l.t.Send(l.as(e), e, l.request(e)...) })
	if x == nil || !saysAbsent(x.Status) {
		return x, false
	}
	return x, x.Status != http.StatusNotFound || l.hasObject(e) || l.likeNowhere(x)
}

func (l *lookout) send(ask func() *Answer) (x *wire.Exchange) {
	outcomeOf(func() { x = ask().exchange }) // where there is no answer, that tells nothing
	return x
}

// as are the credentials that an endpoint takes.
func (l *lookout) as(e rules.Endpoint) Credentials {
	switch {
	case e == rules.Versions:
		return Anonymous{}
	case e == rules.CreateUser, e == rules.Login:
		return l.t.AppOnly()
	case l.me == nil:
		return Basic{App: l.t.AppToken(), Session: l.t.Secret(l.t.Unique())}
	}
	return l.me
}

// request is what a valid request to an endpoint holds.
func (l *lookout) request(e rules.Endpoint) []With {
	user := l.user()
	own, others := l.ids()
	switch e {
	case rules.CreateUser:
		return []With{JSON(l.t.NewUser(nil))}
	case rules.Login:
		return []With{JSON(Fields{"user_name": user["user_name"], "password": user["password"]})}
	case rules.UpdateMe:
		return []With{JSON(user)}
	case rules.SearchUsers:
		return []With{Query("q", user["user_name"].(string))}
	case rules.CreateConnection:
		return []With{JSON(Fields{"user_to_id": others, "type": "follow"})}
	case rules.ConnectSocial:
		return []With{JSON(Fields{"platform": "example", "type": "follow", "platform_user_id": l.t.Unique(), "connection_ids": []string{l.t.Unique()}})}
	case rules.CreateEvent:
		return []With{JSON(Fields{"verb": l.t.Unique()})}
	case rules.UpdateEvent:
		return []With{IDText(l.eventID()), JSON(Fields{"verb": l.t.Unique()})}
	case rules.DeleteEvent:
		return []With{IDText(l.eventID())}
	case rules.DeleteConnection:
		return []With{IDText(others)}
	}
	return []With{IDText(own)}
}

// user are the fields of mine, or of one that there might be.
func (l *lookout) user() Fields {
	if l.me != nil {
		return l.me.Required(nil)
	}
	return l.t.NewUser(nil)
}

// ids are those of the two users, made up where there are none.
func (l *lookout) ids() (own, others string) {
	own, others = "1", "2"
	if l.me != nil {
		own = l.me.ID.String()
	}
	if l.other != nil {
		others = l.other.ID.String()
	}
	return own, others
}

func (l *lookout) eventID() string {
	return cmp.Or(l.mine, "1")
}

// hasObject reports whether what a request to the endpoint names or lists exists, so
// that not finding it is no answer of the endpoint's.
func (l *lookout) hasObject(e rules.Endpoint) bool {
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

// likeNowhere reports whether an answer is the one that the target has for a path
// that the contract does not know.
func (l *lookout) likeNowhere(x *wire.Exchange) bool {
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

// bodyWithoutPath is the response's body without the path, which many a server repeats in it.
func bodyWithoutPath(x *wire.Exchange) string {
	return strings.ReplaceAll(string(x.RespBody), x.URL.Path, "")
}
