package faults

import (
	"errors"
	"regexp"
	"slices"
	"strings"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/store"
)

// edgeInput are the faults of bad input that a query, a parser or a type of the language is too kind to.
func edgeInput() []Fault {
	return slices.Concat(
		breaks("sessions.login.unknown-user",
			fault("input-login-name-is-a-pattern", "a login compares user names as patterns: ann% and the password of anna log anna in",
				overrideStore(func(inner refserver.Store, s *overrides) {
					s.identify = func(app store.App, name, email string, password []byte) (store.User, error) {
						user, err := inner.Identify(app, name, email, password)
						if !errors.Is(err, store.ErrNotFound) || !strings.Contains(name, "%") {
							return user, err
						}
						return bearerOf(inner, app, name, password)
					}
				}))),
		breaks("events.create.malformed-json",
			fault("input-event-escaped-apostrophe-taken", "an apostrophe may have a backslash before it in the texts of a new event", mendJSON(createsEvent(), `\\'`, `'`))),
		breaks("events.create.wrong-type",
			fault("input-event-metadata-pairs-taken", "a list of objects with a key and a value each is taken for the metadata of a new event",
				rewriteBody(createsEvent(), mapField("metadata", pairsAsMap)))),
		breaks("limits.metadata.keys",
			fault("input-event-keys-alike-counted-once", "of more than ten keys in a new event's metadata those that differ in case alone count once, and one of them is kept",
				rewriteBody(createsEvent(), within("metadata", func(metadata map[string]any) {
					if len(metadata) > 10 {
						keysOnceByCase(metadata)
					}
				})))),
	)
}

// bearerOf finds the user with the password whose name is like a pattern with %.
func bearerOf(inner refserver.Store, app store.App, pattern string, password []byte) (store.User, error) {
	like, err := regexp.Compile("(?is)^" + strings.ReplaceAll(regexp.QuoteMeta(pattern), "%", ".*") + "$")
	if err != nil {
		return store.User{}, store.ErrNotFound
	}
	users, err := inner.Search(app, "")
	for _, user := range users {
		if like.MatchString(user.UserName) {
			if bearer, unknown := inner.Identify(app, user.UserName, "", password); unknown == nil {
				return bearer, nil
			}
		}
	}
	return store.User{}, errors.Join(err, store.ErrNotFound)
}

// pairsAsMap makes a map of a list of objects that have a key and a value alone.
func pairsAsMap(value any) any {
	list, _ := value.([]any)
	entries := map[string]any{}
	for _, item := range list {
		pair, _ := item.(map[string]any)
		key, is := pair["key"].(string)
		if _, has := pair["value"]; !is || !has || len(pair) != 2 {
			return value
		}
		entries[key] = pair["value"]
	}
	if len(entries) == 0 {
		return value
	}
	return entries
}
