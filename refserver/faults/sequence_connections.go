package faults

import (
	"errors"
	"net/http"
	"slices"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/store"
)

// sequenceConnections are the faults of connections that are made again, or after others, and of their end.
func sequenceConnections() []Fault {
	swapped := func(is func(l *step) bool) mutation {
		return breaking(after(toConnect, func(l *step) {
			if is(l) {
				l.made.From, l.made.To = l.made.To, l.made.From
			}
		}))
	}
	confirmed := func(is when) mutation {
		return breaking(after(toConnect, func(l *step) {
			if l.of(store.Follow) && is(l.look) {
				l.made.ConfirmedAt = l.made.CreatedAt
			}
		}))
	}
	return slices.Concat(
		breaks("connections.create.follow",
			fault("sequence-refollow-is-disabled", "who follows a user again gets a follow that is not enabled",
				afterEnd(func(again match) mutation { return rewriteObject(createsFollow().and(again), set("enabled", false)) })),
			fault("sequence-follow-back-answers-the-others", "the answer to a follow of a user who follows already goes from that one to the user, as the first follow does",
				swapped(func(l *step) bool { return l.of(store.Follow) && l.isNew && l.followedBy() }))),
		breaks("connections.create.friend",
			fault("sequence-refriend-is-a-follow", "who befriends a user after an ended connection gets a follow for an answer",
				afterEnd(func(again match) mutation {
					return combine(rewriteObject(createsFriend().and(again), set("type", "follow")), rewriteObject(createsFriend().and(again), drop("confirmed_at")))
				})),
			fault("sequence-friend-of-follower-from-the-wrong-side", "a friend connection to a user who follows oneself is answered as if it went from that user",
				swapped(func(l *step) bool { return l.of(store.Friend) && l.followedBy() }))),
		breaks("connections.confirmed-at",
			fault("sequence-follow-of-friend-is-confirmed", "the follow of a user who is a friend has a confirmed_at", confirmed(look.befriends)),
			fault("sequence-follow-after-friendship-is-confirmed", "a follow of a former friend has confirmed_at, as it revives the row of the friendship",
				confirmed(func(l look) bool { return l.ever(unfriended, l.me, l.other) }))),
		breaks("connections.friends.mutual",
			fault("sequence-refriended-listed-on-one-side", "of two users who are friends again the one who had ended it does not list the other",
				breaking(list.lacks(ofFriends, endedBefore))),
			fault("sequence-friends-after-crossed-follows-on-one-side", "of two users who followed each other before they became friends the one who asked last does not list the other",
				breaking(list.lacks(ofFriends, func(l look) bool {
					then := l.then(l.asked())
					return l.askedLast() && then.unless(followed, l.me, l.other, ended) && then.unless(followed, l.other, l.me, ended)
				}))),
			fault("sequence-friendship-asked-before-logout-unconfirmed", "two users of whom the one who asked first logged out before the other asked, too, do not list each other as friends",
				breaking(list.lacks(ofFriends, func(l look) bool {
					if !l.askedLast() {
						l = l.back()
					}
					return l.askedLast() && len(l.then(l.asked()).since(l.back().asked(), loggedOut, l.other, 0)) > 0
				}))),
			fault("sequence-renewed-friendship-lists-one-side", "where a friendship was ended and both ask again, the one who had ended it is not among the friends of the other",
				breaking(list.lacks(ofFriends, func(l look) bool { return l.ever(unfriended, l.other, l.me) }))),
			fault("sequence-second-friendship-one-sided", "where two users become friends again, the one who ended the friendship no longer lists the other",
				breaking(list.lacks(ofFriends, func(l look) bool { return l.ever(unfriended, l.me, l.other) })))),
		breaks("connections.delete.status",
			fault("sequence-end-of-follow-of-contact-not-found", "the end of a follow that social identifiers have made is answered with 404, and takes effect",
				breaking(ending(func(l look, err error) error {
					if err == nil && slices.Contains(l.gone.follows, l.other) && l.socially() {
						return unfound("connection")
					}
					return err
				})))),
		breaks("connections.delete.removes",
			fault("sequence-second-end-leaves-follower", "who ends a follow for the second time stays among the followers",
				breaking(list.keepsEnded(ofFollowers, ended, to(theyEnded, func(l look) bool { return l.ever(ended, l.other, l.me) })))),
			fault("sequence-social-follower-stays-listed", "who followed a user by social identifiers and ends that stays among its followers",
				breaking(list.keepsEnded(ofFollowers, ended, to(theyEnded, func(l look) bool { return slices.Contains(l.gone.follows, l.me) && l.back().socially() })))),
			fault("sequence-renamed-follower-stays-listed", "who was renamed after a follow, and ends it, stays among the followers",
				breaking(list.keepsEnded(ofFollowers, ended, to(theyEnded, func(l look) bool {
					follow := l.last(followed, l.other, l.me)
					return l.back().follow().n > 0 && len(l.since(follow, renamed, l.other, 0)) > 0
				})))),
			fault("sequence-friendship-ended-by-who-asked-last-stays", "where two users have asked each other to be friends, and the one who asked last ends it, that one stays among the friends of the other",
				breaking(list.keepsEnded(ofFriends, unfriended, to(theyEnded, func(l look) bool { return l.back().askedLast() })))),
			fault("sequence-unfollowed-elsewhere-stays-listed", "a user whom another session of the follower unfollows stays on the list of follows that the session sees which had made the follow",
				breaking(list.keepsEnded(ofFollows, ended, to(iEnded, func(l look) bool {
					maker := l.then(l.last(followed, l.me, l.other)).session(l.me)
					return maker != "" && maker != l.session(l.me) && maker == l.now().session(l.me)
				}))))),
		breaks("connections.delete.unknown",
			fault("sequence-second-end-answers-200", "the end of a connection that was ended already is answered with 200",
				afterEnd(func(again match) mutation {
					return rewriteResponse(disconnects().and(again), replaceStatus(404, 200, "{}"))
				}))),
		breaks("connections.delete.only-own",
			fault("sequence-end-of-friendship-ends-the-others-follow", "who ends a friendship also ends the follow of the other",
				breaking(ending(func(l look, err error) error {
					if err == nil && slices.Contains(l.gone.friends, l.other) && !l.befriends() {
						_ = l.store.Disconnect(l.app, l.other, l.me, store.Follow) // which there may be none of
					}
					return err
				}))),
			fault("sequence-end-between-followers-of-each-other-ends-both", "of two users who follow each other the one who ends it ends the follow of the other, too",
				breaking(ending(func(l look, err error) error {
					if err == nil && slices.Contains(l.gone.follows, l.other) && !l.follows() && l.followedBy() {
						return l.store.Disconnect(l.app, l.other, l.me, store.Follow)
					}
					return err
				})))),
		breaks("errors.no-5xx",
			fault("sequence-follow-of-deleted-fails", "a connection to a user who was deleted is answered with 500",
				breaking(fails(toConnect, errors.New("foreign key constraint fails"), func(l look) bool { return l.ever(deleted, l.other, 0) }))),
			fault("sequence-social-connect-to-who-is-connected-otherwise-fails", "connecting by social identifiers fails with 500 where one of those found is connected already by the other type, as a pair has room for one",
				breaking(socially(func(c contacts, _ func([]string) error) error {
					otherwise := map[store.ConnectionType]store.ConnectionType{store.Follow: store.Friend, store.Friend: store.Follow}[c.typ]
					for _, user := range c.found() {
						if c.connectedAs(otherwise, user.ID) {
							return errors.New("duplicate key")
						}
						if err := c.connect(c.typ, user); err != nil {
							return err
						}
					}
					return nil
				})))),
	)
}

// afterEnd makes a mutation for requests, by body or by path, about a user to which the
// session's user had ended a connection.
func afterEnd(mutate func(again match) mutation) mutation {
	whom := func(q asked) string { return q.session() + q.target() }
	return once(disconnects(), whom, func(r *http.Request) string { return whom(asked{Request: r}) }, mutate)
}

// sequenceLists are the faults of lists of users after connections were made and ended, or users deleted.
func sequenceLists() []Fault {
	followedGone := func(l look) bool { return slices.Contains(l.gone.followers, l.me) }
	return slices.Concat(
		breaks("connections.lists.follows",
			fault("sequence-refollowed-listed-twice", "a user who is followed again is listed twice among the follows", breaking(list.repeats(ofFollows, endedBefore))),
			fault("sequence-custom-id-brings-followers-back", "the followers of a deleted user follow a new one with the same custom_id",
				breaking(list.addsThose(ofFollows, func(l look) (ids []ID) {
					for _, gone := range l.all(deleted, 0, 0) {
						for _, made := range l.since(gone, created, 0, 0) {
							again := made.user.CustomID == gone.user.CustomID && made.user.CustomID != ""
							if again && slices.Contains(gone.followers, l.me) && !l.ever(ended, l.me, made.by) {
								ids = append(ids, made.by)
							}
						}
					}
					return ids
				}))),
			fault("sequence-follows-kept-while-as-many", "the own follows that a session has read are shown again as long as they are as many",
				cached(readsFollows(), sessionIn, func(_ *http.Request, before kept, resp *response) bool {
					return resp.ok() && len(idsIn(before.response)) == len(idsIn(resp))
				})),
			fault("sequence-end-of-first-follow-hides-the-last", "who ends the follow of the first of several on the list of follows does not see the last of them any more",
				breaking(list.lacks(ofFollows, func(l look) bool {
					mark := l.last(connected, l.me, l.other)
					if end := l.last(ended, l.me, l.other); end.n > mark.n {
						mark = end
					}
					return slices.ContainsFunc(l.since(mark, ended, l.me, 0), func(end *act) bool {
						n := len(end.follows)
						return n >= 3 && end.follows[0] == end.to && end.follows[n-1] == l.other
					})
				}))),
			fault("sequence-follow-after-followed-user-left-not-listed", "after the deletion of a user whom one followed, the next follow is not among one's follows",
				breaking(list.lacks(ofFollows, func(l look) bool {
					then := l.then(l.last(followed, l.me, l.other))
					return slices.ContainsFunc(then.all(deleted, 0, 0), func(gone *act) bool {
						return slices.Contains(gone.followers, l.me) && len(then.since(gone, followed, l.me, 0)) == 0
					})
				})))),
		breaks("connections.lists.of-user",
			fault("sequence-lists-of-renamed-empty", "the followers of a user who was renamed are none in the eyes of others",
				answersWhere(readsFollowersOf(), func(l look) bool { return l.ever(renamed, l.other, 0) }, replaceSuccess(200, "[]"))),
			fault("sequence-friends-cached-for-others-of-who-is-asked", "once somebody has read a user's friends, others do not see there who makes a friend connection to the user later: that drops the cached list of the one who asks alone",
				friendsCached)),
		breaks("connections.lists.empty",
			fault("sequence-emptied-follows-not-found", "the follows of who ended the last of them are answered with 404",
				breaking(list.fails(ofFollows, unfound("the list"), func(l look) bool {
					return len(l.followsOf(l.me)) == 0 && slices.ContainsFunc(l.all(ended, l.me, 0), func(end *act) bool { return len(end.follows) > 0 })
				})))),
		breaks("connections.lists.one-way",
			fault("sequence-follow-back-makes-friends", "two users of whom one follows the other back are listed as friends",
				breaking(list.addsThose(ofFriends, func(l look) []ID {
					return slices.DeleteFunc(l.followersOf(l.me), func(id ID) bool { l.other = id; return !l.follows() })
				}))),
			fault("sequence-follow-after-friendship-revives-it", "who follows a user after their friendship ended is its friend again",
				breaking(list.addsThose(ofFriends, func(l look) (ids []ID) {
					for _, end := range slices.Concat(l.all(unfriended, l.me, 0), l.all(unfriended, 0, l.me)) {
						l.other = end.by + end.to - l.me
						follow := l.latest(followed).n
						if follow > l.latest(unfriended).n && follow > l.latest(ended).n && l.latest(befriended).n < l.latest(unfriended).n {
							ids = append(ids, l.other)
						}
					}
					return ids
				}))),
			fault("sequence-follow-revives-the-ended-one-of-the-other", "who follows a user that has ended a follow in the other direction brings that one back as well",
				breaking(after(toConnect, func(l *step) {
					end := l.last(unfollowed, l.other, l.me)
					if l.of(store.Follow) && end.n > 0 && len(l.since(end, followed, l.me, l.other)) == 0 {
						_, _, _ = l.store.Connect(l.app, l.other, l.me, store.Follow) // both are there
					}
				})))),
		breaks("connections.lists.after-user-delete",
			fault("sequence-deleted-stays-for-refollower", "a deleted user stays among the follows of who had followed it a second time",
				breaking(list.keeps(ofFollows, to(followedGone, endedBefore)))),
			fault("sequence-deleted-stays-among-friends-who-follow", "a deleted user stays among the friends of a friend who also followed it",
				breaking(list.keeps(ofFriends, to(followedGone, look.wasFriend)))),
			fault("sequence-deleted-follower-back-with-the-next", "the deleted followers of a user are listed again once another follows it",
				breaking(list.keeps(ofFollowers, func(l look) bool {
					return slices.Contains(l.gone.follows, l.me) && len(l.now().since(l.gone, followed, 0, l.me)) > 0
				}))),
			fault("sequence-read-follows-keep-deleted", "a deleted user stays among the follows of who read that list before, until the next change of it",
				breaking(list.notes(ofFollows), list.keeps(ofFollows, to(followedGone, func(l look) bool {
					changes := slices.Concat(l.now().since(l.gone, connected, l.me, 0), l.now().since(l.gone, ended, l.me, 0))
					return l.unless(noted, l.me, 0, connected) && l.unless(noted, l.me, 0, ended) && len(changes) == 0
				})))),
			fault("sequence-deleted-contact-stays-among-follows", "a deleted user stays among the follows of who followed it by social identifiers",
				breaking(list.keeps(ofFollows, to(followedGone, look.socially)))),
			fault("sequence-social-friend-outlives-deletion", "a friend whom a user got by social ids stays on the user's list of friends after it was deleted",
				breaking(list.keeps(ofFriends, to(look.wasFriend, look.socially))))),
		breaks("connections.lists.followers",
			fault("sequence-refollower-unlisted", "who follows a user again is not among its followers",
				breaking(list.lacks(ofFollowers, func(l look) bool { return endedBefore(l.back()) }))),
			fault("sequence-vain-end-shortens-followers", "who ends a connection that there is not is answered with 404, and the own followers of the other are listed short of one",
				looking(func(at func(q asked) look) mutation {
					return combine(answers(disconnects(), func(q asked) {
						if l := at(q); q.status == 404 {
							l.mark(l.other, 0)
						}
					}), answers(readsFollowers(), func(q asked) {
						l := at(q)
						q.list(func(followers []any) []any { return followers[:max(0, len(followers)-l.times(noted, l.me, 0))] })
					}))
				})),
			fault("sequence-next-user-inherits-followers", "where the user created last is deleted, the next one takes its number, and with it its followers",
				breaking(after(toCreate, func(l *step) {
					gone := l.last(deleted, 0, 0)
					if l.last(created, 0, 0).n > gone.n || l.then(gone).last(created, 0, 0).by != gone.by {
						return
					}
					for _, follower := range gone.followers {
						_, _, _ = l.store.Connect(l.app, follower, l.me, store.Follow) // who is deleted by now follows nobody
					}
				}))),
			fault("sequence-updated-follower-listed-twice", "who updates itself after a follow is listed twice among the own followers of the followed",
				answersLooking(readsFollowers(), func(l look, q asked) {
					q.list(func(followers []any) []any {
						return append(followers, slices.DeleteFunc(slices.Clone(followers), func(item any) bool {
							follower := l.on(l.record(userOf(idOf(item))))
							follow := follower.back().follow()
							return follow.n == 0 || !follower.user.UpdatedAt.After(follow.at)
						})...)
					})
				})),
			fault("sequence-contact-who-follows-again-listed-twice", "who followed a user by social identifiers, and follows it directly as well, is among its followers twice",
				breaking(list.repeats(ofFollowers, func(l look) bool {
					l = l.back()
					return l.socially() && l.follow().n > l.first(contacted, l.me, l.other).n
				}))).also("connections.lists.of-user", "the followers that others see are those of the same list"),
			fault("sequence-new-user-has-followers-of-deleted-namesake", "a new user with the user_name of a deleted one has its followers",
				breaking(list.addsThose(ofFollowers, func(l look) []ID {
					made := l.last(created, l.me, 0)
					return newest(l.then(made).named(deleted, made.text)).followers
				}))),
			fault("sequence-first-login-loses-earlier-followers", "those who followed a user before the first login are not among the followers from then on",
				breaking(list.lacks(ofFollowers, func(l look) bool {
					login := l.first(loggedIn, l.me, 0)
					return login.n > 0 && login.was.LastLogin.IsZero() && l.last(connected, l.other, l.me).n < login.n
				}))),
			fault("sequence-unfollow-mutual", "of two who follow each other, the one who unfollows the other loses that one from the own followers, too",
				breaking(list.lacks(ofFollowers, func(l look) bool {
					end := l.last(unfollowed, l.me, l.other)
					return slices.Contains(end.followers, l.other) && len(l.since(end, connected, l.other, l.me)) == 0
				})))),
	)
}

// friendsCached shows others, of a user's friends, those who were there when somebody first
// asked for them, until the user makes a friend connection of its own.
func friendsCached(o *refserver.Options) {
	known := &memory[[]string]{} // by user
	combine(
		rewriteResponse(createsFriend(), func(_ *http.Request, resp *response) {
			known.keep(fieldText(objectOf(resp.body), "user_from_id"), nil)
		}),
		intercept(connectsSocially(), func(next http.Handler, r *http.Request) *response {
			known.keep(fieldText(ownRecord(next, r), "id"), nil)
			return record(next, r)
		}),
		rewriteResponse(readsFriendsOf(), onStatus(200, func(r *http.Request, resp *response) {
			if known.get(userInPath(r)) == nil {
				known.keep(userInPath(r), append([]string{}, idsIn(resp)...))
				return
			}
			resp.list(func(list []any) []any {
				return withoutUsers(list, func(id string) bool { return !slices.Contains(known.get(userInPath(r)), id) })
			})
		})),
	)(o)
}

// withoutUsers leaves objects out of a list by their ids.
func withoutUsers(list []any, out func(id string) bool) []any {
	return slices.DeleteFunc(list, func(item any) bool {
		user, _ := item.(map[string]any)
		return out(fieldText(user, "id"))
	})
}
