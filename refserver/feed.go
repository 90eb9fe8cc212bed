package refserver

import "net/http"

// feed is endpoint 21.
func (s *Server) feed(q *request) (reply, error) {
	events, err := s.store.Feed(q.app, q.user)
	views := make([]eventView, 0, len(events))
	for _, event := range events {
		views = append(views, s.eventView(event))
	}
	return reply{http.StatusOK, views}, err
}
