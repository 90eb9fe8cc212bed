package store_test

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/socialfeed/conform/refserver/store"
)

// naive is the store as anyone would write it first: plain slices, read whole
// each time. The real one must agree with it after any sequence of mutations.
type naive struct {
	policy store.Policy
	users  []store.ID
	edges  []edge
	events []store.Event
}

type edge struct {
	from, to store.ID
	typ      store.ConnectionType
}

func (n *naive) has(e edge) bool { return slices.Contains(n.edges, e) }

func (n *naive) isFriend(a, b store.ID) bool {
	to, from := n.has(edge{a, b, store.Friend}), n.has(edge{b, a, store.Friend})
	if n.policy.MutualFriends {
		return to && from
	}
	return to || from
}

func (n *naive) where(member func(store.ID) bool) []store.ID {
	var ids []store.ID
	for _, id := range n.users {
		if member(id) {
			ids = append(ids, id)
		}
	}
	return ids
}

func (n *naive) friends(of store.ID) []store.ID {
	return n.where(func(id store.ID) bool { return n.isFriend(of, id) })
}

func (n *naive) follows(of store.ID) []store.ID {
	return n.where(func(id store.ID) bool {
		return n.has(edge{of, id, store.Follow}) || n.policy.FriendsFollow && n.isFriend(of, id)
	})
}

func (n *naive) followers(of store.ID) []store.ID {
	return n.where(func(id store.ID) bool {
		return n.has(edge{id, of, store.Follow}) || n.policy.FriendsFollow && n.isFriend(of, id)
	})
}

func (n *naive) feed(of store.ID) []store.ID {
	var feed []store.Event
	for _, event := range n.events {
		if n.has(edge{of, event.Owner, store.Follow}) || n.isFriend(of, event.Owner) || n.policy.OwnEvents && event.Owner == of {
			feed = append(feed, event)
		}
	}
	slices.SortFunc(feed, func(a, b store.Event) int {
		return cmp.Or(b.CreatedAt.Compare(a.CreatedAt), cmp.Compare(b.ID, a.ID))
	})
	var ids []store.ID
	for _, event := range feed {
		ids = append(ids, event.ID)
	}
	return ids
}

func (n *naive) deleteUser(id store.ID) {
	n.users = slices.DeleteFunc(n.users, func(user store.ID) bool { return user == id })
	n.edges = slices.DeleteFunc(n.edges, func(e edge) bool { return e.from == id || e.to == id })
	n.events = slices.DeleteFunc(n.events, func(event store.Event) bool { return event.Owner == id })
}

func (n *naive) disconnect(from, to store.ID) {
	n.edges = slices.DeleteFunc(n.edges, func(e edge) bool {
		return e.from == from && e.to == to || e == edge{to, from, store.Friend}
	})
}

// pair is both at once.
type pair struct {
	t     *testing.T
	real  *store.Store
	naive naive
	dice  *rand.Rand
	now   time.Time
}

// app is the application that everything happens in.
const app = store.App(1)

func (p *pair) check(err error) {
	p.t.Helper()
	if err != nil {
		p.t.Fatal(err)
	}
}

func pick[T any](p *pair, from []T) T { return from[p.dice.IntN(len(from))] }

// step does one random mutation to both.
func (p *pair) step() {
	p.now = p.now.Add(time.Duration(p.dice.IntN(3)) * time.Microsecond) // often none: ties are to occur
	if len(p.naive.users) < 2 {
		user, err := p.real.CreateUser(app, store.User{UserName: "u"})
		p.check(err)
		p.naive.users = append(p.naive.users, user.ID)
		return
	}
	a, b := pick(p, p.naive.users), pick(p, p.naive.users)
	switch roll := p.dice.IntN(100); {
	case roll < 8:
		user, err := p.real.CreateUser(app, store.User{UserName: "u"})
		p.check(err)
		p.naive.users = append(p.naive.users, user.ID)
	case roll < 11:
		p.check(p.real.DeleteUser(app, a))
		p.naive.deleteUser(a)
	case roll < 45 && a != b:
		e := edge{a, b, pick(p, []store.ConnectionType{store.Follow, store.Friend})}
		_, created, err := p.real.Connect(app, a, b, e.typ)
		p.check(err)
		if created == p.naive.has(e) {
			p.t.Fatalf("connecting %v: created %t", e, created)
		}
		if created {
			p.naive.edges = append(p.naive.edges, e)
		}
	case roll < 60 && a != b:
		had := len(p.naive.edges)
		p.naive.disconnect(a, b)
		if err := p.real.Disconnect(app, a, b, store.Follow, store.Friend); (err == nil) != (len(p.naive.edges) < had) {
			p.t.Fatalf("disconnecting %d from %d: %v", a, b, err)
		}
	case roll < 90 || len(p.naive.events) == 0:
		event, err := p.real.CreateEvent(app, a, store.Event{Verb: "like"})
		p.check(err)
		p.naive.events = append(p.naive.events, event)
	default:
		event := pick(p, p.naive.events)
		p.check(p.real.DeleteEvent(app, event.Owner, event.ID))
		p.naive.events = slices.DeleteFunc(p.naive.events, func(e store.Event) bool { return e.ID == event.ID })
	}
}

// compare reads everything of one user from both.
func (p *pair) compare() {
	p.t.Helper()
	of := pick(p, p.naive.users)
	for name, view := range map[string]struct {
		real  func(store.App, store.ID) ([]store.User, error)
		naive []store.ID
	}{
		"follows":   {p.real.Follows, p.naive.follows(of)},
		"followers": {p.real.Followers, p.naive.followers(of)},
		"friends":   {p.real.Friends, p.naive.friends(of)},
	} {
		users, err := view.real(app, of)
		p.check(err)
		var ids []store.ID
		for _, user := range users {
			ids = append(ids, user.ID)
		}
		if !slices.Equal(ids, view.naive) {
			p.t.Fatalf("%s of %d: %v, want %v", name, of, ids, view.naive)
		}
	}
	feed, err := p.real.Feed(app, of)
	p.check(err)
	var ids []store.ID
	for _, event := range feed {
		ids = append(ids, event.ID)
	}
	if want := p.naive.feed(of); !slices.Equal(ids, want) {
		p.t.Fatalf("feed of %d: %v, want %v", of, ids, want)
	}
	counts := p.real.Counts()
	if want := (store.Counts{Users: len(p.naive.users), Connections: len(p.naive.edges), Events: len(p.naive.events)}); counts != want {
		p.t.Fatalf("counts %+v, want %+v", counts, want)
	}
}

func TestAgreesWithANaiveModel(t *testing.T) {
	for _, policy := range []store.Policy{{}, {MutualFriends: true}, {FriendsFollow: true, OwnEvents: true}, {MutualFriends: true, FriendsFollow: true}} {
		for seed := range uint64(5) {
			t.Run(fmt.Sprintf("%+v/%d", policy, seed), func(t *testing.T) {
				p := &pair{t: t, naive: naive{policy: policy}, dice: rand.New(rand.NewPCG(seed, 7)), now: time.Unix(0, 0)}
				var err error
				p.real, err = store.New(policy, func() time.Time { return p.now })
				p.check(err)
				for range 400 {
					p.step()
					if len(p.naive.users) > 0 {
						p.compare()
					}
				}
			})
		}
	}
}
