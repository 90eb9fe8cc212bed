package main

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

func TestHealthAsksTheControlPlane(t *testing.T) {
	t.Parallel()
	greeting, stop, exit := inProcess(t, "--addr", "127.0.0.1:0", "--control", "127.0.0.1:0")
	control := strings.TrimPrefix(field(t, greeting, "control"), "http://")
	broken := httptest.NewServer(http.NotFoundHandler())
	defer broken.Close()
	defer func() { stop(); <-exit }()
	for address, want := range map[string]struct {
		code int
		says string
	}{
		control: {exitOK, "ok\n"},
		strings.TrimPrefix(broken.URL, "http://"): {exitFailed, "/healthz answers 404"},
		"127.0.0.1:1": {exitFailed, "refused"},
		"8444":        {exitUsage, "--control 8444: it is HOST:PORT"},
	} {
		var output bytes.Buffer
		ctx, cancel := contextOf(t)
		if code := run(ctx, []string{"health", "--control", address}, &output, &output); code != want.code || !strings.Contains(output.String(), want.says) {
			t.Errorf("health at %s: exit %d, want %d with %q\n%s", address, code, want.code, want.says, output.String())
		}
		cancel()
	}
}
