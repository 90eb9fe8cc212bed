package faults

import (
	"slices"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/store"
)

func social() []Fault {
	return slices.Concat(socialAnswers(), socialConnections())
}

// socialAnswers are the faults of what is answered and what is refused (Endpoints, row 17).
func socialAnswers() []Fault {
	mistyped := connectsSocially().and(sendsA("type", isUnknownType))
	defaulted := func(field string, value any) mutation {
		return rewriteBody(connectsSocially().and(not(sends(field))), set(field, value))
	}
	return slices.Concat(
		breaks("social.status",
			fault("social-answers-200", "connecting by social identifiers answers 200", rewriteResponse(connectsSocially(), status(200))),
			fault("social-answers-a-count", "the answer tells how many were connected", rewriteObject(connectsSocially(), set("connected", 1)))),
		breaks("social.type-invalid",
			fault("social-unknown-type-taken", "an unknown type is taken for follow", rewriteBody(mistyped, set("type", "follow"))),
			fault("social-unknown-type-not-found", "an unknown type is answered with 404", rewriteResponse(mistyped, replaceStatus(422, 404, `{}`)))),
		breaks("social.wrong-type",
			fault("social-ids-text-taken", "a text is taken for a list of one identifier",
				rewriteBody(connectsSocially(), mapField("connection_ids", func(v any) any {
					if isA[string](v) {
						return []any{v}
					}
					return v
				}))),
			fault("social-platform-number-taken", "a number is taken for a platform", rewriteBody(connectsSocially(), textOf("platform"))),
			fault("social-own-id-of-any-type", "platform_user_id, which nothing is done with, may be of any type",
				rewriteBody(connectsSocially().and(sends("platform_user_id")), set("platform_user_id", "anything")))),
		breaks("social.required",
			fault("social-platform-optional", "platform may be missing", defaulted("platform", "facebook")),
			fault("social-type-optional", "type may be missing", defaulted("type", "follow")),
			fault("social-own-id-optional", "platform_user_id may be missing", defaulted("platform_user_id", "anything")),
			fault("social-ids-optional", "connection_ids may be missing", defaulted("connection_ids", []any{}))),
	)
}

// socialConnections are the faults of who becomes connected.
func socialConnections() []Fault {
	type request struct {
		app      store.App
		from     store.ID
		platform string
		ids      []string
		typ      store.ConnectionType
	}
	connecting := func(connect func(inner refserver.Store, q request) error) mutation {
		return overrideStore(func(inner refserver.Store, s *overrides) {
			s.connectSocial = func(app store.App, from store.ID, platform string, ids []string, typ store.ConnectionType) error {
				return connect(inner, request{app, from, platform, ids, typ})
			}
		})
	}
	return slices.Concat(
		breaks("social.connects",
			fault("social-connects-nobody", "nobody is connected", connecting(func(refserver.Store, request) error { return nil })),
			fault("social-connects-the-first", "only the first identifier is looked up", connecting(func(inner refserver.Store, q request) error {
				return inner.ConnectSocial(q.app, q.from, q.platform, q.ids[:min(1, len(q.ids))], q.typ)
			})),
			fault("social-connects-across-platforms", "the platform is not looked at", connecting(func(inner refserver.Store, q request) error {
				return eachBearer(inner, q.app, "", q.ids, func(bearer store.ID) error {
					_, _, err := inner.Connect(q.app, q.from, bearer, q.typ)
					return err
				})
			})),
			fault("social-connects-backwards", "the users found follow the one who looked for them",
				connecting(func(inner refserver.Store, q request) error {
					return eachBearer(inner, q.app, q.platform, q.ids, func(bearer store.ID) error {
						_, _, err := inner.Connect(q.app, bearer, q.from, q.typ)
						return err
					})
				})),
			fault("social-friend-becomes-follow", "whatever the type, the users are followed",
				connecting(func(inner refserver.Store, q request) error {
					return inner.ConnectSocial(q.app, q.from, q.platform, q.ids, store.Follow)
				})),
			fault("social-follows-without-feed", "the events of users who are followed by social identifiers are in no feed",
				overrideStore(func(_ refserver.Store, s *overrides) {
					socially := connectedSocially(s)
					s.hideFromFeeds(func(r reader, event store.Event) bool { return socially(r.app, r.id, event.Owner) })
				}))),
		breaks("connections.lists.follows",
			fault("social-follows-unlisted", "who was followed by social identifiers is not among the follows",
				overrideStore(func(_ refserver.Store, s *overrides) {
					socially := connectedSocially(s)
					filter(&s.follows, func(app store.App, id store.ID, followed store.User) bool { return socially(app, id, followed.ID) })
				}))),
		breaks("connections.lists.followers",
			fault("social-follows-unlisted-as-followers", "who follows by social identifiers is not among the followers",
				overrideStore(func(_ refserver.Store, s *overrides) {
					socially := connectedSocially(s)
					filter(&s.followers, func(app store.App, id store.ID, follower store.User) bool { return socially(app, follower.ID, id) })
				}))),
		breaks("social.unknown-ids",
			fault("social-unknown-ids-not-found", "where nobody bears any of the identifiers, the answer is 404",
				connecting(func(inner refserver.Store, q request) error {
					found := 0
					err := eachBearer(inner, q.app, q.platform, q.ids, func(store.ID) error { found++; return nil })
					if err == nil && found == 0 {
						err = store.ErrNotFound
					}
					if err != nil {
						return err
					}
					return inner.ConnectSocial(q.app, q.from, q.platform, q.ids, q.typ)
				})),
			fault("social-one-unknown-id-conflicts", "where nobody bears one of the identifiers, the answer is 409",
				connecting(func(inner refserver.Store, q request) error {
					for _, id := range q.ids {
						err := store.ErrConflict
						cause := eachBearer(inner, q.app, q.platform, []string{id}, func(store.ID) error { err = nil; return nil })
						if err != nil || cause != nil {
							return err
						}
					}
					return inner.ConnectSocial(q.app, q.from, q.platform, q.ids, q.typ)
				}))),
	)
}

// eachBearer visits the users who bear one of the identifiers on a platform, or on any.
func eachBearer(inner refserver.Store, app store.App, platform string, ids []string, visit func(store.ID) error) error {
	all, err := inner.Search(app, "")
	if err != nil {
		return err
	}
	for _, user := range all {
		for network, id := range user.SocialIDs {
			if (platform == "" || platform == network) && slices.Contains(ids, id) {
				if err := visit(user.ID); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// connectedSocially watches connections by social identifiers. What it returns
// reports whether one was made so.
func connectedSocially(s *overrides) func(app store.App, from, to store.ID) bool {
	socially := &memory[bool]{}
	s.connectSocial = func(app store.App, from store.ID, platform string, ids []string, typ store.ConnectionType) error {
		err := eachBearer(s.Store, app, platform, ids, func(bearer store.ID) error {
			socially.keep(keyOf(app, from, bearer), true)
			return nil
		})
		if err != nil {
			return err
		}
		return s.Store.ConnectSocial(app, from, platform, ids, typ)
	}
	return func(app store.App, from, to store.ID) bool { return socially.get(keyOf(app, from, to)) }
}
