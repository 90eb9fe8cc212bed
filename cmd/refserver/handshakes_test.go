package main

import (
	"context"
	"crypto/tls"
	"io"
	"net/http"
	"os/exec"
	"strings"
	"testing"
)

// TestClientsThatCannotConnectAreTold has clients that do not trust the certificate, or that speak plain
// HTTP: a line says why, and the way out, three times at most.
func TestClientsThatCannotConnectAreTold(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	out, outWriter := io.Pipe()
	told, toldWriter := io.Pipe()
	exit := make(chan int, 1)
	go func() {
		exit <- run(ctx, []string{"--addr", "127.0.0.1:0", "--log", "off"}, outWriter, toldWriter)
		toldWriter.Close()
		outWriter.Close()
	}()
	greeting := greeted(t, out)
	baseURL, caFile := field(t, greeting, "base URL"), field(t, greeting, "CA file")
	go io.Copy(io.Discard, out)
	client := &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{MinVersion: tls.VersionTLS12}}}
	go func() {
		if curl, err := exec.LookPath("curl"); err == nil { // which says it otherwise than Go does
			_ = exec.CommandContext(ctx, curl, "-s", baseURL+"/versions").Run() // it fails
		}
		for range 5 {
			if response, err := client.Get(baseURL + "/versions"); err == nil {
				response.Body.Close()
			}
		}
	}()
	if line := readUntil(t, told, "further ones are not told"); strings.Count(line, "\n") > 3 || !strings.Contains(line, "does not trust the certificate; give it the authority in "+caFile) {
		t.Errorf("it is told %q", line)
	}
	status := make(chan int, 1)
	go func() {
		response, err := client.Get(strings.Replace(baseURL, "https://", "http://", 1) + "/versions")
		if err != nil {
			status <- 0
			return
		}
		response.Body.Close()
		status <- response.StatusCode
	}()
	if line := readUntil(t, told, "\n"); !strings.Contains(line, "speaks plain HTTP; use https://") {
		t.Errorf("it is told %q", line)
	}
	if got := <-status; got != http.StatusForbidden {
		t.Errorf("plain HTTP is answered with %d", got)
	}
	stop()
	go io.Copy(io.Discard, told)
	if code := <-exit; code != exitOK {
		t.Errorf("exit %d", code)
	}
}
