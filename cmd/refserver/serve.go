package main

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"syscall"
	"time"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/control"
	"github.com/socialfeed/conform/refserver/faults"
	"golang.org/x/sync/errgroup"
)

const (
	stopWait  = 5 * time.Second // how long requests may go on after a signal to stop, unless a second one comes
	hurryWait = time.Second     // the same after the end of standard input
)

// serve runs the server until the context ends.
func (p program) serve(ctx context.Context, set settings) error {
	if set.stopWithInput {
		ctx, p.again = endingWithInput(ctx, p.again, os.Stdin)
	}
	s, err := p.start(ctx, &set)
	if err != nil {
		return err
	}
	defer s.trust.remove()
	bundle := ""
	if set.print == "env" {
		if bundle, err = s.bundle(); err != nil {
			return err
		}
		defer os.Remove(bundle)
	}
	if err := s.greeting(set, bundle).print(p.stdout, set.print); err != nil {
		return err
	}
	return s.until(ctx)
}

// endingWithInput returns contexts that end, too, when the input does, the second one a second later: the program that
// started the server has gone or has closed its input, and hardly waits for the requests that are under way.
func endingWithInput(ctx, again context.Context, input io.Reader) (ending, hurrying context.Context) {
	ending, stop := context.WithCancel(ctx)
	hurrying, hurry := context.WithCancel(again)
	go func() {
		_, _ = io.Copy(io.Discard, input) // an error is an end, too
		stop()
		time.AfterFunc(hurryWait, hurry)
	}()
	return ending, hurrying
}

// running is a server with its listeners open, and its control plane if there is one.
type running struct {
	fake         *control.Fake
	listener     net.Listener
	plane        http.Handler // nil for no control plane
	planeListen  net.Listener
	controlToken string
	appToken     string // to print; "" where it came from the environment
	trust        trust
	keeper       *keeper
	log          *requestLog // nil for none
	stderr       io.Writer
	again        context.Context // ends what still goes on after the end of the context of until
}

// start opens the listeners and makes everything ready, without serving yet.
func (p program) start(ctx context.Context, set *settings) (*running, error) {
	options, appToken, err := set.options()
	if err != nil {
		return nil, err
	}
	set.tellFit(p.stderr)
	options.Server.Logger = slog.New(slog.NewTextHandler(p.stderr, &slog.HandlerOptions{Level: slog.LevelWarn}))
	s := &running{appToken: appToken, stderr: p.stderr, again: p.again, log: newRequestLog(set.log, p.stderr)}
	if s.log != nil {
		options.Log = s.log.add
	}
	set.wrapByDataFault(&options.Server)
	if s.fake, err = control.New(options); err != nil {
		return nil, err
	}
	if err := s.open(ctx, set); err != nil {
		return nil, errors.Join(err, s.close())
	}
	for _, name := range set.faults {
		fault, err := faults.Find(name)
		if err == nil && fault.Listen != nil {
			s.listener = fault.Listen(s.listener, s.fake)
		}
	}
	return s, nil
}

// open opens the listeners, and then the files, so that a second server does not overwrite the
// first one's.
func (s *running) open(ctx context.Context, set *settings) (err error) {
	if s.keeper, err = set.openKeeper(ctx, s.fake.Default(), s.stderr); err != nil {
		return err
	}
	if s.listener, err = listen(ctx, "--addr", set.addr); err != nil {
		return err
	}
	if err := s.listenForControl(ctx, set); err != nil {
		return err
	}
	if s.trust, err = set.trust(s.listener.Addr()); err != nil || s.planeListen == nil {
		return err
	}
	s.plane = control.NewPlane(s.fake, control.PlaneOptions{
		Service: set.baseURL(s.listener.Addr()), Token: s.controlToken, Hosts: set.controlHosts, Authority: s.trust.caPEM, AuthorityFile: s.trust.caFile,
	})
	return nil
}

// close undoes open where serving does not begin.
func (s *running) close() error {
	for _, listener := range []net.Listener{s.listener, s.planeListen} {
		if listener != nil {
			listener.Close()
		}
	}
	return s.keeper.close()
}

// listenForControl opens the control plane's port. If the default port is taken, most likely
// by another server of this kind, it uses any free one.
func (s *running) listenForControl(ctx context.Context, set *settings) error {
	if set.control == "off" {
		return nil
	}
	var err error
	s.planeListen, err = listen(ctx, "--control", set.control)
	if err != nil && set.defaultControl {
		s.planeListen, err = listen(ctx, "--control", "127.0.0.1:0")
	}
	if err != nil {
		return err
	}
	s.controlToken = os.Getenv("REFSERVER_CONTROL_TOKEN")
	if s.controlToken == "" {
		s.controlToken = refserver.NewAppToken()
	}
	return nil
}

// until serves until the context ends, and then lets requests finish on both ports.
func (s *running) until(ctx context.Context) error {
	servers, ctx := errgroup.WithContext(ctx) // one server does not go on without the other
	servers.Go(func() error { return s.servePort(ctx, newServer(s.fake, s.trust.config), s.listener) })
	if s.plane != nil {
		servers.Go(func() error { return s.servePort(ctx, newServer(endingWith(ctx, s.plane), nil), s.planeListen) })
	}
	err := errors.Join(servers.Wait(), s.keeper.close())
	last, cancel := context.WithTimeout(context.WithoutCancel(s.again), logPatience)
	defer cancel()
	s.log.close(last)
	if err != nil {
		return fmt.Errorf("%w: %w", errServing, err)
	}
	return nil
}

func newServer(handler http.Handler, config *tls.Config) *http.Server {
	return &http.Server{
		Handler:           handler,
		TLSConfig:         config,
		ReadHeaderTimeout: 10 * time.Second,
		ReadTimeout:       30 * time.Second,
		WriteTimeout:      60 * time.Second,
		IdleTimeout:       2 * time.Minute,
		MaxHeaderBytes:    64 << 10,
		ErrorLog:          slog.NewLogLogger(slog.DiscardHandler, slog.LevelDebug), // of failed handshakes of clients
	}
}

// servePort serves one port until the context ends, then lets requests finish. It prints a
// note if it had to cut some.
func (s *running) servePort(ctx context.Context, server *http.Server, listener net.Listener) error {
	served := make(chan error, 1)
	failed := handshakes{out: s.stderr, caFile: s.trust.caFile}
	go func() { served <- refserver.ServeTelling(server, listener, failed.tell) }()
	select {
	case err := <-served:
		return err
	case <-ctx.Done():
	}
	stopping, cancel := context.WithTimeout(context.WithoutCancel(ctx), stopWait)
	defer cancel()
	defer context.AfterFunc(s.again, cancel)()
	err := server.Shutdown(stopping)
	if errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled) {
		fmt.Fprintln(s.stderr, "refserver: requests that were still under way were cut")
		err = server.Close()
	}
	<-served
	if err != nil {
		return fmt.Errorf("stopping: %w", err)
	}
	return nil
}

// endingWith ends requests when the context ends: streams of the journal would not end by
// themselves.
func endingWith(ctx context.Context, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		request, cancel := context.WithCancel(r.Context())
		defer cancel()
		defer context.AfterFunc(ctx, cancel)()
		next.ServeHTTP(w, r.WithContext(request))
	})
}

func listen(ctx context.Context, flag, addr string) (net.Listener, error) {
	var config net.ListenConfig
	listener, err := config.Listen(ctx, "tcp", addr)
	if errors.Is(err, syscall.EADDRINUSE) {
		return nil, fmt.Errorf("%s is in use already; choose another address with %s (port 0 picks a free port)", addr, flag)
	}
	if err != nil {
		return nil, fmt.Errorf("%s %s: %w", flag, addr, err)
	}
	return listener, nil
}

// baseURL is the server's URL for clients on this machine.
func (set *settings) baseURL(addr net.Addr) string {
	scheme := "https"
	if set.plainHTTP {
		scheme = "http"
	}
	return scheme + "://" + reachable(addr)
}

// reachable is an address that clients on this machine reach a listener by.
func reachable(addr net.Addr) string {
	host, port, err := net.SplitHostPort(addr.String())
	if err != nil {
		return addr.String()
	}
	if ip := net.ParseIP(host); ip != nil && ip.IsUnspecified() {
		host = "localhost"
	}
	return net.JoinHostPort(host, port)
}
