// Command host serves the reference server for the measurement with mutants: it prints one
// line of JSON that says how to reach it, and ends with its standard input.
package main

import (
	"context"
	"crypto/tls"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/tlscert"
)

func main() {
	if err := run(os.Stdin, os.Stdout, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// run serves on a free loopback port until in ends; the arguments are the app tokens.
func run(in io.Reader, out io.Writer, appTokens []string) error {
	server, err := refserver.New(refserver.Options{AppTokens: appTokens, RateLimit: -1, PasswordCost: 1})
	if err != nil {
		return err
	}
	certificate, authority, err := tlscert.New()
	if err != nil {
		return err
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return fmt.Errorf("listening: %w", err)
	}
	front := &http.Server{
		Handler:   server,
		TLSConfig: &tls.Config{Certificates: []tls.Certificate{certificate}},
		ErrorLog:  log.New(io.Discard, "", 0),
	}
	served := make(chan error, 1)
	go func() { served <- refserver.Serve(front, listener) }()
	line := map[string]string{"base_url": "https://" + listener.Addr().String(), "ca_pem": string(authority)}
	if err := json.NewEncoder(out).Encode(line); err != nil {
		return fmt.Errorf("saying where the server is: %w", err)
	}
	ended := make(chan error, 1)
	go func() {
		_, err := io.Copy(io.Discard, in)
		ended <- err
	}()
	select {
	case err := <-served:
		return fmt.Errorf("serving: %w", err)
	case err := <-ended:
		if err != nil {
			return fmt.Errorf("waiting for the end of the input: %w", err)
		}
		return front.Shutdown(context.Background())
	}
}
