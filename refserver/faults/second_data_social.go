package faults

import (
	"errors"
	"slices"
	"strings"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/store"
)

// dataSocial are the faults of certain social identifiers and platforms, with which
// connecting misses or takes too many.
func dataSocial() []Fault {
	asking := func(change func(id string) string) mutation {
		return rewriteBody(connectsSocially(), mapField("connection_ids", func(value any) any {
			list, _ := value.([]any)
			for i, id := range list {
				if text, ok := id.(string); ok {
					list[i] = change(text)
				}
			}
			return value
		}))
	}
	return breaks("social.connects",
		fault("data-social-platform-in-lower-case", "connecting by social identifiers puts the platform into lower case, and not what it is compared with",
			rewriteBody(connectsSocially(), lowerCased("platform"))),
		fault("data-social-ids-are-numbers", "connecting by social identifiers of digits drops their leading zeros", asking(asNumber)),
		fault("data-social-ids-end-at-comma", "connecting by social identifiers reads each up to its first comma",
			asking(cutAt(func(r rune) bool { return r == ',' }))),
		fault("data-social-id-by-its-beginning", "connecting by social identifiers also connects to users whose id on the platform merely begins with one given",
			overrideStore(func(inner refserver.Store, s *overrides) {
				s.connectSocial = func(app store.App, from store.ID, platform string, ids []string, typ store.ConnectionType) error {
					all, err := inner.Search(app, "")
					for _, user := range all {
						begins := func(id string) bool { return id != "" && strings.HasPrefix(user.SocialIDs[platform], id) }
						if slices.ContainsFunc(ids, begins) {
							ids = append(ids, user.SocialIDs[platform])
						}
					}
					return errors.Join(err, inner.ConnectSocial(app, from, platform, ids, typ))
				}
			})),
		fault("data-social-id-twice-connects-nobody", "connecting by a list that has an identifier twice connects nobody",
			rewriteBody(connectsSocially(), mapField("connection_ids", func(value any) any {
				list, _ := value.([]any)
				seen := map[any]bool{}
				for _, id := range list {
					if text, ok := id.(string); ok && seen[text] {
						return []any{}
					}
					if isA[string](id) {
						seen[id] = true
					}
				}
				return value
			}))),
		fault("data-social-platform-with-dot-connects-nobody", "connecting by social identifiers finds nobody on a platform with a dot in its name",
			rewriteBody(connectsSocially().and(sendsA("platform", hasDot)), mapField("connection_ids", func(value any) any {
				if isA[[]any](value) {
					return []any{}
				}
				return value
			}))),
		fault("data-social-phone-numbers-lose-plus", "connecting by social identifiers drops the + in front of digits",
			rewriteBody(connectsSocially(), mapField("connection_ids", eachItem(func(value any) any {
				text, _ := value.(string)
				if digits, phone := strings.CutPrefix(text, "+"); phone && isDigits(digits) {
					return digits
				}
				return value
			})))),
		fault("data-social-own-id-ends-the-list", "of social identifiers those that come behind the session user's own one are passed over",
			overrideStore(func(inner refserver.Store, s *overrides) {
				s.connectSocial = func(app store.App, from store.ID, platform string, ids []string, typ store.ConnectionType) error {
					user, err := inner.User(app, from)
					if own := slices.Index(ids, user.SocialIDs[platform]); err == nil && own >= 0 && user.SocialIDs[platform] != "" {
						ids = ids[:own]
					}
					return inner.ConnectSocial(app, from, platform, ids, typ)
				}
			})),
		fault("data-social-id-of-two-connects-one", "of two users who have the same id on a platform connecting by social identifiers finds one",
			overrideStore(oneBearerOfEach)),
		fault("data-social-ids-compared-without-case", "connecting by social identifiers also connects to users whose id on the platform differs from one given in case",
			overrideStore(func(inner refserver.Store, s *overrides) {
				s.connectSocial = func(app store.App, from store.ID, platform string, ids []string, typ store.ConnectionType) error {
					all, err := inner.Search(app, "")
					if err != nil {
						return err
					}
					for _, user := range all {
						id := user.SocialIDs[platform]
						alike := func(given string) bool { return strings.EqualFold(given, id) }
						if id != "" && !slices.Contains(ids, id) && slices.ContainsFunc(ids, alike) {
							ids = append(slices.Clip(ids), id)
						}
					}
					return inner.ConnectSocial(app, from, platform, ids, typ)
				}
			})),
		fault("data-social-id-zero-passed-over", "connecting by social identifiers takes the identifier 0 for none",
			overrideStore(func(inner refserver.Store, s *overrides) {
				s.connectSocial = func(app store.App, from store.ID, platform string, ids []string, typ store.ConnectionType) error {
					given := slices.DeleteFunc(slices.Clone(ids), func(id string) bool { return id == "0" })
					return inner.ConnectSocial(app, from, platform, given, typ)
				}
			})),
		fault("data-social-id-on-two-platforms-found-on-one", "a user who has the same social id on two platforms is found on the alphabetically last of them alone",
			overrideStore(func(_ refserver.Store, s *overrides) {
				s.passOverContacts(func(_ store.App, _ store.ID, platform string, contact store.User) bool {
					for other, id := range contact.SocialIDs {
						if other > platform && id == contact.SocialIDs[platform] {
							return true
						}
					}
					return false
				})
			})))
}

func hasDot(value any) bool {
	text, _ := value.(string)
	return strings.Contains(text, ".")
}

// oneBearerOfEach connects, for each social id, to the bearer that was found last.
func oneBearerOfEach(inner refserver.Store, s *overrides) {
	s.connectSocial = func(app store.App, from store.ID, platform string, ids []string, typ store.ConnectionType) error {
		for _, id := range ids {
			last := from
			err := eachBearer(inner, app, platform, []string{id}, func(bearer store.ID) error {
				if bearer != from {
					last = bearer
				}
				return nil
			})
			if err == nil && last != from {
				_, _, err = inner.Connect(app, from, last, typ)
			}
			if err != nil {
				return err
			}
		}
		return nil
	}
}
