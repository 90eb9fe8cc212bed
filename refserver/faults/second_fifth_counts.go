package faults

import (
	"net/http"
	"slices"
	"time"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/store"
)

// fifthScale are the faults of numbers that are compared as texts, and of what is kept
// where it is long.
func fifthScale() []Fault {
	return slices.Concat(
		breaks("users.me.update.applies",
			fault("scale-own-record-stays-at-ninth-update", "the own record is the version whose number sorts last as a text: from the tenth update on it is that of the ninth", recordStaysAtNinth)),
		breaks("connections.delete.removes",
			fault("scale-more-than-eight-followers-seen-after-end", "who ends the follow of a user with more than eight followers is among them in the eyes of others until the next follow", endedAmongManySeen)),
	)
}

// recordStaysAtNinth keeps the version that the text 9 belongs to.
func recordStaysAtNinth(o *refserver.Options) {
	const last = 9
	updates, ninths := &memory[int]{}, &memory[[]byte]{} // by application and id
	key := func(r *http.Request, resp *response) string { return appIn(r) + fieldText(objectOf(resp.body), "id") }
	combine(
		rewriteResponse(updatesUser(), func(r *http.Request, resp *response) {
			if resp.ok() && tally(updates, key(r, resp)) == last {
				ninths.keep(key(r, resp), resp.body)
			}
		}),
		rewriteResponse(readsOwnRecord(), func(r *http.Request, resp *response) {
			if ninth, known := ninths.lookup(key(r, resp)); resp.ok() && known && updates.get(key(r, resp)) > last {
				resp.body = ninth
			}
		}),
	)(o)
}

// endedAmongManySeen keeps the followers of whom many follow, and forgets them when another does.
func endedAmongManySeen(o *refserver.Options) {
	const many = 8
	kept := &memory[[]byte]{} // by application and id
	combine(
		intercept(disconnects(), func(next http.Handler, r *http.Request) *response {
			before := call(next, r, http.MethodGet, "/0.2/users/"+lastSegment(r)+"/followers", nil)
			resp := record(next, r)
			if list, _ := decode(before.body).([]any); resp.ok() && before.ok() && len(list) > many {
				kept.keep(appIn(r)+lastSegment(r), before.body)
			}
			return resp
		}),
		rewriteResponse(connects(), func(r *http.Request, resp *response) {
			if resp.ok() {
				kept.keep(appIn(r)+fieldText(requestObject(r), "user_to_id"), nil)
			}
		}),
		rewriteResponse(readsFollowersOf(), func(r *http.Request, resp *response) {
			if list := kept.get(appIn(r) + userInPath(r)); resp.ok() && list != nil {
				resp.body = list
			}
		}),
	)(o)
}

// fifthRepetition is the fault of an empty list that comes out of a cache as an object, as
// a language does it in which both are one.
func fifthRepetition() []Fault {
	return breaks("search.no-match-empty",
		fault("repetition-vain-search-again-is-an-object", "a search that found nobody, and that a session makes again, is answered with {}",
			func(o *refserver.Options) {
				vain := &memory[bool]{} // by session and term
				rewriteResponse(searches(), func(r *http.Request, resp *response) {
					term := r.URL.Query().Get("q")
					if term != "" && resp.ok() && resp.empty() && vain.keep(sessionIn(r)+" "+term, true) {
						resp.become(http.StatusOK, "{}")
					}
				})(o)
			}))
}

// fifthConcurrency is the fault of two users of whom one row tells how they are connected.
func fifthConcurrency() []Fault {
	return breaks("connections.lists.follows",
		fault("concurrency-follows-of-each-other-lose-one", "of two users who follow each other at once the second does not follow the first",
			overrideRacyStore(func(inner refserver.Store, s *overrides) {
				running := &overlaps{}
				s.connect = func(app store.App, from, to store.ID, typ store.ConnectionType) (made store.Connection, isNew bool, err error) {
					if typ != store.Follow {
						return inner.Connect(app, from, to, typ)
					}
					pair := keyOf(app, min(from, to), max(from, to))
					_, before := running.during(pair, func() { made, isNew, err = inner.Connect(app, from, to, typ) })
					if err == nil && isNew && before > 0 {
						err = inner.Disconnect(app, from, to, typ)
					}
					return made, isNew, err
				}
			})))
}

// fifthTime is the fault of an index that is forgotten, and not filled again.
func fifthTime() []Fault {
	const remembered = 3 * time.Second
	return breaks("social.connects",
		fault("time-social-ids-forgotten", "three seconds after a user was created or updated last, connecting by social identifiers finds it no more",
			overrideStore(func(inner refserver.Store, s *overrides) {
				s.connectSocial = func(app store.App, from store.ID, platform string, ids []string, typ store.ConnectionType) error {
					return eachBearer(inner, app, platform, ids, func(bearer store.ID) error {
						user, err := inner.User(app, bearer)
						if err == nil && bearer != from && time.Since(user.UpdatedAt) < remembered {
							_, _, err = inner.Connect(app, from, bearer, typ)
						}
						return err
					})
				}
			})))
}
