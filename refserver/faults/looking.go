package faults

import (
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/socialfeed/conform/refserver"
)

// looking makes a mutation that can ask the journal about requests. Their look is of the session's
// user, whether it is there or not, or of whom a session is opened for, at the user or the event that
// the path or the body names; the term is the session's token, or without the user name that is sent.
func looking(mutate func(at func(q asked) look) mutation) mutation {
	return func(o *refserver.Options) {
		tokens, store := slices.Clone(o.AppTokens), (*overrides)(nil)
		combine(overrideStore(func(_ refserver.Store, s *overrides) { store = s }), mutate(func(q asked) look {
			l := store.look(App(slices.Index(tokens, q.app())+1), 0, userOf(q.target()))
			if strings.HasPrefix(q.URL.Path, "/0.2/users/") {
				l.other = userOf(userInPath(q.Request))
			}
			if l.term = q.session(); l.term != "" {
				l.me = newest(l.named(loggedIn, l.term)).by
			} else if l.term = fieldText(q.sent(), "user_name"); q.response != nil {
				l.me = userOf(q.id())
			}
			if strings.HasPrefix(q.URL.Path, "/0.2/user/events/") {
				return store.atEvent(l.app, l.me, numbered(q.last(), refserver.FirstEventID))
			}
			return l
		}))(o)
	}
}

func userOf(text string) ID { return numbered(text, refserver.FirstUserID) }

// numbered is the number of an id in the store, 0 for none.
func numbered(text string, first uint64) ID {
	n, err := strconv.ParseUint(text, 10, 64)
	if err != nil || n < first {
		return 0
	}
	return ID(n - first)
}

// answersWhere changes the answers to the requests that match and for which a condition holds.
func answersWhere(m match, where when, change edit) mutation {
	return answersLooking(m, func(l look, q asked) {
		if where(l) {
			change(q.Request, q.response)
		}
	})
}

func answersLooking(m match, change func(l look, q asked)) mutation {
	return looking(func(at func(q asked) look) mutation {
		return answers(m, func(q asked) { change(at(q), q) })
	})
}

// eachWhere changes those on a list of users, or in a feed, for whom a condition holds.
func eachWhere(m match, where when, change objectEdit) mutation {
	return answersLooking(m, func(l look, q asked) {
		q.each(func(item map[string]any) {
			if where(l.atItem(item)) {
				change(item)
			}
		})
	})
}

// atItem is the look at one of a list.
func (l look) atItem(item map[string]any) look {
	if _, is := item["verb"]; is {
		id := numbered(fieldText(item, "id"), refserver.FirstEventID)
		return l.at(l.last(posted, 0, id).event)
	}
	return l.on(l.record(userOf(fieldText(item, "id"))))
}

// requestsWhere picks the requests that match and for which a condition holds.
func requestsWhere(m match, where when, mutate func(m match) mutation) mutation {
	return looking(func(at func(q asked) look) mutation {
		return mutate(m.and(func(r *http.Request) bool { return where(at(asked{Request: r})) }))
	})
}

// recordsOutlive answers requests that are refused with a status with the record of a deleted user: whose
// says of whom, 0 for nobody.
func recordsOutlive(m match, status int, whose func(l look) ID) mutation {
	return looking(func(at func(q asked) look) mutation {
		return remembering(func(records *memory[[]byte]) mutation {
			return combine(knowing(deletesUser(), asked.own, func(q asked, own map[string]any) {
				if l := at(q); q.ok() && own != nil {
					records.keep(keyOf(l.app, l.me), encode(own))
				}
			}), answers(m, func(q asked) {
				l := at(q)
				if record, gone := records.lookup(keyOf(l.app, whose(l))); gone && q.status == status {
					q.become(http.StatusOK, string(record))
					q.header.Del("WWW-Authenticate")
				}
			}))
		})
	})
}

// deletedOwnRecords is recordsOutlive for the sessions of deleted users. The condition is asked with the deletion.
func deletedOwnRecords(where when) mutation {
	return recordsOutlive(readsOwnRecord(), 401, func(l look) ID {
		if l.gone = l.last(deleted, l.me, 0); l.me != 0 && l.gone.n > 0 && where(l) {
			return l.me
		}
		return 0
	})
}

// neverThere is where no user has had the id, in any application.
func neverThere(l look) bool {
	return l.other == 0 || !slices.ContainsFunc(append(l.elsewhere(), l), func(there look) bool { return there.ever(created, l.other, 0) })
}

// nameOfDeleted is where the user name that is sent was that of a user who is deleted.
func nameOfDeleted(l look) bool { return l.term != "" && len(l.named(deleted, l.term)) > 0 }

// stands is the event as it is, the zero one where there is none.
func (l look) stands() Event {
	return append(l.journal.standing(l.app, func(event Event) bool { return event.ID == l.event.ID }), Event{})[0]
}

// deleting is the session that deleted its user.
func deleting(l look) bool { return l.term == l.then(l.gone).session(l.me) }
