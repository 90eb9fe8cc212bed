package conformance_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	. "github.com/socialfeed/conform/conformance"
	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/conformance/rules"
)

// served is a TLS server with a certificate for 127.0.0.1 of its own making, and
// the certificate.
func served(t *testing.T, change func(*x509.Certificate), handler http.Handler) (base string, ca []byte) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "fake"}, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
		NotBefore: time.Now().Add(-48 * time.Hour), NotAfter: time.Now().Add(48 * time.Hour),
		IsCA: true, BasicConstraintsValid: true,
	}
	change(template)
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewUnstartedServer(handler)
	server.TLS = &tls.Config{Certificates: []tls.Certificate{{Certificate: [][]byte{der}, PrivateKey: key}}}
	server.StartTLS()
	t.Cleanup(server.Close)
	return server.URL, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})
}

func TestNoVerdictWithoutATarget(t *testing.T) {
	f := newFake(t)
	html := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = w.Write([]byte("<h1>It works!</h1>"))
	})
	page := httptest.NewServer(html)
	t.Cleanup(page.Close)
	closed := httptest.NewServer(html)
	closed.Close()
	expired, expiredCA := served(t, func(c *x509.Certificate) { c.NotAfter = time.Now().Add(-time.Hour) }, f)
	other, otherCA := served(t, func(c *x509.Certificate) { c.IPAddresses = nil; c.DNSNames = []string{"feed.example"} }, f)
	unnamed, unnamedCA := served(t, func(c *x509.Certificate) { c.IPAddresses = nil }, f)
	for name, tc := range map[string]struct {
		target       Target
		reason, hint string
	}{
		"nobody there":      {Target{BaseURL: closed.URL, AllowHTTP: true}, "connection was refused", ""},
		"another site":      {Target{BaseURL: page.URL, AllowHTTP: true}, "does not look like the service", "check Config.Target.BaseURL"},
		"unknown authority": {Target{BaseURL: f.server.URL}, "no answer from", "Config.Target.CACert"},
		"expired":           {Target{BaseURL: expired, CACert: expiredCA}, "expired", "out of date"},
		"another host":      {Target{BaseURL: other, CACert: otherCA}, "no answer from", "another host: use a name it is made for in Config.Target.BaseURL: feed.example"},
		"no name at all":    {Target{BaseURL: unnamed, CACert: unnamedCA}, "no answer from", "no subject alternative name"},
		"no TLS":            {Target{BaseURL: strings.Replace(page.URL, "http:", "https:", 1)}, "no answer from", "does not speak TLS"},
		"a prefix too many": {Target{BaseURL: page.URL + "/api/v1", AllowHTTP: true}, "does not look like the service", "check Config.Target.BaseURL"},
	} {
		t.Run(name, func(t *testing.T) {
			config := f.config("users.me.get")
			config.Target = tc.target
			config.Target.AppToken = appToken
			report, err := newJudge(t, config, func(s *Suite) { s.Scenario("a", Covers("users.me.get"), readsItself) }).Run(t.Context())
			var unreachable *UnreachableError
			if !errors.As(err, &unreachable) {
				t.Fatalf("got %v, want an UnreachableError", err)
			}
			if !strings.Contains(unreachable.Reason, tc.reason) || strings.Contains(unreachable.Reason, "\n") || !strings.Contains(unreachable.Hint, tc.hint) {
				t.Errorf("reason %q, hint %q", unreachable.Reason, unreachable.Hint)
			}
			if report == nil || report.Verdict != result.Incomplete || len(report.Rules) != rulesInAll(t) {
				t.Fatalf("the report is %+v", report)
			}
			expectRule(t, report, "users.me.get", result.Error, "not judged: "+unreachable.Reason)
			expectNoSecrets(t, report, appToken)
		})
	}
}

func TestInsecureAcceptsAnyCertificate(t *testing.T) {
	f := newFake(t)
	expired, _ := served(t, func(c *x509.Certificate) { c.NotAfter = time.Now().Add(-time.Hour) }, f)
	config := f.config("users.me.get")
	config.Target = Target{BaseURL: expired, AppToken: appToken, Insecure: true}
	report := judged(t, config, func(s *Suite) { s.Scenario("a", Covers("users.me.get"), readsItself) })
	expectRule(t, report, "users.me.get", result.Pass, "")
}

func TestAWrongAppTokenIsAMistakeOfConfiguration(t *testing.T) {
	f := newFake(t)
	config := f.config("users.me.get")
	config.Target.AppToken = "mistyped-app-token"
	judge := newJudge(t, config, func(s *Suite) { s.Scenario("a", Covers("users.me.get"), readsItself) })
	report, err := judge.Run(t.Context())
	var mistake *ConfigError
	if !errors.As(err, &mistake) || !strings.Contains(err.Error(), "Config.Target.AppToken") || strings.Contains(err.Error(), "mistyped") {
		t.Errorf("got %v", err)
	}
	if report.Verdict != result.Incomplete {
		t.Errorf("the verdict is %s", report.Verdict)
	}
	expectNoSecrets(t, report, "mistyped-app-token")
	if err := judge.Contact(t.Context()); !errors.As(err, &mistake) {
		t.Errorf("the contact ends with %v", err)
	}
}

// A target that breaks what first contact tries is judged all the same.
func TestFirstContactIsNoJudgement(t *testing.T) {
	f := newFake(t)
	for name, instead := range map[string]func(http.ResponseWriter, *http.Request) bool{
		"no versions": func(w http.ResponseWriter, r *http.Request) bool {
			if r.URL.Path != "/versions" {
				return false
			}
			http.NotFound(w, r)
			return true
		},
		"creating fails": func(w http.ResponseWriter, r *http.Request) bool {
			if r.URL.Path != "/0.2/users" {
				return false
			}
			http.Error(w, "oops", http.StatusInternalServerError)
			return true
		},
	} {
		f.instead = instead
		if err := newJudge(t, f.config(), func(*Suite) {}).Contact(t.Context()); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	if f.left() != 0 {
		t.Errorf("%d users are left behind", f.left())
	}
}

func TestConfigurationsThatMakeNoSenseAreRefused(t *testing.T) {
	f := newFake(t)
	for complaint, change := range map[string]func(*Config){
		"no app token":                            func(c *Config) { c.Target.AppToken = "" },
		"cannot hold a colon":                     func(c *Config) { c.Target.AppToken = "a:b" },
		"scheme \"ftp\"":                          func(c *Config) { c.Target.BaseURL = "ftp://host" },
		"must begin with https://":                func(c *Config) { c.Target.BaseURL = "host:8443" },
		"not a valid URL":                         func(c *Config) { c.Target.BaseURL = "https://ho st:secret@" },
		"no credentials":                          func(c *Config) { c.Target.BaseURL = "https://user:secret@host" },
		"no credentials, query":                   func(c *Config) { c.Target.BaseURL = "https://host?x=1" },
		"the CA file holds no PEM":                func(c *Config) { c.Target.CACert = []byte("secret") },
		"Config.FailOn":                           func(c *Config) { c.FailOn = rules.Choice },
		"Config.Shard":                            func(c *Config) { c.Shard = Shard{Index: 3, Of: 2} },
		"1 ≤ I ≤ N":                               func(c *Config) { c.Shard = Shard{Index: 0, Of: 2} },
		"Config.RateLimits":                       func(c *Config) { c.RateLimits, c.Shard = true, Shard{Index: 1, Of: 2} },
		"above zero":                              func(c *Config) { c.Settle = -time.Second },
		"must be above zero":                      func(c *Config) { c.Rate = -1 },
		"rates, durations":                        func(c *Config) { c.Rate, c.Shard = -1, Shard{Index: 1, Of: 2} },
		"Config.Selection.Rules nonsense matches": func(c *Config) { c.Selection.Rules = []string{"nonsense"} },
	} {
		config := f.config()
		change(&config)
		_, err := New(config, func(*Suite) {})
		var mistake *ConfigError
		if !errors.As(err, &mistake) || !strings.Contains(err.Error(), complaint) || strings.Contains(err.Error(), "secret") {
			t.Errorf("got %v, want a ConfigError with %q", err, complaint)
		}
	}
}
