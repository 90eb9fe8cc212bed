package scenarios

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	. "github.com/socialfeed/conform/conformance"
	. "github.com/socialfeed/conform/conformance/rules"
)

// users judges the contract's part Resources and their fields, User, and part
// Endpoints, rows 1 and 4 to 7 with rule 1.
func users(s *Suite) {
	userCreates(s)
	userCreateWithLogin(s)
	userCreateFields(s)
	userCreateRefusals(s)
	userCreateInputChoices(s)
	userDuplicateChoices(s)
	userReadsItself(s)
	userReadsOthers(s)
	userIdentity(s)
	userUpdates(s)
	userCredentialUpdates(s)
	userUpdateChoices(s)
	userUpdateRefusals(s)
	userDeletes(s)
}

// createUser sends a create.
func createUser(t *T, fields Fields, with ...With) *Answer {
	return t.Send(t.AppOnly(), CreateUser, append(with, JSON(fields))...)
}

// needCreates makes sure that creates work: otherwise neither a refusal nor an acceptance
// says anything about a special request.
func needCreates(t *T) { t.AnyActor() }

// newcomer is an actor with the answer to its create. Unlike Actor, it does not compare
// the answer with other endpoints.
func newcomer(t *T, further Fields) (*Actor, *Answer) {
	fields := t.NewUser(further)
	created := createUser(t, fields, Query("withLogin", "true"))
	return t.ActorOf(fields, created), created
}

// userProfile are all optional fields of a user, with unique values in mixed case: a
// target may not change their case.
func userProfile(t *T) Fields {
	return Fields{
		"custom_id":  t.CustomID(),
		"first_name": capitalized(t.Unique()) + t.Awkward(),
		"last_name":  capitalized(t.Unique()) + t.Awkward(),
		"url":        "http://a.test/" + capitalized(t.Short()),
		"social_ids": map[string]any{"facebook": capitalized(t.Unique()), "twitter": t.CustomID()},
		"metadata": map[string]any{"Team": capitalized(t.Unique()) + t.Awkward(), "team": t.Unique(), "at": "2024-05-01T06:07:08+02:00", "access_token": t.Unique(), "Password": "none", "secret": `s\\t`, "app.version": "1.10",
			"day": "2024-05-01", "flag": "true", "list": "[1, 2]"},
	}
}

// rename gives a user another name, where the target lets it.
func rename(t *T, user *Actor) {
	if name := t.Unique(); user.Update(Fields{"user_name": name}).Succeeded() {
		user.UserName = name
	}
}

func capitalized(text string) string { return strings.ToUpper(text[:1]) + text[1:] }

// acceptedUser is the user of a create that differs from a plain one in one thing. The
// check fails when it was refused although a plain one is accepted.
func acceptedUser(t *T, c *Check, created *Answer, special string) Record {
	if !created.Succeeded() {
		needCreates(t)
		c.Fail("201 for a create "+special+", as for one without", fmt.Sprint(created.Status()))
	}
	return recordOf(c, created)
}

// recordOf is the resource in an answer, which becomes the check's evidence without being
// judged itself.
func recordOf(c *Check, a *Answer) Record {
	a.Record()
	return c.Object(a)
}

// ownRecord is the actor's record in an answer. The record of another user blocks the
// check: an update or a login is not judged by it.
func ownRecord(t *T, c *Check, a *Actor, answer *Answer) Record {
	user := recordOf(c, answer)
	if !isUser(user, a) {
		t.Blocked(GetMe.BlockingRule(), "needs the user %s from %s, and got %q", a.UserName, GetMe, user.Text("user_name"))
	}
	return user
}

// isUser reports whether a record is the actor's, by its id or by its name, in whatever case.
// One of the two may be wrong; other rules judge that.
func isUser(r Record, a *Actor) bool {
	return r.ID() == a.ID.String() || strings.EqualFold(r.Text("user_name"), a.UserName)
}

// storedFields are the fields that came back from a create as they were sent, and that
// later answers must have.
func storedFields(sent Fields, created Record) Fields {
	stored := maps.Clone(sent)
	maps.DeleteFunc(stored, func(name string, value any) bool { return !reflect.DeepEqual(value, created[name]) })
	return stored
}

// userUnchanged judges that nothing that a client may set differs from an earlier read of an
// actor. Reads that do not agree with one another are for another rule.
func userUnchanged(t *T, c *Check, a *Actor, before Record) {
	read := t.Send(a, GetMe)
	name := changedField(before, ownRecord(t, c, a, read))
	if name == "" {
		return
	}
	const often = 3
	for range often {
		if again := ownRecord(t, c, a, t.Send(a, GetMe)); changedField(again, read.Record()) != "" {
			t.Blocked(GetMe.BlockingRule(), "needs reads of a user that agree, and %s was %v and %v", name, read.Record()[name], again[name])
		}
	}
	c.Decide(read)
	c.Fail(fmt.Sprintf("%s unchanged by a refused update (%v)", name, before[name]), fmt.Sprint(read.Record()[name]))
}

// changedField returns a field that a client may set and that differs, blank if there is none.
func changedField(before, after Record) string {
	fields := []string{"user_name", "custom_id", "first_name", "last_name", "email", "url", "social_ids", "metadata", "activated"}
	if i := slices.IndexFunc(fields, func(name string) bool { return !reflect.DeepEqual(before[name], after[name]) }); i >= 0 {
		return fields[i]
	}
	return ""
}
