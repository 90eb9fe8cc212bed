package faults

import (
	"bytes"
	"errors"
	"slices"
	"strings"
)

// sequencePurges are the faults of the purge after certain histories: of what stays in feeds,
// what it takes of others, and what returns.
func sequencePurges() []Fault {
	stay := func(is when) mutation { return breaking(stays(deleted, to(look.wasFollower, is))) }
	ofFriends := func(is when) mutation { return breaking(stays(deleted, to(look.wasFriend, is))) }
	ownerRenamed := func(l look) bool { return l.ever(renamed, l.other, 0) }
	removedOne := func(l look) bool { return l.ever(removed, l.other, 0) }
	return slices.Concat(
		breaks("feed.purge.followers",
			fault("sequence-purge-forgets-refollowers", "a deleted user's events stay in the feed of a follower who had ended the follow and made it again", stay(endedBefore)),
			fault("sequence-purge-forgets-followers-of-renamed", "the events of a deleted user who had been renamed stay in the feeds of followers", stay(ownerRenamed)),
			fault("sequence-purge-forgets-who-logged-in-since", "a deleted user's events stay in the feed of a follower who logged in after the follow",
				stay(func(l look) bool { return l.last(loggedIn, l.me, 0).n > l.followedAt().n })),
			fault("sequence-purge-forgets-social-followers", "a deleted user's events stay in the feed of who followed it by social identifiers", stay(look.socially)),
			fault("sequence-purge-forgets-late-followers", "a deleted user's events stay in the feed of who followed it after its last event",
				stay(func(l look) bool { return l.gone.events[0].CreatedAt.Before(l.followedAt().at) })),
			fault("sequence-second-purge-is-forgotten", "the events of the second deleted user in a feed stay there",
				stay(func(l look) bool {
					return slices.ContainsFunc(l.all(deleted, 0, 0), func(gone *act) bool { l.gone = gone; return l.wasFollower() })
				})),
			fault("sequence-purge-from-second-session-forgets", "the events of a deleted user who had logged in twice stay in the feeds of followers",
				stay(func(l look) bool { return l.times(loggedIn, l.other, 0) >= 2 })),
			fault("sequence-purge-short-after-event-deletion", "the oldest event of a deleted user who had deleted another of them stays in the feeds of followers",
				stay(func(l look) bool { return removedOne(l) && l.i == len(l.gone.events)-1 })),
			fault("sequence-purge-after-deleted-event-leaves-newest", "the newest event of a deleted user who had deleted one before stays in the feeds of followers",
				stay(func(l look) bool { return removedOne(l) && l.i == 0 })),
			fault("sequence-purge-forgets-follower-left-as-friend", "a deleted user's events stay in the feed of a follower whose friendship it had ended",
				stay(func(l look) bool { return l.leftAsFriend().n > 0 })),
			fault("sequence-purged-return-at-next-login", "a deleted user's events are back in the feed of a follower who logs in after that", breaking(returnsWith(loggedIn))),
			fault("sequence-purged-return-when-another-is-unfollowed", "a deleted user's events are back in the feed of a follower who ends its connection to somebody else",
				breaking(returnsWith(ended))),
			fault("sequence-purge-forgets-renamed-followers", "a deleted user's events stay in the feed of a follower who was renamed",
				stay(func(l look) bool { return l.ever(renamed, l.me, 0) })),
			fault("sequence-purge-stops-at-deleted-follower", "a deleted user's events stay in the feeds of followers where one of them was deleted before",
				stay(func(l look) bool {
					return slices.ContainsFunc(l.all(followed, 0, l.other), func(follow *act) bool { return l.ever(deleted, follow.by, 0) })
				})),
			fault("sequence-purged-return-when-the-follower-is-updated", "a deleted user's events are back in the feed of a follower who updates its own record",
				breaking(returnsWith(updated))),
			fault("sequence-second-purge-brings-the-first-back", "a deleted user's events are back in the feed of a follower of whose follows another is deleted after that, as a feed has one mark of a purge",
				breaking(stays(deleted, func(l look) bool {
					return slices.Contains(l.gone.followers, l.me) && slices.ContainsFunc(l.now().since(l.gone, deleted, 0, 0), func(later *act) bool {
						return slices.Contains(later.followers, l.me)
					})
				}))),
			fault("sequence-purge-forgets-who-came-back", "a deleted user's events stay in the feeds of followers who had ended the follow once",
				breaking(stays(deleted, func(l look) bool { return slices.Contains(l.gone.followers, l.me) && endedBefore(l) }))),
			fault("sequence-purge-misses-events-from-before-rename", "of a deleted user those events stay in the feeds of followers that it posted under a former user name",
				stay(func(l look) bool { return l.older(l.last(renamed, l.other, 0).at) })),
			fault("sequence-purge-forgets-what-a-follow-copied", "a deleted user's events that were older than a follow, and came into the feed with it, stay there", stay(beforeFollow)),
			fault("sequence-purge-leaves-events-before-new-email", "of a deleted user who had changed the email, the events from before that stay in the feeds of followers",
				stay(func(l look) bool { return l.older(l.last(newEmail, l.other, 0).at) })),
			fault("sequence-purge-skipped-by-counter", "the purge passes over the feeds of followers where the user had deleted half of its events or more: each deletion counts twice, and none seems to be left",
				stay(func(l look) bool {
					return removedOne(l) && 2*l.times(removed, l.other, 0) >= l.times(posted, l.other, 0)
				}))),
		breaks("feed.purge.friends",
			fault("sequence-purge-forgets-friends-who-followed-first", "a deleted user's events stay in the feed of a friend who had followed it before",
				ofFriends(func(l look) bool {
					return slices.ContainsFunc(l.all(followed, l.me, l.other), func(follow *act) bool { return !slices.Contains(follow.friends, l.other) })
				})),
			fault("sequence-purge-forgets-refriended", "a deleted user's events stay in the feed of a friend who had ended the friendship and made it again",
				breaking(stays(deleted, to(look.wasFriendAlone, endedBefore)))),
			fault("sequence-purge-of-renamed-forgets-friends", "the events of a deleted user who had been renamed stay in the feeds of friends", ofFriends(ownerRenamed)),
			fault("sequence-purge-forgets-second-friend", "the events of the second deleted user in a friend's feed stay there",
				ofFriends(func(l look) bool {
					return slices.ContainsFunc(l.all(deleted, 0, 0), func(gone *act) bool { return slices.Contains(gone.friends, l.me) })
				}))),
		breaks("feed.purge.keeps-others",
			fault("sequence-purge-takes-the-next-users", "with a deleted user's events those of the user created after it leave the feeds of its followers",
				breaking(fromFollowers(func(l look) bool { return l.other == l.gone.by+1 }))),
			fault("sequence-purge-takes-events-on-same-object", "with a deleted user's events those on the same objects leave the feeds of its followers",
				breaking(fromFollowers(func(l look) bool {
					return slices.ContainsFunc(l.gone.events, func(event Event) bool { return onSameObject(event, l.event) })
				}))),
			fault("sequence-purge-by-former-name", "the deletion of a user takes out of feeds what another posted while that one bore its user name",
				breaking(hides(func(l look) bool {
					name := l.signed()
					return l.older(newest(l.named(deleted, name)).at) && l.there(l.other) && l.record(l.other).UserName != name
				}))),
			fault("sequence-purge-takes-events-of-refollowed", "with a deleted user's events those leave the feed of a follower whose owners it had unfollowed once, and follows again",
				breaking(fromFollowers(func(l look) bool { left := l.last(ended, l.me, l.other); return left.n > 0 && left.n < l.gone.n }))),
			fault("sequence-deleted-follower-takes-events-of-the-next", "where a follower is deleted, what the followed user posted before leaves the feed of the follower who comes next on the list", nextFollowersEmptied()),
			fault("sequence-purge-takes-events-of-namesake-elsewhere", "with a deleted user's events those of a user by the same name in another application leave the feeds",
				breaking(hides(func(l look) bool {
					name := l.record(l.other).UserName
					return slices.ContainsFunc(l.elsewhere(), func(there look) bool {
						return name != "" && l.older(newest(there.named(deleted, name)).at)
					})
				})))),
		breaks("feed.purge.no-return",
			fault("sequence-namesake-with-same-email-brings-events-back", "a new user with name and email of a deleted one brings the old events back",
				breaking(stays(deleted, to(look.wasReader, func(l look) bool {
					return slices.ContainsFunc(l.now().since(l.gone, created, 0, 0), func(made *act) bool {
						return made.text == l.gone.text && made.user.Email == l.gone.user.Email && made.user.Email != ""
					})
				}))))),
	)
}

// nextFollowersEmptied clears the feeds that belong to the places of a deleted follower,
// when the next one has moved there.
func nextFollowersEmptied() mutation {
	return breaking(around(toDelete, func(l *step) error {
		readers := map[ID]ID{} // by owner
		for _, owner := range l.followsOf(l.me) {
			readers[owner] = next(l.followersOf(owner), l.me)
		}
		err := l.do()
		for owner, reader := range readers {
			if err == nil && reader != 0 {
				l.mark(reader, owner)
			}
		}
		return err
	}), hides(func(l look) bool {
		return l.unless(noted, l.me, l.other, connected) && l.older(l.last(noted, l.me, l.other).at)
	}))
}

// sequenceSearches are faults of searches that miss users, or find them wrongly, after certain steps.
func sequenceSearches() []Fault {
	return slices.Concat(
		breaks("search.exact",
			fault("sequence-taken-name-not-found", "who took a user name that another gave up is not found by it",
				breaking(misses(func(l look) bool {
					former := newest(l.named(renamed, l.term))
					return l.user.UserName == l.term && former.n > 0 && former.by != l.other
				}))),
			fault("sequence-name-searched-in-vain-stays-unknown", "a search for a whole user name that found nobody before its bearer was created goes on missing the bearer",
				breaking(searching(func(l look, hits []User) []User {
					if len(hits) == 0 {
						l.journal.write(l.app, act{text: l.term}, noted)
					}
					return slices.DeleteFunc(hits, func(user User) bool { return user.UserName == l.term && len(l.named(noted, l.term)) > 0 })
				})))),
		breaks("search.user-name",
			fault("sequence-search-misses-name-changed-alone", "after an update whose only searched change is the user name, searches still use the old one",
				missedWhereAlone(func(into *User, from User) { into.UserName = from.UserName }))),
		breaks("search.last-name",
			fault("sequence-search-misses-last-name-changed-alone", "after an update whose only searched change is the last name, searches still use the old one",
				missedWhereAlone(func(into *User, from User) { into.LastName = from.LastName }))),
		breaks("search.email",
			fault("sequence-search-misses-email-changed-alone", "after an update whose only searched change is the email, searches still use the old one",
				missedWhereAlone(func(into *User, from User) { into.Email = from.Email }))),
		breaks("search.user-name",
			fault("sequence-search-not-by-second-name", "a user who was renamed twice is not found by the user name",
				breaking(missesBy(userName, func(l look) bool { return l.term != l.user.UserName && l.times(renamed, l.other, 0) >= 2 }))),
			fault("sequence-search-kept-misses-newcomers", "a search for a term that found somebody before does not find by the user name who was created since",
				breaking(searching(func(l look, hits []User) []User {
					first := l.named(noted, folded(l.term))
					if len(hits) > 0 && len(first) == 0 {
						l.journal.write(l.app, act{text: folded(l.term)}, noted)
					}
					return slices.DeleteFunc(hits, func(user User) bool {
						return len(first) > 0 && user.CreatedAt.After(first[0].at) && holdsText(user.UserName, l.term)
					})
				}))),
			fault("sequence-search-misses-name-taken-up-again", "a part of the user name of who gave it up and took it up again finds nobody, as the old entry is cleaned up last",
				breaking(missesBy(userName, func(l look) bool {
					former := slices.ContainsFunc(l.all(renamed, l.other, 0), func(rename *act) bool { return rename.text == l.user.UserName })
					return former && !strings.EqualFold(l.user.UserName, l.term)
				})))),
		breaks("search.first-name",
			fault("sequence-reindexed-without-first-name", "a user is not found by a first name that the latest update left as it was",
				breaking(missesBy(firstName, func(l look) bool {
					update := l.last(updated, l.other, 0)
					return update.n > 0 && update.was.FirstName == update.user.FirstName
				})))),
		breaks("search.email",
			fault("sequence-login-reindexes-without-email", "a search does not find a user by its email from the first login after the create on, until the next update",
				breaking(missesBy(email, func(l look) bool {
					return slices.ContainsFunc(l.since(l.last(updated, l.other, 0), loggedIn, l.other, 0), func(login *act) bool {
						return login.user.LastLogin.After(login.user.CreatedAt)
					})
				})))),
		breaks("search.non-match-excluded",
			fault("sequence-search-one-rename-behind", "after a second update a search finds a user by the first name before",
				breaking(finds(func(l look) bool {
					old := l.last(updated, l.other, 0).was.FirstName
					return l.times(updated, l.other, 0) >= 2 && old != "" && holdsText(old, l.term)
				}))),
			fault("sequence-search-adds-the-latest", "a search that finds somebody adds the user created last, if that one has no login yet",
				breaking(searching(func(l look, hits []User) []User {
					user := l.record(l.last(created, 0, 0).by)
					if user.ID != 0 && user.LastLogin.IsZero() && len(hits) > 0 && hits[len(hits)-1].ID != user.ID {
						hits = append(hits, user)
					}
					return hits
				}))),
			fault("sequence-refused-update-is-indexed", "a search also finds a user by the names in an update that was refused with 422, until the next one that is not", refusedUpdatesIndexed)),
		breaks("search.deleted-excluded",
			fault("sequence-search-finds-deleted-who-were-renamed", "a search finds deleted users who had been renamed",
				breaking(findsDeleted(userName, func(l look) bool { return l.ever(renamed, l.other, 0) }))),
			fault("sequence-search-kept-from-before-deletion", "a search for a term finds a deleted user whom a search for the same term had found before",
				breaking(searching(func(l look, hits []User) []User {
					for _, gone := range l.all(deleted, 0, 0) {
						if len(l.journal.at(place{l.app, noted, 0, gone.by, l.term}, 0)) > 0 {
							hits = append(hits, gone.user)
						}
					}
					for _, user := range hits {
						l.journal.write(l.app, act{to: user.ID, text: l.term}, noted)
					}
					return hits
				}))),
			fault("sequence-search-finds-deleted-whom-the-reader-followed", "a search that a deleted user's follower makes goes on finding that user by the user name, as it looks at the follower's contacts first", deletedContactsFound),
			fault("sequence-deleted-after-rename-found-by-former-name", "a user that was renamed, and then deleted, is found by the former user name",
				breaking(findsGone(func(l look) bool {
					return l.term != "" && slices.ContainsFunc(l.all(renamed, l.other, 0), func(rename *act) bool {
						return rename.text != l.user.UserName && holdsText(rename.text, l.term)
					})
				})))),
	)
}

// missedWhereAlone lets a search go on with a user as it was where an update changed one attribute alone;
// take takes that attribute over from another state of the user.
func missedWhereAlone(take func(into *User, from User)) mutation {
	searched := func(user User) string {
		return strings.Join([]string{user.UserName, user.FirstName, user.LastName, user.Email}, "\n")
	}
	indexed := func(l look) (text string, known bool) {
		for _, update := range l.all(updated, l.other, 0) {
			alike := update.was
			if take(&alike, update.user); searched(alike) != searched(update.user) {
				text = searched(update.user)
			} else if text == "" {
				text = searched(update.was)
			}
			known = true
		}
		return text, known
	}
	return breaking(
		misses(func(l look) bool { text, known := indexed(l); return known && !holdsText(text, l.term) }),
		finds(func(l look) bool { text, known := indexed(l); return known && holdsText(text, l.term) }))
}

// sequenceSocials are the faults of social identifiers that were changed, given up or connected before.
func sequenceSocials() []Fault {
	return slices.Concat(
		breaks("social.connects",
			fault("sequence-social-id-of-an-update-unknown", "connecting by social identifiers finds nobody by an id that came with an update",
				breaking(passesOver(func(c contacts, user User) bool {
					return slices.ContainsFunc(c.all(updated, user.ID, 0), func(update *act) bool {
						id := update.user.SocialIDs[c.platform]
						return id == user.SocialIDs[c.platform] && id != update.was.SocialIDs[c.platform]
					})
				}))),
			fault("sequence-social-passes-over-unfollowed", "connecting by social identifiers passes over whom the user had a connection to before, and ended it",
				breaking(passesOver(func(c contacts, user User) bool { return c.ever(ended, c.me, user.ID) }))),
			fault("sequence-given-up-social-id-still-connects", "connecting by a social id also connects to who gave it up for another",
				breaking(socially(func(c contacts, proceed func([]string) error) error {
					var former []User
					for _, update := range c.all(updated, 0, 0) {
						id := update.was.SocialIDs[c.platform]
						if id != "" && slices.Contains(c.ids, id) && update.user.SocialIDs[c.platform] != id && update.by != c.me && c.there(update.by) {
							former = append(former, update.user)
						}
					}
					return errors.Join(c.connect(c.typ, former...), proceed(c.ids))
				}))),
			fault("sequence-social-undone-by-who-is-connected-already", "connecting by social identifiers connects nobody where one of those found is connected already",
				breaking(socially(func(c contacts, proceed func([]string) error) error {
					if slices.ContainsFunc(c.found(), func(user User) bool { return c.connectedAs(c.typ, user.ID) }) {
						return nil
					}
					return proceed(c.ids)
				}))),
			fault("sequence-second-platform-read-as-first", "who has connected by social identifiers on one platform, and does it on another, connects to those who have them on the first",
				breaking(socially(func(c contacts, _ func([]string) error) error {
					c.journal.write(c.app, act{by: c.me, text: c.platform}, noted)
					return c.store.ConnectSocial(c.app, c.me, c.first(noted, c.me, 0).text, c.ids, c.typ)
				})))),
		breaks("social.unknown-ids",
			fault("sequence-social-id-of-deleted-not-found", "connecting by the social id of a user who was deleted is answered with 404",
				breaking(socially(func(c contacts, proceed func([]string) error) error {
					for _, id := range c.ids {
						bears := func(user User) bool { return user.SocialIDs[c.platform] == id }
						if !slices.ContainsFunc(c.bearers(), bears) && slices.ContainsFunc(c.all(deleted, 0, 0), func(gone *act) bool { return bears(gone.user) }) {
							return unfound("user")
						}
					}
					return proceed(c.ids)
				})))),
	)
}

// samePassword reports whether two states of a user have one password.
func samePassword(one, other User) bool { return bytes.Equal(one.Password, other.Password) }
