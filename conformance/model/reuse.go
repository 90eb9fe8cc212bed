package model

import "github.com/socialfeed/conform/conformance/rules"

// reuse adds a reusable user to the state and returns its index.
func (t *run) reuse(a ReusableUser) int {
	who := t.state.joined(a.Sent, a.Answer)
	u := t.state.users[who]
	u.terms = map[string]string{"user_name": u.name, "first_name": t.player.target.Unique()} // the latter is in the profile once that is updated
	u.recordSocialID(a.Sent)
	t.state.loggedIn(who, a.Session, "sessions.create-with-login", rules.CreateUser)
	for _, e := range a.Events {
		t.state.existing(who, e)
	}
	return who
}
