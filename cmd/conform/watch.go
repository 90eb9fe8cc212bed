package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/socialfeed/conform/conformance/clean"
	"github.com/socialfeed/conform/conformance/clients"
	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/conformance/rules"
	"github.com/socialfeed/conform/conformance/watch"
	"github.com/spf13/cobra"
)

// watchSettings are the flags of conform watch.
type watchSettings struct {
	settings
	upstream string
	addr     string
	http     bool
	enforce  bool
	duration time.Duration
	memory   trafficMemory
	seed     seedOut
}

// watchCommand judges both sides of the traffic that passes through it.
func watchCommand(std streams) *cobra.Command {
	var s watchSettings
	cmd := &cobra.Command{
		Use:   "watch --upstream URL",
		Short: "Judge both sides of real traffic: a proxy in front of any service",
		Long: `watch is a proxy in front of a service. It passes all traffic on unchanged and judges both sides:
the client by its rules, and the service by the rules that hold for every response and by earlier
writes, such as a deleted event that is back, or a session that works after its logout. With
--all-traffic it also judges data that another client could have changed: lost updates, feeds,
lists. Each finding names the side at fault. The report is written at the end (Ctrl-C).

Exit: 0 conformant · 1 not conformant · 2 usage · 3 no verdict: no request came, or something could
not be judged`,
		Example: `  conform watch --upstream https://feeds.example.com
  conform watch --upstream http://127.0.0.1:8080 --allow-http --http --report html=traffic.html`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return watchTraffic(cmd.Context(), &s, std)
		},
	}
	f := cmd.Flags()
	f.SortFlags = false
	f.StringVar(&s.upstream, "upstream", "", "`URL` of the service")
	f.StringVar(&s.addr, "addr", "127.0.0.1:8445", "`HOST:PORT` to listen on; port 0 picks one")
	f.BoolVar(&s.http, "http", false, "listen for plain HTTP, for clients that cannot trust a certificate made here")
	f.BoolVar(&s.enforce, "enforce", false, "refuse requests that break a must")
	f.DurationVar(&s.duration, "for", 0, "stop after this time; 0: when interrupted")
	s.memory.bind(f)
	f.StringVar(&s.caCert, "ca-cert", "", "`FILE` with the certificate of an authority to trust in addition to the system's")
	f.BoolVar(&s.config.Target.Insecure, "insecure", false, "do not verify the service's certificate")
	f.BoolVar(&s.config.Target.AllowHTTP, "allow-http", false, "accept a service given as http://")
	s.bindFailOn(f)
	markFile(f, "ca-cert")
	s.bindOutputs(cmd)
	s.seed.bind(f)
	return cmd
}

func watchTraffic(ctx context.Context, s *watchSettings, std streams) error {
	upstream, transport, outputs, err := s.prepare(std)
	if err != nil {
		return err
	}
	catalogue := watch.Catalogue()
	observer := watch.NewObserver(catalogue, clients.Options{HTTP: s.http})
	observer.Remember(s.memory.of(0))
	if err := s.seed.begin(""); err != nil {
		return err
	}
	findings := &findingLog{line: newProgress(std.screen, s.quiet), told: map[string]int{}}
	began := time.Now()
	if err := s.pass(ctx, upstream, transport, observer, findings, std.last); err != nil {
		return err
	}
	if err := s.seed.write(std); err != nil {
		return err
	}
	report := s.reportOf(result.Target{BaseURL: upstream.Redacted(), Trust: s.trust()}, began)
	if err := observer.Report(report); err != nil {
		return err
	}
	s.applyToTraffic(report, catalogue)
	return conclude(report, outputs, std)
}

// applyToTraffic applies the waivers to the report of traffic. Without traffic there is no
// verdict.
func (s *settings) applyToTraffic(report *result.Report, c *rules.Catalogue) {
	seen := 0
	for _, n := range report.Summary.Requests {
		seen += n
	}
	if seen == 0 {
		report.End("no request to the service was seen", result.EndedEarly)
	}
	s.apply(report, c)
}

func (s *watchSettings) prepare(std streams) (*url.URL, http.RoundTripper, *outputs, error) {
	upstream, err := url.Parse(s.upstream)
	switch {
	case s.duration < 0:
		return nil, nil, nil, errors.New("--for must not be below zero; 0 watches until told to stop")
	case s.upstream == "":
		return nil, nil, nil, errors.New("watch needs a service: conform watch --upstream https://feeds.example.com")
	case err != nil || upstream.Host == "" || upstream.Scheme != "https" && upstream.Scheme != "http":
		return nil, nil, nil, fmt.Errorf("--upstream takes https://host[:port][/prefix]")
	case upstream.User != nil || upstream.RawQuery != "" || upstream.Fragment != "":
		return nil, nil, nil, errors.New("--upstream takes no credentials, query or fragment")
	case upstream.Scheme == "http" && !s.config.Target.AllowHTTP:
		return nil, nil, nil, errors.New("--upstream is plain HTTP: say --allow-http if that is meant")
	}
	if err := cmp.Or(s.checkFailOn(), s.memory.check(), s.readCA(), s.readWaivers()); err != nil {
		return nil, nil, nil, err
	}
	trust, err := s.config.Target.TLS()
	if err != nil {
		return nil, nil, nil, fmt.Errorf("trusting the service: %w", err)
	}
	o, err := openOutputs(s.settings, std)
	return upstream, &http.Transport{
		Proxy: http.ProxyFromEnvironment, ForceAttemptHTTP2: true, DisableCompression: true, MaxIdleConnsPerHost: 256, IdleConnTimeout: 30 * time.Second,
		TLSHandshakeTimeout: 10 * time.Second, ExpectContinueTimeout: time.Second,
		TLSClientConfig: trust,
	}, o, err
}

// pass forwards traffic until the context ends.
func (s *watchSettings) pass(ctx context.Context, upstream *url.URL, transport http.RoundTripper, observer *watch.Observer, t *findingLog, last *lastActs) error {
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", s.addr)
	if err != nil {
		return fmt.Errorf("--addr %s: %w", s.addr, err)
	}
	arrivals := watch.NewArrivals(!s.http)
	handler := watch.Proxy(upstream, transport)
	if s.enforce {
		handler = watch.Enforced(handler, observer.Refused)
	}
	queue := watch.NewQueue(func(x *clients.Exchange) {
		s.seed.see(x)
		t.print(observer.See(x))
	})
	recorder := watch.NewRecorder(handler, arrivals, queue.Put)
	serving, endUpgraded := context.WithCancel(context.WithoutCancel(ctx))
	defer endUpgraded()
	server := &http.Server{Handler: recorder, BaseContext: func(net.Listener) context.Context { return serving }, ReadHeaderTimeout: 30 * time.Second, ErrorLog: log.New(io.Discard, "", 0)}
	serve, where, trust := server.Serve, "http://"+listener.Addr().String(), ""
	if !s.http {
		id, err := newIdentity()
		if err != nil {
			listener.Close()
			return err
		}
		defer id.remove()
		defer last.add(id.remove)()
		server.TLSConfig = serverTLS(id.certificate)
		serve = func(l net.Listener) error { return server.ServeTLS(l, "", "") }
		where, trust = "https://"+listener.Addr().String(), ", which is to be trusted by "+id.caFile
	}
	t.line.say(fmt.Sprintf("watching %s: point the client at %s%s; Ctrl-C ends it with the report", upstream.Redacted(), where, trust))
	if s.duration > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, s.duration)
		defer cancel()
	}
	served := make(chan error, 1)
	go func() { served <- serve(arrivals.Listener(listener)) }()
	select {
	case err := <-served:
		return fmt.Errorf("watching: %w", err)
	case <-ctx.Done():
	}
	ending, cancel := context.WithTimeout(context.WithoutCancel(ctx), drain)
	defer cancel()
	if server.Shutdown(ending) != nil { // streams do not end by themselves
		_ = server.Close()
	}
	endUpgraded() // which the server no longer knows
	<-served
	recorder.Wait()
	queue.Close()
	return nil
}

// drain is how long requests may go on once watching ends.
const drain = 2 * time.Second

// findingLog prints findings as they come, each rule at an endpoint once.
type findingLog struct {
	line *progress
	mu   sync.Mutex
	told map[string]int
}

const mostTold = 500 // different ones

func (t *findingLog) print(found []watch.Finding) {
	for _, f := range found {
		key := strings.Join([]string{f.Side, f.Rule, f.Endpoint.String()}, " ")
		t.mu.Lock()
		seen, known := t.told[key]
		if known || len(t.told) < mostTold {
			t.told[key] = seen + 1
		}
		t.mu.Unlock()
		if !known && seen == 0 {
			t.line.say(clean.Log(f.String()))
		}
	}
}
