package play

import (
	"github.com/socialfeed/conform/conformance/model/reuse"
	"github.com/socialfeed/conform/conformance/rules"
)

// reuse adds a reusable user to the state and returns its index.
func (t *run) reuse(a reuse.User) int {
	who := t.state.Joined(a.Sent, a.Answer)
	u := t.state.Users[who]
	u.Terms = map[string]string{"user_name": u.Name, "first_name": t.player.target.Unique()} // the latter is in the profile once that is updated
	u.RecordSocialID(a.Sent)
	t.state.LoggedIn(who, a.Session, "sessions.create-with-login", rules.CreateUser)
	for _, e := range a.Events {
		t.state.Existing(who, e)
	}
	return who
}
