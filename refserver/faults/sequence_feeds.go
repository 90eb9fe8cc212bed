package faults

import (
	"net/http"
	"slices"
	"strconv"
	"time"

	"github.com/socialfeed/conform/refserver"
)

// sequenceDeletedEvents are the faults of deleted events that stay in feeds, or come back, after
// certain steps; and of deletions that take more.
func sequenceDeletedEvents() []Fault {
	follower, followers := look.wasFollower, func(l look) bool { return slices.Contains(l.gone.followers, l.me) }
	return breaks("feed.event-delete",
		fault("sequence-deleted-after-change-stays", "an event that was changed stays in the feeds of followers when it is deleted",
			breaking(stays(removed, to(follower, look.edited)))),
		fault("sequence-deletion-takes-the-same-object", "with a deleted event its owner's other events on the same object leave the feeds",
			breaking(hides(func(l look) bool {
				return slices.ContainsFunc(l.all(removed, l.other, 0), func(gone *act) bool { return onSameObject(gone.event, l.event) && l.older(gone.at) })
			}))),
		fault("sequence-deleted-event-stays-for-refollower", "a deleted event stays in the feed of a follower who had ended the follow and made it again",
			breaking(stays(removed, to(follower, endedBefore)))),
		fault("sequence-refollow-brings-deleted-events-back", "who follows a user again sees the events that it deleted in between",
			breaking(stays(removed, func(l look) bool {
				left := l.now().last(ended, l.me, l.other)
				again := l.now().since(left, connected, l.me, l.other)
				return holdsEvent(left.events, l.event.ID) && len(again) > 0 && l.gone.n < again[0].n && l.there(l.other)
			}))),
		fault("sequence-change-of-deleted-event-restores-it", "a change of a deleted event is answered with 404, and the event is back in the feeds of followers",
			breaking(stays(removed, to(followers, func(l look) bool {
				return l.follows() && len(l.now().since(l.gone, triedChange, l.other, l.event.ID)) > 0
			})))),
		fault("sequence-deletion-stops-at-who-left", "a deleted event stays in the feeds of followers where one of them has ended the follow",
			breaking(stays(removed, to(follower, func(l look) bool { return l.ever(ended, 0, l.other) })))),
		fault("sequence-follow-brings-deleted-events", "who follows a user for the first time also sees what that one had deleted before",
			breaking(stays(removed, func(l look) bool {
				first := l.now().followedAt()
				return l.gone.n < first.n && len(l.now().since(first, ended, l.me, l.other)) == 0 && l.there(l.other)
			}))),
		fault("sequence-deleted-event-returns-with-a-change-of-another", "a deleted event is back in the feeds of followers when its owner changes another",
			breaking(stays(removed, func(l look) bool { return l.follows() && len(l.now().since(l.gone, changed, l.other, 0)) > 0 }))),
		fault("sequence-deletion-of-the-oldest-takes-the-newest", "where a user deletes the oldest of several events, the newest leaves the feeds, too, as the position before the first is the last",
			breaking(hides(func(l look) bool {
				return slices.ContainsFunc(l.all(removed, l.other, 0), func(gone *act) bool {
					n := len(gone.events)
					return n >= 3 && gone.events[n-1].ID == gone.event.ID && gone.events[0].ID == l.event.ID
				})
			}))),
		fault("sequence-deleted-event-of-before-friendship-stays", "an event posted before a friendship stays in the friend's feed when it is deleted",
			breaking(stays(removed, to(look.wasFriendAlone, func(l look) bool {
				return l.older(l.first(befriended, l.me, l.other).at) || l.older(l.first(befriended, l.other, l.me).at)
			})))),
		fault("sequence-event-deleted-after-change-stays", "an event that was changed before its deletion stays in the feeds of those connected to its user",
			breaking(stays(removed, to(look.wasReader, func(l look) bool { return l.edited() && (l.follows() || l.befriends()) })))),
		fault("sequence-deleted-event-changed-after-follow-stays", "an event that was there before a follow, and was changed after it, stays in the follower's feed when it is deleted",
			breaking(stays(removed, to(follower, func(l look) bool {
				at := l.followedAt().at
				return l.older(at) && l.event.UpdatedAt.After(at)
			})))),
		fault("sequence-new-followers-get-deleted-events", "who follows a user finds in the feed also the events that the user had deleted before, as it is filled from a copy that deletions pass by",
			breaking(stays(removed, func(l look) bool {
				latest := l.now().last(followed, l.me, l.other)
				return l.gone.n < latest.n && len(l.now().since(latest, ended, l.me, l.other)) == 0 && l.there(l.other)
			}))),
		fault("sequence-delete-older-event", "a deleted event stays in the feeds of followers where its owner has posted another since",
			breaking(stays(removed, to(followers, func(l look) bool { return l.i > 0 })))),
		fault("sequence-event-delete-late-follower", "a deleted event leaves the feeds that it was put into, and not those of who followed later",
			breaking(stays(removed, to(follower, beforeFollow)))))
}

// endedBefore is where who looks had ended a connection to the other once.
func endedBefore(l look) bool { return !l.ended().IsZero() }

// beforeFollow is where an event is older than the first follow of its owner.
func beforeFollow(l look) bool { return l.older(l.followedAt().at) }

func onSameObject(one, other Event) bool {
	return one.Object != nil && other.Object != nil && one.Object.ID == other.Object.ID
}

// holdsEvent reports whether an event is among others.
func holdsEvent(events []Event, id ID) bool {
	return slices.ContainsFunc(events, func(event Event) bool { return event.ID == id })
}

// afterRemoval is where an event is the first that its owner posted after deleting another.
func afterRemoval(l look) bool { return l.then(l.post()).unless(removed, l.other, 0, posted) }

// sequenceFollowsInFeeds are the faults of what a follow brings into a feed, or does not, after
// certain steps.
func sequenceFollowsInFeeds() []Fault {
	return slices.Concat(
		breaks("feed.follow.earlier-events",
			fault("sequence-empty-feed-cached", "who read an empty feed before the first connection sees nothing until somebody posts",
				breaking(feeds(func(l look, feed []Event) []Event {
					if len(feed) == 0 && !l.ever(connected, l.me, 0) && !l.ever(connected, 0, l.me) {
						l.journal.write(l.app, act{by: l.me}, noted)
					}
					empty := l.last(noted, l.me, 0)
					fresh := slices.ContainsFunc(feed, func(event Event) bool {
						l := l.at(event)
						return event.UpdatedAt.After(empty.at) && event.UpdatedAt.After(l.last(connected, l.me, l.other).at)
					})
					if empty.n > 0 && !fresh {
						return nil
					}
					return feed
				}))),
			fault("sequence-posted-between-follows-missing", "who follows a user again does not see what it posted in between",
				breaking(hides(func(l look) bool {
					left := l.last(ended, l.me, l.other)
					again := l.since(left, connected, l.me, l.other)
					return len(again) > 0 && l.newer(left.at) && l.older(again[0].at)
				}))),
			fault("sequence-read-feed-goes-on-from-its-newest", "who has read events in the feed does not see, of whom it follows after that, what is older than the newest of them",
				breaking(feeds(func(l look, feed []Event) []Event {
					mark := time.Time{}
					for _, seen := range l.all(noted, l.me, 0) {
						if seen.event.CreatedAt.After(mark) {
							mark = seen.event.CreatedAt
						}
					}
					feed = without(feed, func(event Event) bool { return event.CreatedAt.Before(mark) && !l.ever(noted, l.me, event.ID) })
					for _, event := range feed {
						l.at(event).note()
					}
					return feed
				}))),
			fault("sequence-events-from-before-the-reader-missing", "what was posted before the reader was created is not in the reader's feed",
				breaking(hides(func(l look) bool { return l.older(l.record(l.me).CreatedAt) }))),
			fault("sequence-follow-back-without-earlier-events", "who follows a follower back does not see what that one posted before",
				breaking(hides(func(l look) bool {
					return l.older(l.follow().at) && l.then(l.follow()).unless(followed, l.other, l.me, ended)
				}))),
			fault("sequence-second-follower-without-earlier-events", "of a user's followers the first alone sees what was posted before the follow",
				breaking(hides(func(l look) bool { return l.older(l.follow().at) && len(l.follow().followers) > 0 })))),
		breaks("feed.follow.new-events",
			fault("sequence-next-after-deletion-is-lost", "the first event that a user posts after the deletion of another is in no feed",
				breaking(hides(afterRemoval))),
			fault("sequence-rename-hides-older-events", "what a user posted under a former user name is in no feed",
				breaking(hides(func(l look) bool { return l.older(l.last(renamed, l.other, 0).at) }))),
			fault("sequence-follow-after-friendship-gets-nothing-new", "who follows a user that had ended their friendship does not see what that one posts from then on",
				breaking(hides(func(l look) bool {
					left := l.leftAsFriend()
					again := l.since(left, followed, l.me, l.other)
					return left.n > 0 && len(again) > 0 && l.newer(again[0].at) && !l.befriends()
				}))),
			fault("sequence-posted-in-older-session-lost", "what a user posts in a session is in no feed once the user has logged in again",
				breaking(hides(func(l look) bool {
					then := l.then(l.post())
					return then.last(usedSession, l.other, 0).text != then.last(loggedIn, l.other, 0).text
				}))),
			fault("sequence-posted-again-after-deletion-lost", "who deletes an event, and posts one with the same verb on the same object again, posts it into no feed",
				breaking(hides(func(l look) bool {
					return slices.ContainsFunc(l.then(l.post()).all(removed, l.other, 0), func(gone *act) bool {
						return onSameObject(gone.event, l.event) && gone.event.Verb == l.event.Verb
					})
				}))),
			fault("sequence-end-of-follow-stops-the-next", "who ends a follow sees nothing new any more of the one who came next on the list of follows",
				breaking(hides(func(l look) bool {
					return slices.ContainsFunc(l.since(l.last(connected, l.me, l.other), ended, l.me, 0), func(end *act) bool {
						return next(end.follows, end.to) == l.other && l.newer(end.at)
					})
				}))),
			fault("sequence-nothing-new-after-logout", "who logs out after a follow does not see what the followed user posts from then on, until it follows that one again",
				breaking(hides(func(l look) bool {
					follow, out := l.last(followed, l.me, l.other), l.last(loggedOut, l.me, 0)
					return follow.n > 0 && out.n > follow.n && l.newer(out.at) && !l.befriends()
				}))),
			fault("sequence-rename-empties-own-feed", "who takes another user name does not see what those whom it is connected to posted before that",
				breaking(hides(func(l look) bool {
					rename := l.last(renamed, l.me, 0)
					return l.other != l.me && l.older(rename.at) && l.last(connected, l.me, l.other).n < rename.n && l.last(connected, l.other, l.me).n < rename.n
				}))),
			fault("sequence-logout-loses-the-latest-event", "the latest event of a user who logs out is in no feed any more, as what a session posts last is written when the next comes",
				breaking(hides(func(l look) bool {
					outs := l.since(l.post(), loggedOut, l.other, 0)
					return len(outs) > 0 && l.then(outs[0]).last(posted, l.other, 0).to == l.event.ID
				}))),
			fault("sequence-feed-read-empty-stays-empty", "a feed that was read while it was empty is empty until its reader connects to somebody else",
				breaking(feeds(func(l look, feed []Event) []Event {
					switch {
					case len(l.friendsOf(l.me)) > 0:
						return feed
					case l.unless(noted, l.me, 0, connected) && l.unless(noted, l.me, 0, contacted):
						return nil
					case len(feed) == 0:
						l.journal.write(l.app, act{by: l.me}, noted)
					}
					return feed
				}))),
			fault("sequence-post-after-newest-deleted-in-no-feed", "what a user posts next after deleting its newest event reaches no follower",
				breaking(hides(func(l look) bool {
					gone := l.then(l.post()).last(removed, l.other, 0)
					return afterRemoval(l) && l.then(gone).last(posted, l.other, 0).to == gone.to && l.newToFollower()
				}))),
			fault("sequence-unfollow-clears-the-other-feed-too", "who ends a follow that was mutual takes its own earlier events out of the other one's feed",
				breaking(hides(func(l look) bool {
					cleared := l.back().ended()
					return l.older(cleared) && !l.ended().After(cleared) && l.follower()
				})))),
	)
}

// next is who comes behind a user on a list, 0 for nobody.
func next(ids []ID, id ID) ID {
	if i := slices.Index(ids, id); i >= 0 && i+1 < len(ids) {
		return ids[i+1]
	}
	return 0
}

// sequenceFeeds are the faults of what a feed is, of whose events it has and in which
// order, after certain steps.
func sequenceFeeds() []Fault {
	return slices.Concat(
		breaks("feed.status",
			fault("sequence-feed-with-gap-is-an-object", "a feed that was read, and from whose midst an event is deleted, is an object whose keys are the places", feedsWithGaps)),
		breaks("feed.friends",
			fault("sequence-friends-after-follow-see-nothing", "friends who had followed before do not see each other's events",
				breaking(hides(func(l look) bool { return l.befriends() && !l.follows() && endedBefore(l) }))),
			fault("sequence-friends-again-see-no-events", "those who end their friendship and become friends again do not see each other's events",
				breaking(hides(func(l look) bool {
					end := l.last(unfriended, l.me, l.other)
					if other := l.last(unfriended, l.other, l.me); other.n > end.n {
						end = other
					}
					return end.n > 0 && len(l.since(end, followed, l.me, l.other)) == 0 && l.befriends()
				}))),
			fault("sequence-changed-event-leaves-feeds-of-friends", "an event that is changed leaves the feeds of friends who do not follow its owner, too",
				breaking(hides(func(l look) bool { return l.edited() && l.befriends() && !l.follows() })))),
		breaks("feed.only-connected",
			fault("sequence-feed-shows-who-others-follow", "who followed somebody and ended it sees the events of strangers whom others follow",
				breaking(addsSome(func(l look) []Event {
					return without(l.journal.standing(l.app, func(event Event) bool { return event.Owner != l.me }), func(event Event) bool {
						l := l.at(event)
						return !l.ever(ended, l.me, 0) || l.either(connected) || len(l.followersOf(l.other)) == 0
					})
				})))),
		breaks("feed.merge",
			fault("sequence-unfollow-takes-all-between", "who ends a follow also loses what others posted between the first and the last event of that user",
				breaking(hides(func(l look) bool {
					return slices.ContainsFunc(l.since(l.last(connected, l.me, l.other), ended, l.me, 0), func(end *act) bool {
						n := len(end.events)
						return end.to != l.other && n > 1 && l.older(end.events[0].CreatedAt) && l.newer(end.events[n-1].CreatedAt)
					})
				}))),
			fault("sequence-refollow-copies-events-again", "who follows a user again sees what that one had posted before twice",
				breaking(doubles(func(l look) bool { return l.older(l.ended()) && l.follows() })))),
		breaks("feed.event-shape",
			fault("sequence-changed-event-disabled-in-feeds", "feeds show an event that was changed as one that is not enabled", rewriteEach(readsFeed(), where(wasChanged, set("enabled", false))))),
		breaks("feed.order",
			fault("sequence-next-after-deletion-comes-last", "the first event that a user posts after the deletion of another stands at the end of feeds",
				breaking(last(afterRemoval))),
			fault("sequence-earlier-events-dated-by-follow", "what a user posted before it was followed stands where the follow would stand, before others' later events",
				breaking(sorts(func(a, b look) int {
					came := func(l look) time.Time {
						if beforeFollow(l) {
							return l.followedAt().at
						}
						return l.event.CreatedAt
					}
					return came(b).Compare(came(a))
				})))),
		breaks("feed.no-duplicates",
			fault("sequence-follow-of-friend-repeats-events", "the events of a friend are shown twice to who followed it after that",
				breaking(doubles(func(l look) bool {
					late := slices.ContainsFunc(l.all(followed, l.me, l.other), func(follow *act) bool { return slices.Contains(follow.friends, l.other) })
					return late && l.befriends() && l.follows()
				})))),
		breaks("feed.unfollow",
			fault("sequence-end-of-both-keeps-events", "what a friend posted who was also followed stays in the feed when both end",
				breaking(stays(ended, func(l look) bool {
					return slices.Contains(l.gone.follows, l.other) && slices.Contains(l.gone.friends, l.other)
				}))),
			fault("sequence-end-of-friendship-leaves-the-others-feed", "what a friend posted who ends the friendship stays in the feed of the other, whatever that one ends too",
				breaking(adds(func(l look) bool {
					left := l.last(unfriended, l.other, l.me)
					return l.older(left.at) && len(l.since(left, connected, l.me, l.other)) == 0 && len(l.since(left, befriended, l.other, l.me)) == 0
				}))),
			fault("sequence-second-unfollow-keeps-events", "what a user posted stays in the feed of who unfollows it for the second time",
				breaking(stays(ended, func(l look) bool { return l.ever(ended, l.me, l.other) }))),
			fault("sequence-second-unfollow-leaves-events", "who follows a user anew and ends that, too, goes on seeing the events that were there",
				breaking(stays(unfollowed, func(l look) bool { return l.ever(unfollowed, l.me, l.other) && l.there(l.other) }))),
			fault("sequence-change-after-unfollow-brings-event-back", "an event that is changed is again in the feeds of those who followed its owner once",
				breaking(adds(func(l look) bool {
					return l.unless(ended, l.me, l.other, connected) && l.last(changed, l.other, l.event.ID).n > l.last(ended, l.me, l.other).n
				}))),
			fault("sequence-changed-events-stay-after-unfollow", "those of a user's events that were changed stay in the feed of who ends the follow",
				breaking(adds(func(l look) bool {
					return slices.ContainsFunc(l.last(ended, l.me, l.other).events, func(event Event) bool {
						return event.ID == l.event.ID && event.UpdatedAt.After(event.CreatedAt)
					})
				})))),
		breaks("feed.refollow",
			fault("sequence-third-follow-shows-nothing", "who follows a user for the third time does not see what was posted before",
				breaking(hides(func(l look) bool { return l.times(ended, l.me, l.other) >= 2 && l.older(l.ended()) })))),
		breaks("feed.update-visible",
			fault("sequence-second-change-not-in-feeds", "feeds show an event as it was after its first change",
				breaking(showsAct(func(l look) *act { return l.first(changed, l.other, l.event.ID) }))),
			fault("sequence-read-before-change-is-kept", "who read an event in the feed before it was changed goes on seeing it as it was",
				breaking(showsAct(func(l look) *act { l.note(); return l.first(noted, l.me, l.event.ID) }))),
			fault("sequence-follow-brings-first-versions", "who follows a user sees the events that were changed before as they were at first",
				breaking(showsFirst(func(l look) bool { return l.followedAt().at.After(l.event.UpdatedAt) }))),
			fault("sequence-refollow-shows-events-as-before", "who follows a user again sees its events as they were when the follow ended",
				breaking(shows(func(l look) Event {
					for _, event := range l.last(ended, l.me, l.other).events {
						if event.ID == l.event.ID {
							return event
						}
					}
					return l.event
				}))),
			fault("sequence-rename-brings-first-versions", "feeds show the events of a user who was renamed as they were at first, until they are changed again",
				breaking(showsFirst(func(l look) bool { return l.event.UpdatedAt.Before(l.last(renamed, l.other, 0).at) }))),
			fault("sequence-deletion-brings-first-versions-of-others", "where a user deletes an event, feeds show its other events as they were at first, until they are changed again",
				breaking(showsFirst(func(l look) bool {
					return len(l.since(l.last(changed, l.other, l.event.ID), removed, l.other, 0)) > 0
				}))),
			fault("sequence-change-back-not-in-feeds", "an event that is changed back to what it once was stays in feeds as it was in between, as a message of the same content is taken for a repeated one",
				breaking(showsAct(func(l look) (latest *act) {
					seen := map[string]bool{}
					for _, version := range slices.Concat(l.all(posted, l.other, l.event.ID), l.all(changed, l.other, l.event.ID)) {
						content := version.event
						content.CreatedAt, content.UpdatedAt = time.Time{}, time.Time{}
						if key := string(encode(content)); !seen[key] {
							seen[key], latest = true, version
						}
					}
					return latest
				})))),
	)
}

// feedsWithGaps answers a feed as an object while events are missing from the midst
// of what the session read of it.
func feedsWithGaps(o *refserver.Options) {
	read, deleted := &memory[[]string]{}, &memory[bool]{} // ids in order, by session; by event
	combine(
		rewriteResponse(deletesEvent(), onSuccess(func(r *http.Request, _ *response) { deleted.keep(lastSegment(r), true) })),
		rewriteResponse(readsFeed(), onStatus(200, func(r *http.Request, resp *response) {
			list, _ := decode(resp.body).([]any)
			ids := idsIn(resp)
			before := read.get(sessionIn(r))
			gap := slices.IndexFunc(before, deleted.get)
			rest := slices.DeleteFunc(slices.Clone(before), deleted.get)
			if gap < 0 || gap >= len(rest) || !slices.Equal(rest, ids) {
				read.keep(sessionIn(r), ids)
				return
			}
			places := map[string]any{}
			for i, id := range ids {
				places[strconv.Itoa(slices.Index(before, id))] = list[i]
			}
			resp.body = encode(places)
		})),
	)(o)
}
