// Command stores is a small server of the service over a store that is named: SQLite, bbolt or a plain file.
// conform --restarts judges what each of them keeps. It has what stories with restarts need of the
// service, and no more.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/signal"
	"syscall"
	"time"
)

func main() {
	kind := flag.String("store", "", "sqlite, sqlite-off, bbolt, bbolt-nosync, file or file-in-place")
	path := flag.String("path", "", "`FILE` to keep everything in")
	flag.Parse()
	if err := serve(*kind, *path); err != nil {
		fmt.Fprintln(os.Stderr, "stores:", err)
		os.Exit(1)
	}
}

// open opens a store by its name.
func open(kind, path string) (store, error) {
	switch kind {
	case "sqlite":
		return openSQLite(path, "FULL")
	case "sqlite-off":
		return openSQLite(path, "OFF")
	case "bbolt":
		return openBolt(path, false)
	case "bbolt-nosync":
		return openBolt(path, true)
	case "file":
		return openFile(path, writeAndRename)
	case "file-in-place":
		return openFile(path, writeInPlace)
	}
	return nil, fmt.Errorf("there is no store %q", kind)
}

func serve(kind, path string) error {
	s, err := open(kind, path)
	if err != nil {
		return err
	}
	defer s.close()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	server := &http.Server{Addr: net.JoinHostPort("127.0.0.1", os.Getenv("PORT")), Handler: service{s, os.Getenv("APP_TOKEN")}.routes(), ReadHeaderTimeout: time.Minute}
	ended := make(chan error, 1)
	go func() { ended <- server.ListenAndServe() }()
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
	}
	stopping, cancel := context.WithTimeout(context.Background(), 3*time.Second)
	defer cancel()
	if err := server.Shutdown(stopping); err != nil && !errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return nil
}
