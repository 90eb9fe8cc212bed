package scenarios

import (
	"fmt"

	. "github.com/socialfeed/conform/conformance"
)

// userReads judges the contract's part Endpoints, rows 4 and 7.
func userReads(s *Suite) {
	s.Scenario("each user reads its own record", Judges("users.me.get"), func(t *Trial) {
		type reader struct {
			*Actor
			stored Fields
		}
		var readers []reader
		for range 2 {
			profile := userProfile(t)
			actor, created := newcomer(t, profile)
			readers = append(readers, reader{actor, storedFields(actor.Required(profile), created.Record())})
		}
		t.Judge("users.me.get", func(c *Check) {
			for _, reader := range readers {
				answer := t.Send(reader.Actor, GetMe)
				c.Status(answer, OneOf(200))
				user := c.Object(answer)
				c.True(isUser(user, reader.Actor), "the session's user "+reader.UserName, "user "+user.Text("user_name"))
				c.Fields(user, reader.stored)
			}
		})
	})
	s.Scenario("a user reads other users by their ids",
		Judges("users.get.other", "users.get.unknown", "users.get.email-visible"), func(t *Trial) {
			reader, others := t.Actor(), t.Actors(2)
			t.Judge("users.get.other", func(c *Check) {
				for _, other := range others {
					answer := t.Send(reader, GetUser, ID(other.ID))
					c.Status(answer, OneOf(200))
					c.Same("user_name of the user asked for,", other.UserName, c.Object(answer).Text("user_name"))
				}
			})
			t.Judge("users.get.unknown", func(c *Check) {
				c.Status(t.Send(reader, GetUser, ID(UnusedID(others[0].ID))), OneOf(404).Tolerating(400, 422))
			})
			t.Judge("users.get.email-visible", func(c *Check) {
				user := t.Send(reader, GetUser, ID(others[0].ID)).Record()
				if user.Text("user_name") != others[0].UserName {
					t.Blocked(GetUser.Home(), "needs the user asked for, and got %q", user.Text("user_name"))
				}
				if user.Text("email") == "" {
					c.Observe("hidden")
				}
				c.Observe("visible")
			})
		})
}

// userIdentity judges that an id identifies (User, row id).
func userIdentity(s *Suite) {
	s.Scenario("a user has one id in every answer", Judges("users.id-stable"), func(t *Trial) {
		const rule = "users.id-stable"
		user, created := newcomer(t, nil)
		reader, _ := newcomer(t, nil)
		login := func(with ...With) *Answer {
			credentials := Fields{"user_name": user.UserName, "password": user.Password}
			return t.Send(t.AppOnly(), Login, append(with, JSON(credentials))...)
		}
		brief, detailed, own := login(), login(Query("withUserDetails", "true")), t.Send(user, GetMe)
		id := agreedID(created, own, brief)
		same := func(c *Check, user Record) { c.Same("the user's id", fmt.Sprint(id), user.ID()) }

		t.JudgeAt(CreateUser, rule, func(c *Check) { same(c, recordOf(c, created)) })
		t.JudgeAt(Login, rule, func(c *Check) {
			same(c, recordOf(c, brief))
			if detailed.Succeeded() {
				same(c, recordOf(c, detailed))
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
			same(c, listedUser(t, user, MyFollows.Home(), func() []Record { return t.Send(reader, MyFollows).Records() }))
		})
	})
}

// theUser is a record of the actor; another user's is not what an id is judged by.
func theUser(t *Trial, a *Actor, from Endpoint, user Record) Record {
	if user.Text("user_name") != a.UserName {
		t.Blocked(from.Home(), "needs the user %s from %s, and got %q", a.UserName, from, user.Text("user_name"))
	}
	return user
}

// listedUser finds the actor by its name in a list that may lag.
func listedUser(t *Trial, a *Actor, rule string, list func() []Record) Record {
	var found Record
	t.Await(rule, func() Problem {
		users := list()
		for _, user := range users {
			if user.Text("user_name") == a.UserName {
				found = user
				return Problem{}
			}
		}
		return Problem{Expected: "user " + a.UserName + " in the list", Actual: listed(idsOf(users))}
	})
	return found
}

// agreedID is the id that most of the answers give, in the form of the first
// that gives it: a single deviating answer is then the one to blame.
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
