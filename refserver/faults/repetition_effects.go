package faults

import (
	"bytes"
	"maps"
	"net/http"
	"slices"

	"github.com/socialfeed/conform/refserver"
)

// each applies an edit to several fields.
func each(change func(field string) objectEdit, fields ...string) objectEdit {
	return func(object map[string]any) {
		for _, field := range fields {
			change(field)(object)
		}
	}
}

// unchangedFriends says that there is nothing new, whatever the client has kept.
func unchangedFriends(o *refserver.Options) {
	bodies, counts := &memory[[]byte]{}, &memory[int]{} // by session
	rewriteResponse(readsFriends(), onSuccess(func(r *http.Request, resp *response) {
		if resp.empty() {
			return
		}
		if !bytes.Equal(bodies.keep(sessionIn(r), resp.body), resp.body) {
			counts.keep(sessionIn(r), 0)
		}
		if tally(counts, sessionIn(r)) > 2 {
			resp.become(http.StatusNotModified, "")
		}
	}))(o)
}

// keysAddUp refuses an update whose keys, with those of the updates before, are more than ten.
func keysAddUp(o *refserver.Options) {
	const most = 10
	kept := &memory[map[string]any]{} // by application and id
	intercept(updatesUser().and(sends("metadata")), func(next http.Handler, r *http.Request) *response {
		own := ownRecord(next, r)
		key, all := appIn(r)+fieldText(own, "id"), map[string]any{}
		maps.Copy(all, kept.get(key))
		maps.Copy(all, metadataIn(r))
		if own != nil && len(all) > most && len(metadataIn(r)) <= most {
			return answer(r, http.StatusUnprocessableEntity, complaint("metadata holds too many keys"))
		}
		resp := record(next, r)
		if resp.ok() {
			kept.keep(key, all)
		}
		return resp
	})(o)
}

// thirdUpdateNotIndexed has the search look at the last names of before every third update.
func thirdUpdateNotIndexed(s *overrides) {
	stale := func(l look) bool {
		old := l.last(updated, l.other, 0).was.LastName
		n := l.times(updated, l.other, 0)
		return n > 0 && n%3 == 0 && old != l.user.LastName
	}
	holds := func(l look) bool {
		return slices.ContainsFunc([]string{l.user.UserName, l.user.FirstName, l.user.Email, l.last(updated, l.other, 0).was.LastName},
			func(text string) bool { return holdsText(text, l.term) })
	}
	misses(func(l look) bool { return stale(l) && !holds(l) })(s)
	finds(func(l look) bool { return stale(l) && holds(l) })(s)
}

// sameChangesOnce answers a change with that of another event that said the same.
func sameChangesOnce(o *refserver.Options) {
	type last struct {
		path         string
		sent, answer []byte
	}
	latest := &memory[last]{}
	rewriteResponse(updatesEvent(), onSuccess(func(r *http.Request, resp *response) {
		sent, before := peekBody(r), latest.get(credentials(r))
		if before.path != r.URL.Path && len(sent) > 0 && bytes.Equal(before.sent, sent) {
			resp.body = before.answer
			return
		}
		latest.keep(credentials(r), last{r.URL.Path, sent, resp.body})
	}))(o)
}

// sameEventsOnce takes a new event away again that says what the last one said.
func sameEventsOnce(o *refserver.Options) {
	type creation struct{ sent, answer []byte }
	latest, touched := &memory[creation]{}, &memory[bool]{} // by credentials; by event
	combine(
		rewriteResponse(updatesEvent().or(deletesEvent()), func(r *http.Request, _ *response) { touched.keep(lastSegment(r), true) }),
		intercept(createsEvent(), func(next http.Handler, r *http.Request) *response {
			sent, before := peekBody(r), latest.get(credentials(r))
			resp := record(next, r)
			if resp.ok() && bytes.Equal(before.sent, sent) && !touched.get(fieldText(objectOf(before.answer), "id")) {
				call(next, r, http.MethodDelete, "/0.2/user/events/"+fieldText(objectOf(resp.body), "id"), nil)
				resp.body = before.answer
			} else if resp.ok() {
				latest.keep(credentials(r), creation{sent, resp.body})
			}
			return resp
		}),
	)(o)
}

func thirdRecordOutdated(o *refserver.Options) {
	before := &memory[map[string]any]{} // by session
	combine(
		intercept(updatesUser(), func(next http.Handler, r *http.Request) *response {
			own := ownRecord(next, r)
			resp := record(next, r)
			if resp.ok() && own != nil {
				before.keep(sessionIn(r), own)
			}
			return resp
		}),
		rewriteNth(3, readsOwnRecord(), func(r *http.Request, resp *response) {
			old := before.get(sessionIn(r))
			resp.object(each(func(field string) objectEdit {
				return func(user map[string]any) {
					if value, had := old[field]; had {
						user[field] = value
					} else if old != nil {
						delete(user, field)
					}
				}
			}, "first_name", "last_name", "url", "metadata"))
		}),
	)(o)
}
