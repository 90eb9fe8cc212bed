package play

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/socialfeed/conform/conformance/model/exchange"
	"github.com/socialfeed/conform/conformance/model/leeway"
	"github.com/socialfeed/conform/conformance/model/value"
	"github.com/socialfeed/conform/conformance/rules"
)

// fake is a server of the contract in memory, written apart from the model, with
// dialects and faults.
type fake struct {
	mu      sync.Mutex
	dialect dialect
	fault   string
	now     time.Time
	names   int
	users   []*fakeUser
	edges   []edge
	events  []*fakeEvent
	count   map[string]int
	sent    int
	stale   map[string]exchange.Response // by user: a feed kept from before
	base    int                          // of its ids
	tokens  int                          // sessions that it opened
}

// dialect is what the fake does where the contract is silent. The zero value:
// friends at once, kinds stand, ends whole, sessions stay, kept, replaced.
type dialect struct {
	mutual, oneKind, endsHalf, single, logoutAll, updateEnds, clears, merges, unique, strict, ownEvents, friendsFollow, stringIDs                bool
	socialConfirms                                                                                                                               bool // a friend connection by social ids is one of both sides
	conflict, noSocial, noURL, hidesEmail, hidesProfile, wholeSeconds, backless, lowerCaseTimes, fillsIn, unknownIsGone, directional, omitsZeros bool
	cap                                                                                                                                          int
}

// optionalFields are those of a user that a target may keep from others.
func optionalFields() []string { return []string{"custom_id", "url", "metadata", "social_ids"} }

func (d dialect) choices() leeway.Choices {
	var defaults value.Fields
	if d.fillsIn {
		defaults = value.Fields{"language": "en", "priority": "normal"}
	}
	var hidden []string
	if d.hidesProfile {
		hidden = optionalFields()
	}
	atOnce := leeway.Known(!d.mutual)
	if d.directional && !d.mutual { // neither: each has whom it asked
		atOnce = leeway.Unknown
	}
	return leeway.Choices{Hidden: hidden, Defaults: defaults, FriendsAtOnce: atOnce, KindsStand: leeway.Known(!d.oneKind), EndsWhole: leeway.Known(!d.endsHalf), Concurrent: leeway.Known(!d.single),
		LogoutKeeps: leeway.Known(!d.logoutAll), UpdateKeeps: leeway.Known(!d.updateEnds), KeepsUser: leeway.Known(!d.clears), KeepsEvent: leeway.Known(!d.clears),
		MergesMetadata: leeway.Known(d.merges), NamesRecur: leeway.Yes, SocialConnects: leeway.Known(!d.noSocial), OmitsZeros: leeway.Known(d.omitsZeros)}
}

type fakeUser struct {
	id      int
	fields  value.Fields
	tokens  []string
	created time.Time
	updated time.Time
	entered time.Time // its latest login
	gone    bool
}

type edge struct {
	from, to int
	kind     string
	since    time.Time
}

type fakeEvent struct {
	id, owner        int
	fields           value.Fields
	created, updated time.Time
	gone             bool
}

func newFake(d dialect, fault string) *fake {
	return &fake{dialect: d, fault: fault, now: time.Date(2030, 1, 2, 3, 4, 5, 0, time.UTC), count: map[string]int{}, stale: map[string]exchange.Response{}}
}

func (f *fake) Unique() string {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.names++
	return "q" + strconv.FormatInt(int64(46656+f.names*7), 36)
}

func (f *fake) Password() string { return "pw" + f.Unique() }

func (f *fake) Do(_ context.Context, r exchange.Request) (exchange.Response, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.sent++
	f.now = f.now.Add(time.Millisecond)
	answer := f.serve(decoded(r.Body), r)
	answer.Evidence = fmt.Sprintf("%d %d %s", r.Endpoint, answer.Status, r.ID)
	if answer.Body != nil {
		answer.Body = decoded(answer.Body)
	}
	return answer, nil
}

func decoded(v any) any {
	if v == nil {
		return nil
	}
	literal, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	d := json.NewDecoder(strings.NewReader(string(literal)))
	d.UseNumber()
	var out any
	if err := d.Decode(&out); err != nil {
		panic(err)
	}
	return out
}

func refuse(status int) exchange.Response {
	return exchange.Response{Status: status, Body: value.Fields{}}
}

// versions lists them, where the dialect shows them to users.
func (f *fake) versions() exchange.Response {
	f.count["versions"]++
	third, status := f.count["versions"]%3 == 0, "current"
	if f.dialect.hidesProfile || third && f.fault == "every third list of versions is refused" {
		return refuse(403)
	}
	if third && f.fault == "every third list of versions is outdated" {
		status = "disabled"
	}
	return exchange.Response{Status: 200, Body: []any{value.Fields{"version": "0.2", "status": status}, value.Fields{"version": "0.1", "status": "disabled"}}}
}

func (f *fake) serve(body any, r exchange.Request) exchange.Response {
	if r.ContentType != "" {
		return refuse(415)
	}
	fields, _ := body.(map[string]any)
	switch r.Endpoint {
	case rules.CreateUser:
		return f.create(fields)
	case rules.Login:
		return f.login(fields)
	}
	me := f.bySession(r.Session)
	if me == nil {
		return refuse(401)
	}
	if r.Endpoint == rules.Versions {
		return f.versions()
	}
	id, _ := strconv.Atoi(r.ID)
	switch r.Endpoint {
	case rules.Logout:
		return f.logout(me, r.Session)
	case rules.GetMe:
		return exchange.Response{Status: 200, Body: f.user(me, me)}
	case rules.UpdateMe:
		return f.update(me, fields)
	case rules.DeleteMe:
		return f.leave(me)
	case rules.GetUser:
		if u := f.live(id); u != nil && (f.fault != "a changed user is not found by others" || u == me || u.updated.Equal(u.created)) {
			return exchange.Response{Status: 200, Body: f.user(u, me)}
		}
		return refuse(404)
	case rules.SearchUsers:
		return f.search(r.Query["q"], me)
	case rules.CreateConnection:
		to, _ := strconv.Atoi(value.ID(fields["user_to_id"]))
		if f.live(to) == nil || to == me.id {
			return refuse(404)
		}
		return f.connect(me.id, to, fields["type"].(string))
	case rules.DeleteConnection:
		return f.disconnect(me.id, id)
	case rules.MyFollows, rules.MyFollowers, rules.MyFriends:
		return f.list(r.Endpoint, me.id, me)
	case rules.FollowsOf, rules.FollowersOf, rules.FriendsOf:
		if f.live(id) == nil {
			return refuse(404)
		}
		return f.list(r.Endpoint.OwnList(), id, me)
	case rules.ConnectSocial:
		return f.social(me, fields)
	case rules.CreateEvent:
		return f.post(me, fields)
	case rules.UpdateEvent, rules.DeleteEvent:
		return f.onEvent(me, id, fields, r.Endpoint)
	case rules.Feed:
		return f.feed(me)
	}
	return refuse(404)
}

func (f *fake) bySession(token string) *fakeUser {
	for _, u := range f.users {
		if !u.gone && slices.Contains(u.tokens, token) && token != "" {
			return u
		}
	}
	return nil
}

func (f *fake) live(id int) *fakeUser {
	id -= f.base
	if id < 1 || id > len(f.users) || f.users[id-1].gone {
		return nil
	}
	return f.users[id-1]
}

func (f *fake) taken(fields value.Fields, but *fakeUser) bool {
	return f.dialect.unique && slices.ContainsFunc(f.users, func(u *fakeUser) bool {
		return u != but && !u.gone && u.fields["user_name"] == fields["user_name"]
	})
}

func (f *fake) strict(fields value.Fields) bool {
	if !f.dialect.strict {
		return false
	}
	for name, v := range fields {
		if name == "metadata" {
			continue
		}
		if s, ok := v.(string); ok && (len([]rune(s)) > 60 || strings.ContainsAny(s, "\r\n\t")) {
			return true
		}
		if o, ok := v.(map[string]any); ok && f.strict(o) {
			return true
		}
	}
	name, _ := fields["user_name"].(string)
	return strings.ContainsAny(name, "@. %/+")
}
