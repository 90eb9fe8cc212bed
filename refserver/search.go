package refserver

import (
	"net/http"
	"net/url"
	"slices"
	"unicode/utf8"

	"github.com/socialfeed/conform/refserver/store"
)

// search is endpoint 8.
func (s *Server) search(q *request) (reply, error) {
	badQuery := &problem{status: http.StatusBadRequest, code: codeQuery, message: "q is missing or malformed"}
	query, err := url.ParseQuery(q.URL.RawQuery)
	term := query.Get("q")
	if err != nil || !utf8.ValidString(term) {
		return reply{}, badQuery
	}
	if term == "" {
		answer := s.choices.BlankQuery
		if !query.Has("q") {
			answer = s.choices.MissingQuery
		}
		switch answer {
		case RefusesQuery:
			return reply{}, badQuery
		case FindsNone:
			return reply{http.StatusOK, list{}}, nil
		}
	}
	if s.direct != nil && s.choices.ListLength == 0 {
		return reply{http.StatusOK, s.found(q, term)}, nil
	}
	users, err := s.store.Search(q.app, term)
	if s.choices.ExcludeSelf {
		users = slices.DeleteFunc(users, func(user store.User) bool { return user.ID == q.user })
	}
	return reply{http.StatusOK, s.userList(firstOf(users, s.choices.ListLength), q.user)}, err
}

// found is the result of a search. It may be every user, so it is read while it is sent.
func (s *Server) found(q *request, term string) list {
	const kept = 1000 // as many texts of users are kept for the next reader, at most
	users := s.direct.Found(q.app, term)
	return list{items: func(yield func([]byte) bool) {
		sent := 0
		for user := range users {
			if s.choices.ExcludeSelf && user.ID == q.user {
				continue
			}
			item := s.userText
			if sent++; sent > kept {
				item = s.passingText
			}
			if !yield(item(user, q.user)) {
				return
			}
		}
	}}
}
