package refserver

import (
	"net/http"

	"github.com/socialfeed/conform/refserver/store"
)

// connectSocial is endpoint 17: the session's user is connected to the users
// whose social_ids hold one of the ids on the platform. platform_user_id is
// required and not kept: a user's own social_ids are set by endpoints 1 and 5 alone.
func (s *Server) connectSocial(q *request) (reply, error) {
	f := s.fields(q)
	f.only([]string{"platform", "type", "platform_user_id", "connection_ids"}, nil)
	platform := f.requiredText("platform")
	f.requiredText("platform_user_id")
	typ := f.connectionType("")
	ids, sent := f.list("connection_ids")
	if !sent {
		f.missing("connection_ids")
	}
	if f.wrong != nil {
		return reply{}, f.wrong
	}
	return reply{http.StatusCreated, struct{}{}}, s.connectContacts(q, platform, ids, typ)
}

// connectContacts takes turns with other writers: beyond 200 contacts, others may
// see the first of them connected before the last.
func (s *Server) connectContacts(q *request, platform string, ids []string, typ store.ConnectionType) error {
	if s.direct == nil {
		return s.act(q, func() error { return s.store.ConnectSocial(q.app, q.user, platform, ids, typ) })
	}
	contacts := store.NewSocialContacts(platform, ids, typ)
	for {
		var done bool
		err := s.act(q, func() (err error) {
			done, err = s.direct.ConnectSocialStep(q.app, q.user, contacts)
			return err
		})
		if done || err != nil {
			return err
		}
	}
}
