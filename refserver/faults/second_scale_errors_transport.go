package faults

import (
	"errors"
	"net/http"
	"slices"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/store"
)

// scaleErrorsTransport are the faults of what is too long to be sent whole, or too much to
// be done in time.
func scaleErrorsTransport() []Fault {
	return slices.Concat(
		breaks("transport.json-body",
			fault("scale-feed-cut-at-8-kib", "of a feed of more than 8,192 bytes the first so many are sent",
				rewriteResponse(readsFeed(), func(_ *http.Request, resp *response) {
					const buffer = 8192
					if resp.ok() && len(resp.body) > buffer {
						resp.body = resp.body[:buffer]
					}
				}))),
		breaks("errors.no-5xx",
			fault("scale-update-of-who-posted-much-fails", "the update of a user who has posted more than twelve events fails with 500, as it takes too long to write its name to all of them",
				overrideStore(func(inner refserver.Store, s *overrides) {
					posted := &memory[int]{} // by user
					s.onCreateEvent(func(event store.Event) { tally(posted, keyOf(event.App, event.Owner)) })
					s.updateUser = func(app store.App, id store.ID, change func(*store.User)) (store.User, error) {
						if posted.get(keyOf(app, id)) > 12 {
							return store.User{}, errStatementTimeout
						}
						return inner.UpdateUser(app, id, change)
					}
				}))),
	)
}

// errStatementTimeout is what a database says that an answer knows no status for.
var errStatementTimeout = errors.New("statement timeout")
