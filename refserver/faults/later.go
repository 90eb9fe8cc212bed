package faults

import (
	"slices"
	"time"

	"github.com/socialfeed/conform/refserver/store"
)

func ago(at time.Time, delay time.Duration) bool { return !at.IsZero() && time.Since(at) >= delay }

// aWhileAgo is where what is gone went a while ago.
func aWhileAgo(l look) bool { return l.later(aWhile) }

// before is the latest update of a user that changed a part of it, one of number 0 for none.
func (l look) changeOf(part attribute, id ID) *act {
	for _, update := range slices.Backward(l.all(updated, id, 0)) {
		if part(update.was) != part(update.user) {
			return update
		}
	}
	return &act{}
}

// afterTime are the faults of what is back, forgotten or otherwise a while later.
func afterTime() []Fault {
	old := func(delay time.Duration) when { return func(l look) bool { return ago(l.event.CreatedAt, delay) } }
	return slices.Concat(
		breaks("connections.delete.removes",
			fault("time-ended-follow-returns", "who is no longer followed is back among the follows five seconds later",
				breaking(list.keepsEnded(ofFollows, ended, to(iEnded, aWhileAgo))))),
		breaks("connections.lists.followers",
			fault("time-followers-forgotten", "who follows a user is among its followers for five seconds",
				breaking(list.lacks(ofFollowers, func(l look) bool { return ago(l.back().followedAt().at, aWhile) })))),
		breaks("connections.lists.after-user-delete",
			fault("time-deleted-follower-returns", "a deleted user is back among the followers five seconds later",
				breaking(list.keeps(ofFollowers, func(l look) bool { return slices.Contains(l.gone.follows, l.me) && aWhileAgo(l) })))),
		breaks("social.connects",
			fault("time-social-ids-forgotten", "three seconds after a user was created or updated last, connecting by social identifiers finds it no more",
				breaking(passesOver(func(_ contacts, user User) bool { return ago(user.UpdatedAt, 3*time.Second) })))),
		breaks("search.exact",
			fault("time-users-not-found-any-more", "a search finds users by the whole user name for five seconds after they were created",
				breaking(misses(func(l look) bool { return l.user.UserName == l.term && ago(l.user.CreatedAt, aWhile) })))),
		breaks("search.non-match-excluded",
			fault("time-found-by-former-last-name-again", "five seconds after a change of the last name a search finds the user by the former one again",
				breaking(finds(func(l look) bool {
					change := l.changeOf(lastName, l.other)
					return ago(change.at, aWhile) && change.was.LastName != "" && holdsText(change.was.LastName, l.term)
				})))),
		breaks("search.deleted-excluded",
			fault("time-deleted-user-found-again", "five seconds after its deletion a search finds a user again", breaking(findsDeleted(userName, aWhileAgo)))),
		breaks("events.update.status",
			fault("time-older-events-not-changeable", "an event that was posted four seconds ago is not found by a change",
				breaking(fails(toChange, store.ErrNotFound, func(l look) bool { return l.me == l.other && old(4*time.Second)(l) })))),
		breaks("events.update.keeps-identity",
			fault("time-late-change-moves-created-at", "a change of an event three seconds after it was posted, or later, gives it a created_at of its own",
				breaking(after(toChange, func(l *step) {
					if l.event.UpdatedAt.Sub(l.event.CreatedAt) >= 3*time.Second {
						l.event.CreatedAt = l.event.UpdatedAt
					}
				})))),
		breaks("events.delete.status",
			fault("time-older-events-not-found-for-deletion", "an event of more than three seconds ago is not found by its deletion",
				breaking(fails(toRemove, store.ErrNotFound, func(l look) bool { return ago(l.event.CreatedAt, 3*time.Second+1) })))),
		breaks("events.delete.others",
			fault("time-owner-of-event-forgotten", "three seconds after an event was posted or changed anybody may delete it",
				breaking(foreign(toRemove, nil, func(l look) bool {
					change := l.last(changed, 0, l.event.ID)
					return old(3*time.Second)(l) && (change.n == 0 || ago(change.at, 3*time.Second))
				})))),
		breaks("feed.follow.new-events",
			fault("time-events-leave-feeds", "events leave the feeds five seconds after they were posted", breaking(hides(old(aWhile)))),
			fault("time-events-long-after-follow-in-no-feed", "an event that is posted four seconds after a follow, or later, is not in the follower's feed",
				breaking(hides(func(l look) bool {
					at := l.followedAt().at
					return !at.IsZero() && l.event.CreatedAt.Sub(at) >= 4*time.Second && !l.befriends()
				})))),
		breaks("feed.friends",
			fault("time-friends-forgotten", "friends see each other's events for five seconds",
				breaking(hides(func(l look) bool { return ago(l.latest(befriended).at, aWhile) && !l.follows() })))),
		breaks("feed.order",
			fault("time-older-events-in-reverse", "in a feed the events that were posted four seconds ago or earlier stand the oldest first, behind the newer ones",
				breaking(feeds(func(_ look, feed []Event) []Event {
					if older := slices.IndexFunc(feed, func(event Event) bool { return ago(event.CreatedAt, 4*time.Second) }); older >= 0 {
						slices.Reverse(feed[older:])
					}
					return feed
				})))),
		breaks("feed.event-shape",
			fault("time-old-events-lose-metadata", "in a feed events that were posted three seconds ago or earlier have no metadata, as what old ones are read from has no room for it",
				breaking(edits(old(3*time.Second), func(event *Event) { event.Metadata = nil }))),
			fault("time-older-events-without-display-names", "in a feed the objects of events that were posted three seconds ago have no display names",
				rewriteEach(readsFeed(), func(event map[string]any) {
					if ago(timeIn(event, "created_at"), 3*time.Second) {
						within("object", drop("display_name"))(event)
					}
				}))),
		breaks("feed.update-visible",
			fault("time-change-of-event-rolled-back", "five seconds after a change feeds show an event as it was at first",
				breaking(showsFirst(func(l look) bool { return l.edited() && ago(l.event.UpdatedAt, aWhile) })))),
		breaks("feed.unfollow",
			fault("time-unfollowed-return", "the events of a user who is no longer followed are back in the feed five seconds later", breaking(stays(ended, aWhileAgo))),
			fault("time-unfollow-leaves-older-events", "the end of a follow leaves events in the feed that were posted four seconds before it or earlier",
				breaking(stays(ended, func(l look) bool { return l.gone.at.Sub(l.event.CreatedAt) >= 4*time.Second && l.there(l.other) })))),
		breaks("feed.refollow",
			fault("time-late-removal-after-refollow", "who follows again within a second after the end of a follow loses the earlier events from the feed a second later",
				breaking(hides(func(l look) bool {
					follow := l.last(followed, l.me, l.other)
					left := l.then(follow).ended()
					return !left.IsZero() && follow.at.Sub(left) < time.Second && l.older(follow.at) && ago(follow.at, time.Second) && !l.befriends()
				})))),
		breaks("feed.event-delete",
			fault("time-deleted-event-returns", "a deleted event is back in the feeds of followers five seconds later", breaking(stays(removed, to(look.wasFollower, aWhileAgo))))),
		breaks("feed.purge.followers",
			fault("time-purged-return-to-followers", "a deleted user's events are back in the feeds of followers five seconds later", breaking(stays(deleted, to(look.wasFollower, aWhileAgo))))),
		breaks("feed.purge.friends",
			fault("time-purged-return-to-friends", "a deleted user's events are back in the feeds of friends five seconds later", breaking(stays(deleted, to(look.wasFriend, aWhileAgo))))),
		breaks("sessions.login.email",
			fault("time-email-forgotten", "nobody logs in by email six seconds after the user was created or updated last",
				breaking(loginsFail(email, func(l look) bool { return ago(l.user.UpdatedAt, 6*time.Second) })))),
		breaks("sessions.logout.destroys",
			fault("time-destroyed-token-works-again", "a session token works again five seconds after its logout", breaking(sessionsLast(aWhileAgo)))),
		breaks("sessions.logout.relogin",
			fault("time-token-is-the-same-within-a-second", "a login within a second after the one before gives the same token again where that was logged out since, and it stays destroyed",
				breaking(tokensOfTheSecond()))),
		breaks("users.me.update.applies",
			fault("time-update-rolled-back", "five seconds after an update the first name is again what it was before",
				breaking(records(func(l look, user *User) {
					if change := l.changeOf(firstName, user.ID); ago(change.at, aWhile) {
						user.FirstName = change.was.FirstName
					}
				}))),
			fault("time-updated-last-name-turns-back", "three seconds after an update the own record shows the last name as it was before",
				breaking(records(func(l look, user *User) {
					if update := l.last(updated, user.ID, 0); update.was.LastName != "" && ago(update.at, 3*time.Second) {
						user.LastName = update.was.LastName
					}
				})))),
		breaks("users.me.update.password",
			fault("time-old-password-works-again", "four seconds after a change of password the one before logs in again, beside the new one",
				breaking(passwordsTaken(byEither, func(l look, given []byte) bool {
					change := l.last(newPassword, l.me, 0)
					return change.ended(given) && ago(change.at, 4*time.Second)
				}))),
			fault("time-old-password-cached", "a password that somebody logged in by goes on doing so for three seconds, changed or not",
				breaking(loginsRemembered(3*time.Second)))),
		breaks("users.me.delete.gone",
			fault("time-deleted-record-returns", "a deleted user's record is shown again five seconds later", breaking(recordsStay(aWhileAgo)))),
	)
}

// loginsRemembered takes for some time what somebody logged in by, as long as the names are
// those of the user.
func loginsRemembered(lasting time.Duration) effect {
	return loggingIn(func(l *step, err error) error {
		key := l.name + " " + l.email + " " + string(l.password)
		if err == nil {
			l.journal.write(l.app, act{by: l.user.ID, text: key}, noted)
			return nil
		}
		login := newest(l.named(noted, key))
		now := l.record(login.by)
		if login.n == 0 || ago(login.at, lasting) || now.ID == 0 || l.name != "" && now.UserName != l.name || l.email != "" && now.Email != l.email {
			return err
		}
		l.user = now
		return nil
	})
}

// tokensOfTheSecond makes a session's token of the user and the second.
func tokensOfTheSecond() effect {
	return around(toOpen, func(l *step) error {
		was := l.last(noted, l.me, 0)
		if err := l.do(); err != nil {
			return err
		}
		if was.n > 0 && len(l.named(loggedOut, was.text)) > 0 && time.Since(was.at) < time.Second {
			made := l.term
			l.term = was.text
			return l.store.CloseSession(l.app, made)
		}
		l.noteSession()
		return nil
	})
}
