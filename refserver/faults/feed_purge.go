package faults

import "slices"

// purgesForFollowers are the faults of the purge in the feeds of followers (the
// contract's part States, row 'user exists').
func purgesForFollowers() []Fault {
	keeps := func(is when) mutation { return breaking(stays(deleted, to(look.wasFollower, is))) }
	return breaks("feed.purge.followers",
		fault("feed-purge-forgets-followers", "a deleted user's events stay in the feeds of its followers", keeps(always)),
		fault("feed-purge-forgets-the-last-follower", "a deleted user's events stay in the feed of the last of its followers", keeps(look.wasLastFollower)),
		fault("feed-purge-takes-the-newest-alone", "of a deleted user's events only the newest leaves the feeds of followers", keeps(notNewest)),
		fault("feed-purge-forgets-the-oldest", "the oldest of a deleted user's events stays in the feeds of followers",
			keeps(func(l look) bool { return l.i == len(l.gone.events)-1 })),
		fault("feed-purge-forgets-changed-events", "those of a deleted user's events that were changed stay in the feeds of followers", keeps(look.edited)),
		fault("feed-purged-return", "a deleted user's events are back in the feeds of followers a second later", keeps(aMomentAgo)),
		fault("feed-purged-return-with-the-next-post", "a deleted user's events are back in the feeds of followers when somebody else posts", keeps(look.withTheNextPost)),
		fault("feed-purge-never-empties", "a deleted user's events stay in the feed of a follower who follows nobody else", keeps(look.withNothingElse)),
		fault("feed-purge-forgets-who-was-followed-back", "a deleted user's events stay in the feeds of the followers whom it followed too",
			keeps(func(l look) bool { return slices.Contains(l.gone.follows, l.me) })),
		fault("feed-purged-return-with-the-next-follow", "a deleted user's events are back in the feed of a follower who follows somebody else", breaking(returnsWith(connected))),
		fault("feed-purged-show-every-other-time", "a deleted user's events are in the feeds of followers at every other reading",
			keeps(func(l look) bool { return !l.everyNth(2) })))
}

// notNewest is of those that went all but the newest.
func notNewest(l look) bool { return l.i > 0 }

// purgesForFriends are the faults of the purge in the feeds of friends.
func purgesForFriends() []Fault {
	keeps := func(readers, is when) mutation { return breaking(stays(deleted, to(readers, is))) }
	alone := look.wasFriendAlone
	return breaks("feed.purge.friends",
		fault("feed-purge-forgets-friends", "a deleted user's events stay in the feeds of its friends", keeps(alone, always)),
		fault("feed-purge-forgets-friends-who-follow", "a deleted user's events stay in the feed of a friend who also followed it",
			keeps(look.wasFriend, func(l look) bool { return slices.Contains(l.gone.followers, l.me) })),
		fault("feed-purge-forgets-friends-it-asked", "a deleted user's events stay in the feeds of the friends whom it had asked", keeps(alone, look.wasAsked)),
		fault("feed-purge-takes-the-newest-from-friends", "of a deleted user's events only the newest leaves the feeds of friends", keeps(alone, notNewest)),
		fault("feed-purged-return-to-friends", "a deleted user's events are back in the feeds of friends a second later", keeps(alone, aMomentAgo)),
		fault("feed-purged-return-to-friends-with-the-next-post", "a deleted user's events are back in the feeds of friends when somebody else posts",
			keeps(alone, look.withTheNextPost)))
}

// purgesOfOthers are the faults of a purge that takes what is not the deleted user's.
func purgesOfOthers() []Fault {
	takes := func(is when) mutation {
		return breaking(purgeTakes(func(l look) bool { return l.older(l.gone.at) && is(l) }))
	}
	return breaks("feed.purge.keeps-others",
		fault("feed-purge-takes-all-between", "with a deleted user's events all that were created between its first and its last leave its followers' feeds",
			breaking(fromFollowers(func(l look) bool {
				n := len(l.gone.events)
				return n > 0 && l.gone.events[n-1].ID < l.event.ID && l.event.ID < l.gone.events[0].ID
			}))),
		fault("feed-purge-takes-all-before", "with a deleted user's events everything older leaves the feeds of its followers", breaking(fromFollowers(always))),
		fault("feed-purge-takes-all-before-from-friends", "with a deleted user's events everything older leaves the feeds of its friends", takes(look.wasFriend)),
		fault("feed-purge-takes-followers-events", "with a deleted user's events those of its followers leave the feeds",
			takes(func(l look) bool { return slices.Contains(l.gone.followers, l.other) })),
		fault("feed-purge-takes-friends-events", "with a deleted user's events those of its friends leave the feeds",
			takes(func(l look) bool { return slices.Contains(l.gone.friends, l.other) })),
		fault("feed-purge-takes-followed-events", "with a deleted user's events those of the users whom it followed leave the feeds",
			takes(func(l look) bool { return slices.Contains(l.gone.follows, l.other) })),
		fault("feed-purge-takes-new-events", "with a deleted user's events all that is posted from then on is kept from its followers' feeds",
			breaking(purgeTakes(func(l look) bool { return slices.Contains(l.gone.followers, l.me) && !l.older(l.gone.at) }))),
		fault("feed-purge-breaks-feeds", "after the deletion of a followed user the follower's feed is not found",
			breaking(func(s *overrides) {
				feed := s.feed
				s.feed = func(app App, reader ID) ([]Event, error) {
					if slices.ContainsFunc(s.look(app, reader, 0).all(deleted, 0, 0), func(gone *act) bool { return slices.Contains(gone.followers, reader) }) {
						return nil, unfound("a followed user")
					}
					return feed(app, reader)
				}
			})))
}

// namesakes are the faults of users under the name of a deleted one.
func namesakes() []Fault {
	// returning shows the events of a deleted user again once a namesake did something.
	returning := func(did func(l look, namesake ID) bool) mutation {
		return breaking(stays(deleted, to(look.wasReader, func(l look) bool {
			return slices.ContainsFunc(l.now().since(l.gone, created, 0, 0), func(made *act) bool {
				return made.text == l.gone.text && made.text != "" && did(l.now(), made.by)
			})
		})))
	}
	return breaks("feed.purge.no-return",
		fault("feed-namesake-brings-events-back", "a new user under the name of a deleted one brings the old events back to the former followers",
			returning(func(look, ID) bool { return true })),
		fault("feed-follow-of-namesake-brings-events-back", "who follows a new user under the name of a deleted one that it followed sees the old events",
			returning(func(l look, namesake ID) bool { return l.ever(connected, l.me, namesake) })),
		fault("feed-post-of-namesake-brings-events-back", "with the first event of a new user under the name of a deleted one the old events are back",
			returning(func(l look, namesake ID) bool { return l.ever(posted, namesake, 0) })))
}
