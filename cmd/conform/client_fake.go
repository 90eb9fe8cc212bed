package main

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net/http"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"github.com/socialfeed/conform/conformance/clients"
	"github.com/socialfeed/conform/conformance/watch"
	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/child"
	"github.com/socialfeed/conform/refserver/control"
	"github.com/socialfeed/conform/refserver/control/journal"
	"github.com/socialfeed/conform/refserver/tlscert"
	"github.com/socialfeed/conform/refserver/twin"
)

// identity is the certificate of a run's fakes, and the files of what a client has to trust.
type identity struct {
	certificate    tls.Certificate
	caFile, bundle string
}

func newIdentity() (*identity, error) {
	certificate, caPEM, err := tlscert.New()
	if err != nil {
		return nil, err
	}
	id := &identity{certificate: certificate}
	if id.caFile, err = child.WriteTemp("conform-ca-*.pem", caPEM); err != nil {
		return nil, fmt.Errorf("writing the authority to trust: %w", err)
	}
	if id.bundle, err = child.Bundle(caPEM); err != nil {
		os.Remove(id.caFile)
		return nil, err
	}
	return id, nil
}

func (id *identity) remove() {
	os.Remove(id.caFile)
	os.Remove(id.bundle)
}

// fake is a server of one surrounding, and the record of what the client did there.
type fake struct {
	service  child.Service
	judge    *clients.Judge
	parts    []part
	stops    []func() error // of its servers
	recorder *watch.Recorder
	weather  atomic.Bool // the weather acted on a request

	mu       sync.Mutex
	met      map[string]bool     // the names of the parts that the client met
	last     []*clients.Exchange // at most lastShown
	differs  *twin.Difference    // the first answer in which a breach showed, nil for none
	acts     *acts               // nil: its requests are not kept
	requests int
}

// clientSkew bounds how much later than it was sent a request arrives on this machine.
const clientSkew = 50 * time.Millisecond

// startFake serves a surrounding on free ports of this machine.
func (c *clientRun) startFake(ctx context.Context, s surrounding) (*fake, error) {
	token, controlToken := refserver.NewAppToken(), refserver.NewAppToken()
	f := &fake{parts: s.parts, met: map[string]bool{}}
	f.judge = clients.New(c.catalogue, clients.Options{AppToken: token, Fresh: true, Skew: clientSkew, Habits: c.habits})
	options := c.fakeOptions(token, s.settings)
	options.Log = func(e *journal.Entry) {
		if e.Weather != "" {
			f.weather.Store(true)
		}
	}
	if s.breach {
		options.Differs = f.note
	}
	service, err := control.New(options)
	if err != nil {
		return nil, err
	}
	port, err := listenLoopback(ctx)
	if err != nil {
		return nil, err
	}
	planePort, err := listenLoopback(ctx)
	if err != nil {
		port.Close()
		return nil, err
	}
	f.service = child.Service{
		BaseURL: "https://" + port.Addr().String(), AppToken: token, CAFile: c.identity.caFile, Bundle: c.identity.bundle,
		ControlURL: "http://" + planePort.Addr().String(), ControlToken: controlToken,
	}
	var handler http.Handler = service
	if s.manner != nil {
		handler = s.manner(handler)
	}
	var plane http.Handler = control.NewPlane(service, control.PlaneOptions{Service: f.service.BaseURL, Token: controlToken})
	if c.keepsActs {
		f.acts = newActs(f.service, options)
		plane = f.acts.ofPlane(plane)
	}
	arrivals := watch.NewArrivals(true)
	f.recorder = watch.NewRecorder(handler, arrivals, f.see)
	f.stops = []func() error{
		startServing(f.recorder, arrivals.Listener(port), serverTLS(c.identity.certificate)),
		startServing(plane, planePort, nil),
	}
	return f, nil
}

// fakeOptions are those of a fake, with one application, that begins with the settings.
func (c *clientRun) fakeOptions(appToken string, first control.Settings) control.Options {
	const neverReached = 1_000_000 // the judge counts the quota itself
	return control.Options{
		Server: refserver.Options{AppTokens: []string{appToken}, RateLimit: neverReached, PasswordCost: 1},
		First:  first, WorldPrefix: c.worlds,
	}
}

// note keeps the first answer in which a breach showed.
func (f *fake) note(d twin.Difference) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.differs == nil {
		f.differs = &d
	}
}

// stop ends the servers. Every request is on record then.
func (f *fake) stop() error {
	var errs []error
	for _, stop := range f.stops {
		errs = append(errs, stop())
	}
	f.recorder.Wait()
	return errors.Join(errs...)
}

// lastShown is how many of a client's last exchanges are evidence of a failure.
const lastShown = 3

// see judges an exchange, and records which parts of the surrounding it met.
func (f *fake) see(x *clients.Exchange) {
	f.judge.See(x)
	endpoint := x.Endpoint("")
	f.mu.Lock()
	defer f.mu.Unlock()
	f.requests++
	if f.acts != nil {
		f.acts.see(x)
	}
	for _, p := range f.parts {
		if p.shows != nil && p.shows(endpoint, x) {
			f.met[p.name] = true
		}
	}
	f.last = append(f.last, x)
	if len(f.last) > lastShown {
		f.last = f.last[1:]
	}
}

// meets reports whether the client met a part of the surrounding.
func (f *fake) meets(p part) bool {
	if p.shows == nil {
		return f.weather.Load()
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.met[p.name]
}
