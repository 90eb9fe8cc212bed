package proof_test

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"log"
	"net"
	"net/http"
	"testing"
	"time"

	"github.com/socialfeed/conform/client"
	"github.com/socialfeed/conform/conformance/clients"
	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/conformance/rules"
	"github.com/socialfeed/conform/conformance/watch"
	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/control"
	"github.com/socialfeed/conform/refserver/tlscert"
)

// clientSkew is how uncertain the order of requests is on this machine.
const clientSkew = 50 * time.Millisecond

// watched is a service whose clients are judged.
type watched struct {
	url, appToken string
	trust         *x509.CertPool
	judge         *clients.Judge
	stop          func()
}

func watchClients(t *testing.T, settings control.Settings) *watched {
	t.Helper()
	certificate, pem, err := tlscert.New()
	must(t, err)
	w := &watched{appToken: refserver.NewAppToken(), trust: x509.NewCertPool()}
	w.trust.AppendCertsFromPEM(pem)
	fake, err := control.New(control.Options{
		Server: refserver.Options{AppTokens: []string{w.appToken}, RateLimit: -1, PasswordCost: 1}, First: settings})
	must(t, err)
	w.judge = clients.New(rules.LoadClient(), clients.Options{AppToken: w.appToken, Skew: clientSkew})
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	must(t, err)
	w.url = "https://" + listener.Addr().String()
	arrivals := watch.NewArrivals(true)
	server := &http.Server{
		Handler:           watch.NewRecorder(fake, arrivals, func(x *clients.Exchange) { w.judge.See(x) }),
		TLSConfig:         &tls.Config{MinVersion: tls.VersionTLS12, Certificates: []tls.Certificate{certificate}},
		ErrorLog:          log.New(io.Discard, "", 0),
		ReadHeaderTimeout: 10 * time.Second,
	}
	served := make(chan struct{})
	go func() {
		defer close(served)
		_ = refserver.Serve(server, arrivals.Listener(listener)) // which says that it was closed
	}()
	w.stop = func() { server.Close(); <-served }
	return w
}

// protocols are the ways in which clients connect.
func protocols(trust *x509.CertPool) map[string]*http.Transport {
	config := &tls.Config{MinVersion: tls.VersionTLS12, RootCAs: trust}
	one := &http.Transport{TLSClientConfig: config.Clone()}
	one.Protocols = new(http.Protocols)
	one.Protocols.SetHTTP1(true)
	once := one.Clone()
	once.DisableKeepAlives = true
	return map[string]*http.Transport{"HTTP/1.1": one, "HTTP/1.1, no keep-alive": once, "HTTP/2": {TLSClientConfig: config.Clone(), ForceAttemptHTTP2: true}}
}

// blames lists the rules that a judge blames, each with what it says.
func blames(j *clients.Judge) map[string]string {
	said := map[string]string{}
	for _, check := range j.Results("") {
		if check.Status != result.Pass {
			said[check.Rule] = check.Endpoint + ": " + check.Message
		}
	}
	return said
}

// TestBrokenClientsAreBlamedOnTheirRule mutates a lawful client: each mutant breaks
// one rule, and is blamed on that rule and no other.
func TestBrokenClientsAreBlamedOnTheirRule(t *testing.T) {
	for _, rule := range rules.LoadClient().Rules() {
		broken, known := brokenClients()[rule.ID]
		if !known && rule.Passive {
			t.Errorf("no client breaks %s", rule.ID)
		}
		for _, name := range []string{"HTTP/1.1", "HTTP/1.1, no keep-alive", "HTTP/2"} {
			if !known || rule.ID == "client.quota" && name != "HTTP/2" { // a thousand handshakes show no more
				continue
			}
			t.Run(rule.ID+" over "+name, func(t *testing.T) {
				t.Parallel()
				w := watchClients(t, broken.settings)
				defer w.stop()
				transport := protocols(w.trust)[name]
				defer transport.CloseIdleConnections()
				_ = live(t.Context(), w, broken.change(transport)) // what it breaks is refused, often
				if said := blames(w.judge); len(said) != 1 || said[rule.ID] == "" {
					t.Errorf("blamed is %v, want %s alone", said, rule.ID)
				}
			})
		}
	}
}

// TestLawfulClientsAreNotBlamed lives the same life without a mutation.
func TestLawfulClientsAreNotBlamed(t *testing.T) {
	for _, dialect := range []string{"default", "big-ids", "uuid-ids", "digit-string-ids", "terse", "wary-sessions"} {
		for _, name := range []string{"HTTP/1.1", "HTTP/1.1, no keep-alive", "HTTP/2"} {
			t.Run(dialect+" over "+name, func(t *testing.T) {
				t.Parallel()
				w := watchClients(t, control.Settings{Dialect: dialect})
				defer w.stop()
				transport := protocols(w.trust)[name]
				defer transport.CloseIdleConnections()
				if err := live(t.Context(), w, transport); err != nil {
					t.Errorf("the client had trouble: %v", err)
				}
				if said := blames(w.judge); len(said) > 0 {
					t.Errorf("blamed is %v", said)
				}
			})
		}
	}
}

// live is the life of a lawful client. It goes on where something is refused.
func live(ctx context.Context, w *watched, transport http.RoundTripper) error {
	const hash = "2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae"
	api, err := client.New(client.Config{BaseURL: w.url, AppToken: w.appToken, UserAgent: "feedreader/1.0", MaxRetries: -1,
		HTTPClient: &http.Client{Transport: transport, Timeout: 20 * time.Second}})
	if err != nil {
		return err
	}
	var troubles []error
	do := func(err error) {
		if err != nil {
			troubles = append(troubles, err)
		}
	}
	_, err = api.Versions(ctx)
	do(err)
	_, ada, err := api.CreateUserWithLogin(ctx, client.UserFields{UserName: "ada", Password: hash, Email: "ada@example.com"})
	if err != nil {
		return errors.Join(append(troubles, err)...)
	}
	bob, err := api.CreateUser(ctx, client.UserFields{UserName: "bob", Password: hash, Email: "bob@example.com"})
	do(err)
	cid, err := api.CreateUser(ctx, client.UserFields{UserName: "cid", Password: hash, Email: "cid@example.com"})
	do(err)
	for _, other := range []*client.User{bob, cid} {
		if other == nil {
			continue
		}
		_, err = ada.Connect(ctx, other.ID, client.Follow)
		do(err)
		_, err = ada.User(ctx, other.ID)
		do(err)
	}
	_, err = ada.Search(ctx, "caf\u00e9 & bar")
	do(err)
	if _, err = ada.User(ctx, client.ParseID("nobody-of-this-name")); !errors.Is(err, client.ErrNotFound) && !errors.Is(err, client.ErrUnprocessable) {
		do(err)
	}
	event, err := ada.CreateEvent(ctx, client.EventFields{Verb: "liked", Object: &client.Object{ID: "song-1"}})
	do(err)
	if err == nil {
		_, err = ada.UpdateEvent(ctx, event.ID, client.EventFields{Verb: "loved", Location: "Berlin"})
		do(err)
		do(ada.DeleteEvent(ctx, event.ID))
	}
	_, err = ada.Feed(ctx)
	do(err)
	if bob != nil {
		do(ada.Disconnect(ctx, bob.ID))
	}
	do(ada.Logout(ctx))
	again, err := api.Login(ctx, client.Credentials{UserName: "ada", Password: hash})
	if err != nil {
		return errors.Join(append(troubles, err)...)
	}
	_, err = again.UpdateMe(ctx, client.UserFields{UserName: "ada", FirstName: "Ada", Password: hash, Email: "ada@example.com"})
	do(err)
	return errors.Join(troubles...)
}
