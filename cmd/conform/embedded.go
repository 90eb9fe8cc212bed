package main

import (
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"time"

	"github.com/socialfeed/conform/conformance"
	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/tlscert"
)

// embeddedRate is the rate of a run on the embedded server, which limits nothing then: drawn stories take no longer
// than they need.
const embeddedRate = 1_000_000

// startEmbedded serves the reference server over TLS on a free loopback port, with
// two applications, until stop is called.
func startEmbedded(ctx context.Context, limited bool) (target conformance.Target, stop func(), err error) {
	target = conformance.Target{AppToken: refserver.NewAppToken(), SecondAppToken: refserver.NewAppToken()}
	const passwordCost = 1 // its users are gone with it: nothing is to be guessed
	options := refserver.Options{AppTokens: []string{target.AppToken, target.SecondAppToken}, PasswordCost: passwordCost}
	if !limited {
		options.RateLimit = -1
	}
	handler, err := refserver.New(options)
	if err != nil {
		return target, nil, err
	}
	certificate, caPEM, err := tlscert.New()
	if err != nil {
		return target, nil, err
	}
	listener, err := listenLoopback(ctx)
	if err != nil {
		return target, nil, err
	}
	target.BaseURL, target.CACert = "https://"+listener.Addr().String(), caPEM
	stopServing := startServing(handler, listener, serverTLS(certificate))
	return target, func() { _ = stopServing() }, nil
}

// serverTLS is how a server of this program shows its certificate.
func serverTLS(certificate tls.Certificate) *tls.Config {
	return &tls.Config{MinVersion: tls.VersionTLS12, Certificates: []tls.Certificate{certificate}}
}

// startServing serves until the returned function is called, which waits for the end.
func startServing(handler http.Handler, listener net.Listener, config *tls.Config) (stop func() error) {
	server := &http.Server{
		Handler: handler, TLSConfig: config, ReadHeaderTimeout: 10 * time.Second,
		ErrorLog: log.New(io.Discard, "", 0), // malformed requests are sent on purpose, and a client's tests show its failed handshakes
	}
	served := make(chan struct{})
	go func() {
		defer close(served)
		_ = refserver.Serve(server, listener) // its error is that the server was closed
	}()
	return func() error {
		defer func() { <-served }()
		return server.Close()
	}
}

// listenLoopback opens a port of this machine that the system picks.
func listenLoopback(ctx context.Context) (net.Listener, error) {
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("opening a port: %w", err)
	}
	return listener, nil
}
