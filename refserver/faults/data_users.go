package faults

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/store"
)

// dataUsersCreate are the faults of certain values of a new user, which are cut, tidied,
// converted or lost.
func dataUsersCreate() []Fault {
	blanks := regexp.MustCompile(" {2,}")
	squeezed := func(text string) string { return blanks.ReplaceAllString(text, " ") }
	defaultPort := regexp.MustCompile(`^(https://[^/:?#]+):443\b|^(http://[^/:?#]+):80\b`)
	exponential := regexp.MustCompile(`^\d{1,5}e\d{1,2}$`)
	longDigits := regexp.MustCompile(`^\d{17,20}$`)
	escaped := replacing("&", "&amp;")
	hostAlone := regexp.MustCompile(`^https?://[^/?#]+$`)
	return breaks("users.create.echo",
		fault("data-custom-id-of-digits-is-a-number", "a custom_id of digits loses its leading zeros", creatingUser(mapText("custom_id", asNumber))),
		fault("data-custom-id-as-uuid-in-lower-case", "a custom_id of 36 characters is taken for a UUID, and put into lower case",
			creatingUser(mapText("custom_id", changing(func(text string) bool { return len(text) == 36 }, strings.ToLower)))),
		fault("data-last-name-null-is-none", "a new user whose last name is Null, in any case, has none",
			creatingUser(ignoring("last_name", func(value any) bool { name, _ := value.(string); return strings.EqualFold(name, "null") }))),
		fault("data-url-decoded", "escaped slashes in a new user's url are decoded",
			creatingUser(mapText("url", strings.NewReplacer("%2F", "/", "%2f", "/").Replace))),
		fault("data-url-without-fragment", "a new user's url ends before its fragment",
			creatingUser(mapText("url", cutAt(func(r rune) bool { return r == '#' })))),
		fault("data-url-cut-at-255", "a new user's url is cut after 255 characters", creatingUser(mapText("url", cutTo(255)))),
		fault("data-email-without-tag", "the answer to a create has an email without its +tag", rewriteObject(createsUser(), mapText("email", emailWithoutTag))),
		fault("data-email-domain-in-lower-case", "the part of a new user's email behind the @ is kept in lower case", emailDomainsInLowerCase),
		fault("data-first-name-cut-at-255", "a new user's first name is cut after 255 characters", creatingUser(mapText("first_name", cutTo(255)))),
		fault("data-last-name-with-quotes-doubled", "apostrophes in a new user's last name are doubled",
			creatingUser(mapText("last_name", replacing("'", "''")))),
		fault("data-first-name-escaped-for-html", "quotes in a new user's first name are escaped for HTML",
			creatingUser(mapText("first_name", replacing(`"`, "&quot;")))),
		fault("data-metadata-true-is-one", "a new user's metadata that says true says 1", creatingUser(eachText("metadata", oneFor("true", "1")))),
		fault("data-metadata-null-is-lost", "entries of a new user's metadata that say null are dropped",
			creatingUser(within("metadata", dropWhere(func(_, value string) bool { return value == "null" })))),
		fault("data-metadata-keys-with-dots", "dots in the keys of a new user's metadata become underscores",
			creatingUser(eachKey("metadata", replacing(".", "_")))),
		fault("data-metadata-keys-with-dollar-lost", "entries of a new user's metadata whose key begins with $ are dropped",
			creatingUser(within("metadata", dropWhere(func(key, _ string) bool { return strings.HasPrefix(key, "$") })))),
		fault("data-social-networks-in-lower-case", "the networks of a new user's social_ids are kept in lower case",
			creatingUser(eachKey("social_ids", strings.ToLower))),
		fault("data-social-id-beyond-double-precision", "a new user's social ids of more than 16 digits are rounded",
			creatingUser(eachText("social_ids", changing(func(id string) bool { return isDigits(id) && len(id) > 16 },
				func(id string) string { return id[:16] + strings.Repeat("0", len(id)-16) })))),
		fault("data-metadata-proto-key-lost", "the entry of a new user's metadata with the key __proto__ is dropped",
			creatingUser(within("metadata", dropWhere(func(key, _ string) bool { return key == "__proto__" })))),
		fault("data-social-ids-alike-kept-once", "of several networks on which a new user has the same id one is kept",
			creatingUser(within("social_ids", valuesOnce))),
		fault("data-deep-link-authority-in-lower-case", "in a new user's url what stands between :// and the next slash is put into lower case, also where it names a screen of an application",
			creatingUser(mapText("url", authorityInLowerCase))),
		fault("data-social-id-loses-leading-at", "a new user's social ids lose an @ in front",
			creatingUser(eachText("social_ids", func(id string) string { return strings.TrimPrefix(id, "@") }))),
		fault("data-metadata-keys-like-secrets-lost", "entries of a new user's metadata whose key has password, secret or token in it are dropped",
			creatingUser(within("metadata", dropWhere(func(key, _ string) bool { return namesSecret(key) })))),
		fault("data-last-name-in-capitals-calmed", "a new user's last name that is in capitals throughout keeps the first of them alone",
			creatingUser(mapText("last_name", calmed))),
		fault("data-url-without-scheme-gets-one", "a new user's url without a scheme gets http:// in front",
			creatingUser(mapText("url", func(url string) string {
				if url == "" || strings.Contains(url, ":") {
					return url
				}
				return "http://" + url
			}))),
		fault("data-first-name-blanks-squeezed", "several blanks in a row in a new user's first name become one",
			creatingUser(mapText("first_name", squeezed))),
		fault("data-url-loses-default-port", "a new user's url loses the port that its scheme has anyway",
			creatingUser(mapText("url", func(url string) string { return defaultPort.ReplaceAllString(url, "$1$2") }))),
		fault("data-url-of-host-alone-gets-slash", "a new user's url that ends with its host gets a slash behind it",
			creatingUser(mapText("url", func(url string) string { return hostAlone.ReplaceAllString(url, "$0/") }))),
		fault("data-first-name-of-two-words-split", "a new user without a last name, and with a first name of two words, gets the second word for a last name",
			rewriteBody(createsUser().and(not(sends("last_name"))), func(user map[string]any) {
				if first, last, two := strings.Cut(fieldText(user, "first_name"), " "); two {
					user["first_name"], user["last_name"] = first, last
				}
			})),
		fault("data-url-letters-beyond-ascii-escaped", "letters beyond ASCII in a new user's url come back as escapes", rewriteText(createsUser(), "url", escapedBeyondASCII)),
		fault("data-social-network-with-dot-renamed", "the answer to a create has an underscore for each dot in the name of a social network, as the keys in the store have none",
			rewriteObject(createsUser(), within("social_ids", func(ids map[string]any) {
				for network, id := range maps.Clone(ids) {
					delete(ids, network)
					ids[strings.ReplaceAll(network, ".", "_")] = id
				}
			}))),
		fault("data-user-url-parameters-sorted", "the url of a new user comes back with the parameters of its query in alphabetical order",
			creatingUser(mapText("url", parametersSorted))),
		fault("data-user-metadata-camel-case-becomes-snake-case", "keys in a new user's metadata in camel case come back with underscores",
			creatingUser(eachKey("metadata", snakeCased))),
		fault("data-custom-id-that-is-uuid-in-small-letters", "a custom_id that is a UUID in capital letters comes back in small ones",
			creatingUser(mapText("custom_id", uuidLowered))),
		fault("data-custom-id-with-exponent", "a custom_id such as 12e5 is read as a number, and comes back as 1200000",
			creatingUser(mapText("custom_id", throughFloat(exponential)))),
		fault("data-social-ids-shown-rounded", "social ids of 17 digits or more are shown to their user as a float rounds them",
			rewriteObject(createsUser().or(readsOwnRecord()), eachText("social_ids", throughFloat(longDigits)))),
		fault("data-create-escapes-ampersand-in-names", "a new user's first and last name are kept with an & as it is escaped for HTML",
			creatingUser(func(user map[string]any) {
				mapText("first_name", escaped)(user)
				mapText("last_name", escaped)(user)
			})),
		fault("data-user-url-ampersand", "a new user's url is escaped for HTML before it is kept: & becomes &amp;",
			creatingUser(mapText("url", escaped))))
}

// emailDomainsInLowerCase keeps new emails so. Logins go on taking them as they were given.
func emailDomainsInLowerCase(o *refserver.Options) {
	given := &memory[bool]{} // by application and email
	lower := func(email string) string {
		if at := strings.LastIndexByte(email, '@'); at >= 0 {
			return email[:at] + strings.ToLower(email[at:])
		}
		return email
	}
	key := func(r *http.Request) string { return appIn(r) + " " + fieldText(requestObject(r), "email") }
	combine(
		rewriteRequest(createsUser(), func(r *http.Request) {
			given.keep(key(r), true)
			inBody(mapText("email", lower))(r)
		}),
		rewriteBody(logsInByEmail().and(func(r *http.Request) bool { return given.get(key(r)) }), mapText("email", lower)),
	)(o)
}

// valuesOnce leaves of the entries with the same value the one whose key sorts first.
func valuesOnce(entries map[string]any) {
	keys := slices.DeleteFunc(slices.Sorted(maps.Keys(entries)), func(key string) bool { return isNo[string](entries[key]) })
	first := firstOfEach(slices.Clone(keys), func(key string) any { return entries[key] })
	maps.DeleteFunc(entries, func(key string, _ any) bool { return slices.Contains(keys, key) && !slices.Contains(first, key) })
}

// authorityInLowerCase lowers the case of a url's host, also in a scheme without one.
func authorityInLowerCase(url string) string {
	return regexp.MustCompile(`://[^/]*`).ReplaceAllStringFunc(url, strings.ToLower)
}

// namesSecret matches names that filters take for names of secrets.
func namesSecret(key string) bool {
	return slices.ContainsFunc([]string{"password", "secret", "token"}, func(word string) bool { return holdsText(key, word) })
}

// calmed puts a text in capitals into lower case behind its first letter.
func calmed(text string) string {
	if strings.ToUpper(text) != text || strings.ToLower(text) == text {
		return text
	}
	letters := []rune(text)
	return string(letters[:1]) + strings.ToLower(string(letters[1:]))
}

// escapedBeyondASCII escapes the bytes of all characters beyond ASCII.
func escapedBeyondASCII(text string) string {
	return regexp.MustCompile(`[^\x00-\x7F]`).ReplaceAllStringFunc(text, func(character string) string {
		return regexp.MustCompile(`..`).ReplaceAllString(fmt.Sprintf("%X", character), "%$0")
	})
}

// parametersSorted sorts the parameters in the query of a URL.
func parametersSorted(url string) string {
	url, fragment, hasFragment := strings.Cut(url, "#")
	path, query, hasQuery := strings.Cut(url, "?")
	if hasQuery {
		parameters := strings.Split(query, "&")
		slices.Sort(parameters)
		path += "?" + strings.Join(parameters, "&")
	}
	if hasFragment {
		path += "#" + fragment
	}
	return path
}

// snakeCased puts an underscore before each capital that follows a small letter.
func snakeCased(key string) string {
	return regexp.MustCompile(`\p{Ll}\p{Lu}`).ReplaceAllStringFunc(key, func(pair string) string {
		letters := []rune(pair)
		return string([]rune{letters[0], '_', unicode.ToLower(letters[1])})
	})
}

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
				breaking(userUpdates(func(_ look, was User, user *User) {
					first, last := was.FirstName, was.LastName
					if user.FirstName == last && user.LastName == first {
						user.FirstName, user.LastName = first, last
					}
				}))),
			fault("data-update-of-email-tag-alone-ignored", "an update that changes the +tag of the email alone leaves it as it was",
				breaking(userUpdates(keeps(func(user *User) *string { return &user.Email }, func(was, now string) bool {
					return emailWithoutTag(now) == emailWithoutTag(was)
				})))),
			fault("data-update-of-metadata-alone-ignored", "an update that leaves all texts of the user as they were leaves the metadata as it was, too",
				breaking(userUpdates(func(_ look, was User, user *User) {
					if slices.Equal(textsOfUser(was), textsOfUser(*user)) {
						user.Metadata = was.Metadata
					}
				}))),
			fault("data-update-of-query-in-url-ignored", "an update that changes the url behind its question mark alone leaves it as it was",
				breaking(userUpdates(keeps(func(user *User) *string { return &user.URL }, func(was, now string) bool {
					old, _, _ := strings.Cut(was, "?")
					page, _, has := strings.Cut(now, "?")
					return has && page == old
				})))),
			fault("data-update-of-ids-on-same-networks-ignored", "an update whose social_ids are for the networks that the user has already leaves the ids as they were",
				breaking(userUpdates(keeps(func(user *User) *map[string]string { return &user.SocialIDs }, sameKeys)))),
			fault("data-update-of-last-name-in-case-alone-ignored", "an update that changes only the case of the last name is ignored",
				breaking(userUpdates(keeps(func(user *User) *string { return &user.LastName }, strings.EqualFold)))),
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
				breaking(userUpdates(keeps(func(user *User) *string { return &user.FirstName }, strings.EqualFold)),
					userUpdates(keeps(func(user *User) *string { return &user.LastName }, strings.EqualFold)))),
			fault("data-updated-metadata-days-become-times", "a day such as 2024-05-01 in the metadata of an update comes back as midnight of that day",
				corrected(updatesUser(), eachValue(dayAsTime))),
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

// unchangedWhere ignores an update of a field of the user that a comparison takes
// for no change.
func unchangedWhere(field string, same func(before, after string) bool) mutation {
	return rewriteKnowing(updatesUser(), func(own, sent map[string]any) {
		if before := fieldText(own, field); own[field] != nil {
			mapText(field, changing(func(after string) bool { return same(before, after) }, func(string) string { return before }))(sent)
		}
	})
}

// textsOfUser are the texts of a user, for a comparison that ignores other fields.
func textsOfUser(user store.User) []string {
	return []string{user.UserName, user.FirstName, user.LastName, user.Email, user.URL, user.CustomID}
}

// dataUsersRead are the faults of users with certain values where they are read: types that
// change, and an id that is taken for another.
func dataUsersRead() []Fault {
	return slices.Concat(
		breaks("users.types",
			fault("data-metadata-numeric-keys-as-list", "metadata whose keys are the numbers from 0 on is a list where another user is read",
				rewriteObject(readsUser(), mapField("metadata", asListWhereNumbered))),
			fault("data-friends-numeric-texts-as-numbers", "the own friends have names and custom_ids that are numbers as numbers",
				rewriteEach(readsFriends(), func(user map[string]any) {
					for _, field := range []string{"user_name", "first_name", "last_name", "custom_id"} {
						mapField(field, numericAsNumber)(user)
					}
				}))),
		breaks("users.get.other",
			fault("data-custom-id-taken-for-id", "a user is hidden by another whose custom_id is the same as its id", customIDsTakenForIDs())),
	)
}

// asListWhereNumbered is a map as some languages write it: as a list, where its keys
// are those of one.
func asListWhereNumbered(value any) any {
	entries, _ := value.(map[string]any)
	list := []any{}
	for entry, there := entries["0"]; there; entry, there = entries[strconv.Itoa(len(list))] {
		list = append(list, entry)
	}
	if len(list) == 0 || len(list) < len(entries) {
		return value
	}
	return list
}

// numericAsNumber makes a number of a text that is one.
func numericAsNumber(value any) any {
	text, _ := value.(string)
	if !isDigits(text) {
		return value
	}
	return json.Number(asNumber(text))
}

// customIDsTakenForIDs looks for the id of a user to read among custom_ids first.
func customIDsTakenForIDs() mutation {
	custom := func(q asked) string { return q.app() + " " + fieldText(q.answer(), "custom_id") }
	return recalls(createsUser().and(sends("custom_id")), custom, readsUser(), func(q asked) string { return q.app() + " " + q.last() },
		func(q asked, bearer exchange) {
			if other := q.get("/0.2/users/" + idOf(objectOf(bearer.body))); q.ok() && other.ok() {
				*q.response = *other
			}
		})
}
