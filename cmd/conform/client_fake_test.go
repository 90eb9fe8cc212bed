package main

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"net/http"
	"os"
	"testing"
	"time"

	"github.com/socialfeed/conform/conformance/clients"
	"github.com/socialfeed/conform/conformance/rules"
)

// TestAFakeStopsWithTheRecordComplete has a client leave before its answer comes.
func TestAFakeStopsWithTheRecordComplete(t *testing.T) {
	catalogue := rules.LoadClient()
	id, err := newIdentity()
	if err != nil {
		t.Fatal(err)
	}
	defer id.remove()
	came := make(chan struct{})
	slow := func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			close(came)
			time.Sleep(200 * time.Millisecond)
			next.ServeHTTP(w, r)
		})
	}
	c := &clientRun{catalogue: catalogue, identity: id, habits: clients.NewHabits()}
	f, err := c.startFake(t.Context(), surrounding{name: "slow", manner: slow})
	if err != nil {
		t.Fatal(err)
	}
	ctx, leave := context.WithCancel(t.Context())
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, f.service.BaseURL+"/versions", nil)
	if err != nil {
		t.Fatal(err)
	}
	pem, err := os.ReadFile(id.caFile)
	if err != nil {
		t.Fatal(err)
	}
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(pem)
	trusting := &http.Transport{TLSClientConfig: &tls.Config{MinVersion: tls.VersionTLS12, RootCAs: roots}}
	defer trusting.CloseIdleConnections()
	go func() { <-came; leave() }()
	if response, err := trusting.RoundTrip(r); err == nil {
		response.Body.Close()
		t.Fatal("the client had its answer")
	}
	if err := f.stop(); err != nil {
		t.Fatal(err)
	}
	if f.requests != 1 {
		t.Errorf("%d requests are on record", f.requests)
	}
}
