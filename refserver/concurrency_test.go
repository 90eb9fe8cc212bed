package refserver_test

import (
	"fmt"
	"slices"
	"sync"
	"testing"

	"github.com/socialfeed/conform/refserver"
)

// TestConcurrentLoad lets users follow, post and vanish at the same time, and
// then asks whether anything dangles.
func TestConcurrentLoad(t *testing.T) {
	x := start(t, func(o *refserver.Options) { o.RateLimit, o.Clock = -1, nil })
	const staying, leaving, rounds = 6, 6, 8
	var users []*actor
	for i := range staying + leaving {
		users = append(users, x.actor(fmt.Sprint("user", i)))
	}
	var work sync.WaitGroup
	for i, user := range users {
		work.Go(func() {
			for round := range rounds {
				other := users[(i+round+1)%len(users)]
				user.send("POST", "/0.2/user/connections", object{"user_to_id": other.rawID, "type": "follow"})
				user.send("POST", "/0.2/user/connections", object{"user_to_id": other.rawID, "type": "friend"})
				event := fmt.Sprint(user.send("POST", "/0.2/user/events", object{"verb": "like"}).object()["id"])
				user.send("GET", "/0.2/user/feed", nil)
				if round%2 == 0 {
					user.send("DELETE", "/0.2/user/events/"+event, nil)
				}
				if round%3 == 0 {
					user.send("DELETE", "/0.2/user/connections/"+other.id, nil)
				}
			}
			if i >= staying {
				user.send("DELETE", "/0.2/user", nil)
				user.send("POST", "/0.2/user/events", object{"verb": "too late"})
			}
		})
	}
	work.Wait()
	nothingDangles(t, users[:staying])
	for _, user := range users[:staying] {
		user.must(204, "DELETE", "/0.2/user", nil)
	}
	if counts := x.server.Stats(); counts.Users+counts.Sessions+counts.Connections+counts.Events != 0 {
		t.Errorf("left behind: %+v", counts)
	}
}

// nothingDangles checks that lists and feeds hold the staying users alone, that
// both ends of a follow agree, and that feeds are newest first.
func nothingDangles(t *testing.T, stayed []*actor) {
	t.Helper()
	var ids []string
	for _, user := range stayed {
		ids = append(ids, user.id)
	}
	for _, user := range stayed {
		follows := user.list("/0.2/user/follows")
		sources := append(user.list("/0.2/user/friends"), follows...)
		for _, id := range append(user.list("/0.2/user/followers"), sources...) {
			if !slices.Contains(ids, id) {
				t.Errorf("%s is connected to %s, who is gone", user.id, id)
			}
		}
		for _, id := range follows {
			if !slices.Contains(user.list("/0.2/users/"+id+"/followers"), user.id) {
				t.Errorf("%s follows %s, who does not know", user.id, id)
			}
		}
		last := "9999"
		for _, item := range user.must(200, "GET", "/0.2/user/feed", nil).body.([]any) {
			event := item.(object)
			if at := event["created_at"].(string); at > last {
				t.Errorf("%s is after %s in the feed", at, last)
			} else {
				last = at
			}
			if !slices.Contains(sources, fmt.Sprint(event["user_id"])) {
				t.Errorf("the feed of %s holds an event of %v", user.id, event["user_id"])
			}
		}
	}
}

// TestOneNameForOne: of many who ask for a unique name at once, one gets it.
func TestOneNameForOne(t *testing.T) {
	x := with(t, choices{UniqueUserNames: true})
	statuses := make([]int, 20)
	var work sync.WaitGroup
	for i := range statuses {
		work.Go(func() {
			statuses[i] = x.do(call{method: "POST", path: "/0.2/users", body: object{"user_name": "ann"}}).status
		})
	}
	work.Wait()
	slices.Sort(statuses)
	if statuses[0] != 201 || statuses[1] != 409 {
		t.Errorf("statuses %v", statuses)
	}
}
