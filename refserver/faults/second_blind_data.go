package faults

import (
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/socialfeed/conform/refserver/store"
)

// blindUserData are the faults of certain values of users.
func blindUserData() []Fault {
	lossy := mapText("password", mapped(func(r rune) rune {
		if r > unicode.MaxLatin1 {
			return '?'
		}
		return r
	}))
	return slices.Concat(
		breaks("users.create.echo",
			fault("data-metadata-proto-key-lost", "the entry of a new user's metadata with the key __proto__ is dropped",
				rewriteBody(createsUser(), within("metadata", dropWhere(func(key, _ string) bool { return key == "__proto__" }))))),
		breaks("users.me.update.applies",
			fault("data-update-url-entities", "an update reads parameters of the url that begin like names of HTML entities, such as &copy=, as these",
				rewriteBody(updatesUser(), mapText("url", strings.NewReplacer("&copy", "©", "&reg", "®", "&para", "¶", "&sect", "§", "&times", "×").Replace)))),
		breaks("users.types",
			fault("data-metadata-numeric-keys-as-list", "metadata whose keys are the numbers from 0 on is a list where another user is read",
				rewriteObject(readsUser(), mapField("metadata", asListWhereNumbered)))),
		breaks("sessions.login.wrong-password",
			fault("data-password-lossy-charset", "of passwords the characters beyond Latin-1 are kept, and compared, as question marks",
				rewriteBody(createsUser().or(updatesUser()).or(logsIn()), lossy))),
	)
}

// asListWhereNumbered is a map as some languages write it: as a list, where its keys
// are those of one.
func asListWhereNumbered(value any) any {
	entries, ok := value.(map[string]any)
	if !ok || len(entries) == 0 {
		return value
	}
	list := make([]any, 0, len(entries))
	for i := range len(entries) {
		entry, there := entries[strconv.Itoa(i)]
		if !there {
			return value
		}
		list = append(list, entry)
	}
	return list
}

// blindSearchData are those of certain terms of searches.
func blindSearchData() []Fault {
	turkish := func(text string) string { return strings.ToLowerSpecial(unicode.TurkishCase, text) }
	return slices.Concat(
		breaks("search.case-insensitive",
			fault("data-search-turkish-i", "a search puts letters into lower case as Turkish does: I is not found by i, nor i by I",
				finding(func(user store.User, term string, found bool) bool {
					holds := anyAttribute(user, func(value string) bool { return holdsText(value, term) })
					return found && (!holds || anyAttribute(user, func(value string) bool { return strings.Contains(turkish(value), turkish(term)) }))
				}))),
	)
}

// anyAttribute reports whether one of the attributes that a search looks at is so.
func anyAttribute(user store.User, is func(value string) bool) bool {
	return slices.ContainsFunc([]string{user.UserName, user.FirstName, user.LastName, user.Email}, is)
}

// blindEventData are those of certain values of events.
func blindEventData() []Fault {
	oldCodes := map[string]string{"he": "iw", "id": "in", "yi": "ji"}
	return slices.Concat(
		breaks("events.create.echo",
			fault("data-language-old-codes", "the languages he, id and yi of new events become iw, in and ji, which they were once",
				rewriteBody(createsEvent(), mapText("language", func(tag string) string {
					if code, known := oldCodes[language(tag)]; known {
						return code + strings.TrimPrefix(tag, language(tag))
					}
					return tag
				})))),
		breaks("feed.event-shape",
			fault("data-feed-metadata-type-key-lost", "in a feed the entry of metadata with the key type is missing",
				rewriteEach(readsFeed(), within("metadata", drop("type"))))),
		breaks("feed.follow.new-events",
			fault("data-feed-without-three-letter-languages", "events in languages that have codes of three letters alone are in no feed",
				hideFromFeeds(func(_ reader, event store.Event) bool { return len(language(event.Language)) == len("fil") }))),
	)
}
