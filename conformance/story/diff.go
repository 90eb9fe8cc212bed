package story

import (
	"fmt"

	"github.com/socialfeed/conform/conformance/rules"
)

// Diff is one way in which an answer differs from a world. It holds values, which the table of
// blame and the messages read; no text is parsed again.
type Diff struct {
	Kind  DiffKind
	Step  Step
	At    rules.Endpoint
	View  sighting // who read what of whom; the subject is the user or event that it is about
	Field string
	Want  allowed
	Got   any
	Term  string // that a search was for
	// Status is that of the answer.
	Status int
	// Expect is what the step's status had to be, if that is what differs.
	Expect Expect
	// Timeless reports that what was shown was right at no time, so that no lag explains it.
	Timeless bool
	// App is the application that the answer came from.
	App int
}

// DiffKind is a kind of difference.
type DiffKind uint8

// The kinds of differences.
const (
	WrongStatus  DiffKind = iota + 1 // of an action
	Unreadable                       // a read did not succeed, or its body is not of the right shape
	Gone                             // something is still shown that is gone
	Missing                          // a user or an event is not shown
	Extra                            // one is shown that must not be
	Twice                            // one is shown more than once
	Stranger                         // what nobody in the story created is shown
	Copy                             // the same event is shown as another one
	Foreign                          // something of another application is shown
	WrongField                       // a field has another value
	WrongTime                        // a time that must not change has changed
	GoneBack                         // a time is before the one that it was
	WrongOrder                       // a feed is out of order
	WrongID                          // one user or event has another id
	NoSession                        // a session does not work that must
	OtherSession                     // a session is another user's
	LostUpdate                       // of two updates at the same time one is lost
)

// diffKey is what is reported once.
type diffKey struct {
	kind  DiffKind
	at    rules.Endpoint
	view  sighting
	field string
	step  string // of an action's status: its name and variant
}

// key identifies what a difference shows. An event that is missing from several feeds has one
// cause.
func (d Diff) key() diffKey {
	k := diffKey{kind: d.Kind, at: d.At, view: d.View, field: d.Field}
	switch d.Kind {
	case Missing:
		if d.View.isEvent {
			k.view.viewer, k.view.owner = -1, -1
		}
	case WrongStatus:
		k.step = d.Step.Do + d.Step.How
	case WrongField, WrongTime, GoneBack:
		k.view.viewer = -1
		if d.View.isEvent {
			k.field = ""
		}
	}
	return k
}

// mayLag reports whether a read of the endpoint may lag behind the latest write.
func mayLag(at rules.Endpoint) bool {
	return at == rules.Feed || at.ListsUsers() || at == rules.GetUser
}

// expected and actual say what a difference is, in a sentence of a report.
func (d Diff) expected(w *World) string {
	subject := w.name(d.View)
	switch d.Kind {
	case WrongStatus:
		return d.Expect.String()
	case Unreadable:
		if d.At.ListsUsers() {
			return "200 and an array of users"
		} else if d.At == rules.Feed {
			return "200 and an array of events"
		}
		return "200 and " + subject
	case Gone:
		return "a refusal for " + subject + ", which was deleted"
	case Missing:
		return subject + " in " + w.place(d)
	case Extra:
		return w.place(d) + " without " + subject
	case Twice, Copy:
		return subject + " once in " + w.place(d)
	case Stranger:
		return "only users or events of the story in " + w.place(d)
	case Foreign:
		return "nothing of another application"
	case WrongField, WrongTime:
		return fmt.Sprintf("%s with %s %s", subject, d.Field, d.Want.show())
	case GoneBack:
		return fmt.Sprintf("%s of %s at %s or later", d.Field, subject, d.Want.show())
	case WrongOrder:
		return "the newest event first"
	case WrongID:
		return fmt.Sprintf("%s with id %s", subject, d.Want.show())
	case NoSession:
		return "a session that works"
	case OtherSession:
		return "a session of " + subject
	case LostUpdate:
		return "an answer to one of two updates at the same time with what both changed"
	}
	return ""
}

func (d Diff) actual() string {
	switch d.Kind {
	case WrongStatus, Unreadable, Gone, NoSession, OtherSession:
		return Response{Status: d.Status, Body: d.Got}.show()
	case Missing:
		return fmt.Sprintf("a list of %v without it", d.Got)
	case Extra:
		return "it is there"
	case Twice:
		return fmt.Sprintf("%v times", d.Got)
	case LostUpdate:
		return "two answers, each without what the other changed"
	}
	return showValue(d.Got)
}

// name names the subject of a view.
func (w *World) name(v sighting) string {
	switch {
	case v.subject < 0:
		return "nobody"
	case v.isEvent && v.subject < len(w.events):
		e := w.events[v.subject]
		return fmt.Sprintf("event %s of user %d", idText(e.id), w.users[e.owner].role)
	case !v.isEvent && v.subject < len(w.users):
		return fmt.Sprintf("user %d", w.users[v.subject].role)
	}
	return "what was created"
}

// place names the list, search or feed that a difference is in.
func (w *World) place(d Diff) string {
	owner := 0
	if d.View.owner >= 0 && d.View.owner < len(w.users) {
		owner = w.users[d.View.owner].role
	}
	switch d.At.OwnList() {
	case rules.MyFollows:
		return fmt.Sprintf("the follows of user %d", owner)
	case rules.MyFollowers:
		return fmt.Sprintf("the followers of user %d", owner)
	case rules.MyFriends:
		return fmt.Sprintf("the friends of user %d", owner)
	}
	switch d.At {
	case rules.Feed:
		return fmt.Sprintf("the feed of user %d", owner)
	case rules.SearchUsers:
		return fmt.Sprintf("a search for %s", showValue(d.Term))
	}
	return "the answer"
}
