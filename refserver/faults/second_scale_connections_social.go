package faults

import (
	"maps"
	"net/http"
	"slices"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/store"
)

// scaleConnectionsSocial are the faults of lists of many users, and of deletions and social
// identifiers that reach the first of many alone.
func scaleConnectionsSocial() []Fault {
	const most = 15
	gap := func(list func(*overrides) *members) mutation {
		return overrideStore(func(_ refserver.Store, s *overrides) {
			shown := list(s)
			all := *shown
			*shown = func(app store.App, id store.ID) ([]store.User, error) {
				users, err := all(app, id)
				if len(users) > most {
					users = slices.Delete(users, most-1, most)
				}
				return users, err
			}
		})
	}
	repeat := func(m match) mutation {
		return rewriteResponse(m, inList(func(list []any) []any {
			if len(list) > most {
				return slices.Insert(list, most, list[most-1])
			}
			return list
		}))
	}
	followed := func(inner refserver.Store, _ *overrides) func(store.App, store.ID) []store.ID {
		return func(app store.App, id store.ID) []store.ID { return idsOf(inner.Follows, app, id) }
	}
	behindBatch := func(inner refserver.Store, _ *overrides) func(store.App, store.ID) []store.ID {
		return func(app store.App, id store.ID) []store.ID {
			ids := idsOf(inner.Followers, app, id)
			return ids[min(10, len(ids)):]
		}
	}
	beyond := func(inner refserver.Store, _ *overrides) func(store.App, store.ID) []store.ID {
		return func(app store.App, owner store.ID) []store.ID {
			followers := idsOf(inner.Followers, app, owner)
			return followers[min(8, len(followers)):]
		}
	}
	beyondIndex := func(user store.User, platform string) bool {
		indexed := slices.Sorted(maps.Keys(user.SocialIDs))
		return slices.Contains(fromPosition(indexed, 3), platform)
	}
	return slices.Concat(
		breaks("connections.delete.removes",
			fault("scale-sixteenth-follow-stays", "the end of a follow is answered as if it were, where more than 15 users are followed and this is one of the others",
				overrideStore(func(inner refserver.Store, s *overrides) {
					s.disconnect = func(app store.App, from, to store.ID, types ...store.ConnectionType) error {
						if slices.Contains(fromPosition(idsOf(inner.Follows, app, from), most), to) {
							return nil
						}
						return inner.Disconnect(app, from, to, types...)
					}
				})),
			fault("scale-more-than-eight-followers-seen-after-end", "who ends the follow of a user with more than eight followers is among them in the eyes of others until the next follow", endedAmongManySeen)),
		breaks("connections.lists.follows",
			fault("scale-follows-gap-between-pages", "of more than 15 followed users the fifteenth is not listed",
				gap(func(s *overrides) *members { return &s.follows })),
			fault("scale-friends-crowd-out-follows", "of twelve connections that are read the friends come first, and the follows beyond them are not listed",
				intercept(readsFollows(), func(next http.Handler, r *http.Request) *response {
					resp, friends := record(next, r), 0
					call(next, r, http.MethodGet, "/0.2/user/friends", nil).list(func(list []any) []any { friends = len(list); return list })
					resp.list(func(list []any) []any { return list[:min(len(list), max(0, 12-friends))] })
					return resp
				}))),
		breaks("connections.lists.followers",
			fault("scale-followers-lack-the-tenth", "of ten, twenty or thirty followers the last is not listed",
				rewriteResponse(readsFollowers(), inList(func(list []any) []any {
					if n := len(list); n > 0 && n%10 == 0 {
						return list[:n-1]
					}
					return list
				}))),
			fault("scale-followers-repeat-between-pages", "of more than 15 followers the fifteenth is listed twice", repeat(readsFollowers())),
			fault("scale-follower-repeated-at-end-of-page", "of more than five followers the fifth is listed twice",
				rewriteResponse(readsFollowers(), inList(func(users []any) []any {
					const page = 5
					if len(users) > page {
						users = slices.Insert(users, page, users[page-1])
					}
					return users
				})))),
		breaks("connections.lists.friends",
			fault("scale-friends-gap-between-pages", "of more than 15 friends the fifteenth is not listed",
				gap(func(s *overrides) *members { return &s.friends }))),
		breaks("connections.lists.of-user",
			fault("scale-followers-of-user-repeat", "of more than 15 followers of another user the fifteenth is listed twice", repeat(readsFollowersOf())),
			fault("scale-follows-of-user-lack-the-last-part", "of more than ten follows of another user those beyond the last full ten are not listed",
				rewriteResponse(readsFollowsOf(), inList(func(users []any) []any {
					const part = 10
					if len(users) > part {
						return users[:len(users)/part*part]
					}
					return users
				})))),
		breaks("connections.lists.after-user-delete",
			fault("scale-deleted-stays-for-sixteenth-follower", "a deleted user stays among the follows of all but its first 15 followers",
				deletedStays(0, func(s *overrides) *members { return &s.follows }, beyondFirst(most, allFollowers))),
			fault("scale-deletion-ends-ten-follows", "a deleted user stays among the followers of all but the first ten whom it followed",
				deletedStays(0, func(s *overrides) *members { return &s.followers }, beyondFirst(10, followed))),
			fault("scale-deleted-stays-follower-beyond-fourth", "a deleted user stays among the followers of those whom it followed, but for the first four",
				deletedStays(0, func(s *overrides) *members { return &s.followers }, beyondFirst(4, followed))),
			fault("scale-deletion-cleans-ten-lists", "a deleted user stays among the follows of its followers behind the first ten",
				deletedStays(0, func(s *overrides) *members { return &s.follows }, behindBatch)),
			fault("scale-deleted-user-leaves-eight-lists", "a deleted user is gone from the follows of eight of its followers, and stays in those of the others",
				deletedStays(0, func(s *overrides) *members { return &s.follows }, beyond)),
			fault("scale-deleted-stays-friend-of-the-eleventh", "a deleted user is taken out of the lists of its first ten friends alone",
				deletedStays(0, func(s *overrides) *members { return &s.friends }, beyondFirst(10, allFriends)))),
		breaks("connections.friends.mutual",
			fault("scale-friends-of-who-has-eight-do-not-list-it", "who has more than eight friends is not listed by those behind the eighth of them",
				overrideStore(func(inner refserver.Store, s *overrides) {
					filter(&s.friends, func(app store.App, id store.ID, friend store.User) bool {
						return slices.Index(idsOf(inner.Friends, app, friend.ID), id) >= 8
					})
				}))),
		breaks("social.connects",
			fault("scale-social-first-ten", "of more than 10 social identifiers the others are passed over",
				rewriteBody(connectsSocially(), mapField("connection_ids", func(value any) any {
					if list, ok := value.([]any); ok {
						return list[:min(10, len(list))]
					}
					return value
				}))),
			fault("scale-social-friends-beyond-six-are-followed", "of more than six users whom connecting by social identifiers is to make friends the others are followed",
				overrideStore(func(inner refserver.Store, s *overrides) {
					s.connectSocial = func(app store.App, from store.ID, platform string, ids []string, typ store.ConnectionType) error {
						found := 0
						return eachBearer(inner, app, platform, ids, func(bearer store.ID) error {
							if bearer == from {
								return nil
							}
							kind := typ
							if found++; found > 6 {
								kind = store.Follow
							}
							_, _, err := inner.Connect(app, from, bearer, kind)
							return err
						})
					}
				})),
			fault("scale-social-chunks-lose-the-tenth", "of social identifiers the tenth, the twentieth and so on are passed over",
				overrideStore(func(inner refserver.Store, s *overrides) {
					const chunk = 10
					s.connectSocial = func(app store.App, from store.ID, platform string, ids []string, typ store.ConnectionType) error {
						var read []string
						for part := range slices.Chunk(ids, chunk) {
							read = append(read, part[:min(len(part), chunk-1)]...)
						}
						return inner.ConnectSocial(app, from, platform, read, typ)
					}
				})),
			fault("scale-fourth-social-id-finds-nobody", "who has more than three social ids is connected by the first three alone, in the order of the platforms",
				overrideStore(func(inner refserver.Store, s *overrides) {
					s.connectSocial = func(app store.App, from store.ID, platform string, ids []string, typ store.ConnectionType) error {
						all, err := inner.Search(app, "")
						if err != nil {
							return err
						}
						for _, user := range all {
							if beyondIndex(user, platform) {
								ids = slices.DeleteFunc(slices.Clone(ids), func(id string) bool { return id == user.SocialIDs[platform] })
							}
						}
						return inner.ConnectSocial(app, from, platform, ids, typ)
					}
				})),
			fault("scale-social-first-eight-ids", "of more than eight social ids the first eight connect",
				overrideStore(func(inner refserver.Store, s *overrides) {
					s.connectSocial = func(app store.App, from store.ID, platform string, ids []string, typ store.ConnectionType) error {
						return inner.ConnectSocial(app, from, platform, ids[:min(8, len(ids))], typ)
					}
				}))),
	)
}

// endedAmongManySeen keeps the followers of whom many follow, and forgets them when another does.
func endedAmongManySeen(o *refserver.Options) {
	const many = 8
	kept := &memory[[]byte]{} // by application and id
	combine(
		intercept(disconnects(), func(next http.Handler, r *http.Request) *response {
			before := call(next, r, http.MethodGet, "/0.2/users/"+lastSegment(r)+"/followers", nil)
			resp := record(next, r)
			if list, _ := decode(before.body).([]any); resp.ok() && before.ok() && len(list) > many {
				kept.keep(appIn(r)+lastSegment(r), before.body)
			}
			return resp
		}),
		rewriteResponse(connects(), func(r *http.Request, resp *response) {
			if resp.ok() {
				kept.keep(appIn(r)+fieldText(requestObject(r), "user_to_id"), nil)
			}
		}),
		rewriteResponse(readsFollowersOf(), func(r *http.Request, resp *response) {
			if list := kept.get(appIn(r) + userInPath(r)); resp.ok() && list != nil {
				resp.body = list
			}
		}),
	)(o)
}
