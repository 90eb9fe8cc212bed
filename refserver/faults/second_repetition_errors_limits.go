package faults

import (
	"errors"
	"maps"
	"net/http"
	"slices"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/store"
)

// repetitionErrorsLimits are the faults of one request in several that fails, of one that
// is made again, and of metadata that adds up.
func repetitionErrorsLimits() []Fault {
	failure := replaceSuccess(500, complaint("internal server error"))
	return slices.Concat(
		breaks("errors.no-5xx",
			fault("repetition-tenth-own-record-fails", "every tenth reading of the own record in a session fails with 500", rewriteNth(10, readsOwnRecord(), failure)),
			fault("repetition-twentieth-search-fails", "every twentieth search in a session fails with 500", rewriteNth(20, searches(), failure)),
			fault("repetition-social-again", "connecting by social identifiers again, to somebody who was connected so before, fails at a unique key",
				overrideStore(contactsAgainFail))),
		breaks("limits.metadata.keys",
			fault("repetition-metadata-keys-add-up", "an update counts the keys of metadata together with those of the user's updates before", keysAddUp)),
	)
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

// contactsAgainFail fails where one of the users found was connected to so before, and the
// connection was not ended since.
func contactsAgainFail(inner refserver.Store, s *overrides) {
	made := &memory[bool]{} // by who connects, who is connected to and the type
	s.connectSocial = func(app store.App, from store.ID, platform string, ids []string, typ store.ConnectionType) error {
		again := false
		cause := eachBearer(inner, app, platform, ids, func(bearer store.ID) error {
			before := made.keep(keyOf(app, from, bearer)+string(typ), true)
			again = again || before
			return nil
		})
		if again {
			return errors.Join(cause, errors.New("the connection is there already"))
		}
		return errors.Join(cause, inner.ConnectSocial(app, from, platform, ids, typ))
	}
	s.onDisconnect(func(app store.App, from, to store.ID) {
		for _, typ := range []store.ConnectionType{store.Follow, store.Friend} {
			made.keep(keyOf(app, from, to)+string(typ), false)
		}
	})
}
