package control

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/control/openapi"
)

// Plane is the control plane: the fake's journal, worlds, weather and clock over HTTP, for a
// port of its own on the loopback interface. Every request needs the token, as Authorization:
// Bearer or as the cookie of the console's login. Requests under foreign names (DNS rebinding)
// and from foreign pages are refused.
type Plane struct {
	fake          *Fake
	service       string // the base URL of the contract's port, for documents and the console
	authorityFile string // path of the authority that its clients are to trust; may be ""
	token         [sha256.Size]byte
	cookie        string // the browser's cookie in place of the token
	open          bool   // false: there is no token, and every request is refused
	handler       http.Handler
}

// PlaneOptions are the parts of a control plane.
type PlaneOptions struct {
	Service       string   // the base URL of the contract's port, for documents and the console
	Token         string   // required by every call; "" refuses all calls
	Hosts         []string // names under which it answers, beside those of the loopback interface
	Authority     []byte   // the certificate (PEM) that clients of the contract's port are to trust; may be nil
	AuthorityFile string   // the path of a file with it, on this machine; may be ""
}

// The bounds of request bodies.
const (
	maxBody  = 1 << 20
	maxState = 256 << 20 // of an imported world
)

// NewPlane makes the control plane of a fake.
func NewPlane(fake *Fake, o PlaneOptions) *Plane {
	p := &Plane{fake: fake, service: o.Service, authorityFile: o.AuthorityFile, token: sha256.Sum256([]byte(o.Token)), cookie: rand.Text(), open: o.Token != ""}
	mux := http.NewServeMux()
	public := http.NewServeMux() // pages without data, which need no token
	p.routes(mux)
	p.consoleRoutes(mux, public)
	publish(public, o.Authority)
	guarded := p.authenticated(mux)
	routed := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if _, pattern := public.Handler(r); pattern != "" {
			public.ServeHTTP(w, r)
			return
		}
		guarded.ServeHTTP(w, r)
	})
	protection := http.NewCrossOriginProtection()
	protection.SetDenyHandler(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		fail(w, http.StatusForbidden, errors.New("requests from other pages are refused"))
	}))
	p.handler = guardHost(o.Hosts, safeHeaders(protection.Handler(routed)))
	return p
}

// ServeHTTP serves one request.
func (p *Plane) ServeHTTP(w http.ResponseWriter, r *http.Request) { p.handler.ServeHTTP(w, r) }

// publish serves /healthz and /ca.pem: supervisors and clients of a container need them before they have the token.
func publish(mux *http.ServeMux, authority []byte) {
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) {
		_ = answerJSON(w, http.StatusOK, map[string]string{"status": "ok"})
	})
	if len(authority) == 0 {
		return
	}
	mux.HandleFunc("GET /ca.pem", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/x-pem-file")
		_, _ = w.Write(authority) // an error is the reader's, who is gone
	})
}

// route is a call of the control plane.
type route struct {
	pattern string
	serve   func(http.ResponseWriter, *http.Request) error
	query   []string // the parameters that it knows
}

func (p *Plane) calls() []route {
	filters := journalFilters()
	openAPI := document("application/json", func() []byte { return openapi.JSON(p.service) })
	httpFile := document("text/plain; charset=utf-8", func() []byte { return []byte(openapi.HTTPFile(p.fake.operations, p.service)) })
	postman := document("application/json", func() []byte { return openapi.Postman(p.fake.operations, p.service) })
	return []route{
		{"GET /v1/journal", p.getJournal, append(filters, "count", "wait")},
		{"DELETE /v1/journal", p.clearJournal, []string{"world"}},
		{"GET /v1/journal/stream", p.streamJournal, filters},
		{"GET /v1/worlds", p.listWorlds, nil},
		{"POST /v1/worlds", p.openWorld, nil},
		{"GET /v1/worlds/{world}", p.inWorld(answerWorld), nil},
		{"PATCH /v1/worlds/{world}", p.inWorld(p.changeWorld), nil},
		{"DELETE /v1/worlds/{world}", p.inWorld(p.deleteWorld), nil},
		{"PUT /v1/worlds/{world}/weather", p.inWorld(p.setWeather), nil},
		{"POST /v1/worlds/{world}/clock", p.inWorld(p.moveClock), nil},
		{"POST /v1/worlds/{world}/seed", p.inWorld(p.seedWorld), nil},
		{"GET /v1/worlds/{world}/state", p.inWorld(p.exportWorld), nil},
		{"PUT /v1/worlds/{world}/state", p.inWorld(p.importWorld), nil},
		{"GET /v1/choices", p.listChoices, nil},
		{"GET /v1/dialects", p.listDialects, nil},
		{"GET /v1/faults", p.listFaults, nil},
		{"GET /v1/openapi.json", openAPI, nil},
		{"GET /v1/collection.http", httpFile, nil},
		{"GET /v1/collection.postman.json", postman, nil},
	}
}

func (p *Plane) routes(mux *http.ServeMux) {
	for _, call := range p.calls() {
		mux.HandleFunc(call.pattern, func(w http.ResponseWriter, r *http.Request) {
			r.Body = http.MaxBytesReader(w, r.Body, bodyBound(call.pattern))
			err := checkQuery(r.URL.RawQuery, call.query)
			if err == nil {
				err = call.serve(w, r)
			}
			if err != nil {
				fail(w, statusOf(err), err)
			}
		})
	}
	mux.HandleFunc("/v1/", func(w http.ResponseWriter, _ *http.Request) {
		fail(w, http.StatusNotFound, errors.New("there is nothing at this path, or not with this method; docs/local-fake.md lists the calls"))
	})
}

// checkQuery refuses a query with a parameter that a call does not know, or with one of them twice.
func checkQuery(query string, known []string) error {
	values, err := url.ParseQuery(query)
	if err != nil {
		return fmt.Errorf("reading the query: %w", err)
	}
	takes := "this call takes none"
	if len(known) > 0 {
		takes = "this call takes " + strings.Join(known, " and ")
	}
	for _, name := range slices.Sorted(maps.Keys(values)) {
		switch {
		case !slices.Contains(known, name):
			return fmt.Errorf("unknown query parameter %q: %s", name, takes)
		case len(values[name]) > 1:
			return fmt.Errorf("query parameter %q is there %d times", name, len(values[name]))
		}
	}
	return nil
}

func bodyBound(pattern string) int64 {
	if pattern == "PUT /v1/worlds/{world}/state" {
		return maxState
	}
	return maxBody
}

// inWorld finds the world that the path names. A call that sets something opens a
// world whose token was not used yet.
func (p *Plane) inWorld(serve func(http.ResponseWriter, *http.Request, *World) error) func(http.ResponseWriter, *http.Request) error {
	return func(w http.ResponseWriter, r *http.Request) error {
		name := r.PathValue("world")
		world, ok := p.fake.World(name)
		if !ok && r.Method != http.MethodGet && r.Method != http.MethodDelete {
			var err error
			if world, err = p.fake.ensure(name); err != nil {
				return err
			}
		} else if !ok {
			return errNoWorld
		}
		return serve(w, r, world)
	}
}

// statusOf gives an error its status; an unknown error is the caller's mistake.
func statusOf(err error) int {
	switch {
	case errors.Is(err, errNoWorld):
		return http.StatusNotFound
	case errors.Is(err, errWorldExists):
		return http.StatusConflict
	case errors.Is(err, errTooManyWorlds), errors.Is(err, errBusy), errors.Is(err, errTooManyReaders), errors.Is(err, refserver.ErrNoMemory):
		return http.StatusServiceUnavailable
	default:
		return http.StatusBadRequest
	}
}

func fail(w http.ResponseWriter, status int, err error) {
	_ = answerJSON(w, status, map[string]string{"error": err.Error()})
}

func answerJSON(w http.ResponseWriter, status int, value any) error {
	text, err := json.MarshalIndent(value, "", "  ")
	if err != nil {
		return fmt.Errorf("encoding the answer: %w", err)
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(append(text, '\n')) // an error is the reader's, who is gone
	return nil
}

// readJSON reads a body strictly: a field that is not known is a mistake.
func readJSON(r *http.Request, into any) error {
	decoder := json.NewDecoder(r.Body)
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(into); err != nil {
		return fmt.Errorf("reading the body: %w", err)
	}
	return nil
}

// document serves a text that is made when it is asked for.
func document(contentType string, text func() []byte) func(http.ResponseWriter, *http.Request) error {
	return func(w http.ResponseWriter, _ *http.Request) error {
		w.Header().Set("Content-Type", contentType)
		_, _ = w.Write(text()) // an error is the reader's, who is gone
		return nil
	}
}
