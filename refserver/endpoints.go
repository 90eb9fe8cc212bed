package refserver

import "net/http"

// endpoint is one row of the contract's Endpoints table.
type endpoint struct {
	pattern string // method and path, as net/http takes them
	needs   Credentials
	serve   handler
}

// endpoints lists the contract's endpoints in its order, and the aliases that
// the choices turn on.
func (s *Server) endpoints() []endpoint {
	list := []endpoint{
		{"POST /0.2/users", AppToken, s.createUser},                                  // 1
		{"POST /0.2/user/login", AppToken, s.login},                                  // 2
		{"DELETE /0.2/user/logout", BothTokens, s.logout},                            // 3
		{"GET /0.2/user", BothTokens, s.getMe},                                       // 4
		{"PUT /0.2/user", BothTokens, s.updateMe},                                    // 5
		{"DELETE /0.2/user", BothTokens, s.deleteMe},                                 // 6
		{"GET /0.2/users/{UserID}", BothTokens, s.getUser},                           // 7
		{"GET /0.2/users/search", BothTokens, s.search},                              // 8
		{"POST /0.2/user/connections", BothTokens, s.createConnection},               // 9
		{"DELETE /0.2/user/connections/{UserID}", BothTokens, s.endConnection},       // 10
		{"GET /0.2/user/follows", BothTokens, s.list(s.store.Follows)},               // 11
		{"GET /0.2/user/followers", BothTokens, s.list(s.store.Followers)},           // 12
		{"GET /0.2/user/friends", BothTokens, s.list(s.store.Friends)},               // 13
		{"GET /0.2/users/{UserID}/follows", BothTokens, s.list(s.store.Follows)},     // 14
		{"GET /0.2/users/{UserID}/followers", BothTokens, s.list(s.store.Followers)}, // 15
		{"GET /0.2/users/{UserID}/friends", BothTokens, s.list(s.store.Friends)},     // 16
		{"POST /0.2/user/connections/social", BothTokens, s.connectSocial},           // 17
		{"POST /0.2/user/events", BothTokens, s.createEvent},                         // 18
		{"PUT /0.2/user/events/{EventID}", BothTokens, s.updateEvent},                // 19
		{"DELETE /0.2/user/events/{EventID}", BothTokens, s.deleteEvent},             // 20
		{"GET /0.2/user/feed", BothTokens, s.feed},                                   // 21
		{"GET /versions", s.choices.VersionsCredentials, s.versions},                 // 22
	}
	if s.choices.FollowedPath {
		list = append(list, endpoint{"GET /0.2/users/{UserID}/followed", BothTokens, s.list(s.store.Follows)})
	}
	if s.choices.UsersEventsPath {
		list = append(list, endpoint{"POST /0.2/users/events", BothTokens, s.createEvent})
	}
	return list
}

// takesBody says whether requests of the method carry a JSON object.
func takesBody(method string) bool {
	return method == http.MethodPost || method == http.MethodPut
}
