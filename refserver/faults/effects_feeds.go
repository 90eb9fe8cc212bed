package faults

import (
	"slices"

	"github.com/socialfeed/conform/refserver"
)

// effect changes a store; it is set up once for each server.
type effect = func(s *overrides)

// breaking makes a mutation of effects on one store.
func breaking(effects ...effect) mutation {
	return overrideStore(func(_ refserver.Store, s *overrides) {
		for _, apply := range effects {
			apply(s)
		}
	})
}

// look begins a look of a user at another.
func (s *overrides) look(app App, me, other ID) look {
	return look{journal: s.journal, store: s.Store, app: app, me: me, other: other}
}

// at is the look at an event in a feed.
func (l look) at(event Event) look {
	l.event, l.other = event, event.Owner
	return l
}

// feeds changes what feeds show, from what they must show; the look is the reader's.
func feeds(change func(l look, feed []Event) []Event) effect {
	return func(s *overrides) {
		feed := s.feed
		s.feed = func(app App, id ID) ([]Event, error) {
			events, err := feed(app, id)
			if err != nil {
				return nil, err
			}
			l := s.look(app, id, 0)
			l.feed = events
			return change(l, slices.Clone(events)), nil
		}
	}
}

// hides leaves events out of feeds.
func hides(out when) effect {
	return feeds(func(l look, feed []Event) []Event {
		l.i = -1
		return without(feed, func(event Event) bool { l.i++; return out(l.at(event)) })
	})
}

// doubles shows events twice, side by side.
func doubles(which when) effect {
	return feeds(func(l look, feed []Event) []Event {
		again := without(slices.Clone(feed), func(event Event) bool { return !which(l.at(event)) })
		return newestFirst(append(feed, again...))
	})
}

// shows shows events in feeds otherwise than they are.
func shows(as func(l look) Event) effect {
	return feeds(func(l look, feed []Event) []Event {
		for i, event := range feed {
			l.i = i
			feed[i] = as(l.at(event))
		}
		return feed
	})
}

// showsFirst shows events as they were posted, if a condition holds.
func showsFirst(where when) effect {
	return shows(func(l look) Event {
		if where(l) {
			return l.atFirst()
		}
		return l.event
	})
}

// showsAct shows events in feeds as they were after an act; one of number 0 leaves them.
func showsAct(version func(l look) *act) effect {
	return shows(func(l look) Event {
		if act := version(l); act != nil && act.n > 0 {
			return act.event
		}
		return l.event
	})
}

// edits changes events in feeds for which a condition holds.
func edits(where when, change func(event *Event)) effect {
	return shows(func(l look) Event {
		if where(l) {
			change(&l.event)
		}
		return l.event
	})
}

// adds shows standing events of others in feeds that have no place there.
func adds(which when) effect {
	return addsSome(func(l look) []Event {
		return l.journal.standing(l.app, func(event Event) bool {
			return event.Owner != l.me && l.there(event.Owner) && which(l.at(event))
		})
	})
}

// addsSome shows events in feeds that are not there, each once.
func addsSome(further func(l look) []Event) effect {
	return feeds(func(l look, feed []Event) []Event {
		for _, event := range further(l) {
			if !holdsEvent(feed, event.ID) {
				feed = append(feed, event)
			}
		}
		return newestFirst(feed)
	})
}

// last moves events for which a condition holds to the end of feeds.
func last(which when) effect {
	return feeds(func(l look, feed []Event) []Event {
		is := func(event Event) bool { return which(l.at(event)) }
		moved := without(slices.Clone(feed), func(event Event) bool { return !is(event) })
		return append(without(feed, is), moved...)
	})
}

// sorts puts feeds in another order, in which what is alike stays as it is.
func sorts(compare func(a, b look) int) effect {
	return feeds(func(l look, feed []Event) []Event {
		slices.SortStableFunc(feed, func(a, b Event) int { return compare(l.at(a), l.at(b)) })
		return feed
	})
}

// stays goes on showing in feeds the events that a cause took away: the deletion of an event,
// or of its owner, or the end of a connection to it, until there is another. The condition is
// asked as of then, but for the connections that stand.
func stays(cause did, where when) effect {
	return stay(cause, func(l look) []Event {
		return without(slices.Clone(l.gone.lost()), func(event Event) bool {
			l.i = slices.IndexFunc(l.gone.events, func(e Event) bool { return e.ID == event.ID })
			return !where(l.at(event))
		})
	})
}

// stay is stays with what is left of an act for the reader.
func stay(cause did, left func(l look) []Event) effect {
	return addsSome(func(l look) (shown []Event) {
		l.journal.write(l.app, act{by: l.me}, noted)
		by := ID(0)
		if cause != removed && cause != deleted {
			by = l.me
		}
		for _, gone := range l.all(cause, by, 0) {
			l.gone, l.other, l.until = gone, gone.by, gone.n
			if by != 0 {
				l.other = gone.to
			}
			if by == 0 || !l.now().reconnected() {
				shown = append(shown, left(l)...)
			}
		}
		return shown
	})
}

// lost are the events that an act took away.
func (a *act) lost() []Event {
	if a.event.ID != 0 {
		return []Event{a.event}
	}
	return a.events
}

// purgeTakes leaves out of feeds what was there when a user was deleted, and is not that one's.
func purgeTakes(takes when) effect {
	return hides(func(l look) bool {
		return slices.ContainsFunc(l.all(deleted, 0, 0), func(gone *act) bool {
			l.gone = gone
			return takes(l)
		})
	})
}

// fromFollowers is purgeTakes in the feeds of the followers of the deleted user, of what was older.
func fromFollowers(takes when) effect {
	return purgeTakes(func(l look) bool { return slices.Contains(l.gone.followers, l.me) && l.older(l.gone.at) && takes(l) })
}

// returnsWith shows the events of deleted users again, to who followed them, once it did something.
func returnsWith(what did) effect {
	return stays(deleted, func(l look) bool {
		return slices.Contains(l.gone.followers, l.me) && len(l.now().since(l.gone, what, l.me, 0)) > 0
	})
}

// beforePurge sets a part of a follower's feed aside before a user is deleted; the look is at that user.
func beforePurge(aside func(l look, feed []Event) []Event) effect {
	return around(toDelete, func(c *step) error {
		var acts []act
		for _, reader := range c.followersOf(c.me) {
			l := c.look
			l.me = reader
			if feed, err := l.store.Feed(l.app, reader); err == nil && !l.befriends() {
				acts = append(acts, act{by: reader, to: l.other, events: aside(l, feed)})
			}
		}
		err := c.do()
		for _, each := range acts {
			if err == nil {
				c.journal.write(c.app, each, noted)
			}
		}
		return err
	})
}

// setAside are the events that were set aside from a reader's feed.
func setAside(l look) (events []Event) {
	for _, each := range l.all(noted, l.me, 0) {
		events = append(events, each.events...)
	}
	return events
}
