package faults

import (
	"bytes"
	"errors"
	"net/http"
	"slices"
	"time"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/store"
)

// repetitionEventsSearch are the faults of one search in several, and of writes of events
// that are done again.
func repetitionEventsSearch() []Fault {
	return slices.Concat(
		breaks("search.exact",
			fault("repetition-ninth-search-misses-user-name", "every ninth search for the whole of a user name misses its bearer",
				overrideStore(func(inner refserver.Store, s *overrides) {
					searches := &memory[int]{}
					s.search = func(app store.App, term string) ([]store.User, error) {
						hits, err := inner.Search(app, term)
						bears := func(user store.User) bool { return user.UserName == term }
						if slices.ContainsFunc(hits, bears) && tally(searches, keyOf(app)+term)%9 == 0 {
							hits = slices.DeleteFunc(hits, bears)
						}
						return hits, err
					}
				}))),
		breaks("search.last-name",
			fault("repetition-third-update-leaves-last-name-indexed", "after every third update of a user a search goes by the last name that it had before", overrideStore(thirdUpdateNotIndexed))),
		breaks("search.no-match-empty",
			fault("repetition-vain-search-again-is-an-object", "a search that found nobody, and that a session makes again, is answered with {}",
				func(o *refserver.Options) {
					vain := &memory[bool]{} // by session and term
					rewriteResponse(searches(), func(r *http.Request, resp *response) {
						term := r.URL.Query().Get("q")
						if term != "" && resp.ok() && resp.empty() && vain.keep(sessionIn(r)+" "+term, true) {
							resp.become(http.StatusOK, "{}")
						}
					})(o)
				})),
		breaks("search.deleted-excluded",
			fault("repetition-deleted-found-by-every-fourth-search", "every fourth search for a term also finds the deleted users who have it in the user name",
				overrideStore(func(inner refserver.Store, s *overrides) {
					searches, deleted := &memory[int]{}, &memory[[]store.User]{} // by term; by application
					s.onDeleteUser(func(user store.User) {
						deleted.update(keyOf(user.App), func(all []store.User) []store.User { return append(slices.Clip(all), user) })
					})
					s.search = func(app store.App, term string) ([]store.User, error) {
						hits, err := inner.Search(app, term)
						if tally(searches, keyOf(app)+term)%4 != 0 {
							return hits, err
						}
						for _, user := range deleted.get(keyOf(app)) {
							if holdsText(user.UserName, term) {
								hits = append(hits, user)
							}
						}
						return hits, err
					}
				}))),
		breaks("events.create.status",
			fault("repetition-sixth-event-answers-200", "every sixth new event in a session is answered with 200", rewriteNth(6, createsEvent(), status(200)))),
		breaks("events.create.wrong-type",
			fault("repetition-refused-event-sent-again-answers-201", "a new event that was refused with 422, and is sent by the same session again, gets the same answer with 201",
				func(o *refserver.Options) {
					refusals := &memory[bool]{} // by session and body
					rewriteResponse(createsEvent(), onStatus(422, func(r *http.Request, resp *response) {
						if refusals.keep(sessionIn(r)+"\n"+string(peekBody(r)), true) {
							resp.status = http.StatusCreated
						}
					}))(o)
				})),
		breaks("events.update.status",
			fault("repetition-same-change-again-not-found", "a change of an event that says byte for byte what the one before said is answered with 404, as the database counts no row that it has changed",
				func(o *refserver.Options) {
					last := &memory[string]{} // by application and path
					rewriteResponse(updatesEvent(), onStatus(http.StatusOK, func(r *http.Request, resp *response) {
						body := string(peekBody(r))
						if last.keep(appIn(r)+"\n"+r.URL.Path, body) == body {
							resp.become(404, complaint("event not found"))
						}
					}))(o)
				}),
			fault("repetition-equal-event-change-answers-204", "a change of an event that sends again what the one before sent is answered with 204 and no body",
				func(o *refserver.Options) {
					last := &memory[string]{} // by session and path
					rewriteResponse(updatesEvent(), func(r *http.Request, resp *response) {
						sent := string(peekBody(r))
						if resp.ok() && last.keep(sessionIn(r)+r.URL.Path, sent) == sent {
							resp.become(http.StatusNoContent, "")
						}
					})(o)
				})),
		breaks("events.update.applies",
			fault("repetition-fourth-change-not-applied", "every fourth change of an event is answered as if it were made, and is not",
				everyNth(4, updatesEvent(), func(nth match) mutation {
					return rewriteBody(nth, func(event map[string]any) {
						for _, field := range []string{"location", "language", "priority", "verb"} {
							ignoring(field, isA[string])(event)
						}
					})
				}))),
		breaks("events.update.keeps-identity",
			fault("repetition-same-change-of-another-event", "a change of an event that says byte for byte what the session's last change of another said is answered with that other event",
				func(o *refserver.Options) {
					type last struct {
						path         string
						sent, answer []byte
					}
					latest := &memory[last]{}
					intercept(updatesEvent(), func(next http.Handler, r *http.Request) *response {
						sent := peekBody(r)
						resp := record(next, r)
						if !resp.ok() {
							return resp
						}
						before := latest.get(r.Header.Get("Authorization"))
						if before.path != r.URL.Path && len(sent) > 0 && bytes.Equal(before.sent, sent) {
							resp.body = before.answer
							return resp
						}
						latest.keep(r.Header.Get("Authorization"), last{r.URL.Path, sent, resp.body})
						return resp
					})(o)
				}),
			fault("repetition-later-changes-date-event-by-change-before", "the answer to a second change of an event, or a later one, has the time of the change before as created_at",
				overrideStore(datedByChangeBefore))),
		breaks("events.delete.others",
			fault("repetition-second-foreign-deletion-done", "the second try of a user to delete another's event is refused like the first, and done",
				overrideStore(func(inner refserver.Store, s *overrides) {
					owners, tries := ownersOf(s), &memory[int]{} // tries by user and event
					s.deleteEvent = func(app store.App, user, id store.ID) error {
						err := inner.DeleteEvent(app, user, id)
						if errors.Is(err, store.ErrForbidden) && tally(tries, keyOf(app, user, id)) >= 2 {
							return errors.Join(err, inner.DeleteEvent(app, owners.get(keyOf(app, id)), id))
						}
						return err
					}
				}))),
	)
}

// thirdUpdateNotIndexed has the search look at former last names.
func thirdUpdateNotIndexed(_ refserver.Store, s *overrides) {
	updates, indexed := &memory[int]{}, &memory[store.User]{}
	s.onUpdateUser(func(before, after store.User) {
		key := keyOf(after.App, after.ID)
		if tally(updates, key)%3 == 0 {
			after = before
		}
		indexed.keep(key, after)
	})
	s.searchBy(func(user store.User, term string, found bool) bool {
		old, known := indexed.lookup(keyOf(user.App, user.ID))
		if !known || old.LastName == user.LastName {
			return found
		}
		return slices.ContainsFunc([]string{user.UserName, user.FirstName, user.Email, old.LastName}, func(text string) bool { return holdsText(text, term) })
	})
}

// datedByChangeBefore answers changes with the time of the one before for a created_at.
func datedByChangeBefore(inner refserver.Store, s *overrides) {
	changed := &memory[time.Time]{} // by event
	s.updateEvent = func(app store.App, owner, id store.ID, change func(*store.Event)) (store.Event, error) {
		event, err := inner.UpdateEvent(app, owner, id, change)
		if err != nil {
			return event, err
		}
		if before := changed.keep(keyOf(app, id), event.UpdatedAt); !before.IsZero() {
			event.CreatedAt = before
		}
		return event, nil
	}
}
