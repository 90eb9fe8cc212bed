package refserver_test

import (
	"testing"

	"github.com/socialfeed/conform/refserver/store"
)

func TestDuplicateConnections(t *testing.T) {
	for status, choice := range map[int]choices{201: {}, 200: {DuplicateStatus: 200}, 409: {DuplicateStatus: 409}} {
		x := with(t, choice)
		ann, bob := x.actor("ann"), x.actor("bob")
		first := ann.must(201, "POST", "/0.2/user/connections", object{"user_to_id": bob.rawID, "type": "follow"})
		x.clock.Advance(1e9)
		again := ann.must(status, "POST", "/0.2/user/connections", object{"user_to_id": bob.rawID, "type": "follow"})
		if status != 409 && again.text != first.text {
			t.Errorf("status %d: the connection changed from %s to %s", status, first.text, again.text)
		}
		equal(t, "follows", ann.list("/0.2/user/follows"), bob.id)
	}
}

func TestMissingTypeBecomes(t *testing.T) {
	for _, typ := range []store.ConnectionType{store.Follow, store.Friend} {
		x := with(t, choices{MissingType: typ})
		ann, bob := x.actor("ann"), x.actor("bob")
		made := ann.must(201, "POST", "/0.2/user/connections", object{"user_to_id": bob.rawID}).object()
		if made["type"] != string(typ) {
			t.Errorf("a connection without a type became %v, want %s", made["type"], typ)
		}
		ann.must(422, "POST", "/0.2/user/connections/social",
			object{"platform": "net", "platform_user_id": "1", "connection_ids": []string{}}) // where type is required
	}
}

func TestOneSideSuffices(t *testing.T) {
	for status, choice := range map[int]choices{201: {}, 409: {ReciprocalConflict: true}} {
		x := with(t, choice)
		ann, bob := x.actor("ann"), x.actor("bob")
		ann.connect(bob, "friend")
		equal(t, "bob's friends", bob.list("/0.2/user/friends"), ann.id)
		bob.must(status, "POST", "/0.2/user/connections", object{"user_to_id": ann.rawID, "type": "friend"})
		equal(t, "ann's friends", ann.list("/0.2/user/friends"), bob.id)
		ann.must(204, "DELETE", "/0.2/user/connections/"+bob.id, nil)
		equal(t, "bob's friends in the end", bob.list("/0.2/user/friends"))
		equal(t, "ann's friends in the end", ann.list("/0.2/user/friends"))
	}
}

func TestMutualFriends(t *testing.T) {
	x := with(t, choices{MutualFriends: true})
	ann, bob := x.actor("ann"), x.actor("bob")
	event := bob.post("like")
	pending := ann.must(201, "POST", "/0.2/user/connections", object{"user_to_id": bob.rawID, "type": "friend"}).object()
	if confirmed, sent := pending["confirmed_at"]; sent {
		t.Errorf("a pending friend has confirmed_at %v", confirmed)
	}
	equal(t, "ann's friends while pending", ann.list("/0.2/user/friends"))
	equal(t, "bob's friends while pending", bob.list("/0.2/user/friends"))
	equal(t, "ann's feed while pending", ann.list("/0.2/user/feed"))
	confirmed := bob.must(201, "POST", "/0.2/user/connections", object{"user_to_id": ann.rawID, "type": "friend"}).object()
	if confirmed["confirmed_at"] == nil {
		t.Error("a confirmed friend has no confirmed_at")
	}
	first := ann.must(201, "POST", "/0.2/user/connections", object{"user_to_id": bob.rawID, "type": "friend"}).object()
	if first["confirmed_at"] == nil {
		t.Error("the first side's connection has no confirmed_at")
	}
	equal(t, "ann's friends", ann.list("/0.2/user/friends"), bob.id)
	equal(t, "bob's friends", bob.list("/0.2/user/friends"), ann.id)
	equal(t, "ann's feed", ann.list("/0.2/user/feed"), event)
	bob.must(204, "DELETE", "/0.2/user/connections/"+ann.id, nil)
	equal(t, "ann's friends in the end", ann.list("/0.2/user/friends"))
}

func TestFriendsInFollowLists(t *testing.T) {
	for counted, want := range map[bool]int{false: 0, true: 1} {
		x := with(t, choices{FriendsFollow: counted})
		ann, bob := x.actor("ann"), x.actor("bob")
		ann.connect(bob, "friend")
		for _, path := range []string{"/0.2/user/follows", "/0.2/user/followers"} {
			if a, b := len(ann.list(path)), len(bob.list(path)); a != want || b != want {
				t.Errorf("FriendsFollow %t, %s: %d and %d", counted, path, a, b)
			}
		}
	}
}

func TestOwnEvents(t *testing.T) {
	for own, want := range map[bool]int{false: 0, true: 1} {
		ann := with(t, choices{OwnEvents: own}).actor("ann")
		ann.post("like")
		if feed := ann.list("/0.2/user/feed"); len(feed) != want {
			t.Errorf("OwnEvents %t: the feed holds %v", own, feed)
		}
	}
}
