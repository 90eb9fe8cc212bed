package faults

import (
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/store"
)

// sequenceSearchExclusions are the faults of users whom a search finds wrongly after
// certain steps: deleted ones, and those who are called so no more or not yet.
func sequenceSearchExclusions() []Fault {
	return slices.Concat(
		breaks("search.non-match-excluded",
			fault("sequence-search-one-rename-behind", "after a second update a search finds a user by the first name before",
				overrideStore(func(_ refserver.Store, s *overrides) {
					names, updates := &memory[string]{}, &memory[int]{}
					s.onUpdateUser(func(before, _ store.User) {
						if tally(updates, keyOf(before.App, before.ID)) >= 2 {
							names.keep(keyOf(before.App, before.ID), before.FirstName)
						}
					})
					s.searchBy(func(user store.User, term string, found bool) bool {
						old := names.get(keyOf(user.App, user.ID))
						return found || old != "" && holdsText(old, term)
					})
				})),
			fault("sequence-search-adds-the-latest", "a search that finds somebody adds the user created last, if that one has no login yet",
				overrideStore(func(inner refserver.Store, s *overrides) {
					latest := &memory[store.ID]{}
					s.onCreateUser(func(user store.User) { latest.keep(keyOf(user.App), user.ID) })
					s.search = func(app store.App, term string) ([]store.User, error) {
						hits, err := inner.Search(app, term)
						if user, missing := inner.User(app, latest.get(keyOf(app))); missing == nil && user.LastLogin.IsZero() && len(hits) > 0 && hits[len(hits)-1].ID != user.ID {
							hits = append(hits, user)
						}
						return hits, err
					}
				})),
			fault("sequence-refused-update-is-indexed", "a search also finds a user by the names in an update that was refused with 422, until the next one that is not", refusedUpdatesIndexed)),
		breaks("search.deleted-excluded",
			fault("sequence-search-finds-deleted-who-were-renamed", "a search finds deleted users who had been renamed",
				overrideStore(func(inner refserver.Store, s *overrides) {
					renamed, deleted := whoWasRenamed(s), &memory[[]store.User]{}
					s.onDeleteUser(func(user store.User) {
						if renamed.get(keyOf(user.App, user.ID)) {
							deleted.update(keyOf(user.App), func(all []store.User) []store.User { return append(slices.Clip(all), user) })
						}
					})
					s.search = func(app store.App, term string) ([]store.User, error) {
						hits, err := inner.Search(app, term)
						for _, user := range deleted.get(keyOf(app)) {
							if holdsText(user.UserName, term) {
								hits = append(hits, user)
							}
						}
						return hits, err
					}
				})),
			fault("sequence-search-kept-from-before-deletion", "a search for a term finds a deleted user whom a search for the same term had found before",
				overrideStore(func(inner refserver.Store, s *overrides) {
					found := &memory[[]store.User]{} // by term
					s.search = func(app store.App, term string) ([]store.User, error) {
						hits, err := inner.Search(app, term)
						return withDeleted(inner, app, found, keyOf(app)+term, hits), err
					}
				})),
			fault("sequence-search-finds-deleted-whom-the-reader-followed", "a search that a deleted user's follower makes goes on finding that user by the user name, as it looks at the follower's contacts first", deletedContactsFound),
			fault("sequence-renamed-then-deleted-found", "a search finds a deleted user that was renamed before by the former user name", overrideStore(formerNamesOfDeletedFound)),
			fault("sequence-deleted-after-rename-found-by-former-name", "a user that was renamed, and then deleted, is found by the former user name", overrideStore(renamedAndDeletedFound))),
	)
}

// refusedUpdatesIndexed has a search look at what updates sent, whether they were taken or not.
func refusedUpdatesIndexed(o *refserver.Options) {
	drafts := &memory[map[string]string]{} // names by id, by application
	combine(
		intercept(updatesUser(), func(next http.Handler, r *http.Request) *response {
			id, resp, names := fieldText(ownRecord(next, r), "id"), record(next, r), ""
			if resp.status == http.StatusUnprocessableEntity {
				sent := requestObject(r)
				names = strings.Join([]string{fieldText(sent, "user_name"), fieldText(sent, "first_name"), fieldText(sent, "last_name")}, "\n")
			}
			drafts.update(appIn(r), func(before map[string]string) map[string]string {
				after := map[string]string{}
				maps.Copy(after, before)
				after[id] = names
				return after
			})
			return resp
		}),
		intercept(searches(), func(next http.Handler, r *http.Request) *response {
			resp, term, indexed := record(next, r), r.URL.Query().Get("q"), drafts.get(appIn(r))
			for _, id := range slices.Sorted(maps.Keys(indexed)) {
				if id != "" && term != "" && holdsText(indexed[id], term) {
					resp.list(func(list []any) []any { return withUser(list, call(next, r, http.MethodGet, "/0.2/users/"+id, nil)) })
				}
			}
			return resp
		}),
	)(o)
}

// deletedContactsFound keeps, with each user, the records of those whom it follows.
func deletedContactsFound(o *refserver.Options) {
	gone := &memory[[]*response]{} // by application and follower
	combine(
		intercept(deletesUser(), func(next http.Handler, r *http.Request) *response {
			read := call(next, r, http.MethodGet, "/0.2/user", nil)
			followers := call(next, r, http.MethodGet, "/0.2/user/followers", nil)
			resp := record(next, r)
			if resp.ok() && read.ok() {
				inEach(func(follower map[string]any) {
					gone.update(appIn(r)+"\n"+fieldText(follower, "id"), func(before []*response) []*response { return append(slices.Clip(before), read) })
				})(r, followers)
			}
			return resp
		}),
		intercept(searches(), func(next http.Handler, r *http.Request) *response {
			resp, term := record(next, r), r.URL.Query().Get("q")
			for _, read := range gone.get(appIn(r) + "\n" + fieldText(ownRecord(next, r), "id")) {
				if term != "" && holdsText(fieldText(objectOf(read.body), "user_name"), term) {
					resp.list(func(list []any) []any { return withUser(list, read) })
				}
			}
			return resp
		}),
	)(o)
}

// formerNamesOfDeletedFound leaves what was indexed before a user got another name.
func formerNamesOfDeletedFound(inner refserver.Store, s *overrides) {
	renamed, left := &memory[store.User]{}, &memory[[]store.User]{} // by user; by application
	s.onUpdateUser(func(before, after store.User) {
		if before.UserName != after.UserName {
			renamed.keep(keyOf(after.App, after.ID), before)
		}
	})
	s.onDeleteUser(func(user store.User) {
		if former, was := renamed.lookup(keyOf(user.App, user.ID)); was {
			left.update(keyOf(user.App), func(users []store.User) []store.User { return append(slices.Clip(users), former) })
		}
	})
	s.search = func(app store.App, term string) ([]store.User, error) {
		hits, err := inner.Search(app, term)
		for _, user := range left.get(keyOf(app)) {
			if holdsText(user.UserName, term) {
				hits = append(hits, user)
			}
		}
		return hits, err
	}
}

// renamedAndDeletedFound takes a deleted user out of the index under its present name alone.
func renamedAndDeletedFound(inner refserver.Store, s *overrides) {
	deleted, formers := watchDeletions(inner, s), &memory[[]string]{} // by user
	s.onUpdateUser(func(before, after store.User) {
		if before.UserName != after.UserName {
			formers.update(keyOf(after.App, after.ID), func(names []string) []string { return append(slices.Clip(names), before.UserName) })
		}
	})
	s.search = func(app store.App, term string) ([]store.User, error) {
		found, err := inner.Search(app, term)
		for _, gone := range deleted.in(app) {
			holds := func(former string) bool { return former != gone.user.UserName && holdsText(former, term) }
			if term != "" && slices.ContainsFunc(formers.get(keyOf(app, gone.user.ID)), holds) {
				found = append(found, gone.user)
			}
		}
		return found, err
	}
}
