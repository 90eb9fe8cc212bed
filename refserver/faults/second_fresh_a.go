package faults

import (
	"bytes"
	"encoding/json"
	"errors"
	"maps"
	"math"
	"net/http"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/store"
)

// moreFaultsA are faults of the second order that were written by somebody who
// does not know what the judge looks at.
func moreFaultsA() []Fault {
	return slices.Concat(
		ofKind(Data, newUserData(), newSearchData(), newEventData()),
		ofKind(Input, newInput(), newRemains()),
		ofKind(Endpoint, newEndpoints()),
		ofKind(Sequence, newFeedSequences(), newEventSequences(), newConnectionSequences(), newUserSequences()),
	)
}

// anyAttribute reports whether one of the attributes that a search looks at is so.
func anyAttribute(user store.User, is func(value string) bool) bool {
	return slices.ContainsFunc([]string{user.UserName, user.FirstName, user.LastName, user.Email}, is)
}

func newUserData() []Fault {
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

func newSearchData() []Fault {
	turkish := func(text string) string { return strings.ToLowerSpecial(unicode.TurkishCase, text) }
	bare := func(text string) string { return withoutMarks(folded(text)) }
	return slices.Concat(
		breaks("search.case-insensitive",
			fault("data-search-turkish-i", "a search puts letters into lower case as Turkish does: I is not found by i, nor i by I",
				finding(func(user store.User, term string, found bool) bool {
					holds := anyAttribute(user, func(value string) bool { return holdsText(value, term) })
					return found && (!holds || anyAttribute(user, func(value string) bool { return strings.Contains(turkish(value), turkish(term)) }))
				}))),
		breaks("search.non-match-excluded",
			fault("data-search-accents-folded", "a search finds accented letters by plain ones, and the other way round",
				finding(func(user store.User, term string, found bool) bool {
					return found || bare(term) != "" && anyAttribute(user, func(value string) bool { return strings.Contains(bare(value), bare(term)) })
				})),
			fault("data-search-term-trimmed", "blanks at the ends of a search term are dropped, and also find whom they would tell apart",
				finding(func(user store.User, term string, found bool) bool {
					trimmed := strings.TrimSpace(term)
					return found || trimmed != term && trimmed != "" && anyAttribute(user, func(value string) bool { return holdsText(value, trimmed) })
				}))),
	)
}

func newEventData() []Fault {
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

// newInput are the faults of bad input that is taken, and of good input that is not.
func newInput() []Fault {
	oneLetter := func(r *http.Request) bool {
		letter, size := utf8.DecodeRuneInString(r.URL.Query().Get("q"))
		return size == len(r.URL.Query().Get("q")) && unicode.IsLetter(letter)
	}
	return slices.Concat(
		breaks("users.create.wrong-type",
			fault("input-social-id-object-flattened", "an object with an id is taken for one of a new user's social ids",
				rewriteBody(createsUser(), mapField("social_ids", eachItem(func(value any) any {
					if object, ok := value.(map[string]any); ok && isA[string](object["id"]) {
						return object["id"]
					}
					return value
				}))))),
		breaks("users.create.malformed-json",
			fault("input-user-trailing-data-taken", "of a new user's body the first object is read, whatever stands behind it",
				rewriteRequest(createsUser(), func(r *http.Request) {
					body := peekBody(r)
					var first map[string]json.RawMessage
					if !json.Valid(body) && json.NewDecoder(bytes.NewReader(body)).Decode(&first) == nil {
						setJSON(r, first)
					}
				}))),
		breaks("events.create.malformed-json",
			fault("input-event-raw-newline-taken", "texts of a new event may hold line breaks and tabs as they are",
				rewriteRequest(createsEvent(), func(r *http.Request) {
					if body := peekBody(r); !json.Valid(body) {
						if mended := controlsEscaped(body); json.Valid(mended) {
							setBody(r, mended)
						}
					}
				}))),
		breaks("users.get.unknown",
			fault("input-user-id-wraps-at-32-bits", "of the id of a user to read the lowest 32 bits count",
				intercept(readsUser(), func(next http.Handler, r *http.Request) *response {
					resp := record(next, r)
					id, err := strconv.ParseUint(lastSegment(r), 10, 64)
					if resp.status != 404 || err != nil || id <= math.MaxUint32 {
						return resp
					}
					r.URL.Path, r.URL.RawPath = path.Dir(r.URL.Path)+"/"+strconv.FormatUint(id&math.MaxUint32, 10), ""
					return record(next, r)
				}))),
		breaks("users.me.update.status",
			fault("input-own-email-in-other-case-conflicts", "an update that changes the case of the email alone is refused with 409, as if another had it",
				intercept(updatesUser().and(sendsA("email", isA[string])), func(next http.Handler, r *http.Request) *response {
					own, now := fieldText(ownRecord(next, r), "email"), fieldText(requestObject(r), "email")
					if own == now || !strings.EqualFold(own, now) {
						return record(next, r)
					}
					setBody(r, []byte("{"))
					resp := record(next, r)
					replaceStatus(400, 409, complaint("email exists already"))(r, resp)
					return resp
				}))),
		breaks("search.status",
			fault("input-single-letter-query-refused", "a search for a single letter is refused with 400",
				rewriteResponse(searches().and(oneLetter), replaceSuccess(400, "{}")))),
	)
}

// controlsEscaped escapes line breaks and tabs inside of the texts of what is to be JSON.
func controlsEscaped(body []byte) []byte {
	var mended []byte
	inText, escaped := false, false
	for _, b := range body {
		if i := strings.IndexByte("\n\r\t", b); i >= 0 && inText {
			mended = append(mended, '\\', "nrt"[i])
			continue
		}
		if b == '"' && !escaped {
			inText = !inText
		}
		escaped = b == '\\' && !escaped
		mended = append(mended, b)
	}
	return mended
}

// newRemains are the faults of bad input that is refused and leaves a change behind.
func newRemains() []Fault {
	refusesInput := func(resp *response) bool { return resp.status == 400 || resp.status == 422 }
	isNumber := isA[json.Number]
	return slices.Concat(
		breaks("users.me.update.user-name-required",
			fault("input-nameless-update-changes-password", "an update without a user name is refused, and its password counts all the same",
				intercept(updatesUser(), func(next http.Handler, r *http.Request) *response {
					resp := record(next, r)
					sent := requestObject(r)
					own := ownRecord(next, r)
					if !refusesInput(resp) || sent["user_name"] != nil || fieldText(sent, "password") == "" || own == nil {
						return resp
					}
					body := map[string]any{"password": sent["password"]}
					for _, field := range []string{"user_name", "email", "custom_id", "first_name", "last_name", "url", "social_ids", "metadata"} {
						if value, there := own[field]; there {
							body[field] = value
						}
					}
					call(next, r, http.MethodPut, "/0.2/user", body)
					return resp
				}))),
		breaks("events.update.wrong-type",
			fault("input-refused-longitude-moves-latitude", "an update of an event whose longitude is no number is refused, and its latitude counts all the same",
				intercept(updatesEvent(), func(next http.Handler, r *http.Request) *response {
					resp := record(next, r)
					sent := requestObject(r)
					if refusesInput(resp) && isNumber(sent["latitude"]) && sent["longitude"] != nil && !isNumber(sent["longitude"]) {
						call(next, r, http.MethodPut, r.URL.Path, map[string]any{"latitude": sent["latitude"]})
					}
					return resp
				}))),
	)
}

func newEndpoints() []Fault {
	return slices.Concat(
		breaks("connections.lists.of-user",
			fault("endpoint-followers-of-user-without-reader", "who follows a user is not among the followers of that user in its own eyes",
				intercept(readsFollowersOf(), func(next http.Handler, r *http.Request) *response {
					resp := record(next, r)
					own := fieldText(ownRecord(next, r), "id")
					resp.list(func(list []any) []any {
						return slices.DeleteFunc(list, func(each any) bool {
							user, _ := each.(map[string]any)
							return fieldText(user, "id") == own
						})
					})
					return resp
				}))),
		breaks("transport.no-null",
			fault("endpoint-login-details-null-first-name", "the details of a login have null for the first name of a user without one",
				rewriteObject(logsIn().and(detailed), lacking("first_name", nil)))),
		breaks("limits.metadata.keys",
			fault("endpoint-create-with-login-takes-11-keys", "a create does not count the keys of metadata where it also logs in",
				unbounded(createWithLogin(), firstKeys(10)))),
		breaks("sessions.deleted-user",
			fault("endpoint-deleted-user-reads-empty-feed", "the feed in the session that deleted its user is empty", func(o *refserver.Options) {
				deleted := &memory[bool]{} // by token
				combine(
					rewriteResponse(deletesUser(), func(r *http.Request, resp *response) {
						if resp.ok() {
							deleted.keep(sessionIn(r), true)
						}
					}),
					rewriteResponse(readsFeed(), onStatus(401, func(r *http.Request, resp *response) {
						if deleted.get(sessionIn(r)) {
							resp.become(200, "[]")
							resp.header.Del("WWW-Authenticate")
						}
					})),
				)(o)
			})),
		breaks("errors.unknown-path",
			fault("endpoint-post-to-unknown-path-answers-405", "a POST to an unknown path is answered with 405, as if it could be read",
				rewriteResponse(by(http.MethodPost), func(r *http.Request, resp *response) {
					ofUnknownPath(405, complaint("method not allowed"))(r, resp)
					if resp.status == 405 && resp.header.Get("Allow") == "" {
						resp.header.Set("Allow", "GET")
					}
				}))),
		breaks("events.types",
			fault("endpoint-changed-event-latitude-as-text", "the answer to a change of an event that sends no latitude has the one that stands as a text",
				rewriteObject(updatesEvent().and(not(sends("latitude"))), textOf("latitude")))),
	)
}

func newFeedSequences() []Fault {
	return slices.Concat(
		breaks("feed.follow.earlier-events",
			fault("sequence-empty-feed-cached", "who read an empty feed before the first connection sees nothing until somebody posts",
				overrideStore(func(inner refserver.Store, s *overrides) {
					empty, isNew := &memory[bool]{}, neverConnected(s)
					fill := func(event store.Event) {
						for _, id := range append(idsOf(inner.Followers, event.App, event.Owner), idsOf(inner.Friends, event.App, event.Owner)...) {
							empty.keep(keyOf(event.App, id), false)
						}
					}
					s.onCreateEvent(fill)
					s.onUpdateEvent(fill)
					s.rewriteFeeds(func(r reader, feed []store.Event) []store.Event {
						if len(feed) == 0 && isNew(r.app, r.id) {
							empty.keep(keyOf(r.app, r.id), true)
						}
						if empty.get(keyOf(r.app, r.id)) {
							return nil
						}
						return feed
					})
				}))),
		breaks("feed.event-delete",
			fault("sequence-deleted-event-stays-for-refollower", "a deleted event stays in the feed of a follower who had ended the follow and made it again",
				deletionPassesOver(allOf, onceEnded(followersAlone), atOnce))),
		breaks("feed.purge.followers",
			fault("sequence-purge-short-after-event-deletion", "the oldest event of a deleted user who had deleted another of them stays in the feeds of followers",
				purgePassesOver(oldest, readers(followersAlone).where(func(_ refserver.Store, s *overrides) func(store.App, store.ID, store.ID) bool {
					deleted := &memory[bool]{}
					s.onDeleteEvent(func(app store.App, owner, _ store.ID) { deleted.keep(keyOf(app, owner), true) })
					return func(app store.App, owner, _ store.ID) bool { return deleted.get(keyOf(app, owner)) }
				}), atOnce))),
		breaks("feed.follow.new-events",
			fault("sequence-rename-hides-older-events", "what a user posted under a former user name is in no feed",
				overrideStore(func(_ refserver.Store, s *overrides) {
					renamed := &memory[time.Time]{}
					s.onUpdateUser(func(before, after store.User) {
						if before.UserName != after.UserName {
							renamed.keep(keyOf(after.App, after.ID), after.UpdatedAt)
						}
					})
					s.hideFromFeeds(func(r reader, event store.Event) bool {
						return event.CreatedAt.Before(renamed.get(keyOf(r.app, event.Owner)))
					})
				}))),
		breaks("feed.unfollow",
			fault("sequence-change-after-unfollow-brings-event-back", "an event that is changed is again in the feeds of those who followed its owner once",
				overrideStore(changesReachFormerFollowers))),
	)
}

// changesReachFormerFollowers shows changed events to those who ended their connection to the owner.
func changesReachFormerFollowers(inner refserver.Store, s *overrides) {
	left := &memory[map[store.ID]bool]{} // who ended a connection, by the user to whom
	back := &memory[bool]{}              // by reader and event
	keep := func(app store.App, from, to store.ID, gone bool) {
		left.update(keyOf(app, to), func(before map[store.ID]bool) map[store.ID]bool {
			after := map[store.ID]bool{}
			maps.Copy(after, before)
			after[from] = gone
			return after
		})
	}
	all := archived(s)
	s.onDisconnect(func(app store.App, from, to store.ID) { keep(app, from, to, true) })
	s.onConnect(func(app store.App, from, to store.ID, _ store.ConnectionType) { keep(app, from, to, false) })
	s.onUpdateEvent(func(event store.Event) {
		for id, gone := range left.get(keyOf(event.App, event.Owner)) {
			back.keep(keyOf(event.App, id, event.ID), gone)
		}
	})
	s.addToFeeds(func(r reader, _ []store.Event) []store.Event {
		changed := all.of(r.app, func(owner store.ID) bool {
			_, missing := inner.User(r.app, owner)
			return missing == nil && left.get(keyOf(r.app, owner))[r.id]
		})
		return without(changed, func(event store.Event) bool { return !back.get(keyOf(r.app, r.id, event.ID)) })
	})
}

func newEventSequences() []Fault {
	return slices.Concat(
		breaks("events.update.unknown",
			fault("sequence-deleted-event-id-means-the-next", "the id of a deleted event stands for the next one that its owner posts, where it is changed",
				overrideStore(func(inner refserver.Store, s *overrides) {
					freed, heirs := &memory[store.ID]{}, &memory[store.ID]{} // by owner; by deleted event
					s.onDeleteEvent(func(app store.App, owner, id store.ID) { freed.keep(keyOf(app, owner), id) })
					s.onCreateEvent(func(event store.Event) {
						if id := freed.keep(keyOf(event.App, event.Owner), 0); id != 0 {
							heirs.keep(keyOf(event.App, id), event.ID)
						}
					})
					update := s.updateEvent
					s.updateEvent = func(app store.App, owner, id store.ID, change func(*store.Event)) (store.Event, error) {
						if heir, known := heirs.lookup(keyOf(app, id)); known {
							id = heir
						}
						return update(app, owner, id, change)
					}
				}))),
		breaks("events.update.others",
			fault("sequence-refused-foreign-change-flushed-later", "a change of another's event that was refused is made when its owner changes it next",
				overrideStore(func(inner refserver.Store, s *overrides) {
					pending := &memory[func(*store.Event)]{} // by event
					s.updateEvent = func(app store.App, owner, id store.ID, change func(*store.Event)) (store.Event, error) {
						event, err := inner.UpdateEvent(app, owner, id, func(event *store.Event) {
							if dirty := pending.keep(keyOf(app, id), nil); dirty != nil {
								dirty(event)
							}
							change(event)
						})
						if errors.Is(err, store.ErrForbidden) {
							pending.keep(keyOf(app, id), change)
						}
						return event, err
					}
				}))),
	)
}

func newConnectionSequences() []Fault {
	return slices.Concat(
		breaks("connections.delete.only-own",
			fault("sequence-end-of-friendship-ends-the-others-follow", "who ends a friendship also ends the follow of the other",
				overrideStore(func(inner refserver.Store, s *overrides) {
					s.disconnect = func(app store.App, from, to store.ID, types ...store.ConnectionType) error {
						friends := among(inner.Friends, app, from, to)
						err := inner.Disconnect(app, from, to, types...)
						if err == nil && friends && !among(inner.Friends, app, from, to) {
							_ = inner.Disconnect(app, to, from, store.Follow) // which there may be none of
						}
						return err
					}
				}))),
		breaks("connections.lists.after-user-delete",
			fault("sequence-deleted-follower-back-with-the-next", "the deleted followers of a user are listed again once another follows it",
				overrideStore(func(inner refserver.Store, s *overrides) {
					deleted, listed := &memory[[]store.User]{}, &memory[[]store.User]{} // by the user whom they followed
					s.deleteUser = func(app store.App, id store.ID) error {
						user, missing := inner.User(app, id)
						followed := idsOf(inner.Follows, app, id)
						err := inner.DeleteUser(app, id)
						for _, other := range followed {
							if missing == nil && err == nil {
								deleted.update(keyOf(app, other), func(all []store.User) []store.User { return append(slices.Clip(all), user) })
							}
						}
						return err
					}
					s.onConnect(func(app store.App, _, to store.ID, typ store.ConnectionType) {
						if typ == store.Follow {
							listed.keep(keyOf(app, to), deleted.get(keyOf(app, to)))
						}
					})
					extend(&s.followers, func(app store.App, id store.ID) ([]store.User, error) { return listed.get(keyOf(app, id)), nil })
				}))),
		breaks("connections.delete.removes",
			fault("sequence-social-follower-stays-listed", "who followed a user by social identifiers and ends that stays among its followers",
				overrideStore(func(inner refserver.Store, s *overrides) {
					socially, stale := connectedSocially(s), keepStaleUsers(&s.followers, inner.User)
					s.onConnect(func(app store.App, from, to store.ID, _ store.ConnectionType) { stale.forget(app, to, from) })
					disconnect := s.disconnect
					s.disconnect = func(app store.App, from, to store.ID, types ...store.ConnectionType) error {
						followed := among(inner.Followers, app, to, from)
						err := disconnect(app, from, to, types...)
						if err == nil && followed && socially(app, from, to) {
							stale.keep(app, to, from, 0)
						}
						return err
					}
				}))),
	)
}

func newUserSequences() []Fault {
	return slices.Concat(
		breaks("users.me.update.password",
			fault("sequence-new-password-sent-again-is-void", "who changed the password, and sends the new one again with a later update, cannot log in by it",
				newPasswordAgainVoid)),
		breaks("users.me.update.applies",
			fault("sequence-logout-writes-back-old-names", "a logout brings back the first and the last name that the user had when that session last saw them",
				logoutWritesBack)),
	)
}

func newPasswordAgainVoid(o *refserver.Options) {
	type history struct {
		latest  string
		changed bool
	}
	known := &memory[history]{} // by application and id
	combine(
		intercept(updatesUser().and(sendsA("password", isA[string])), func(next http.Handler, r *http.Request) *response {
			had := known.get(appIn(r) + fieldText(ownRecord(next, r), "id"))
			if password := fieldText(requestObject(r), "password"); had.changed && password == had.latest {
				inBody(set("password", password+"\x00"+password))(r)
			}
			return record(next, r)
		}),
		rewriteResponse(createsUser().or(updatesUser()), func(r *http.Request, resp *response) {
			password := fieldText(requestObject(r), "password")
			if id := fieldText(objectOf(resp.body), "id"); resp.ok() && id != "" && password != "" {
				known.update(appIn(r)+id, func(before history) history {
					return history{password, before.changed || before.latest != "" && before.latest != password}
				})
			}
		}),
	)(o)
}

func logoutWritesBack(o *refserver.Options) {
	type names struct{ first, last string }
	seen := &memory[names]{} // by token
	combine(
		rewriteResponse(updatesUser(), func(r *http.Request, resp *response) {
			if user := objectOf(resp.body); resp.ok() && user != nil {
				seen.keep(sessionIn(r), names{fieldText(user, "first_name"), fieldText(user, "last_name")})
			}
		}),
		overrideStore(func(inner refserver.Store, s *overrides) {
			s.onLogin(func(app store.App, id store.ID, token string) {
				if user, err := inner.User(app, id); err == nil {
					seen.keep(token, names{user.FirstName, user.LastName})
				}
			})
			s.onLogout(func(app store.App, id store.ID, token string) {
				before, known := seen.lookup(token)
				user, err := inner.User(app, id)
				if known && err == nil && before != (names{user.FirstName, user.LastName}) {
					_, _ = inner.UpdateUser(app, id, func(user *store.User) { user.FirstName, user.LastName = before.first, before.last }) // who may be gone by now
				}
			})
		}),
	)(o)
}
