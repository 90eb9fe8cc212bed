package play

import (
	"context"
	"slices"
	"testing"

	"github.com/socialfeed/conform/conformance/model/exchange"
	"github.com/socialfeed/conform/conformance/model/reuse"
	"github.com/socialfeed/conform/conformance/model/value"
	"github.com/socialfeed/conform/conformance/rules"
)

// TestCrowd connects newcomers to a crowd of existing users: on a right target nothing is found, and
// what a target does wrong with many is blamed on its rule alone.
func TestCrowd(t *testing.T) {
	without := func(at rules.Endpoint, place int) func(exchange.Request, exchange.Response) exchange.Response {
		return func(r exchange.Request, a exchange.Response) exchange.Response {
			if all, ok := a.Body.([]any); ok && r.Endpoint == at && len(all) > place {
				a.Body = slices.Delete(slices.Clone(all), place, place+1)
			}
			return a
		}
	}
	feeds := map[string]int{}
	for name, test := range map[string]struct {
		answer func(exchange.Request, exchange.Response) exchange.Response
		want   string
	}{
		"all is well":                            {},
		"the fifteenth follow is not listed":     {without(rules.MyFollows, 14), "connections.lists.follows"},
		"the fifteenth friend is not listed":     {without(rules.FriendsOf, 14), "connections.lists.of-user"},
		"the twelfth event is in no feed":        {without(rules.Feed, 11), "feed.merge"},
		"the seventh of those found is left out": {without(rules.SearchUsers, 6), "search.user-name"},
		"every ninth feed lacks the newest event": {func(r exchange.Request, a exchange.Response) exchange.Response {
			if all, ok := a.Body.([]any); ok && r.Endpoint == rules.Feed && len(all) > 1 {
				if feeds[r.Session]++; feeds[r.Session]%9 == 0 { // beyond those before the row
					a.Body = all[1:]
				}
			}
			return a
		}, "feed.merge"},
		"a feed has at most fifteen events first": {func(r exchange.Request, a exchange.Response) exchange.Response {
			if all, ok := a.Body.([]any); ok && r.Endpoint == rules.Feed && len(all) > 15 {
				a.Body = slices.Concat(all[15:], all[:15])
			}
			return a
		}, "feed.order"},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFake(dialect{}, "")
			var crowd []reuse.User
			for i := range 30 {
				crowd = append(crowd, userWithEvent(t, f, []string{"", "shared"}[i%2]))
			}
			newcomers := [2]reuse.User{reusableUser(t, f, "one"), reusableUser(t, f, "other")}
			gathering := NewPlayer(altered{f, test.answer}, Options{Choices: dialect{}.choices(), Pause: noPause}).NewGathering(newcomers, crowd, "shared")
			cost := gathering.Cost()
			findings, o, err := gathering.Play(t.Context())
			if err != nil || o.Requests == 0 {
				t.Fatalf("%d requests, %v", o.Requests, err)
			}
			if sent := cost.Writes + cost.Reads + cost.Deletes; test.answer == nil && o.Requests != sent {
				t.Errorf("%d requests, its cost has %d", o.Requests, sent)
			}
			found := ""
			for _, each := range findings {
				found += each.Rule
				if !each.Stable {
					t.Errorf("%s is not stable", each.Rule)
				}
			}
			if found != test.want {
				t.Errorf("found is %q, want %q", found, test.want)
			}
		})
	}
}

// TestNewUsersShowWhatACrowdShows has a target show events twice to who is connected in both ways: a
// story of new users shows it too, which can be played again.
func TestNewUsersShowWhatACrowdShows(t *testing.T) {
	f := newFake(dialect{}, "")
	ways := map[string]map[any]bool{} // by session
	doubling := altered{f, func(r exchange.Request, a exchange.Response) exchange.Response {
		sent, _ := r.Body.(value.Fields)
		if r.Endpoint == rules.ConnectSocial && a.OK() {
			if ways[r.Session] == nil {
				ways[r.Session] = map[any]bool{}
			}
			ways[r.Session][sent["type"]] = true
		}
		if all, is := a.Body.([]any); is && r.Endpoint == rules.Feed && len(all) > 0 && len(ways[r.Session]) > 1 {
			a.Body = append([]any{all[0]}, all...)
		}
		return a
	}}
	var crowd []reuse.User
	for range 30 {
		crowd = append(crowd, userWithEvent(t, f, ""))
	}
	player := NewPlayer(doubling, Options{Choices: dialect{}.choices(), Pause: noPause})
	findings, o, err := player.NewGathering([2]reuse.User{reusableUser(t, f, "one"), reusableUser(t, f, "other")}, crowd, "").Play(t.Context())
	if err != nil || len(findings) != 1 || findings[0].Rule != "feed.no-duplicates" {
		t.Fatalf("found is %v, %v", findings, err)
	}
	again, err := player.ConfirmIn(t.Context(), *o.Like, findings[0].Difference, 3, 20)
	if err != nil || !again.Stable || again.Rule != "feed.no-duplicates" {
		t.Errorf("new users show %s, stable: %t, %v", again.Rule, again.Stable, err)
	}
}

// TestCrowdWithoutConnections checks that nothing is found on a target that takes few social ids at
// once, which it may.
func TestCrowdWithoutConnections(t *testing.T) {
	f := newFake(dialect{}, "")
	var crowd []reuse.User
	for range smallestCrowd {
		crowd = append(crowd, userWithEvent(t, f, ""))
	}
	newcomers := [2]reuse.User{reusableUser(t, f, "one"), reusableUser(t, f, "other")}
	findings, o, err := NewPlayer(refusingSocial{f}, Options{Choices: dialect{}.choices(), Pause: noPause}).NewGathering(newcomers, crowd, "shared").Play(t.Context())
	if err != nil || len(findings) > 0 || o.Requests == 0 {
		t.Errorf("%d requests, %v, %v", o.Requests, findings, err)
	}
}

// refusingSocial is a target that refuses to connect by social ids.
type refusingSocial struct{ Target }

func (s refusingSocial) Do(ctx context.Context, r exchange.Request) (exchange.Response, error) {
	if r.Endpoint == rules.ConnectSocial {
		return refuse(422), nil
	}
	return s.Target.Do(ctx, r)
}

// userWithEvent creates a user to reuse, with a social id, the end of a user name, and an event.
func userWithEvent(t *testing.T, f *fake, after string) reuse.User {
	t.Helper()
	unique := f.Unique()
	sent := value.Fields{"user_name": unique + after, "email": unique + "@example.com", "password": f.Password(), "social_ids": value.Fields{"facebook": "s" + unique}}
	created, err := f.Do(t.Context(), exchange.Request{Endpoint: rules.CreateUser, Query: map[string]string{"withLogin": "true"}, Body: sent})
	if err != nil {
		t.Fatal(err)
	}
	token, _ := created.Object()["session_token"].(string)
	posted, err := f.Do(t.Context(), exchange.Request{Endpoint: rules.CreateEvent, Session: token, Body: value.Fields{"verb": "like"}})
	if err != nil || posted.Status != 201 {
		t.Fatal(posted.Status, err)
	}
	return reuse.User{Sent: sent, Answer: created.Object(), Session: token, Involved: true, EventsKnown: true,
		Events: []reuse.Event{{Answer: posted.Object(), Fields: map[string]value.Set{"verb": {"like"}}}}}
}
