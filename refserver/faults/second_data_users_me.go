package faults

import (
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/store"
)

// dataUsersMe are the faults of updates of a user to certain values, which are changed or
// taken for no change, and of certain new passwords.
func dataUsersMe() []Fault {
	isFalse := func(value any) bool { return value == "false" || value == false }
	decimal := regexp.MustCompile(`^\d+\.\d+$`)
	number := func(text string) string {
		if !decimal.MatchString(text) {
			return text
		}
		return strings.TrimRight(strings.TrimRight(text, "0"), ".")
	}
	dayAsTime := func(value any) any {
		text, _ := value.(string)
		if day, err := time.Parse(time.DateOnly, text); err == nil {
			return day.Format(time.RFC3339)
		}
		return value
	}
	return slices.Concat(
		breaks("users.me.update.applies",
			fault("data-update-halves-backslashes", "double backslashes in an update's metadata become single ones",
				updatingUser(eachText("metadata", replacing(`\\`, `\`)))),
			fault("data-update-folds-line-breaks", "CR LF in an update's metadata becomes LF", updatingUser(eachText("metadata", replacing("\r\n", "\n")))),
			fault("data-update-of-case-ignored", "an update that changes the case of the first name alone leaves it as it was",
				unchangedWhere("first_name", strings.EqualFold)),
			fault("data-update-of-name-case-ignored", "an update that changes the case of the user name alone leaves it as it was",
				unchangedWhere("user_name", strings.EqualFold)),
			fault("data-update-of-accents-ignored", "an update that changes accents of the last name alone leaves it as it was",
				unchangedWhere("last_name", func(before, after string) bool { return withoutMarks(before) == withoutMarks(after) })),
			fault("data-update-cuts-last-name-at-64", "an update cuts the last name after 64 characters", updatingUser(mapText("last_name", cutTo(64)))),
			fault("data-update-url-entities", "an update reads parameters of the url that begin like names of HTML entities, such as &copy=, as these",
				updatingUser(mapText("url", strings.NewReplacer("&copy", "©", "&reg", "®", "&para", "¶", "&sect", "§", "&times", "×").Replace))),
			fault("data-metadata-keys-by-case-alone-collide", "of keys in the metadata of an update that differ in case alone one is kept",
				updatingUser(within("metadata", keysOnceByCase))),
			fault("data-update-to-not-activated-ignored", "an update takes false for activated as if nothing were sent",
				updatingUser(ignoring("activated", isFalse))),
			fault("data-update-metadata-decimals-lose-trailing-zeros", "an update reads metadata of digits with a point as numbers: version 1.10 becomes 1.1",
				updatingUser(eachText("metadata", number))),
			fault("data-update-that-swaps-names-ignored", "an update that gives the first and the last name the value of the other leaves both as they were",
				overrideStore(func(inner refserver.Store, s *overrides) {
					s.updateUser = func(app store.App, id store.ID, change func(*store.User)) (store.User, error) {
						return inner.UpdateUser(app, id, func(user *store.User) {
							first, last := user.FirstName, user.LastName
							if change(user); user.FirstName == last && user.LastName == first {
								user.FirstName, user.LastName = first, last
							}
						})
					}
				})),
			fault("data-update-of-email-tag-alone-ignored", "an update that changes the +tag of the email alone leaves it as it was",
				overrideStore(func(inner refserver.Store, s *overrides) {
					s.updateUser = func(app store.App, id store.ID, change func(*store.User)) (store.User, error) {
						return inner.UpdateUser(app, id, func(user *store.User) {
							before := user.Email
							if change(user); emailWithoutTag(user.Email) == emailWithoutTag(before) {
								user.Email = before
							}
						})
					}
				})),
			fault("data-update-of-metadata-alone-ignored", "an update that leaves all texts of the user as they were leaves the metadata as it was, too",
				overrideStore(func(inner refserver.Store, s *overrides) {
					s.updateUser = func(app store.App, id store.ID, change func(*store.User)) (store.User, error) {
						return inner.UpdateUser(app, id, func(user *store.User) {
							before := *user
							if change(user); slices.Equal(textsOfUser(before), textsOfUser(*user)) {
								user.Metadata = before.Metadata
							}
						})
					}
				})),
			fault("data-update-of-query-in-url-ignored", "an update that changes the url behind its question mark alone leaves it as it was",
				overrideStore(func(inner refserver.Store, s *overrides) {
					s.updateUser = func(app store.App, id store.ID, change func(*store.User)) (store.User, error) {
						return inner.UpdateUser(app, id, func(user *store.User) {
							before := user.URL
							change(user)
							old, _, _ := strings.Cut(before, "?")
							if page, _, has := strings.Cut(user.URL, "?"); has && page == old {
								user.URL = before
							}
						})
					}
				})),
			fault("data-update-of-ids-on-same-networks-ignored", "an update whose social_ids are for the networks that the user has already leaves the ids as they were",
				overrideStore(func(inner refserver.Store, s *overrides) {
					s.updateUser = func(app store.App, id store.ID, change func(*store.User)) (store.User, error) {
						return inner.UpdateUser(app, id, func(user *store.User) {
							before := user.SocialIDs
							if change(user); sameKeys(before, user.SocialIDs) {
								user.SocialIDs = before
							}
						})
					}
				})),
			fault("data-update-of-last-name-in-case-alone-ignored", "an update that changes nothing but upper and lower case in the last name leaves it as it was",
				overrideStore(func(inner refserver.Store, s *overrides) {
					s.updateUser = func(app store.App, id store.ID, change func(*store.User)) (store.User, error) {
						return inner.UpdateUser(app, id, func(user *store.User) {
							before := user.LastName
							if change(user); strings.EqualFold(before, user.LastName) {
								user.LastName = before
							}
						})
					}
				})),
			fault("data-update-url-percent-escapes-decoded", "an update decodes the percent escapes in a url",
				updatingUser(mapText("url", func(text string) string {
					if decoded, err := url.PathUnescape(text); err == nil {
						return decoded
					}
					return text
				}))),
			fault("data-update-escapes-ampersand-in-url", "an update of the user keeps an & in the url as it is escaped for HTML",
				updatingUser(mapText("url", func(url string) string { return strings.ReplaceAll(url, "&", "&amp;") }))),
			fault("data-update-of-names-in-case-alone-ignored", "an update that changes no more than upper and lower case of a first or a last name leaves it as it was",
				overrideStore(func(inner refserver.Store, s *overrides) {
					s.updateUser = func(app store.App, id store.ID, change func(*store.User)) (store.User, error) {
						return inner.UpdateUser(app, id, func(user *store.User) {
							first, last := user.FirstName, user.LastName
							change(user)
							if strings.EqualFold(first, user.FirstName) {
								user.FirstName = first
							}
							if strings.EqualFold(last, user.LastName) {
								user.LastName = last
							}
						})
					}
				})),
			fault("data-updated-metadata-days-become-times", "a day such as 2024-05-01 in the metadata of an update comes back as midnight of that day",
				mended(updatesUser(), eachValue(dayAsTime))),
			fault("data-update-email-plus-becomes-blank", "an update reads a plus sign in the email as a form would: as a blank",
				updatingUser(mapText("email", replacing("+", " ")))),
			fault("data-update-custom-id-uuid-lower-cased", "an update keeps a custom_id that is a UUID in lower case, as databases write them",
				updatingUser(mapText("custom_id", uuidLowered))),
			fault("data-update-url-loses-fragment", "an update cuts the url before its #",
				updatingUser(mapText("url", cutAt(func(r rune) bool { return r == '#' })))),
			fault("data-updated-metadata-times-rewritten", "an update writes the times in metadata anew, in UTC and with milliseconds",
				updatingUser(eachText("metadata", func(value string) string {
					at, err := time.Parse(time.RFC3339, value)
					if err != nil {
						return value
					}
					return at.UTC().Format("2006-01-02T15:04:05.000Z")
				})))),
		breaks("users.me.update.password",
			fault("data-new-password-with-percent", "a new password with a % in it is decoded before it is kept",
				updatingUser(mapText("password", replacing("%", "")))),
			fault("data-new-password-cut-at-72-bytes", "of a new password the first 72 bytes are kept",
				updatingUser(mapText("password", func(password string) string { return password[:min(72, len(password))] }))),
			fault("data-new-password-of-other-case-ignored", "an update to a password that differs from the one before in case alone leaves that as it was",
				knowingPasswords(func(known *passwords) mutation {
					return updatingUser(func(user map[string]any) {
						before, is := known.by(user)
						if given := fieldText(user, "password"); is && given != before && strings.EqualFold(given, before) {
							delete(user, "password")
						}
					})
				}))),
	)
}

// unchangedWhere leaves a field of the user as it was where an update to it is no
// change in the eyes of a comparison.
func unchangedWhere(field string, same func(before, after string) bool) mutation {
	return intercept(updatesUser(), func(next http.Handler, r *http.Request) *response {
		if before := ownRecord(next, r); before[field] != nil {
			inBody(mapText(field, func(after string) string {
				if same(fieldText(before, field), after) {
					return fieldText(before, field)
				}
				return after
			}))(r)
		}
		return record(next, r)
	})
}

// textsOfUser are what a comparison looks at that knows of texts alone.
func textsOfUser(user store.User) []string {
	return []string{user.UserName, user.FirstName, user.LastName, user.Email, user.URL, user.CustomID}
}
