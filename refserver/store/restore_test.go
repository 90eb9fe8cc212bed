package store

import (
	"testing"
	"time"
)

// TestRefusedRestoreKeepsWhatIsToBeRemoved: a restore that is refused halfway leaves the rows
// of users who are gone to be removed, as before.
func TestRefusedRestoreKeepsWhatIsToBeRemoved(t *testing.T) {
	const app App = 1
	s, err := New(Policy{UniqueUserName: true}, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	var ids []ID
	for _, name := range []string{"ann", "bob"} {
		user, err := s.CreateUser(app, User{UserName: name})
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, user.ID)
	}
	if _, _, err := s.Connect(app, ids[0], ids[1], Follow); err != nil {
		t.Fatal(err)
	}
	if err := s.DeleteUser(app, ids[1]); err != nil {
		t.Fatal(err)
	}
	twins := State{Users: []User{{App: app, ID: 1, UserName: "eve"}, {App: app, ID: 2, UserName: "eve"}}, LastUser: 2}
	if err := s.Restore(twins); err == nil {
		t.Fatal("two users of one unique name were restored")
	}
	s.Sweep()
	if rows := scan[Connection](s.read().Txn, connections, byID, nil); len(rows) != 0 {
		t.Errorf("%d connections of a user who is gone are left", len(rows))
	}
}
