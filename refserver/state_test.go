package refserver_test

import (
	"encoding/json"
	"testing"

	"github.com/socialfeed/conform/refserver/store"
)

func TestStateGoesToAFileAndBack(t *testing.T) {
	x := start(t, nil)
	ann, bob := x.actor("ann"), x.actor("bob")
	ann.connect(bob, "follow")
	event := bob.must(201, "POST", "/0.2/user/events", wholeEvent()).object()
	state := x.server.State()
	file, err := json.Marshal(state)
	if err != nil {
		t.Fatal(err)
	}
	var read store.State
	if err := json.Unmarshal(file, &read); err != nil {
		t.Fatal(err)
	}
	bob.must(204, "DELETE", "/0.2/user", nil)
	equal(t, "feed after the purge", ann.list("/0.2/user/feed"))
	if err := x.server.Restore(read); err != nil {
		t.Fatal(err)
	}
	equal(t, "feed after the restore", ann.list("/0.2/user/feed"), event["id"].(json.Number).String())
	relogin(bob)
	if again := bob.post("like"); again == event["id"].(json.Number).String() {
		t.Errorf("the id %s was given twice", again)
	}
	read.Connections[0].To = 99
	if err := x.server.Restore(read); err == nil {
		t.Error("a connection to nobody was restored")
	}
	equal(t, "users found after a refused restore", ann.list("/0.2/users/search?q=ann"), ann.id)
}
