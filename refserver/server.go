// Package refserver is the contract as running code: every endpoint, every
// limit, the purge, served from memory. A Server is an http.Handler, for a
// program or for anyone's httptest.Server.
package refserver

import (
	"crypto/sha256"
	"fmt"
	"log/slog"
	"net/http"
	"runtime/debug"

	"github.com/rs/cors"
	"github.com/socialfeed/conform/refserver/store"
)

// Store is the part of the store that handlers use; *store.Store implements it. A wrapper
// that embeds it can replace single methods: see Options.WrapStore.
type Store interface {
	Atomically(f func() error) error

	CreateUser(app store.App, user store.User) (store.User, error)
	User(app store.App, id store.ID) (store.User, error)
	Identify(app store.App, userName, email string, password []byte) (store.User, error)
	UpdateUser(app store.App, id store.ID, change func(*store.User)) (store.User, error)
	DeleteUser(app store.App, id store.ID) error
	Search(app store.App, term string) ([]store.User, error)

	OpenSession(app store.App, id store.ID, verified []byte) (string, store.User, error)
	Session(app store.App, token string) (store.ID, error)
	CloseSession(app store.App, token string) error

	Connect(app store.App, from, to store.ID, typ store.ConnectionType) (store.Connection, bool, error)
	ConnectSocial(app store.App, from store.ID, platform string, ids []string, typ store.ConnectionType) error
	Disconnect(app store.App, from, to store.ID, types ...store.ConnectionType) error
	Follows(app store.App, id store.ID) ([]store.User, error)
	Followers(app store.App, id store.ID) ([]store.User, error)
	Friends(app store.App, id store.ID) ([]store.User, error)

	CreateEvent(app store.App, owner store.ID, event store.Event) (store.Event, error)
	UpdateEvent(app store.App, owner, id store.ID, change func(*store.Event)) (store.Event, error)
	DeleteEvent(app store.App, owner, id store.ID) error
	Feed(app store.App, id store.ID) ([]store.Event, error)

	Counts() store.Counts
}

// Server serves the contract. It owns no goroutines and needs no closing.
type Server struct {
	choices      Choices
	store        Store
	memory       *store.Store        // the store below all wrappers
	keeper       Keeper              // nil: the data ends with the server
	direct       *store.Store        // the same, nil if a wrapper may alter reads and writes
	appTokens    [][sha256.Size]byte // the hash of application i+1's token
	limits       *limiter            // nil: no limits
	passwords    *passwords
	userIDs      idForm
	eventIDs     idForm
	maxBodyBytes int64
	budget       *budget // nil: no bound
	plainHTTP    bool
	logger       *slog.Logger
	cacheControl []string // of every response; shared, never changed
	contentType  []string // of every body; shared, never changed
	outputs      outputs
	pushedOut    pushedOut
	encodeUser   func(*store.User) []byte
	encodeEvent  func(*store.Event) []byte
	mux          *http.ServeMux
	routes       *http.ServeMux // the endpoints only, to find the methods of a path
	handler      http.Handler
}

// New makes a server with an empty store. The error names an option that cannot be served.
func New(options Options) (*Server, error) {
	o, err := options.withDefaults()
	if err != nil {
		return nil, fmt.Errorf("reference server: %w", err)
	}
	memory, err := store.New(o.Choices.policy(), o.Clock)
	if err != nil {
		return nil, fmt.Errorf("reference server: %w", err)
	}
	s := &Server{
		choices:      o.Choices,
		store:        memory,
		memory:       memory,
		limits:       newLimiter(o.RateLimit, o.Clock),
		passwords:    newPasswords(o.PasswordCost),
		userIDs:      newIDForm(o.Choices.UserIDs, FirstUserID),
		eventIDs:     newIDForm(o.Choices.EventIDs, FirstEventID),
		maxBodyBytes: o.MaxBodyBytes,
		plainHTTP:    o.AllowPlainHTTP,
		logger:       o.Logger,
		cacheControl: []string{"no-store"},
		contentType:  []string{contentType(o.Choices)},
		mux:          http.NewServeMux(),
		routes:       http.NewServeMux(),
	}
	s.encodeUser = func(user *store.User) []byte { return encode(s.userView(*user, user.ID)) }
	s.encodeEvent = func(event *store.Event) []byte { return encode(s.eventView(event)) }
	if o.MaxMemory > 0 {
		s.budget = &budget{limit: uint64(o.MaxMemory)}
	}
	if s.direct = memory; o.WrapStore != nil {
		s.store, s.direct = o.WrapStore(s.store), nil
	}
	for _, token := range o.AppTokens {
		s.appTokens = append(s.appTokens, sha256.Sum256([]byte(token)))
	}
	for _, e := range s.endpoints() {
		s.mux.Handle(e.pattern, s.enter(e))
		s.routes.Handle(e.pattern, http.NotFoundHandler())
	}
	s.mux.HandleFunc("/", s.refuseRoute)
	s.handler = s.recovering(allowOrigins(http.HandlerFunc(s.admit)))
	if o.Choices.EntityTags {
		s.handler = tagged(s.handler)
	}
	if o.WrapHandler != nil {
		s.handler = o.WrapHandler(s.handler)
	}
	return s, nil
}

// ServeHTTP serves one request.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.handler.ServeHTTP(w, r)
}

// Stats counts the users, sessions, connections and events of all applications.
func (s *Server) Stats() store.Counts {
	return s.store.Counts()
}

// allowOrigins puts the headers of cross-origin resource sharing (transport
// item 8) on every response, refusals included; admit answers the preflights.
func allowOrigins(next http.Handler) http.Handler {
	return cors.New(cors.Options{
		AllowedOrigins:     []string{"*"},
		AllowedMethods:     []string{http.MethodGet, http.MethodPost, http.MethodPut, http.MethodDelete},
		AllowedHeaders:     []string{"*"},
		ExposedHeaders:     []string{"Allow", "Retry-After", "WWW-Authenticate", headerLimit, headerRemaining, headerReset},
		OptionsPassthrough: true,
	}).Handler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Origin") != "" { // also for other methods, so that a page can read the 405
			w.Header().Set("Access-Control-Allow-Origin", "*")
		}
		next.ServeHTTP(w, r)
	}))
}

// recovering answers a panic with a 500; the server goes on.
func (s *Server) recovering(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer func() {
			switch cause := recover(); cause {
			case nil:
			case http.ErrAbortHandler:
				panic(cause)
			default:
				s.logger.Error("a handler panicked", "cause", fmt.Sprint(cause), "stack", string(debug.Stack()))
				s.refuse(w, r, internalError())
			}
		}()
		next.ServeHTTP(w, r)
	})
}
