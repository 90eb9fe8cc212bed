package main

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/socialfeed/conform/conformance/result"
)

// TestNothingToJudge says once, in a word, why a target cannot be judged, and what helps. What is
// wrong with the set-up is exit 2: a pipeline need not try it again.
func TestNothingToJudge(t *testing.T) {
	t.Parallel()
	good := reference(t, nil)
	secure, plain := serve(t, good), servePlain(t, good)
	address := func(flags []string) string { _, host, _ := strings.Cut(flags[1], "://"); return host }
	closed := listen(t)
	closed.Close()
	to := func(url string, more ...string) []string {
		return append([]string{"--base-url", url, "--app-token", appToken}, more...)
	}
	expired, expiredCA := expiredServer(t, good)
	mute := muteHTTP2(t, good)
	jsonSpeaking, _ := startReference(t) // which refuses in JSON what speaks no TLS
	for name, wrong := range map[string]struct {
		args []string
		code int
		why  result.Reason
		says []string
	}{
		"wrong token":             {append(slices.Clone(secure), "--app-token", "of-another-target"), exitUsage, "", []string{"refuses the app token", "CONFORM_APP_TOKEN", "--app-token"}},
		"wrong second token":      {append(slices.Clone(secure), "--second-app-token", "of-another-target"), exitUsage, "", []string{"refuses the second app token", "answered 401", "CONFORM_SECOND_APP_TOKEN", "--second-app-token"}},
		"waiting for trust":       {to(secure[1], "--wait", "5m"), exitUsage, result.Untrusted, []string{"--ca-cert"}},
		"waiting in vain":         {to("https://"+closed.Addr().String(), "--wait", "1s"), exitNoVerdict, result.Unreachable, []string{"waited 1s", "refused"}},
		"authority not trusted":   {to(secure[1]), exitUsage, result.Untrusted, []string{"--ca-cert"}},
		"another authority":       {to(secure[1], "--ca-cert", expiredCA), exitUsage, result.Untrusted, []string{"--ca-cert"}},
		"certificate for another": {to("https://localhost:"+port(secure[1]), secure[4:]...), exitUsage, result.Untrusted, []string{"another host"}},
		"certificate expired":     {to(expired, "--ca-cert", expiredCA), exitUsage, result.Untrusted, []string{"out of date"}},
		"https to a plain port":   {to("https://" + address(plain)), exitUsage, result.WrongProtocol, []string{"does not speak TLS", "--allow-http"}},
		"http to a port of JSON":  {to("http://"+strings.TrimPrefix(jsonSpeaking, "https://"), "--allow-http"), exitUsage, result.WrongProtocol, []string{"give --base-url as https://"}},
		"http to a TLS port":      {to("http://"+address(secure), "--allow-http"), exitUsage, result.WrongProtocol, []string{"give --base-url as https://"}},
		"nothing listening":       {to("https://" + closed.Addr().String()), exitNoVerdict, result.Unreachable, []string{"refused", "--wait 60s"}},
		"host of no such name":    {to("https://no-such-host.invalid"), exitUsage, result.UnknownHost, []string{"no-such-host.invalid"}},
		"HTTP/2 that is dead":     {to(mute, "--insecure", "--wait", "5m"), exitNoVerdict, result.DeadHTTP2, []string{"over HTTP/2", "got nothing, then ", "take h2 from the ALPN protocols"}},
		"path of another service": {to(secure[1]+"/elsewhere", secure[4:]...), exitUsage, result.Stranger, []string{"--base-url"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := judged(t, wrong.args...)
			o.wants(t, wrong.code)
			const most = 3
			o.fewLines(t, most)
			if n := o.report.NoVerdict; wrong.why != "" && (n == nil || n.Reason != wrong.why || n.Retry != (wrong.code == exitNoVerdict)) {
				t.Errorf("the JSON report gives as reason %+v", n)
			}
			for _, word := range wrong.says {
				if !strings.Contains(o.stderr, word) {
					t.Errorf("stderr does not say %q: %s", word, o.stderr)
				}
			}
			if o.stdout != "" {
				t.Errorf("there is nothing to report, and stdout has %.80q", o.stdout)
			}
			if strings.Contains(o.stderr+o.written, "of-another-target") {
				t.Error("the token is told")
			}
		})
	}
	t.Cleanup(func() { empty(t, good) })
}

// muteHTTP2 serves over HTTP/1.1, and ends each connection that chose HTTP/2.
func muteHTTP2(t *testing.T, handler http.Handler) (baseURL string) {
	t.Helper()
	server := httptest.NewUnstartedServer(handler)
	server.Config.ErrorLog = silent()
	server.TLS = &tls.Config{NextProtos: []string{"h2", "http/1.1"}}
	server.Config.TLSNextProto = map[string]func(*http.Server, *tls.Conn, http.Handler){"h2": func(*http.Server, *tls.Conn, http.Handler) {}}
	server.StartTLS()
	t.Cleanup(server.Close)
	return server.URL
}

// TestInsecureTrustsAnyCertificate is the way out that the hint names.
func TestInsecureTrustsAnyCertificate(t *testing.T) {
	t.Parallel()
	expired, _ := expiredServer(t, reference(t, nil))
	o := judged(t, "--base-url", expired, "--app-token", appToken, "--insecure", "--part", "versions")
	o.wants(t, exitConformant)
}

func port(baseURL string) string { return baseURL[strings.LastIndex(baseURL, ":")+1:] }

// expiredServer serves under a certificate that was valid until yesterday.
func expiredServer(t *testing.T, handler http.Handler) (baseURL, caFile string) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
		NotBefore: time.Now().AddDate(0, 0, -2), NotAfter: time.Now().AddDate(0, 0, -1),
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign | x509.KeyUsageDigitalSignature,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewUnstartedServer(handler)
	server.Config.ErrorLog = silent()
	server.TLS = &tls.Config{Certificates: []tls.Certificate{{Certificate: [][]byte{der}, PrivateKey: key}}}
	server.StartTLS()
	t.Cleanup(server.Close)
	return server.URL, file(t, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}))
}

// TestACreateThatAsksForASessionIsABrokenRule judges a target that lets nobody in who has no session
// yet: the app token is right, and the contract's rule about creates is what it breaks.
func TestACreateThatAsksForASessionIsABrokenRule(t *testing.T) {
	t.Parallel()
	good := reference(t, nil)
	closed := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if _, session, _ := r.BasicAuth(); r.Method == http.MethodPost && r.URL.Path == "/0.2/users" && session == "" {
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(http.StatusUnauthorized)
			_, _ = w.Write([]byte(`{"reason":"a session is required"}`))
			return
		}
		good.ServeHTTP(w, r)
	})
	o := judged(t, append(serve(t, closed), "--rule", "users.create.status")...)
	o.wants(t, exitNonConformant)
	if !strings.Contains(o.stdout, "users.create.status") || strings.Contains(o.stdout+o.stderr, "refuses the app token") {
		t.Errorf("%s%s", o.stdout, o.stderr)
	}
}
