package refserver

import "net/http"

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
	err := s.store.ConnectSocial(q.app, q.user, platform, ids, typ)
	return reply{http.StatusCreated, struct{}{}}, err
}
