package play

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/socialfeed/conform/conformance/model/draw"
	"github.com/socialfeed/conform/conformance/model/exchange"
	"github.com/socialfeed/conform/conformance/model/value"
	"github.com/socialfeed/conform/conformance/rules"
)

// fakePair is two applications of one target: by default their ids, and even their session
// tokens, are each application's own and may be the same.
type fakePair struct {
	apps  [2]*fake
	fault string
}

func newFakePair(one, other dialect, fault string) *fakePair {
	return &fakePair{apps: [2]*fake{newFake(one, ""), newFake(other, "")}, fault: fault}
}

// withOwnIDs has the second application issue ids and tokens that the first one never does.
func (p *fakePair) withOwnIDs() *fakePair {
	p.apps[1].base = 100_000
	return p
}

func (p *fakePair) Unique() string { return p.apps[0].Unique() }

func (p *fakePair) Password() string { return p.apps[0].Password() }

func (p *fakePair) Do(ctx context.Context, r exchange.Request) (exchange.Response, error) {
	here, there := p.apps[r.App], p.apps[1-r.App]
	if p.fault == "names are unique everywhere" && here.mayName(r) && there.named(r) {
		return refuse(409), nil
	}
	answer, err := here.Do(ctx, r)
	if err != nil {
		return answer, err
	}
	fields, _ := decoded(r.Body).(map[string]any)
	elsewhere := r
	elsewhere.App = 1 - r.App
	switch p.fault {
	case "sessions of deleted users are not found":
		if answer.Status == 401 && (here.deletedSession(r.Session) || there.deletedSession(r.Session)) {
			return refuse(404), nil
		}
	case "sessions work everywhere", "sessions read feeds everywhere":
		if answer.Status == 401 && r.Session != "" && (r.Endpoint == rules.Feed || p.fault == "sessions work everywhere") {
			return there.Do(ctx, elsewhere)
		}
	case "who logs in here may log in there":
		if r.Endpoint == rules.Login && answer.Status == 401 {
			return there.Do(ctx, elsewhere)
		}
	case "users are shown everywhere", "followers are listed everywhere":
		at := map[string]rules.Endpoint{"users are shown everywhere": rules.GetUser, "followers are listed everywhere": rules.FollowersOf}[p.fault]
		if id, _ := strconv.Atoi(r.ID); r.Endpoint == at && answer.Status == 404 && there.live(id) != nil {
			elsewhere.Session = there.token(there.live(id))
			return there.Do(ctx, elsewhere)
		}
	case "a search by a whole name finds everywhere":
		if r.Endpoint != rules.SearchUsers {
			break
		}
		for _, u := range there.users {
			if list, ok := answer.Body.([]any); ok && !u.gone && u.fields["user_name"] == r.Query["q"] {
				answer.Body = append(list, decoded(there.user(u, u)))
			}
		}
	case "an end ends a namesake's follow":
		if r.Endpoint == rules.DeleteConnection && answer.Status == 404 {
			to, _ := strconv.Atoi(r.ID)
			there.edges = slices.DeleteFunc(there.edges, func(e edge) bool { return e.to == to })
		}
	case "social ids connect to everywhere":
		if r.Endpoint == rules.ConnectSocial && answer.OK() {
			bySocialID(fields, there)
		}
	case "an update changes the namesake":
		if r.Endpoint == rules.UpdateMe && answer.OK() {
			for _, u := range there.users {
				if u.fields["user_name"] == fields["user_name"] {
					u.fields["last_name"] = fields["last_name"]
				}
			}
		}
	case "a deletion takes the namesake along":
		if r.Endpoint == rules.DeleteMe && answer.OK() {
			gone := here.users[slices.IndexFunc(here.users, func(u *fakeUser) bool { return slices.Contains(u.tokens, r.Session) })]
			for _, u := range there.users {
				u.gone = u.gone || u.fields["user_name"] == gone.fields["user_name"]
			}
		}
	case "events are changed from everywhere":
		if id, _ := strconv.Atoi(r.ID); (r.Endpoint == rules.UpdateEvent || r.Endpoint == rules.DeleteEvent) && answer.Status == 404 && id >= there.base+1000 && id < there.base+1000+len(there.events) {
			owner := there.users[there.events[id-there.base-1000].owner-there.base-1]
			elsewhere.Session = there.token(owner)
			return there.Do(ctx, elsewhere)
		}
	case "a namesake's feed is kept":
		name := here.bySession(r.Session)
		if r.Endpoint != rules.Feed || name == nil {
			break
		}
		for _, u := range there.users {
			if u.fields["user_name"] == name.fields["user_name"] && !u.gone {
				return exchange.Response{Status: 200, Body: decoded(there.feed(u).Body), Evidence: answer.Evidence}, nil
			}
		}
	}
	return answer, nil
}

// bySocialID befriends the latest user of an application with whoever has the social ids there.
func bySocialID(fields value.Fields, there *fake) {
	for _, u := range there.users {
		ids, _ := u.fields["social_ids"].(map[string]any)
		for _, id := range fields["connection_ids"].([]any) {
			if latest := there.users[len(there.users)-1]; !u.gone && latest != u && value.Same(ids[fields["platform"].(string)], id) {
				there.edges = append(there.edges, edge{from: latest.id, to: u.id, kind: "friend"})
			}
		}
	}
}

// TestValidPairsAreNotBlamed plays stories of two applications on servers that keep them
// apart, also where ids and session tokens of both are the same.
func TestValidPairsAreNotBlamed(t *testing.T) {
	seeds := uint64(60)
	if testing.Short() {
		seeds = 5
	}
	for seed := range seeds {
		one, other := pairOfDialects(seed)
		for _, s := range draw.Applications(seed) {
			p := newFakePair(one, other, "")
			if seed%2 == 1 {
				p = p.withOwnIDs()
			}
			o := playedOnPair(t, p, s)
			for _, d := range o.Differences {
				t.Errorf("seed %d, dialects %+v and %+v, story %s: step %d: %s", seed, one, other, s.Name, d.Step, d)
			}
			if t.Failed() {
				t.Log(strings.Join(o.Log[max(0, len(o.Log)-12):], "\n"))
				return
			}
		}
	}
}

// mayName reports whether a request gives a name to a user, by somebody who may.
func (f *fake) mayName(r exchange.Request) bool {
	return r.Endpoint == rules.CreateUser || r.Endpoint == rules.UpdateMe && slices.ContainsFunc(f.users, func(u *fakeUser) bool {
		return !u.gone && slices.Contains(u.tokens, r.Session)
	})
}

// named reports whether a user has the name that a request gives.
func (f *fake) named(r exchange.Request) bool {
	fields, _ := decoded(r.Body).(map[string]any)
	return slices.ContainsFunc(f.users, func(u *fakeUser) bool { return !u.gone && u.fields["user_name"] == fields["user_name"] })
}

// deletedSession reports whether a token is that of a deleted user.
func (f *fake) deletedSession(token string) bool {
	return slices.ContainsFunc(f.users, func(u *fakeUser) bool { return u.gone && slices.Contains(u.tokens, token) })
}
