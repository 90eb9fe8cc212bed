package faults

import (
	"slices"
	"strings"
	"time"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/store"
)

// sequenceSearchAttributes are the faults of users whom a search misses by one of their
// attributes after certain steps.
func sequenceSearchAttributes() []Fault {
	return slices.Concat(
		breaks("search.exact",
			fault("sequence-taken-name-not-found", "who took a user name that another gave up is not found by it",
				overrideStore(func(_ refserver.Store, s *overrides) {
					givenUp := &memory[store.ID]{} // by name
					s.onUpdateUser(func(before, after store.User) {
						if before.UserName != after.UserName {
							givenUp.keep(keyOf(before.App)+before.UserName, before.ID)
						}
					})
					s.searchBy(func(user store.User, term string, found bool) bool {
						by, is := givenUp.lookup(keyOf(user.App) + term)
						return found && !(user.UserName == term && is && by != user.ID)
					})
				})),
			fault("sequence-name-searched-in-vain-stays-unknown", "a search for a whole user name that found nobody before its bearer was created goes on missing the bearer",
				overrideStore(func(inner refserver.Store, s *overrides) {
					vain := &memory[bool]{} // by term
					s.search = func(app store.App, term string) ([]store.User, error) {
						hits, err := inner.Search(app, term)
						if err == nil && len(hits) == 0 {
							vain.keep(keyOf(app)+term, true)
						}
						return slices.DeleteFunc(hits, func(user store.User) bool { return user.UserName == term && vain.get(keyOf(app)+term) }), err
					}
				}))),
		breaks("search.user-name",
			fault("sequence-search-misses-name-changed-alone", "an update that changes nothing that is searched but the user name leaves the search as it was",
				missedWhereAlone(func(into *store.User, from store.User) { into.UserName = from.UserName }))),
		breaks("search.last-name",
			fault("sequence-search-misses-last-name-changed-alone", "an update that changes nothing that is searched but the last name leaves the search as it was",
				missedWhereAlone(func(into *store.User, from store.User) { into.LastName = from.LastName }))),
		breaks("search.email",
			fault("sequence-search-misses-email-changed-alone", "an update that changes nothing that is searched but the email leaves the search as it was",
				missedWhereAlone(func(into *store.User, from store.User) { into.Email = from.Email }))),
		breaks("search.user-name",
			fault("sequence-search-not-by-second-name", "a user who was renamed twice is not found by the user name",
				overrideStore(func(_ refserver.Store, s *overrides) {
					renames := &memory[int]{}
					s.onUpdateUser(func(before, after store.User) {
						if before.UserName != after.UserName {
							tally(renames, keyOf(before.App, before.ID))
						}
					})
					s.searchBy(func(user store.User, term string, found bool) bool {
						byName := holdsText(user.UserName, term) && !holdsText(user.FirstName+"\n"+user.LastName+"\n"+user.Email, term)
						return found && !(byName && term != user.UserName && renames.get(keyOf(user.App, user.ID)) >= 2)
					})
				})),
			fault("sequence-search-kept-misses-newcomers", "a search for a term that found somebody before does not find by the user name who was created since",
				overrideStore(func(inner refserver.Store, s *overrides) {
					kept := &memory[time.Time]{} // by term
					s.search = func(app store.App, term string) ([]store.User, error) {
						hits, err := inner.Search(app, term)
						at, is := kept.lookup(keyOf(app) + folded(term))
						if !is && err == nil && len(hits) > 0 {
							kept.keep(keyOf(app)+folded(term), time.Now())
						}
						return slices.DeleteFunc(hits, func(user store.User) bool { return is && user.CreatedAt.After(at) && holdsText(user.UserName, term) }), err
					}
				})),
			fault("sequence-search-misses-name-taken-up-again", "a part of the user name of who gave it up and took it up again finds nobody, as the old entry is cleaned up last",
				overrideStore(func(_ refserver.Store, s *overrides) {
					former := &memory[bool]{} // by user and name
					s.onUpdateUser(func(before, after store.User) {
						if before.UserName != after.UserName {
							former.keep(keyOf(before.App, before.ID)+before.UserName, true)
						}
					})
					s.searchBy(func(user store.User, term string, found bool) bool {
						elsewhere := holdsText(user.FirstName, term) || holdsText(user.LastName, term) || holdsText(user.Email, term)
						cleaned := former.get(keyOf(user.App, user.ID)+user.UserName) && !strings.EqualFold(user.UserName, term)
						return found && (elsewhere || !cleaned)
					})
				}))),
		breaks("search.first-name",
			fault("sequence-reindexed-without-first-name", "a user is not found by a first name that the latest update left as it was",
				overrideStore(func(_ refserver.Store, s *overrides) {
					lost := &memory[bool]{}
					s.onUpdateUser(func(before, after store.User) {
						lost.keep(keyOf(after.App, after.ID), before.FirstName == after.FirstName)
					})
					s.searchBy(func(user store.User, term string, found bool) bool {
						elsewhere := holdsText(user.UserName+"\n"+user.LastName+"\n"+user.Email, term)
						return found && (elsewhere || !holdsText(user.FirstName, term) || !lost.get(keyOf(user.App, user.ID)))
					})
				}))),
		breaks("search.email",
			fault("sequence-login-reindexes-without-email", "a search does not find a user by its email from the first login after the create on, until the next update",
				overrideStore(func(inner refserver.Store, s *overrides) {
					lost := &memory[bool]{}
					s.onLogin(func(app store.App, id store.ID, _ string) {
						if user, err := inner.User(app, id); err == nil && user.LastLogin.After(user.CreatedAt) {
							lost.keep(keyOf(app, id), true)
						}
					})
					s.onUpdateUser(func(_, after store.User) { lost.keep(keyOf(after.App, after.ID), false) })
					s.searchBy(func(user store.User, term string, found bool) bool {
						elsewhere := holdsText(user.UserName, term) || holdsText(user.FirstName, term) || holdsText(user.LastName, term)
						return found && (elsewhere || !lost.get(keyOf(user.App, user.ID)))
					})
				}))),
	)
}

// missedWhereAlone lets a search go on with a user as it was where an update changed one attribute alone;
// take takes that attribute over from another state of the user.
func missedWhereAlone(take func(into *store.User, from store.User)) mutation {
	searched := func(user store.User) string {
		return strings.Join([]string{user.UserName, user.FirstName, user.LastName, user.Email}, "\n")
	}
	return overrideStore(func(_ refserver.Store, s *overrides) {
		indexed := &memory[string]{}
		s.onUpdateUser(func(before, after store.User) {
			indexed.update(keyOf(after.App, after.ID), func(was string) string {
				alike := before
				take(&alike, after)
				switch {
				case searched(alike) != searched(after):
					return searched(after)
				case was == "":
					return searched(before)
				}
				return was
			})
		})
		s.searchBy(func(user store.User, term string, found bool) bool {
			if was, known := indexed.lookup(keyOf(user.App, user.ID)); known {
				return holdsText(was, term)
			}
			return found
		})
	})
}
