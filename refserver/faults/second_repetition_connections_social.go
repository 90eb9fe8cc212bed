package faults

import (
	"bytes"
	"encoding/json"
	"net/http"
	"slices"
	"strings"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/store"
)

// repetitionConnectionsSocial are the faults of one reading of a list in several, and of
// connections that are asked for, or ended, again.
func repetitionConnectionsSocial() []Fault {
	return slices.Concat(
		breaks("connections.delete.status",
			fault("repetition-fourth-end-answers-200", "every fourth end of a connection in a session is answered with 200", func(o *refserver.Options) {
				ends := &memory[int]{}
				rewriteResponse(disconnects(), onStatus(204, func(r *http.Request, resp *response) {
					if tally(ends, sessionIn(r))%4 == 0 {
						resp.become(200, "{}")
					}
				}))(o)
			})),
		breaks("connections.delete.removes",
			fault("repetition-follow-counted", "a follow that was asked for twice is there until it is ended twice",
				overrideStore(func(inner refserver.Store, s *overrides) {
					times := &memory[int]{}
					s.onConnect(func(app store.App, from, to store.ID, typ store.ConnectionType) {
						if typ == store.Follow {
							tally(times, keyOf(app, from, to))
						}
					})
					s.disconnect = func(app store.App, from, to store.ID, types ...store.ConnectionType) error {
						n := times.get(keyOf(app, from, to))
						if n >= 2 && slices.Contains(types, store.Follow) && follows(inner, app, from, to) {
							times.keep(keyOf(app, from, to), n-1)
							if befriends(inner, app, from, to) && slices.Contains(types, store.Friend) {
								return inner.Disconnect(app, from, to, store.Friend)
							}
							return nil
						}
						times.keep(keyOf(app, from, to), 0)
						return inner.Disconnect(app, from, to, types...)
					}
				}))),
		breaks("connections.lists.follows",
			fault("repetition-third-follow-lists-twice", "a user who is followed by a user three times without an end between is listed twice among its follows",
				overrideStore(func(_ refserver.Store, s *overrides) {
					creates, follows := &memory[int]{}, s.follows
					s.onConnect(func(app store.App, from, to store.ID, typ store.ConnectionType) {
						if typ == store.Follow {
							tally(creates, keyOf(app, from, to))
						}
					})
					s.onDisconnect(func(app store.App, from, to store.ID) { creates.keep(keyOf(app, from, to), 0) })
					s.follows = func(app store.App, id store.ID) ([]store.User, error) {
						users, err := follows(app, id)
						for _, user := range users {
							if creates.get(keyOf(app, id, user.ID)) >= 3 {
								users = append(users, user)
							}
						}
						return users, err
					}
				})),
			fault("repetition-same-follow-again-ends-it", "a follow that is asked for again is ended, as by a switch",
				overrideStore(func(inner refserver.Store, s *overrides) {
					s.connect = func(app store.App, from, to store.ID, typ store.ConnectionType) (store.Connection, bool, error) {
						made, isNew, err := inner.Connect(app, from, to, typ)
						if err == nil && !isNew && typ == store.Follow {
							err = inner.Disconnect(app, from, to, typ)
						}
						return made, isNew, err
					}
				}))),
		breaks("connections.lists.followers",
			fault("repetition-fifth-followers-without-last", "every fifth reading of the own followers in a session lacks the last",
				rewriteNth(5, readsFollowers(), inList(func(list []any) []any { return list[:max(0, len(list)-1)] }))),
			fault("repetition-followers-read-three-times-stay", "the own followers that a session has read three times are shown as they were then",
				func(o *refserver.Options) {
					const often = 3
					reads, kept := &memory[int]{}, &memory[[]byte]{} // by session
					rewriteResponse(readsFollowers(), onStatus(http.StatusOK, func(r *http.Request, resp *response) {
						switch n := tally(reads, sessionIn(r)); {
						case n == often:
							kept.keep(sessionIn(r), resp.body)
						case n > often:
							if list, known := kept.lookup(sessionIn(r)); known {
								resp.body = list
							}
						}
					}))(o)
				})),
		breaks("connections.lists.friends",
			fault("repetition-unchanged-friends-answer-304", "the own friends that a session reads for the third time, and that are as they were, are answered with 304 and without a body", unchangedFriends)),
		breaks("connections.lists.of-user",
			fault("repetition-third-friends-of-user-empty", "every third reading of another user's friends in a session has none",
				rewriteNth(3, readsFriendsOf(), replaceSuccess(200, "[]")))),
		breaks("social.connects",
			fault("repetition-same-contacts-not-looked-up-again", "connecting by the same social identifiers again connects nobody, also who has joined since",
				overrideStore(func(inner refserver.Store, s *overrides) {
					done := &memory[bool]{} // by user and list
					s.connectSocial = func(app store.App, from store.ID, platform string, ids []string, typ store.ConnectionType) error {
						list, err := json.Marshal(ids)
						if err != nil || done.keep(strings.Join([]string{keyOf(app, from), platform, string(typ), string(list)}, "\n"), true) {
							return err
						}
						return inner.ConnectSocial(app, from, platform, ids, typ)
					}
				})),
			fault("repetition-fourth-social-connecting-does-nothing", "from the fourth time on that a user connects by social identifiers, nobody is connected",
				overrideStore(func(inner refserver.Store, s *overrides) {
					times := &memory[int]{} // by user
					s.connectSocial = func(app store.App, from store.ID, platform string, ids []string, typ store.ConnectionType) error {
						if tally(times, keyOf(app, from)) > 3 {
							return nil
						}
						return inner.ConnectSocial(app, from, platform, ids, typ)
					}
				}))),
	)
}

// unchangedFriends says that there is nothing new, whatever the client has kept.
func unchangedFriends(o *refserver.Options) {
	type readings struct {
		body  []byte
		count int
	}
	read := &memory[readings]{} // by session
	rewriteResponse(readsFriends(), func(r *http.Request, resp *response) {
		if !resp.ok() || resp.empty() {
			return
		}
		before := read.get(sessionIn(r))
		if !bytes.Equal(before.body, resp.body) {
			before.count = 0
		}
		read.keep(sessionIn(r), readings{resp.body, before.count + 1})
		if before.count >= 2 {
			resp.become(http.StatusNotModified, "")
		}
	})(o)
}
