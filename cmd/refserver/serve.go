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
	"github.com/socialfeed/conform/refserver/faults"
	"github.com/socialfeed/conform/refserver/tlscert"
)

// stopWait bounds how long requests may take to finish once the command is told to stop.
const stopWait = 5 * time.Second

// serve runs the server until the context ends.
func serve(ctx context.Context, set settings, stdout, stderr io.Writer) error {
	options, appToken, err := set.options()
	if err != nil {
		return err
	}
	var fault faults.Fault
	if set.fault != "" {
		if fault, err = faults.Find(set.fault); err != nil {
			return fmt.Errorf("--fault: %w; --list-faults names them", err)
		}
		fault.Apply(&options)
	}
	logs := slog.NewTextHandler(stderr, &slog.HandlerOptions{Level: slog.LevelWarn})
	options.Logger = slog.New(logs)
	handler, err := refserver.New(options)
	if err != nil {
		return err
	}
	listener, err := listen(ctx, set.addr)
	if err != nil {
		return err
	}
	defer listener.Close()    // serving closes it first, save where the next step fails
	trust, err := set.trust() // after listening, so that a second server does not overwrite the first one's CA file
	if err != nil {
		return err
	}
	defer trust.remove()
	if fault.Listen != nil {
		listener = fault.Listen(listener, handler)
	}
	server := &http.Server{
		Handler:           handler,
		ReadHeaderTimeout: 10 * time.Second,
		ReadTimeout:       30 * time.Second,
		WriteTimeout:      60 * time.Second,
		IdleTimeout:       2 * time.Minute,
		MaxHeaderBytes:    64 << 10,
		ErrorLog:          slog.NewLogLogger(logs, slog.LevelDebug), // a client's failed handshake is no news
		TLSConfig:         trust.config,
	}
	greeting{
		baseURL: set.baseURL(listener.Addr()), dialect: set.dialect, fault: fault.Summary, caFile: trust.caFile, appToken: appToken,
	}.print(stdout)
	return serveUntil(ctx, server, listener)
}

// serveUntil serves until the context ends, and then lets requests finish.
func serveUntil(ctx context.Context, server *http.Server, listener net.Listener) error {
	served := make(chan error, 1)
	go func() {
		if server.TLSConfig == nil {
			served <- server.Serve(listener)
		} else {
			served <- server.ServeTLS(listener, "", "")
		}
	}()
	select {
	case err := <-served:
		return fmt.Errorf("%w: %w", errServing, err)
	case <-ctx.Done():
	}
	stopping, cancel := context.WithTimeout(context.WithoutCancel(ctx), stopWait)
	defer cancel()
	err := server.Shutdown(stopping)
	if errors.Is(err, context.DeadlineExceeded) {
		err = server.Close()
	}
	<-served
	if err != nil {
		return fmt.Errorf("%w: stopping: %w", errServing, err)
	}
	return nil
}

func listen(ctx context.Context, addr string) (net.Listener, error) {
	var config net.ListenConfig
	listener, err := config.Listen(ctx, "tcp", addr)
	if errors.Is(err, syscall.EADDRINUSE) {
		return nil, fmt.Errorf("%s is in use already; choose another address with --addr (port 0 picks a free port)", addr)
	}
	if err != nil {
		return nil, fmt.Errorf("--addr %s: %w", addr, err)
	}
	return listener, nil
}

// trust is what the server proves itself with; no config means plain HTTP.
type trust struct {
	config *tls.Config
	caFile string // the authority's file, or blank where the certificate is one's own
	remove func() // takes away what does not outlive the command
}

func (set settings) trust() (trust, error) {
	nothing := func() {}
	if set.plainHTTP {
		return trust{remove: nothing}, nil
	}
	if set.certFile != "" {
		certificate, err := tls.LoadX509KeyPair(set.certFile, set.keyFile)
		if err != nil {
			return trust{}, fmt.Errorf("reading --tls-cert and --tls-key: %w", err)
		}
		return trust{config: tlsConfig(certificate), remove: nothing}, nil
	}
	certificate, caPEM, err := tlscert.New(set.hosts()...)
	if err != nil {
		return trust{}, err
	}
	if set.caFile != "" {
		if err := os.WriteFile(set.caFile, caPEM, 0o644); err != nil {
			return trust{}, fmt.Errorf("writing --ca-out: %w", err)
		}
		return trust{config: tlsConfig(certificate), caFile: set.caFile, remove: nothing}, nil
	}
	path, err := writeTemp(caPEM)
	if err != nil {
		return trust{}, fmt.Errorf("writing the CA file: %w", err)
	}
	return trust{config: tlsConfig(certificate), caFile: path, remove: func() { os.Remove(path) }}, nil
}

func tlsConfig(certificate tls.Certificate) *tls.Config {
	return &tls.Config{Certificates: []tls.Certificate{certificate}, MinVersion: tls.VersionTLS12}
}

func writeTemp(data []byte) (string, error) {
	file, err := os.CreateTemp("", "refserver-ca-*.pem")
	if err != nil {
		return "", err
	}
	_, err = file.Write(data)
	return file.Name(), errors.Join(err, file.Close())
}

// hosts are the names beside localhost that the made certificate holds for.
func (set settings) hosts() []string {
	var hosts []string
	if name, err := os.Hostname(); err == nil {
		hosts = append(hosts, name)
	}
	if host, _, err := net.SplitHostPort(set.addr); err == nil && host != "" {
		hosts = append(hosts, host)
	}
	return hosts
}
