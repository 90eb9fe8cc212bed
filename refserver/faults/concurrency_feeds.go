package faults

import (
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/socialfeed/conform/refserver"
)

// concurrencyEventsSearch are the faults of searches, and of writes of events, beside
// another: they share what each should have of its own, or write back what was read before.
func concurrencyEventsSearch() []Fault {
	return slices.Concat(
		breaks("search.exact",
			fault("concurrency-index-of-names-loses-one", "of two users created at once the one that comes second is not found by the whole user name",
				racing(around(toCreate, func(l *step) (err error) {
					if _, before := l.during(func() { err = l.do() }); before > 0 && err == nil {
						l.mark(l.me, 0)
					}
					return err
				}), misses(func(l look) bool { return l.user.UserName == l.term && l.marked(l.other, 0, updated) }))),
			fault("concurrency-searches-in-one-flight", "of two searches in one session that overlap the second gets what the first one finds", func(o *refserver.Options) {
				flights := &flights{under: map[string]*flight{}}
				intercept(searches(), func(next http.Handler, r *http.Request) *response {
					return flights.share(appIn(r)+" "+sessionIn(r), func() *response { return record(next, r) })
				})(o)
			})),
		breaks("search.user-name",
			fault("concurrency-two-searches-share-a-term", "two searches of a session at once are both answered for the term of the later one, which is kept with the session",
				func(o *refserver.Options) {
					terms := &memory[string]{} // by session
					rewriteRequest(searches().and(insession), func(r *http.Request) {
						terms.keep(sessionIn(r), r.URL.RawQuery)
						time.Sleep(window)
						latest := *r.URL
						latest.RawQuery = terms.get(sessionIn(r))
						r.URL = &latest
					})(o)
				}).also("search.non-match-excluded", "who has the later term need not have the other")),
		breaks("search.deleted-excluded",
			fault("concurrency-update-during-deletion-stays-found", "a search goes on finding, by the user name, a user who was updated while it was deleted",
				racing(longDeletions(), around(toUpdate, func(l *step) error {
					err := l.do()
					time.Sleep(window)
					if err == nil && (!l.there(l.me) || l.under(l.me)) {
						l.journal.write(l.app, act{user: l.user}, noted)
					}
					return err
				}), searching(func(l look, hits []User) []User {
					for _, mark := range l.all(noted, 0, 0) {
						listed := slices.ContainsFunc(hits, func(hit User) bool { return hit.ID == mark.user.ID })
						if holdsText(mark.user.UserName, l.term) && !listed {
							hits = append(hits, mark.user)
						}
					}
					return hits
				})))),
		breaks("events.create.owner",
			fault("concurrency-post-belongs-to-the-other", "of two users who post at once the first one's event belongs to the other",
				racing(given(toPost, func(l *step) {
					l.mark(l.me, 0)
					time.Sleep(window)
					if other := l.last(noted, 0, 0).by; l.there(other) {
						l.me = other
					}
				})))),
		breaks("events.create.echo",
			fault("concurrency-post-has-metadata-of-the-other", "of two events that are posted at once the first has the metadata of the other",
				racing(given(toPost, func(l *step) {
					l.journal.write(l.app, act{event: l.event}, noted)
					time.Sleep(window)
					l.event.Metadata = l.last(noted, 0, 0).event.Metadata
				})))),
		breaks("events.update.applies",
			fault("concurrency-change-of-event-lost", "of two changes of an event at once the later one writes all fields as they were before the other",
				racing(staleChanges(func(before Event, event *Event, asked func(*Event)) {
					*event = before
					asked(event)
				})))),
		breaks("events.update.partial",
			fault("concurrency-change-beside-change-of-verb-restores-it", "a change of an event without a verb that runs beside one with a verb, and ends after it, brings the former verb back",
				racing(staleChanges(func(before Event, event *Event, asked func(*Event)) {
					verb := event.Verb
					if asked(event); event.Verb == verb {
						event.Verb = before.Verb
					}
				})))),
	)
}

// flights are requests whose answer serves all requests that come meanwhile.
type flights struct {
	mu    sync.Mutex
	under map[string]*flight
}

// share asks in a window, or waits for who asks under the same key.
func (f *flights) share(key string, ask func() *response) *response {
	f.mu.Lock()
	if first := f.under[key]; first != nil {
		f.mu.Unlock()
		<-first.landed
		return first.resp
	}
	own := &flight{landed: make(chan struct{})}
	f.under[key] = own
	f.mu.Unlock()
	time.Sleep(window)
	own.resp = ask()
	f.mu.Lock()
	defer f.mu.Unlock()
	delete(f.under, key)
	close(own.landed)
	return own.resp
}

// flight is one of them.
type flight struct {
	landed chan struct{}
	resp   *response
}

// concurrencyFeed are the faults of feeds that two requests write at once, or that one
// reads while another writes: posts that are lost, and deleted events that stay.
func concurrencyFeed() []Fault {
	return slices.Concat(
		breaks("feed.follow.new-events",
			fault("concurrency-one-of-two-posts-lost", "of two events that a user posts at once one is in no feed",
				racing(lostPosts(func(l *step) bool {
					_, before := l.during(func() { _ = l.do() }, l.me) // what fails makes no event
					return before > 0
				})...)),
			fault("concurrency-feed-read-during-post-is-kept", "who reads the feed while an event is posted does not see that event later either",
				racing(around(toPost, func(l *step) error {
					err := l.do()
					l.during(func() {}, l.event.ID)
					return err
				}), hides(func(l look) bool {
					if l.under(l.event.ID) {
						l.mark(l.me, l.event.ID)
					}
					return l.marked(l.me, l.event.ID)
				}))),
			fault("concurrency-post-beside-deletion-of-event-lost", "an event that is posted while its owner deletes another is in no feed",
				racing(append(lostPosts(func(l *step) bool {
					before := l.under(l.me)
					time.Sleep(window / 2)
					return l.do() == nil && (before || l.under(l.me))
				}), lasting(toRemove, ofMe))...)),
			fault("concurrency-post-beside-follow-lost", "an event that is posted while somebody begins to follow its owner is not in that one's feed",
				racing(around(toFollow, func(l *step) error {
					start := time.Now()
					time.Sleep(window)
					err := l.do()
					if err == nil && l.isNew {
						l.journal.write(l.app, act{at: start, by: l.me, to: l.other}, noted)
					}
					return err
				}), hides(func(l look) bool {
					begun := l.last(noted, l.me, l.other)
					return l.newer(begun.at) && l.older(l.then(begun).last(followed, l.me, l.other).at)
				})))),
		breaks("feed.merge",
			fault("concurrency-posts-of-two-followed-lose-one", "of the events that two users post at once one is not in the feed of who follows both",
				racing(around(toPost, func(l *step) (err error) {
					var other ID
					_, before := l.during(func() {
						other = l.last(posted, 0, 0).by
						err = l.do()
					})
					if err == nil && before > 0 && other != l.me {
						l.mark(other, l.event.ID)
					}
					return err
				}), hides(func(l look) bool {
					beside := l.last(noted, 0, l.event.ID).by
					return beside != 0 && l.follows() && slices.Contains(l.followsOf(l.me), beside)
				})))),
		breaks("feed.event-delete",
			fault("concurrency-change-during-deletion-stays", "an event that is changed while it is deleted stays in the feeds of followers",
				racing(lasting(toRemove, ofEvent), after(toChange, func(l *step) {
					if l.under(l.event.ID) {
						l.setsAside(l.followersOf(l.other), l.other, l.event)
					}
				}), strays())),
			fault("concurrency-two-deletions-take-one-event", "of two events that a user deletes at once the second stays in the feeds of followers",
				racing(around(toRemove, func(l *step) (err error) {
					left := l.journal.standing(l.app, func(event Event) bool { return event.ID == l.event.ID })
					readers := l.readersAlone(l.me)
					if _, before := l.during(func() { err = l.do() }, l.me); err == nil && before > 0 {
						l.setsAside(readers, l.me, left...)
					}
					return err
				}), strays(deleted))),
			fault("concurrency-deletion-beside-change-of-another-lost", "an event that is deleted while its owner changes another stays in the feeds of followers",
				racing(around(toChange, func(l *step) error {
					readers, before := l.followersOf(l.me), l.eventsOf(l.me)
					time.Sleep(window)
					err := l.do()
					if err == nil {
						l.setsAside(common(readers, l.followersOf(l.me)), l.me, lackingIn(before, l.eventsOf(l.me))...)
					}
					return err
				}), strays())),
			fault("concurrency-follow-copies-event-during-deletion", "an event that is deleted while somebody begins to follow its owner stays in that one's feed",
				racing(around(toFollow, func(l *step) error {
					before := l.eventsOf(l.other)
					time.Sleep(window)
					err := l.do()
					if err == nil && l.isNew {
						l.setsAside([]ID{l.me}, l.other, lackingIn(before, l.eventsOf(l.other))...)
					}
					return err
				}), strays(deleted, ended)))),
	)
}

// concurrencyFeedPurgeUnfollow are the faults of what stays in feeds where it was posted,
// copied or read while its owner was deleted, or the follow ended.
func concurrencyFeedPurgeUnfollow() []Fault {
	return slices.Concat(
		breaks("feed.unfollow",
			fault("concurrency-post-beside-unfollow-stays", "an event that is posted while a follower ends the follow is in the feed of that one for good",
				racing(around(toPost, func(l *step) error {
					readers := l.followersOf(l.me)
					time.Sleep(window)
					err := l.do()
					if err == nil {
						l.setsAside(lost(readers, l.followersOf(l.me)), l.me, l.event)
					}
					return err
				}), strays(connected)))),
		breaks("feed.purge.followers",
			fault("concurrency-post-during-deletion-stays", "an event that is posted while its user is deleted stays in the feeds of followers",
				racing(longDeletions(), after(toPost, func(l *step) {
					if l.under(l.me) {
						l.setsAside(l.followersOf(l.me), l.me, l.event)
					}
				}), strays())),
			fault("concurrency-two-purges-of-a-feed", "of two users deleted at once the events of the second stay in the feed of who followed both",
				racing(around(toDelete, func(l *step) error {
					var others []ID // who lose another at the same time
					readers, left := l.followersOf(l.me), l.eventsOf(l.me)
					for _, reader := range readers {
						if l.under(reader) {
							others = append(others, reader)
						}
						defer l.journal.running.enter(keyOf(l.app, reader))()
					}
					time.Sleep(window)
					err := l.do()
					if err == nil {
						l.setsAside(others, l.me, left...)
					}
					return err
				}), strays())),
			fault("concurrency-purged-stay-where-another-is-followed", "a deleted user's events stay in the feed of a follower who follows somebody else during the deletion",
				racing(longDeletions(), around(toConnect, purgedStayAtConnect), strays())),
			fault("concurrency-feed-read-during-purge-is-kept", "who reads the feed while a followed user is deleted goes on seeing that one's events",
				racing(longDeletions(), feeds(func(l look, feed []Event) []Event {
					for _, event := range feed {
						if l := l.at(event); l.under(l.other) && !l.befriends() {
							l.setsAside([]ID{l.me}, l.other, event)
						}
					}
					return feed
				}), strays())),
			fault("concurrency-purge-skipped-beside-another", "of users who are deleted at the same time the first is purged, and the events of the others stay in their followers' feeds",
				racing(around(toDelete, func(l *step) (err error) {
					readers, left := l.readersAlone(l.me), l.eventsOf(l.me)
					if _, before := l.during(func() { err = l.do() }); err == nil && before > 0 {
						l.setsAside(readers, l.me, left...)
					}
					return err
				}), strays()))),
	)
}

// purgedStayAtConnect has a new connection write the reader's feed as it was read
// before, with the events of those who are deleted by then.
func purgedStayAtConnect(l *step) error {
	followed := map[ID][]Event{}
	for _, owner := range l.followsOf(l.me) {
		if owner != l.other && !slices.Contains(l.friendsOf(l.me), owner) {
			followed[owner] = l.eventsOf(owner)
		}
	}
	time.Sleep(window)
	err := l.do()
	for owner, events := range followed {
		if err == nil && (!l.there(owner) || l.under(owner)) {
			l.setsAside([]ID{l.me}, owner, events...)
		}
	}
	return err
}
