package refserver

import "net/http"

// feed is endpoint 21.
func (s *Server) feed(q *request) (reply, error) {
	if s.direct == nil {
		events, err := s.store.Feed(q.app, q.user)
		return reply{http.StatusOK, list{length: len(events), item: func(i int) []byte { return s.eventText(&events[i]) }}}, err
	}
	page, again := s.direct.FeedPage(q.app, q.user)
	if whole := page.Encoded(); whole != nil {
		return reply{http.StatusOK, text(whole)}, nil
	}
	feed := list{length: len(page.Events), item: func(i int) []byte { return s.eventText(page.Events[i]) }}
	if again {
		feed.keep = page.KeepEncoded
	}
	return reply{http.StatusOK, feed}, nil
}
