package tlscert_test

import (
	"crypto/tls"
	"crypto/x509"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/socialfeed/conform/refserver/tlscert"
)

func TestClientsThatTrustTheAuthorityConnect(t *testing.T) {
	certificate, caPEM, err := tlscert.New("feeds.example", "192.0.2.7")
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewUnstartedServer(http.NotFoundHandler())
	server.TLS = &tls.Config{Certificates: []tls.Certificate{certificate}}
	server.StartTLS()
	defer server.Close()

	pool := x509.NewCertPool()
	if !pool.AppendCertsFromPEM(caPEM) {
		t.Fatal("the authority is no PEM certificate")
	}
	for _, name := range []string{"localhost", "127.0.0.1", "::1", "feeds.example", "192.0.2.7"} {
		conn, err := tls.Dial("tcp", server.Listener.Addr().String(), &tls.Config{RootCAs: pool, ServerName: name})
		if err != nil {
			t.Errorf("as %s: %v", name, err)
			continue
		}
		conn.Close()
	}
	if conn, err := tls.Dial("tcp", server.Listener.Addr().String(), &tls.Config{RootCAs: pool, ServerName: "elsewhere.example"}); err == nil {
		conn.Close()
		t.Error("the certificate also holds for a host that was not asked for")
	}
}
