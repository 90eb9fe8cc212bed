package scenarios

import (
	"fmt"
	"slices"
	"strconv"

	. "github.com/socialfeed/conform/conformance"
	. "github.com/socialfeed/conform/conformance/rules"
)

// userReadsItself judges the contract's part Endpoints, row 4.
func userReadsItself(s *Suite) {
	// sessions.login.last-login: After a login the user's last_login is a real time.
	// users.me.get: A user reads its own record.
	s.Scenario("each user reads its own record", Covers("users.me.get").And(CoversAt(GetMe, "sessions.login.last-login")), func(t *T) {
		type reader struct {
			*Actor
			stored  Fields
			entered bool // the create says that it logged in
		}
		var readers []reader
		for range 2 {
			profile := userProfile(t)
			actor, created := newcomer(t, profile)
			readers = append(readers, reader{actor, storedFields(actor.Required(profile), created.Record()), created.Record().Happened("last_login")})
		}
		t.Judge("users.me.get", func(c *Check) {
			for _, reader := range readers {
				answer := t.Send(reader.Actor, GetMe)
				c.Status(answer, OneOf(200))
				user := c.Object(answer)
				if !isUser(user, reader.Actor) {
					if owner := sessionOwner(t, reader.Session()); owner != reader.ID.String() {
						t.Blocked("sessions.create-with-login", "needs a session of user %s, and got one of user %q", reader.ID, owner)
					}
					c.Decide(answer)
					c.Fail("the session's user "+reader.UserName, "user "+user.Text("user_name"))
				}
				c.Fields(user, reader.stored)
			}
			t.Send(readers[0].Actor, GetUser, ID(readers[1].ID)) // which of the fields others are shown
		})
		t.JudgeAt(GetMe, "sessions.login.last-login", func(c *Check) {
			if !readers[1].entered {
				t.Skip("needs a create whose answer says when it logged in")
			}
			justLoggedIn(t, c, ownRecord(t, c, readers[1].Actor, t.Send(readers[1].Actor, GetMe)))
		})
	})
}

// userReadsOthers judges the contract's part Endpoints, row 7.
func userReadsOthers(s *Suite) {
	// users.get.other: A user reads the record of another user by its id.
	// users.get.unknown: An unknown user id is answered as not found.
	// users.get.email-visible (choice): Whether other users see a user's email is left open.
	s.Scenario("a user reads other users by their ids",
		Covers("users.get.other", "users.get.unknown", "users.get.email-visible"), func(t *T) {
			reader, others := t.Actor(), []*Actor{t.ActorWith(Fields{"custom_id": nil})}
			others = append(others, t.ActorWith(Fields{"user_name": capitalized(t.Unique()),
				"custom_id": customIDLike(others[0]), "social_ids": map[string]any{"facebook": t.Unique()}}))
			if others[1].ID.String() == others[0].ID.String() {
				others = others[:1] // which users.id-stable judges
			}
			t.Judge("users.get.other", func(c *Check) {
				for _, other := range others {
					answer := t.Send(reader, GetUser, ID(other.ID))
					c.Status(answer, OneOf(200))
					c.Same("user_name of the user asked for,", other.UserName, c.Object(answer).Text("user_name"))
				}
			})
			t.Judge("users.get.other", func(c *Check) { showsUpdate(t, c, reader) })
			t.Judge("users.get.other", func(c *Check) { // one of these ids is one's own
				answer := t.Send(reader, GetUser, ID(reader.ID))
				c.Status(answer, OneOf(200))
				c.Same("user_name of the user asked for,", reader.UserName, c.Object(answer).Text("user_name"))
			})
			t.Judge("users.get.unknown", func(c *Check) {
				nobody := UnusedID(others[0].ID)
				for range 2 { // what is not there may be remembered wrongly
					c.Status(t.Send(reader, GetUser, ID(nobody)), OneOf(404).Tolerating(400, 422))
				}
				for _, odd := range append(oddIDs(), idsLike(others[0].ID.String())...) {
					answer := t.Send(reader, GetUser, IDText(odd))
					c.True(!answer.Succeeded(), "no user under the id "+odd, fmt.Sprint(answer.Status()))
				}
			})
			t.Judge("users.get.email-visible", func(c *Check) {
				user := t.Send(reader, GetUser, ID(others[0].ID)).Record()
				if user.Text("user_name") != others[0].UserName {
					t.Blocked(GetUser.BlockingRule(), "needs the user asked for, and got %q", user.Text("user_name"))
				}
				if user.Text("email") == "" {
					c.Observe("hidden")
				}
				c.Observe("visible")
			})
		})
}

// customIDLike is another user's id for a custom_id, unless it is too long for some targets.
func customIDLike(other *Actor) any {
	const longest = 20
	if id := other.ID.String(); len(id) <= longest {
		return id
	}
	return nil
}

// idsLike are ids that are nobody's and that a careless reader takes for the given one.
func idsLike(id string) []string {
	like := []string{id + "x"}
	if n, err := strconv.ParseUint(id, 10, 32); err == nil {
		like = append(like, strconv.FormatUint(n+1<<32, 10)) // in 32 bits they are the same
	}
	return like
}

// oddIDs are ids that no target issues: negative, too large, not a number. Any refusal but
// a 5xx is fine.
func oddIDs() []string {
	return []string{"-1", "99999999999999999999999", "1.5", "nobody's"}
}

// showsUpdate judges that reading a user again shows an update made in between, in a field
// that the target shows to others.
func showsUpdate(t *T, c *Check, reader *Actor) {
	was, is := capitalized(t.Unique()), capitalized(t.Unique())
	other := t.ActorWith(Fields{"first_name": was})
	read := func() string { return t.Send(reader, GetUser, ID(other.ID)).Record().Text("first_name") }
	if read() != was {
		return
	}
	other.Update(Fields{"first_name": is}).Done()
	shown := func(a *Answer) bool { return a.Record().Text("first_name") == is }
	if !shown(t.SendUntil(shown, other, GetMe)) {
		t.Blocked("users.me.update.applies", "needs an update of first_name, and it did not take effect")
	}
	c.Eventually(read, Condition(func(now string) Mismatch {
		if now == is {
			return Mismatch{}
		}
		return Mismatch{Expected: "first_name " + is + " after an update", Actual: now}
	}))
}

// userIdentity judges that a user has one id (User, row id).
func userIdentity(s *Suite) {
	// users.id-stable: A user has one id, the same in every answer.
	s.Scenario("a user has one id in every answer", Covers("users.id-stable"), func(t *T) {
		const rule = "users.id-stable"
		user, created := newcomer(t, userProfile(t))
		reader, _ := newcomer(t, nil)
		login := func(field, value string, with ...With) *Answer {
			return t.Send(t.AppOnly(), Login, append(with, JSON(Fields{field: value, "password": user.Password}))...)
		}
		brief, own := login("user_name", user.UserName), t.Send(user, GetMe)
		further := []*Answer{login("user_name", user.UserName, Query("withUserDetails", "true")), login("email", user.Email)}
		id := agreedID(created, own, brief)
		same := func(c *Check, user Record) { c.Same("the user's id", fmt.Sprint(id), user.ID()) }

		t.JudgeAt(CreateUser, rule, func(c *Check) { same(c, recordOf(c, created)) })
		t.JudgeAt(Login, rule, func(c *Check) {
			same(c, recordOf(c, brief))
			for _, answer := range further {
				if answer.Succeeded() && answer.Value() != nil {
					same(c, recordOf(c, answer))
				}
			}
		})
		t.JudgeAt(GetMe, rule, func(c *Check) { same(c, theUser(t, user, GetMe, recordOf(c, own))) })
		t.JudgeAt(GetUser, rule, func(c *Check) {
			same(c, theUser(t, user, GetUser, t.Send(reader, GetUser, IDText(fmt.Sprint(id))).Record()))
		})
		t.JudgeAt(SearchUsers, rule, func(c *Check) {
			same(c, listedUser(t, user, "search.exact", func() []Record {
				return t.Send(reader, SearchUsers, Query("q", user.UserName)).Records()
			}))
		})
		t.JudgeAt(MyFollows, rule, func(c *Check) {
			t.Send(reader, CreateConnection, JSON(Fields{"user_to_id": id, "type": "follow"})).Done()
			follows := listAt(t, reader, MyFollows)
			same(c, listedUser(t, user, MyFollows.BlockingRule(), follows))
			// A friend too, unless the one connection takes the place of the other.
			t.Send(reader, CreateConnection, JSON(Fields{"user_to_id": id, "type": "friend"}))
			for _, each := range follows() {
				if each.Text("user_name") == user.UserName {
					same(c, each)
				}
			}
		})
		showEverywhere(t, user, reader)
	})
}

// showEverywhere shows a user with all its fields wherever users are shown, for
// the rules that look at every response. Of two users there may be one
// connection at a time, so the one kind is ended before the other is made.
func showEverywhere(t *T, user, reader *Actor) {
	profile := userProfile(t)
	profile["activated"] = "true"
	t.Send(user, UpdateMe, JSON(user.Required(profile)))
	t.Send(user, GetMe)
	t.Send(reader, GetUser, ID(user.ID))
	t.Send(reader, SearchUsers, Query("q", user.UserName))
	t.Send(t.AppOnly(), Login, Query("withUserDetails", "true"), JSON(Fields{"user_name": user.UserName, "password": user.Password}))
	for _, shown := range []struct {
		kind  string
		lists [][2]Endpoint // of the reader, as it reads them itself and as the user does
	}{
		{"friend", [][2]Endpoint{{MyFriends, FriendsOf}}},
		{"follow", [][2]Endpoint{{MyFollows, FollowsOf}, {MyFollowers, FollowersOf}}},
	} {
		t.Send(reader, DeleteConnection, ID(user.ID))
		t.Send(user, DeleteConnection, ID(reader.ID))
		t.Send(user, CreateConnection, connection(reader, shown.kind))
		t.Send(reader, CreateConnection, connection(user, shown.kind))
		for _, at := range shown.lists {
			listedUser(t, user, at[0].BlockingRule(), listAt(t, reader, at[0]))
			listedUser(t, user, at[1].BlockingRule(), listAt(t, user, at[1], ID(reader.ID)))
		}
	}
}

// theUser is the actor's record. The record of another user blocks the check.
func theUser(t *T, a *Actor, from Endpoint, user Record) Record {
	if user.Text("user_name") != a.UserName {
		t.Blocked(from.BlockingRule(), "needs the user %s from %s, and got %q", a.UserName, from, user.Text("user_name"))
	}
	return user
}

// listedUser finds the actor by its name in a list that may lag.
func listedUser(t *T, a *Actor, rule string, list func() []Record) Record {
	var latest []Record
	t.Require(rule, func() []Record { latest = list(); return latest }, haveUserNamed(a.UserName))
	return latest[slices.IndexFunc(latest, named(a.UserName))]
}

// agreedID is the id that most of the answers give, so that a single deviating answer is
// the one to fail. Its form is that of the first answer that gives it.
func agreedID(answers ...*Answer) any {
	votes, best, id := map[string]int{}, 0, any(nil)
	for _, answer := range answers {
		user, _ := answer.Value().(map[string]any)
		votes[Record(user).ID()]++
	}
	for _, answer := range answers {
		user, _ := answer.Value().(map[string]any)
		if text := Record(user).ID(); text != "" && votes[text] > best {
			best, id = votes[text], user["id"]
		}
	}
	return id
}
