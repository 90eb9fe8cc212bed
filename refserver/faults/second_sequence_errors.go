package faults

import (
	"errors"
	"net/http"
	"slices"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/store"
)

// sequenceErrors are the faults of requests that make the server fail after certain steps.
func sequenceErrors() []Fault {
	return breaks("errors.no-5xx",
		fault("sequence-follow-of-deleted-fails", "a connection to a user who was deleted is answered with 500", func(o *refserver.Options) {
			deleted := &memory[bool]{} // by id
			combine(
				intercept(deletesUser(), func(next http.Handler, r *http.Request) *response {
					id := fieldText(ownRecord(next, r), "id")
					resp := record(next, r)
					deleted.keep(id, resp.ok())
					return resp
				}),
				rewriteResponse(connects(), onStatus(404, func(r *http.Request, resp *response) {
					if deleted.get(fieldText(requestObject(r), "user_to_id")) {
						resp.become(500, complaint("foreign key constraint fails"))
					}
				})),
			)(o)
		}),
		fault("sequence-social-connect-to-who-is-connected-otherwise-fails", "connecting by social identifiers fails with 500 where one of those found is connected already by the other type, as a pair has room for one",
			overrideStore(func(inner refserver.Store, s *overrides) {
				s.connectSocial = func(app store.App, from store.ID, platform string, ids []string, typ store.ConnectionType) error {
					connected := inner.Friends
					if typ == store.Friend {
						connected = inner.Follows
					}
					before := idsOf(connected, app, from)
					return eachBearer(inner, app, platform, ids, func(bearer store.ID) error {
						if bearer == from {
							return nil
						}
						if slices.Contains(before, bearer) {
							return errDuplicateKey
						}
						_, _, err := inner.Connect(app, from, bearer, typ)
						return err
					})
				}
			})))
}

// errDuplicateKey is what a database says that an answer knows no status for.
var errDuplicateKey = errors.New("duplicate key")
