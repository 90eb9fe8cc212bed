package faults

import (
	"slices"
	"strings"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/store"
)

// scaleEventsSearch are the faults of searches with many results, and of events that are
// many or have many entries.
func scaleEventsSearch() []Fault {
	return slices.Concat(
		breaks("search.exact",
			fault("scale-search-drops-exact-among-many", "a search that finds more than six users leaves out who is called exactly so",
				overrideStore(func(inner refserver.Store, s *overrides) {
					s.search = func(app store.App, term string) ([]store.User, error) {
						hits, err := inner.Search(app, term)
						if len(hits) > 6 {
							hits = slices.DeleteFunc(hits, func(user store.User) bool { return whole(user.UserName, term) })
						}
						return hits, err
					}
				})),
			fault("scale-search-of-many-leaves-out-the-exact", "a search that finds more than eight users leaves out those whose user name is the term",
				overrideStore(func(inner refserver.Store, s *overrides) {
					s.search = func(app store.App, term string) ([]store.User, error) {
						found, err := inner.Search(app, term)
						if len(found) > 8 {
							found = slices.DeleteFunc(found, func(user store.User) bool { return strings.EqualFold(user.UserName, term) })
						}
						return found, err
					}
				}))),
		breaks("search.user-name",
			fault("scale-search-gap-between-pages", "of more than 10 results of a search the tenth is left out",
				rewriteResponse(searches(), inList(func(list []any) []any {
					if len(list) > 10 {
						return slices.Delete(list, 9, 10)
					}
					return list
				}))),
			fault("scale-deleted-crowd-out-of-search", "where five deleted users had a term in the user name, a search for it does not find those who came after them",
				overrideStore(func(_ refserver.Store, s *overrides) {
					deleted := &memory[[]store.User]{}
					s.onDeleteUser(func(user store.User) {
						deleted.update(keyOf(user.App), func(all []store.User) []store.User { return append(slices.Clip(all), user) })
					})
					s.searchBy(func(user store.User, term string, found bool) bool {
						if !found || !holdsText(user.UserName, term) || whole(user.UserName, term) || holdsText(user.FirstName+"\n"+user.LastName+"\n"+user.Email, term) {
							return found
						}
						before := 0
						for _, gone := range deleted.get(keyOf(user.App)) {
							if gone.ID < user.ID && holdsText(gone.UserName, term) {
								before++
							}
						}
						return before < 5
					})
				}))),
		breaks("search.last-name",
			fault("scale-user-names-crowd-out-last-names", "where twelve users have a term in the user name, a search for it finds nobody who has it in the last name alone",
				overrideStore(func(inner refserver.Store, s *overrides) {
					s.search = func(app store.App, term string) ([]store.User, error) {
						hits, err := inner.Search(app, term)
						named := 0
						for _, user := range hits {
							if term != "" && holdsText(user.UserName, term) {
								named++
							}
						}
						return slices.DeleteFunc(hits, func(user store.User) bool {
							return named >= 12 && holdsText(user.LastName, term) && !holdsText(user.UserName+"\n"+user.FirstName+"\n"+user.Email, term)
						}), err
					}
				}))),
		breaks("search.non-match-excluded",
			fault("scale-search-fills-the-page", "a search with more than 10 results adds the first user there is",
				overrideStore(func(inner refserver.Store, s *overrides) {
					s.search = func(app store.App, term string) ([]store.User, error) {
						hits, err := inner.Search(app, term)
						everyone, cause := inner.Search(app, "")
						if len(hits) > 10 && cause == nil && hits[0].ID != everyone[0].ID {
							hits = append(hits, everyone[0])
						}
						return hits, err
					}
				}))),
		breaks("events.create.echo",
			fault("scale-display-names-beyond-six-lost", "of more than six display names of a new event's object those whose languages sort last are lost",
				creatingEvent(within("object", within("display_name", func(names map[string]any) {
					for _, name := range names {
						if isNo[string](name) {
							return
						}
					}
					firstKeys(6)(names)
				})))),
			fault("scale-display-names-limited-like-metadata", "a display name of a new event's object keeps ten languages, as many as metadata has keys",
				creatingEvent(within("object", within("display_name", firstKeys(10))))),
			fault("scale-display-names-in-three-languages", "of the display names of a new event's object only three are kept",
				creatingEvent(within("object", within("display_name", firstKeys(3))))),
			fault("scale-display-name-in-five-languages-at-most", "of an object's display name five languages are kept",
				creatingEvent(within("object", within("display_name", firstKeys(5)))))),
		breaks("events.update.status",
			fault("scale-ten-latest-events-changeable", "of a user's events those before the ten latest are not found by a change", overrideStore(latestChangeable(10)))),
	)
}

// latestChangeable finds, for a change, the latest events of a user alone.
func latestChangeable(n int) func(inner refserver.Store, s *overrides) {
	return func(inner refserver.Store, s *overrides) {
		events := &memory[[]store.ID]{} // by owner
		s.onCreateEvent(func(event store.Event) {
			events.update(keyOf(event.App, event.Owner), func(ids []store.ID) []store.ID { return append(slices.Clip(ids), event.ID) })
		})
		s.onDeleteEvent(func(app store.App, owner, id store.ID) {
			events.update(keyOf(app, owner), func(ids []store.ID) []store.ID {
				return slices.DeleteFunc(slices.Clone(ids), func(other store.ID) bool { return other == id })
			})
		})
		s.updateEvent = func(app store.App, owner, id store.ID, change func(*store.Event)) (store.Event, error) {
			ids := events.get(keyOf(app, owner))
			if i := slices.Index(ids, id); i >= 0 && i < len(ids)-n {
				return store.Event{}, store.ErrNotFound
			}
			return inner.UpdateEvent(app, owner, id, change)
		}
	}
}
