package faults

import (
	"slices"
	"time"

	"github.com/socialfeed/conform/refserver"
)

// look is the subject of a condition: a user, the other user that it reads or acts on, and
// the journal of earlier operations.
type look struct {
	journal   *journal
	store     refserver.Store // the one that works
	app       App
	until     int    // the journal's number that the look stops before; 0 for the present
	me, other ID     // who reads or acts; whose events, or who on a list or found, it is about
	event     Event  // one in a feed, or one that was
	user      User   // one on a list, found by a search, or logging in
	term      string // of a search; a user name, an email or a token that is given
	gone      *act   // the operation that removed the event that is still shown
	i         int    // the event's place among those that went with it, the newest first
	feed      []Event
}

// when is a condition.
type when = func(l look) bool

// Questions to the journal. A zero part of a place means any.

func (l look) all(what did, by, to ID) []*act {
	return l.journal.at(place{l.app, what, by, to, ""}, l.until)
}

// named are the acts with a text, such as a user name or a token.
func (l look) named(what did, text string) []*act {
	return l.journal.at(place{app: l.app, did: what, text: text}, l.until)
}

// last is the latest act; one of number 0 where there was none.
func (l look) last(what did, by, to ID) *act { return newest(l.all(what, by, to)) }

func newest(acts []*act) *act {
	if len(acts) == 0 {
		return &act{}
	}
	return acts[len(acts)-1]
}

func (l look) first(what did, by, to ID) *act {
	if acts := l.all(what, by, to); len(acts) > 0 {
		return acts[0]
	}
	return &act{}
}

func (l look) ever(what did, by, to ID) bool { return len(l.all(what, by, to)) > 0 }

func (l look) times(what did, by, to ID) int { return len(l.all(what, by, to)) }

// since are the acts after another one.
func (l look) since(mark *act, what did, by, to ID) []*act {
	acts := l.all(what, by, to)
	return acts[len(acts)-len(slices.DeleteFunc(slices.Clone(acts), func(a *act) bool { return a.n <= mark.n })):]
}

// unless reports whether there was an act, and none of another kind since.
func (l look) unless(what did, by, to ID, not did) bool {
	last := l.last(what, by, to)
	return last.n > 0 && l.last(not, by, to).n < last.n
}

// The connections of who looks with the other.

func (l look) follows() bool     { return among(l.store.Follows, l.app, l.me, l.other) }
func (l look) befriends() bool   { return among(l.store.Friends, l.app, l.me, l.other) }
func (l look) followedBy() bool  { return l.back().follows() }
func (l look) back() look        { l.me, l.other = l.other, l.me; return l }
func (l look) now() look         { l.until = 0; return l }
func (l look) ended() time.Time  { return l.last(ended, l.me, l.other).at }
func (l look) follower() bool    { return l.follows() && !l.befriends() }
func (l look) socially() bool    { return l.ever(contacted, l.me, l.other) }
func (l look) followedAt() *act  { return l.first(followed, l.me, l.other) }
func (l look) reconnected() bool { return len(l.since(l.gone, connected, l.me, l.other)) > 0 }

// then is the look as it was before an act.
func (l look) then(mark *act) look { l.until = mark.n; return l }

// follow is how the follow came about that stands, one of number 0 where none was asked for.
func (l look) follow() *act {
	if acts := l.since(l.last(ended, l.me, l.other), followed, l.me, l.other); len(acts) > 0 {
		return acts[0]
	}
	return &act{}
}

// latest is the latest operation of either user on the other.
func (l look) latest(what did) *act {
	mine, theirs := l.last(what, l.me, l.other), l.last(what, l.other, l.me)
	if mine.n > theirs.n {
		return mine
	}
	return theirs
}

// asked is when who looks first asked the other to be a friend since the last end between both.
func (l look) asked() *act {
	if acts := l.since(l.latest(ended), befriended, l.me, l.other); len(acts) > 0 {
		return acts[0]
	}
	return &act{}
}

// askedLast is where the other had asked before.
func (l look) askedLast() bool { first := l.back().asked().n; return first > 0 && l.asked().n > first }

// session is the token that a user acted under.
func (l look) session(id ID) string { return l.last(usedSession, id, 0).text }

// leftAsFriend is how the other ended a friendship, unless there is another since.
func (l look) leftAsFriend() *act {
	end := l.last(unfriended, l.other, l.me)
	if l.last(befriended, l.me, l.other).n > end.n || l.last(befriended, l.other, l.me).n > end.n {
		return &act{}
	}
	return end
}

// either reports whether one of both users did something to the other.
func (l look) either(what did) bool {
	return l.ever(what, l.me, l.other) || l.ever(what, l.other, l.me)
}

// elsewhere are looks from the other applications.
func (l look) elsewhere() (looks []look) {
	for _, app := range l.journal.others(l.app) {
		there := l
		there.app = app
		looks = append(looks, there)
	}
	return looks
}

// everyone are the users of the application.
func (l look) everyone() []User {
	users, err := l.store.Search(l.app, "")
	if err != nil {
		return nil
	}
	return users
}

// foundElsewhere are the users of other applications who have a text, and are so.
func (l look) foundElsewhere(term string, is func(there look) bool) (found []User) {
	for _, there := range l.elsewhere() {
		users, err := l.store.Search(there.app, term)
		for _, user := range users {
			if err == nil && is(there.on(user)) {
				found = append(found, user)
			}
		}
	}
	return found
}

// bearersElsewhere are the users of other applications who have an attribute as it is given.
func (l look) bearersElsewhere(of attribute, value string) []User {
	return l.foundElsewhere(value, func(there look) bool { return value != "" && of(there.user) == value })
}

// namesakes are the users of other applications with the name of a user.
func (l look) namesakes(id ID) []User { return l.bearersElsewhere(userName, l.record(id).UserName) }

func (l look) followersOf(id ID) []ID { return idsOf(l.store.Followers, l.app, id) }
func (l look) followsOf(id ID) []ID   { return idsOf(l.store.Follows, l.app, id) }
func (l look) friendsOf(id ID) []ID   { return idsOf(l.store.Friends, l.app, id) }

// record is a user as it stands; the zero one where there is none.
func (l look) record(id ID) User {
	user, err := l.store.User(l.app, id)
	if err != nil {
		return User{}
	}
	return user
}

func (l look) there(id ID) bool { return l.record(id).ID != 0 }

// eventsOf are the events of a user that stand, the newest first.
func (l look) eventsOf(owner ID) []Event {
	return l.journal.standing(l.app, func(event Event) bool { return event.Owner == owner })
}

// The event that is looked at.

func (l look) older(than time.Time) bool { return l.event.CreatedAt.Before(than) }
func (l look) newer(than time.Time) bool {
	return !than.IsZero() && l.event.CreatedAt.After(than)
}
func (l look) post() *act   { return l.last(posted, l.other, l.event.ID) }
func (l look) edited() bool { return l.event.UpdatedAt.After(l.event.CreatedAt) }

// atFirst is the event as it was posted, or as it is where that is not known.
func (l look) atFirst() Event {
	if post := l.last(posted, l.event.Owner, l.event.ID); post.n > 0 {
		return post.event
	}
	return l.event
}

// signed is the name of the event's owner when it was posted.
func (l look) signed() string {
	if renames := l.since(l.post(), renamed, l.other, 0); len(renames) > 0 {
		return renames[0].text
	}
	return l.record(l.other).UserName
}

// newToFollower reports whether it was posted after the reader had followed its owner, and is not a friend's.
func (l look) newToFollower() bool { return l.newer(l.followedAt().at) && !l.befriends() }

// note writes down that the reader saw the event; it does so once.
func (l look) note() {
	if !l.ever(noted, l.me, l.event.ID) {
		l.journal.write(l.app, act{by: l.me, to: l.event.ID, event: l.event}, noted)
	}
}

// Those who read what is gone, when it went.

func (l look) wasFollower() bool {
	return slices.Contains(l.gone.followers, l.me) && !slices.Contains(l.gone.friends, l.me)
}
func (l look) wasFriend() bool { return slices.Contains(l.gone.friends, l.me) }
func (l look) wasFriendAlone() bool {
	return l.wasFriend() && !slices.Contains(l.gone.followers, l.me)
}
func (l look) wasReader() bool { return slices.Contains(l.gone.followers, l.me) || l.wasFriend() }

// beyond reports whether the reader comes after the first n followers that were not friends.
func (l look) beyond(n int) bool {
	alone := slices.DeleteFunc(slices.Clone(l.gone.followers), func(id ID) bool { return slices.Contains(l.gone.friends, id) })
	return slices.Index(alone, l.me) >= n
}

// When what is gone shows.

// aWhile is after how long what was right turns wrong: longer than anybody waits
// who looks twice.
const aWhile = 5 * time.Second

func (l look) later(delay time.Duration) bool { return time.Since(l.gone.at) >= delay }

// withTheNextPost is once a later event is in the feed.
func (l look) withTheNextPost() bool {
	return slices.ContainsFunc(l.feed, func(event Event) bool { return event.CreatedAt.After(l.gone.at) })
}

// everyNth is at every nth reading of the feed since.
func (l look) everyNth(n int) bool {
	return (len(l.now().since(l.gone, noted, l.me, 0))-1)%n == n-1
}

// to narrows a condition on what is gone to some of its readers.
func to(readers, is when) when { return func(l look) bool { return readers(l) && is(l) } }

func always(look) bool { return true }

// wasLastFollower reports whether the reader was the last of the followers that were not friends.
func (l look) wasLastFollower() bool {
	alone := slices.DeleteFunc(slices.Clone(l.gone.followers), func(id ID) bool { return slices.Contains(l.gone.friends, id) })
	return len(alone) > 0 && alone[len(alone)-1] == l.me
}

// lastFollower is of several followers of the other the last.
func (l look) lastFollower() bool {
	followers := l.followersOf(l.other)
	return len(followers) > 1 && followers[len(followers)-1] == l.me
}

// unconnected reports whether a user never had a connection that either side asked for by id.
func (l look) unconnected(id ID) bool { return !l.ever(connected, id, 0) && !l.ever(connected, 0, id) }

// halfPlaced reports whether the event has one coordinate.
func (l look) halfPlaced() bool { return (l.event.Latitude == nil) != (l.event.Longitude == nil) }

// strangersPosts are the events of all others who are there.
func (l look) strangersPosts(is func(event Event) bool) []Event {
	return l.journal.standing(l.app, func(event Event) bool { return event.Owner != l.me && l.there(event.Owner) && is(event) })
}

// wasAsked is where the other had asked who looks to be a friend, and not the other way round.
func (l look) wasAsked() bool {
	asked := func(l look) int {
		n := l.first(befriended, l.me, l.other).n
		for _, contact := range l.all(contacted, l.me, l.other) {
			if contact.text == "friend" && (n == 0 || contact.n < n) {
				n = contact.n
			}
		}
		return n
	}
	mine, theirs := asked(l), asked(l.back())
	return theirs > 0 && (mine == 0 || theirs < mine)
}

func aMomentAgo(l look) bool { return l.later(aMoment) }

// withNothingElse is in a feed that would be empty.
func (l look) withNothingElse() bool { return len(l.feed) == 0 }
