package main

import (
	"bufio"
	"crypto/tls"
	"encoding/pem"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/tlscert"
)

const (
	appToken       = "first-application-of-the-tests"
	secondAppToken = "second-application-of-the-tests"
)

// htmlPage is what answers where no service does.
const htmlPage = "<!DOCTYPE html><html><body><h1>It works!</h1></body></html>"

// reference makes a good server, in this process so that a test can look inside.
func reference(t *testing.T, shape func(*refserver.Options)) *refserver.Server {
	t.Helper()
	options := refserver.Options{AppTokens: []string{appToken, secondAppToken}, AllowPlainHTTP: true}
	if shape != nil {
		shape(&options)
	}
	server, err := refserver.New(options)
	if err != nil {
		t.Fatal(err)
	}
	return server
}

// empty sees that nothing of a run is left on the server.
func empty(t *testing.T, server *refserver.Server) {
	t.Helper()
	left := server.Stats()
	if left.Users+left.Sessions+left.Connections+left.Events > 0 {
		t.Errorf("left on the target: %+v", left)
	}
}

// silent is a log that nobody reads: what hostile peers make net/http complain about.
func silent() *log.Logger { return log.New(io.Discard, "", 0) }

// serve serves a handler over TLS, up to the end of the test. It returns the
// flags that lead conform there.
func serve(t *testing.T, handler http.Handler) []string {
	t.Helper()
	server := httptest.NewUnstartedServer(handler)
	server.Config.ErrorLog = silent()
	server.StartTLS()
	t.Cleanup(func() { server.CloseClientConnections(); server.Close() })
	caPEM := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw})
	return []string{"--base-url", server.URL, "--app-token", appToken, "--ca-cert", file(t, caPEM)}
}

// servePlain is serve without TLS.
func servePlain(t *testing.T, handler http.Handler) []string {
	t.Helper()
	server := httptest.NewUnstartedServer(handler)
	server.Config.ErrorLog = silent()
	server.Start()
	t.Cleanup(func() { server.CloseClientConnections(); server.Close() })
	return []string{"--base-url", server.URL, "--app-token", appToken, "--allow-http"}
}

// file writes a file for a flag to name.
func file(t *testing.T, data []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// certificate makes one for this machine, with the file of its authority.
func certificate(t *testing.T) (tls.Certificate, string) {
	t.Helper()
	made, caPEM, err := tlscert.New()
	if err != nil {
		t.Fatal(err)
	}
	return made, file(t, caPEM)
}

// listen opens a loopback port up to the end of the test.
func listen(t *testing.T) net.Listener {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { listener.Close() })
	return listener
}

// peer is what answers a request as no HTTP server would: it gets the connection
// once the request's header is read, and keeps it until done is closed.
type peer func(conn net.Conn, done <-chan struct{})

// raw has a peer answer every request, over TLS or without.
func raw(t *testing.T, secure bool, answer peer) []string {
	t.Helper()
	listener := listen(t)
	flags := []string{"--base-url", "http://" + listener.Addr().String(), "--app-token", appToken, "--allow-http"}
	if secure {
		made, caFile := certificate(t)
		flags = []string{"--base-url", "https://" + listener.Addr().String(), "--app-token", appToken, "--ca-cert", caFile}
		listener = tls.NewListener(listener, &tls.Config{Certificates: []tls.Certificate{made}})
	}
	done := make(chan struct{})
	var open sync.WaitGroup
	open.Go(func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			open.Go(func() {
				defer conn.Close()
				for header := bufio.NewReader(conn); ; {
					if _, err := http.ReadRequest(header); err != nil {
						return
					}
					answer(conn, done)
				}
			})
		}
	})
	t.Cleanup(func() { close(done); listener.Close(); open.Wait() })
	return flags
}

// behind passes requests on to a good server in another process.
func behind(t *testing.T, baseURL string, trust *tls.Config) http.Handler {
	t.Helper()
	to, err := url.Parse(baseURL)
	if err != nil {
		t.Fatal(err)
	}
	transport := &http.Transport{TLSClientConfig: trust, MaxIdleConnsPerHost: 16}
	t.Cleanup(transport.CloseIdleConnections)
	return &httputil.ReverseProxy{
		Rewrite:   func(r *httputil.ProxyRequest) { r.SetURL(to) },
		Transport: transport, ErrorLog: silent(),
	}
}

// slowed delays each request, as a far network does.
func slowed(by time.Duration, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		select {
		case <-time.After(by):
			next.ServeHTTP(w, r)
		case <-r.Context().Done():
		}
	})
}
