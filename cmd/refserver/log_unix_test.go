//go:build unix

package main

import (
	"bytes"
	"net/http"
	"strings"
	"syscall"
	"testing"
)

// TestSignalsFlushTheLog ends a server by each signal just after a request.
func TestSignalsFlushTheLog(t *testing.T) {
	binary := asProgram(t)
	for _, form := range []string{"requests", "json"} {
		for _, s := range []syscall.Signal{syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP} {
			var stderr bytes.Buffer
			command, baseURL := ofProcess(t, &stderr, binary, "--addr", "127.0.0.1:0", "--http", "--control", "off", "--log", form, "--app-token", "given-app")
			if status := createUser(t, baseURL, "", "given-app"); status != http.StatusCreated {
				t.Errorf("status %d", status)
			}
			if err := command.Process.Signal(s); err != nil {
				t.Fatal(err)
			}
			if err := command.Wait(); err != nil || strings.Count(stderr.String(), "\n") != 1 || !strings.Contains(stderr.String(), "/0.2/users") {
				t.Errorf("%s, %s: %v, stderr %q", form, s, err, stderr.String())
			}
		}
	}
}
