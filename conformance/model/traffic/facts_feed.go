package traffic

import (
	"fmt"
	"slices"

	"github.com/socialfeed/conform/conformance/model/value"
	"github.com/socialfeed/conform/conformance/rules"
)

// judgeFeed compares a feed with what is known of its reader and of whom that follows.
func (s *facts) judgeFeed(x Observation, objects []value.Fields) {
	id := s.userOf(x)
	reader := s.person(x.App, id)
	there := map[string]bool{}
	for _, o := range objects {
		there[value.ID(o["id"])] = true
		s.judgeShown(x, id, reader, o)
	}
	if !s.presumed.AllTraffic || !s.stands(reader, x) || !s.keepsTies(reader) || s.checker.lengths.MayBeCut(rules.Feed, len(objects)) {
		return
	}
	latest, known := s.latest(x, reader)
	unknown := s.unknownEvents + s.unseen(x, there)
	for _, e := range latest {
		newer := unknown
		for _, other := range latest {
			if other != e && !other.born.over(e.born.from) {
				newer++
			}
		}
		if known && !s.checker.lengths.MayPushOut(newer) {
			s.judgeMissing(x, id, reader, e, there)
		}
	}
}

// unseen counts the events of a feed that were not seen to be created: an intermediary may have sent a request twice.
func (s *facts) unseen(x Observation, there map[string]bool) (n int) {
	for id := range there {
		if !s.events.Contains(resource{x.App, true, id}) {
			n++
		}
	}
	return n
}

// judgeShown judges one event of a feed.
func (s *facts) judgeShown(x Observation, id string, reader *knownUser, o value.Fields) {
	event, owner := value.ID(o["id"]), value.ID(o["user_id"])
	e, author := s.event(x.App, event), s.person(x.App, owner)
	if e != nil && !e.unclear && sameCreation(e.created, o) {
		if !s.keeps(e.owner == owner, "feed.event-shape", rules.Feed) {
			s.blame("feed.event-shape", rules.Feed, x, "user_id "+e.owner+" for event "+event, "user_id "+owner, e.born)
			return
		}
		if !s.keeps(!s.settled(e.gone, x) || !outlasts(e.id, e.born, e.gone, e.created), "feed.event-delete", rules.DeleteEvent) {
			s.blame("feed.event-delete", rules.DeleteEvent, x, "no event "+event+", which was deleted", "the event is there", e.gone)
		}
		s.judgePurge(x, reader, author, e)
	}
	if s.presumed.AllTraffic && reader != nil && s.settled(reader.born, x) && owner != "" && owner != id && (author == nil || author.gone.never()) {
		s.judgeConnected(x, id, reader, owner, "feed.only-connected", rules.Feed, "feed.unfollow")
	}
}

// judgePurge judges whether a feed shows an event of a user who was deleted.
func (s *facts) judgePurge(x Observation, reader, author *knownUser, e *knownEvent) {
	if author == nil || author.unclear || !author.gone.never() && !outlasts(e.id, e.born, author.gone, e.created) {
		return
	}
	rule := "feed.purge.followers"
	if reader != nil && reader.asked[e.owner] != nil && reader.asked[e.owner].friend {
		rule = "feed.purge.friends"
	}
	if !s.keeps(!s.settled(author.gone, x), rule, rules.DeleteMe) {
		s.blame(rule, rules.DeleteMe, x, "no event of user "+e.owner+", who was deleted", "event "+e.id+" is there", author.gone)
	}
}

// latest returns the latest events of all with whom a reader is or was connected, the newest first, and whether these
// are all that may have pushed others out of its feed.
func (s *facts) latest(x Observation, reader *knownUser) (events []*knownEvent, known bool) {
	const most = 64
	authors := map[string]bool{s.userOf(x): true} // whether one's own are shown is open
	for other := range reader.asked {
		authors[other] = true
	}
	for other := range reader.askedBy {
		authors[other] = true
	}
	for author := range authors {
		them := s.person(x.App, author)
		if them == nil || them.forgotEvents {
			return nil, false
		}
		for _, id := range them.events[max(0, len(them.events)-most):] {
			e := s.event(x.App, id)
			if e == nil {
				return nil, false
			}
			events = append(events, e)
		}
	}
	slices.SortFunc(events, func(a, b *knownEvent) int { return b.born.from.Compare(a.born.from) })
	return events[:min(len(events), most)], true
}

// judgeMissing judges whether a feed lacks an event of a user whom its reader follows, or who is its friend.
func (s *facts) judgeMissing(x Observation, id string, reader *knownUser, e *knownEvent, there map[string]bool) {
	t, author := reader.asked[e.owner], s.person(x.App, e.owner)
	if e.owner == id || e.unclear || !e.gone.never() || !s.settled(e.born, x) || !s.stands(author, x) || !s.keepsTies(author) {
		return
	}
	back := author.asked[id]
	rule, at := "feed.follow.new-events", rules.Feed
	switch {
	case s.standing(t, true, x) && s.standing(back, true, x) && t.ended.never() && back.ended.never():
		rule = "feed.friends"
	case !s.standing(t, false, x) || !ofOneSide(back):
		return
	case e.born.over(t.last.from) && !t.ended.never():
		rule, at = "feed.refollow", rules.CreateConnection
	case e.born.over(t.last.from):
		rule = "feed.follow.earlier-events"
	}
	if !s.keeps(there[e.id], rule, at) {
		s.blame(rule, at, x, fmt.Sprintf("event %s of user %s in the feed of user %s, who is connected to it", e.id, e.owner, id),
			fmt.Sprintf("a feed of %d events without it", len(there)), t.last, e.born)
	}
}
