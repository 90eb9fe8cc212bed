package main

import (
	"bytes"
	"cmp"
	"context"
	"crypto/tls"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"sync"

	"github.com/socialfeed/conform/conformance/clients"
	"github.com/socialfeed/conform/refserver/child"
	"github.com/socialfeed/conform/refserver/control"
	"github.com/socialfeed/conform/refserver/twin"
)

// acts are a client's requests to a fake and to its control plane, in the order of the answers,
// for repeating them at another fake.
type acts struct {
	service child.Service
	options control.Options

	mu  sync.Mutex
	all []act
}

// act is a request, and the tokens that its answer gave.
type act struct {
	ofPlane              bool
	method, target, host string
	header               http.Header
	body                 []byte
	given                tokensGiven
}

// tokensGiven are those in an answer.
type tokensGiven struct {
	Session string `json:"session_token"`
	App     string `json:"app_token"`
}

// mostActs bounds what is kept of a client.
const mostActs = 5000

func newActs(service child.Service, options control.Options) *acts {
	options.Log = nil
	return &acts{service: service, options: options}
}

func (a *acts) add(one act) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if len(a.all) < mostActs {
		a.all = append(a.all, one)
	}
}

// see keeps a request to the service. One that was not recorded whole is left out.
func (a *acts) see(x *clients.Exchange) {
	if x.BodySize == len(x.Body) {
		a.add(act{method: x.Method, target: x.Target, host: x.Host, header: x.Header, body: x.Body, given: tokensIn(x.RespBody)})
	}
}

func tokensIn(body []byte) (given tokensGiven) {
	if !bytes.Contains(body, []byte("_token")) || json.Unmarshal(body, &given) != nil {
		return tokensGiven{}
	}
	return given
}

// ofPlane keeps the requests that change something at the control plane.
func (a *acts) ofPlane(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		const most = 1 << 20
		if r.Method == http.MethodGet || r.ContentLength > most {
			next.ServeHTTP(w, r)
			return
		}
		body, err := io.ReadAll(io.LimitReader(r.Body, most))
		r.Body = io.NopCloser(io.MultiReader(bytes.NewReader(body), r.Body))
		kept := act{ofPlane: true, method: r.Method, target: r.RequestURI, host: r.Host, header: r.Header.Clone(), body: body}
		answer := &bufferedResponse{ResponseWriter: w}
		next.ServeHTTP(answer, r)
		if kept.given = tokensIn(answer.body.Bytes()); err == nil {
			a.add(kept)
		}
		answer.WriteHeader(http.StatusOK)
		answer.send(answer.body.Bytes())
	})
}

// meet does the same at a fake with a fault, and returns the first answer that the fault changes, nil
// for none.
func (a *acts) meet(ctx context.Context, fault string) (*twin.Difference, error) {
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	var first *twin.Difference
	options := a.options
	options.First.Faults = []string{fault}
	options.Differs = func(d twin.Difference) { first = cmp.Or(first, &d) }
	fake, err := control.New(options)
	if err != nil {
		return nil, err
	}
	plane := sync.OnceValue(func() http.Handler {
		return control.NewPlane(fake, control.PlaneOptions{Service: a.service.BaseURL, Token: a.service.ControlToken})
	})
	own := map[string]string{} // tokens that the client had, to those of this fake
	for _, one := range a.all {
		if first != nil || ctx.Err() != nil {
			break
		}
		handler := http.Handler(fake)
		if one.ofPlane {
			handler = plane()
		}
		given := tokensIn(one.again(ctx, handler, own))
		for then, now := range map[string]string{one.given.Session: given.Session, one.given.App: given.App} {
			if then != "" && now != "" {
				own[then] = now
			}
		}
	}
	return first, ctx.Err()
}

// again does an act at a handler, with tokens of its own, and returns the answer's body.
func (a act) again(ctx context.Context, handler http.Handler, own map[string]string) []byte {
	r := httptest.NewRequestWithContext(ctx, a.method, "/", bytes.NewReader(a.body))
	target, err := r.URL.Parse(a.target)
	if err != nil {
		return nil
	}
	r.URL, r.RequestURI, r.Host, r.Header = target, a.target, a.host, a.header.Clone()
	if !a.ofPlane {
		r.TLS = &tls.ConnectionState{}
	}
	if app, session, ok := r.BasicAuth(); ok {
		r.SetBasicAuth(cmp.Or(own[app], app), cmp.Or(own[session], session))
	}
	recorder := httptest.NewRecorder()
	defer func() { _ = recover() }() // http.ErrAbortHandler: the fault cut the connection
	handler.ServeHTTP(recorder, r)
	return recorder.Body.Bytes()
}
