package faults

import (
	"net/http"
	"slices"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/store"
)

func social() []Fault {
	return slices.Concat(socialAnswers(), socialConnections(), socialLeftovers())
}

func connectsSocially() match { return on("POST /0.2/user/connections/social") }

// socialAnswers are the faults of what is answered and what is refused (Endpoints, row 17).
func socialAnswers() []Fault {
	misread := func(field string, read func(any) any) func(*refserver.Options) {
		return tamper(connectsSocially().and(sends(field)), resent(func(c map[string]any) { c[field] = read(c[field]) }))
	}
	unknownType := func(r *http.Request) bool {
		kind, text := sent(r)["type"].(string)
		return text && kind != "follow" && kind != "friend"
	}
	faults := []Fault{
		{
			Name: "social-answers-200", Rule: "social.status",
			Summary: "connecting by social identifiers answers 200",
			Apply:   edit(connectsSocially(), func(_ *http.Request, resp *response) { resp.restatus(http.StatusOK) }),
		},
		{
			Name: "social-answers-a-count", Rule: "social.status",
			Summary: "the answer tells how many were connected",
			Apply:   edit(connectsSocially(), inObject(set("connected", 1))),
		},
		{
			Name: "social-unknown-type-taken", Rule: "social.type-invalid",
			Summary: "an unknown type is taken for follow",
			Apply:   tamper(connectsSocially().and(unknownType), resent(set("type", "follow"))),
		},
		{
			Name: "social-unknown-type-not-found", Rule: "social.type-invalid",
			Summary: "an unknown type is answered with 404",
			Apply:   edit(connectsSocially().and(unknownType), instead(422, 404, `{}`)),
		},
		{
			Name: "social-ids-text-taken", Rule: "social.wrong-type",
			Summary: "a text is taken for a list of one identifier",
			Apply: misread("connection_ids", func(v any) any {
				if id, text := v.(string); text {
					return []any{id}
				}
				return v
			}),
		},
		{
			Name: "social-platform-number-taken", Rule: "social.wrong-type",
			Summary: "a number is taken for a platform",
			Apply: misread("platform", func(v any) any {
				if number, ok := v.(interface{ String() string }); ok {
					return number.String()
				}
				return v
			}),
		},
		{
			Name: "social-own-id-of-any-type", Rule: "social.wrong-type",
			Summary: "platform_user_id, which nothing is done with, may be of any type",
			Apply:   misread("platform_user_id", func(any) any { return "anything" }),
		},
	}
	for _, optional := range []struct {
		name, field string
		instead     any
	}{
		{"platform", "platform", "facebook"}, {"type", "type", "follow"},
		{"own-id", "platform_user_id", "anything"}, {"ids", "connection_ids", []any{}},
	} {
		faults = append(faults, Fault{
			Name: "social-" + optional.name + "-optional", Rule: "social.required",
			Summary: optional.field + " may be missing",
			Apply:   tamper(connectsSocially().and(not(sends(optional.field))), resent(set(optional.field, optional.instead))),
		})
	}
	return faults
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
	connecting := func(connect func(inner refserver.Store, q request) error) func(*refserver.Options) {
		return swap(func(inner refserver.Store, s *swapped) {
			s.connectSocial = func(app store.App, from store.ID, platform string, ids []string, typ store.ConnectionType) error {
				return connect(inner, request{app, from, platform, ids, typ})
			}
		})
	}
	return []Fault{
		{
			Name: "social-connects-nobody", Rule: "social.connects",
			Summary: "nobody is connected",
			Apply:   connecting(func(refserver.Store, request) error { return nil }),
		},
		{
			Name: "social-connects-the-first", Rule: "social.connects",
			Summary: "only the first identifier is looked up",
			Apply: connecting(func(inner refserver.Store, q request) error {
				return inner.ConnectSocial(q.app, q.from, q.platform, q.ids[:min(1, len(q.ids))], q.typ)
			}),
		},
		{
			Name: "social-connects-across-platforms", Rule: "social.connects",
			Summary: "the platform is not looked at",
			Apply: connecting(func(inner refserver.Store, q request) error {
				return eachBearer(inner, q.app, "", q.ids, func(bearer store.ID) error {
					_, _, err := inner.Connect(q.app, q.from, bearer, q.typ)
					return err
				})
			}),
		},
		{
			Name: "social-connects-backwards", Rule: "social.connects",
			Summary: "the users found follow the one who looked for them",
			Apply: connecting(func(inner refserver.Store, q request) error {
				return eachBearer(inner, q.app, q.platform, q.ids, func(bearer store.ID) error {
					_, _, err := inner.Connect(q.app, bearer, q.from, q.typ)
					return err
				})
			}),
		},
		{
			Name: "social-friend-becomes-follow", Rule: "social.connects",
			Summary: "whatever the type, the users are followed",
			Apply: connecting(func(inner refserver.Store, q request) error {
				return inner.ConnectSocial(q.app, q.from, q.platform, q.ids, store.Follow)
			}),
		},
		{
			Name: "social-unknown-ids-not-found", Rule: "social.unknown-ids",
			Summary: "where nobody bears any of the identifiers, the answer is 404",
			Apply: connecting(func(inner refserver.Store, q request) error {
				found := 0
				err := eachBearer(inner, q.app, q.platform, q.ids, func(store.ID) error { found++; return nil })
				if err == nil && found == 0 {
					err = store.ErrNotFound
				}
				if err != nil {
					return err
				}
				return inner.ConnectSocial(q.app, q.from, q.platform, q.ids, q.typ)
			}),
		},
		{
			Name: "social-one-unknown-id-conflicts", Rule: "social.unknown-ids",
			Summary: "where nobody bears one of the identifiers, the answer is 409",
			Apply: connecting(func(inner refserver.Store, q request) error {
				for _, id := range q.ids {
					err := store.ErrConflict
					cause := eachBearer(inner, q.app, q.platform, []string{id}, func(store.ID) error { err = nil; return nil })
					if err != nil || cause != nil {
						return err
					}
				}
				return inner.ConnectSocial(q.app, q.from, q.platform, q.ids, q.typ)
			}),
		},
	}
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
