package refserver

import (
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"net/http"
	"path"
	"strings"

	"github.com/socialfeed/conform/refserver/store"
)

// The admission of a request has these stages, in this order; the first one that refuses
// answers.
//
//	admit:  plain HTTP, User-Agent, preflight, version, path, method
//	enter:  credentials, Accept, Content-Type, memory, data file, body, rate limit
//
// The headers of cross-origin resource sharing are on the response before admit
// begins. Requests refused before the rate limit do not count against it.

// admit makes the checks that do not depend on the endpoint.
func (s *Server) admit(w http.ResponseWriter, r *http.Request) {
	switch {
	case r.TLS == nil && !s.plainHTTP:
		s.refuse(w, r, &problem{status: http.StatusForbidden, code: codePlainHTTP, message: "the service is reached over HTTPS only"})
	case r.UserAgent() == "":
		s.refuse(w, r, &problem{status: s.choices.UserAgentStatus, code: codeUserAgent, message: "the User-Agent header is missing"})
	case r.Method == http.MethodOptions && (r.RequestURI == "*" || r.Header.Get("Access-Control-Request-Method") != ""):
		w.WriteHeader(http.StatusNoContent)
	case r.RequestURI == "*":
		s.refuse(w, r, unknownPath())
	case strings.HasPrefix(r.URL.Path, "/0.1/"):
		s.refuse(w, r, &problem{status: s.choices.DisabledVersionStatus, code: codeDisabledVersion, message: "version 0.1 is disabled; 0.2 is current"})
	default:
		if escaped := r.URL.EscapedPath(); path.Clean(escaped) != escaped { // which the mux would redirect
			s.refuse(w, r, unknownPath())
			return
		}
		s.mux.ServeHTTP(w, r)
	}
}

// refuseRoute answers a request that no endpoint serves: 404, or 405 with Allow.
func (s *Server) refuseRoute(w http.ResponseWriter, r *http.Request) {
	fallback, _ := s.routes.Handler(r)
	probe := headerProbe{}
	fallback.ServeHTTP(probe, r)
	allow := probe.Header().Get("Allow")
	if allow == "" {
		s.refuse(w, r, unknownPath())
		return
	}
	p := &problem{status: http.StatusMethodNotAllowed, code: codeMethod, message: "the method is not allowed here"}
	s.refuse(w, r, p.with("Allow", allow))
}

// headerProbe takes the headers of a response and drops the rest.
type headerProbe http.Header

func (h headerProbe) Header() http.Header         { return http.Header(h) }
func (h headerProbe) Write(b []byte) (int, error) { return len(b), nil }
func (h headerProbe) WriteHeader(int)             {}

// enter finishes the admission to an endpoint, calls its handler, and writes the result.
func (s *Server) enter(e endpoint) http.Handler {
	stages := []func(http.ResponseWriter, *request) error{
		func(_ http.ResponseWriter, q *request) error { return s.authenticate(q, e.needs) },
		s.checkAccept, s.checkContentType, s.checkMemory, s.checkKeeper, s.readBody, s.countRequest,
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		q, trace := &request{Request: r}, traceOf(r.Context())
		for _, stage := range stages {
			err := stage(w, q)
			trace.admitted(q)
			if err != nil {
				s.refuse(w, r, s.refusal(err))
				return
			}
		}
		answer, err := e.serve(q)
		if e.needs == BothTokens && r.Method == http.MethodGet && s.memory.Mark() != q.mark {
			if ended := s.checkSession(q); ended != nil {
				err = ended
			}
		}
		if err == nil {
			err = s.settle(q)
		}
		if err != nil {
			s.refuse(w, r, s.refusal(err))
			return
		}
		s.write(w, r, answer)
	})
}

// authenticate finds the application and, where needed, the session's user
// (the contract's Authentication part). The password half is ignored if the app
// token is enough: a running app never drops its old session token.
func (s *Server) authenticate(q *request, needs Credentials) error {
	if needs == NoCredentials {
		return nil
	}
	appToken, sessionToken, ok := q.BasicAuth()
	if !ok {
		return badCredentials("Basic authentication is required")
	}
	q.app = s.application(appToken)
	if q.app == 0 {
		return badCredentials("the app token is unknown")
	}
	if needs == AppToken {
		return nil
	}
	q.sessionToken, q.mark = sessionToken, s.memory.Mark()
	return s.checkSession(q)
}

// checkSession finds the session's user. A session that has ended never opens
// again, so one that is valid after a request has read was valid while it read.
func (s *Server) checkSession(q *request) error {
	var err error
	if s.direct != nil {
		if q.self, err = s.direct.SessionUser(q.app, q.sessionToken); err == nil {
			q.user = q.self.ID
		}
	} else {
		q.user, err = s.store.Session(q.app, q.sessionToken)
	}
	if errors.Is(err, store.ErrNotFound) {
		return badCredentials("the session token is missing, unknown or destroyed")
	}
	return err
}

// act lets a request write if its session is still valid. Checking and writing are one step,
// so that nothing is written in a session that has ended.
func (s *Server) act(q *request, write func() error) error {
	return s.store.Atomically(func() error {
		if err := s.checkSession(q); err != nil {
			return err
		}
		return write()
	})
}

// written is act for a write that returns something.
func written[T any](s *Server, q *request, write func() (T, error)) (result T, err error) {
	err = s.act(q, func() error {
		result, err = write()
		return err
	})
	return result, err
}

// application returns the number of the application that the token names, or 0,
// in a time that does not depend on which token it is.
func (s *Server) application(token string) store.App {
	given := sha256.Sum256([]byte(token))
	found := 0
	for i, known := range s.appTokens {
		found |= subtle.ConstantTimeCompare(given[:], known[:]) * (i + 1)
	}
	return store.App(found)
}
