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
	connecting := func(connect func(c contacts) error) mutation {
		return breaking(socially(func(c contacts, _ func([]string) error) error { return connect(c) }))
	}
	return slices.Concat(
		breaks("social.connects",
			fault("social-connects-nobody", "nobody is connected", connecting(func(contacts) error { return nil })),
			fault("social-connects-the-first", "only the first identifier is looked up",
				breaking(asksFor(func(c contacts) []string { return c.ids[:min(1, len(c.ids))] }))),
			fault("social-connects-across-platforms", "the platform is not looked at",
				connecting(func(c contacts) error {
					return eachBearer(c.store, c.app, "", c.ids, func(bearer ID) error { return c.connect(c.typ, User{ID: bearer}) })
				})),
			fault("social-connects-backwards", "the users found follow the one who looked for them",
				connecting(func(c contacts) error {
					return eachBearer(c.store, c.app, c.platform, c.ids, func(bearer ID) error {
						_, _, err := c.store.Connect(c.app, bearer, c.me, c.typ)
						return err
					})
				})),
			fault("social-friend-becomes-follow", "whatever the type, the users are followed",
				connecting(func(c contacts) error { return c.store.ConnectSocial(c.app, c.me, c.platform, c.ids, store.Follow) })),
			fault("social-follows-without-feed", "the events of users who are followed by social identifiers are in no feed", breaking(hides(look.socially)))),
		breaks("connections.lists.follows",
			fault("social-follows-unlisted", "who was followed by social identifiers is not among the follows", breaking(list.lacks(ofFollows, look.socially)))),
		breaks("connections.lists.followers",
			fault("social-follows-unlisted-as-followers", "who follows by social identifiers is not among the followers",
				breaking(list.lacks(ofFollowers, func(l look) bool { return l.back().socially() })))),
		breaks("social.unknown-ids",
			fault("social-unknown-ids-not-found", "if no user has any of the identifiers, the answer is 404",
				breaking(socially(func(c contacts, proceed func([]string) error) error {
					if len(c.bearersOf(c.ids...)) == 0 {
						return store.ErrNotFound
					}
					return proceed(c.ids)
				}))),
			fault("social-one-unknown-id-conflicts", "if no user has one of the identifiers, the answer is 409",
				breaking(socially(func(c contacts, proceed func([]string) error) error {
					if slices.ContainsFunc(c.ids, func(id string) bool { return len(c.bearersOf(id)) == 0 }) {
						return store.ErrConflict
					}
					return proceed(c.ids)
				})))),
	)
}

// eachBearer visits the users with one of the identifiers on a platform, or on any.
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
