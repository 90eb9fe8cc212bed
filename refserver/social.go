package refserver

import (
	"maps"
	"net/http"

	"github.com/socialfeed/conform/refserver/store"
)

// connectSocial is endpoint 17: it connects the session's user to the users
// whose social_ids hold one of the ids on the platform. The contract gives platform_user_id no meaning.
func (s *Server) connectSocial(q *request) (reply, error) {
	f := s.fields(q)
	f.only([]string{"platform", "type", "platform_user_id", "connection_ids"}, nil)
	platform := f.requiredText("platform")
	own := f.requiredText("platform_user_id")
	typ := f.connectionType("")
	ids, sent := f.list("connection_ids")
	if !sent {
		f.missing("connection_ids")
	}
	if f.wrong != nil {
		return reply{}, f.wrong
	}
	if err := s.connectContacts(q, platform, ids, typ); err != nil {
		return reply{}, err
	}
	if s.choices.KeepPlatformID { // last: an update may end the session
		if err := s.keepPlatformID(q, platform, own); err != nil {
			return reply{}, err
		}
	}
	return reply{http.StatusCreated, struct{}{}}, nil
}

// keepPlatformID makes an id on a platform one of the session's user.
func (s *Server) keepPlatformID(q *request, platform, id string) error {
	_, err := written(s, q, func() (store.User, error) {
		return s.store.UpdateUser(q.app, q.user, func(user *store.User) {
			ids := map[string]string{}
			maps.Copy(ids, user.SocialIDs)
			ids[platform] = id
			user.SocialIDs = ids
		})
	})
	return err
}

// connectContacts takes turns with other writers: beyond 200 contacts, others may
// see the first of them connected before the last.
func (s *Server) connectContacts(q *request, platform string, ids []string, typ store.ConnectionType) error {
	if s.direct == nil {
		return s.act(q, func() error { return s.store.ConnectSocial(q.app, q.user, platform, ids, typ) })
	}
	contacts := store.NewSocialContacts(platform, ids, typ)
	for {
		done, err := written(s, q, func() (bool, error) { return s.direct.ConnectSocialStep(q.app, q.user, contacts) })
		if done || err != nil {
			return err
		}
	}
}
