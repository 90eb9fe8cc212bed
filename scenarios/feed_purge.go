package scenarios

import (
	"fmt"
	"net/http"
	"slices"

	"github.com/onsi/gomega/types"
	. "github.com/socialfeed/conform/conformance"
	. "github.com/socialfeed/conform/conformance/rules"
)

func purgedFeeds(s *Suite) {
	// feed.purge.followers: A deleted user's events disappear from every follower's feed and stay gone.
	// feed.purge.friends: A deleted user's events disappear from every friend's feed and stay gone.
	// feed.purge.keeps-others: Deleting a user takes no one else's events out of any feed.
	s.ScenarioWithRecheck("the events of a deleted user leave every follower's and friend's feed, and no one else's do",
		Covers("feed.purge.followers", "feed.purge.friends", "feed.purge.keeps-others"), deletedLeaveFeeds)
}

func deletedLeaveFeeds(t *T) {
	p := arrangePurge(t)
	p.leaver.Delete()
	forgotten := false
	t.Judge("feed.purge.followers", func(c *Check) {
		c.EventuallyStays(feedOf(t, p.first), lackEvents(p.gone...))
		forgotten = true
	})
	t.Judge("feed.purge.friends", func(c *Check) {
		for _, reader := range []*Actor{p.friend, p.asked} {
			c.EventuallyStays(feedOf(t, reader), lackEvents(p.gone...))
		}
		if forgotten { // otherwise the rule about followers covers users who are both
			c.EventuallyStays(feedOf(t, p.fan), lackEvents(p.gone...))
		}
	})
	// This must bring nothing back; the rechecks come later.
	p.stays = append(p.stays, p.other.Post(nil).ID())
	p.first.Follow(p.watcher)
	t.Judge("feed.purge.keeps-others", func(c *Check) {
		for _, reader := range []*Actor{p.first, p.friend, p.fan} {
			c.EventuallyStays(answerOf(t, reader, Feed), stillHaveEvents(p.stays...))
		}
		c.EventuallyStays(answerOf(t, p.watcher, Feed), stillHaveEvents(p.own...))
	})
}

func namesakes(s *Suite) {
	// connections.lists.follows: A user lists exactly the users it follows.
	// feed.only-connected: A feed holds nothing from users that the reader neither follows nor has as friends.
	// feed.purge.no-return (should): A new user under the name of a deleted one brings none of the old events back.
	s.ScenarioWithRecheck("a new user under the name of a deleted one brings none of the old events back",
		Covers("feed.purge.no-return", "connections.lists.follows", "feed.only-connected"), namesakeStartsAnew)
}

func namesakeStartsAnew(t *T) {
	customID := t.CustomID()
	leaver, reader, former := t.ActorWith(Fields{"custom_id": customID}), t.Actor(), t.Actor()
	control := t.Actor() // is deleted too, but its name is not used again
	for _, each := range []*Actor{reader, former} {
		each.Follow(leaver)
		each.Follow(control)
	}
	old, controls := leaver.Post(nil).ID(), control.Post(nil).ID()
	for _, each := range []*Actor{reader, former} {
		t.Require("feed.follow.new-events", feedOf(t, each), haveEvents(old, controls))
	}
	leaver.Delete()
	control.Delete()
	for _, each := range []*Actor{reader, former} {
		t.Require("feed.purge.followers", feedOf(t, each), lackEvents(old, controls))
	}
	var namesake *Actor
	var event Record
	t.Judge("feed.purge.no-return", func(c *Check) {
		namesake = namesakeOf(t, leaver, customID)
		reader.Follow(namesake)
		event = namesake.Post(nil)
		t.Require("feed.follow.new-events", feedOf(t, reader), haveEvents(event.ID()))
		for _, each := range []*Actor{reader, former} {
			noneReturns(t, c, each, old, controls)
		}
	})
	needsNamesake := func() {
		if event == nil {
			t.Skip("needs a new user under the name of a deleted one")
		}
		if follows := t.Send(former, MyFollows); follows.Status() == http.StatusOK && !isList(follows) || follows.Status() == http.StatusNoContent {
			t.Blocked("connections.lists.empty", "needs a list of nobody, and got %d with %d bytes", follows.Status(), len(follows.Body()))
		}
	}
	t.Judge("connections.lists.follows", func(c *Check) { // of the deleted user's follower
		needsNamesake()
		c.EventuallyStays(listAt(t, former, MyFollows), lackUsers(namesake))
	})
	t.Judge("feed.only-connected", func(c *Check) {
		needsNamesake()
		t.Require("connections.lists.follows", listAt(t, former, MyFollows), lackUsers(namesake))
		c.EventuallyStays(feedOf(t, former), lackEvents(event.ID()))
	})
}

// namesakeOf creates a user under the name of a deleted one, and with its other identifiers where
// the target takes them again.
func namesakeOf(t *T, leaver *Actor, customID string) *Actor {
	fields := t.NewUser(Fields{"user_name": leaver.UserName, "email": leaver.Email, "custom_id": customID})
	created := createUser(t, fields, Query("withLogin", "true"))
	if created.Status()/100 == 4 {
		fields = t.NewUser(Fields{"user_name": leaver.UserName})
		created = createUser(t, fields, Query("withLogin", "true"))
	}
	if created.Status()/100 == 4 {
		t.Skip("the name of a deleted user cannot be used again: %d", created.Status())
	}
	return t.ActorOf(fields, created)
}

// noneReturns judges that an event of a deleted user stays gone from the reader's feed. The control
// is one of a deleted user whose name nobody took: where that is back, too, the purge itself is broken.
func noneReturns(t *T, c *Check, reader *Actor, old, control string) {
	t.Require("feed.purge.followers", feedOf(t, reader), lackEvents(control))
	settled := false
	c.EventuallyStays(func() []Record {
		events := feedOf(t, reader)()
		if settled && !matches(lackEvents(control), events) {
			t.Blocked("feed.purge.followers", "needs the events of a deleted user to stay out of feeds")
		}
		return events
	}, lackEvents(old))
	settled = true // before that, a feed that lags may show them again
}

// purge is the users and events that a deletion concerns.
type purge struct {
	leaver, other      *Actor
	first, friend, fan *Actor   // readers whose feeds have the leaver's events; the fan is a friend and a follower
	asked              *Actor   // a friend by the leaver's connection
	watcher            *Actor   // follows the first and the friend
	gone, stays        []string // the leaver's events, and the other's
	own                []string // the first's and the friend's events
}

// arrangePurge has a user's events, older and newer, some of them changed, in
// the feeds of followers and friends, beside those of others.
func arrangePurge(t *T) *purge {
	customID := t.CustomID()
	p := &purge{leaver: t.ActorWith(Fields{"custom_id": customID}), other: t.Actor(), watcher: t.Actor(),
		first: t.Actor(), friend: t.Actor(), fan: t.Actor(), asked: t.Actor()}
	early := p.leaver.Post(nil)
	p.first.Follow(p.leaver)
	p.friend.Befriend(p.leaver)
	p.fan.Befriend(p.leaver)
	alsoFollow(t, p.fan, p.leaver)
	p.leaver.Befriend(p.asked)
	p.leaver.Follow(p.first)
	for _, reader := range []*Actor{p.first, p.friend, p.fan} {
		reader.Follow(p.other)
	}
	p.watcher.Follow(p.first)
	p.watcher.Follow(p.friend)

	changed := p.leaver.Post(nil)
	p.own = []string{p.first.Post(aboutUser(p.leaver.ID.String())).ID(), p.friend.Post(aboutUser(p.leaver.UserName)).ID()}
	about := Fields{"object": Fields{"id": t.Unique()}}
	p.stays = []string{p.other.Post(about).ID()} // between the leaver's events; another follows after them
	seen := []string{changed.ID(), p.leaver.Post(about).ID()}
	p.stays = append(p.stays, p.other.Post(aboutUser(customID)).ID())
	p.leaver.Change(early, Fields{"verb": t.Unique()}).Done()
	p.leaver.Change(changed, Fields{"verb": t.Unique()}).Done()
	p.gone = append(slices.Clone(seen), early.ID())

	t.Require("feed.follow.new-events", feedOf(t, p.first), haveEvents(slices.Concat(seen, p.stays)...))
	for _, reader := range []*Actor{p.friend, p.fan} {
		t.Require("feed.friends", feedOf(t, reader), haveEvents(seen...))
		t.Require("feed.follow.new-events", feedOf(t, reader), haveEvents(p.stays...))
	}
	t.Require("feed.friends", feedOf(t, p.asked), haveEvents(seen...))
	t.Require("feed.follow.new-events", feedOf(t, p.watcher), haveEvents(p.own...))
	return p
}

// aboutUser are the fields of an event on a user, by a name of it.
func aboutUser(name string) Fields { return Fields{"object": Fields{"id": name, "type": "user"}} }

// stillHaveEvents asks for the successful answer of a feed with the events.
func stillHaveEvents(ids ...string) types.GomegaMatcher {
	return Condition(func(answer *Answer) Mismatch {
		if answer.Succeeded() {
			return missing("event", ids, answer.Records())
		}
		return Mismatch{
			Expected: fmt.Sprintf("%d and the events of all others", http.StatusOK),
			Actual:   fmt.Sprintf("%d with %s", answer.Status(), answer.Body()),
		}
	})
}
