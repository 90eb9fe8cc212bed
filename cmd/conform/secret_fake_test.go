//go:build unix

package main

import (
	"encoding/json"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"
)

// TestTheFakeTellsNoSecret says secrets in every place of a request to refserver, and looks for them in its
// log, its journal and its console.
func TestTheFakeTellsNoSecret(t *testing.T) {
	t.Parallel()
	for _, form := range []string{"requests", "json"} {
		t.Run(form, func(t *testing.T) {
			t.Parallel()
			cmd := exec.CommandContext(t.Context(), program("refserver"), "--http", "--addr", "127.0.0.1:0", "--control", "127.0.0.1:0", "--log", form)
			cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
			var out, diagnostics growing
			cmd.Stdout, cmd.Stderr = &out, &diagnostics
			launch(t, cmd)
			out.until(t, 0, "withLogin=true'")
			greeting := out.text.String()
			said := func(pattern string) string {
				found := regexp.MustCompile(pattern).FindStringSubmatch(greeting)
				if found == nil {
					t.Fatalf("no %s in %s", pattern, greeting)
				}
				return found[1]
			}
			base, app := said(`(?m)^base URL: +(\S+)$`), said(`(?m)^app token: +(\S+)$`)
			at, err := url.Parse(base)
			if err != nil {
				t.Fatal(err)
			}
			l := newLeaks()
			l.expect("the app token", app)
			places, n := secretPlaces(), 0
			for _, p := range places {
				if strings.HasPrefix(p.name, "an answer") {
					continue
				}
				n++
				secret := secretText()
				if !p.named {
					secret = opened(t, base, app)
				}
				l.expect(p.name, secret)
				x := talk{method: http.MethodGet, target: "/0.2/user"}
				if p.at == "a body" {
					x.method = http.MethodPut
				}
				p.put(&x, secret)
				conn, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", at.Host)
				if err != nil {
					t.Fatal(err)
				}
				say(t, conn, x)
			}
			plane, token := said(`(?m)^control(?: plane)?: +(\S+)$`), said(`(?m)^control token: +(\S+)$`)
			for _, path := range []string{"/v1/journal", "/worlds/default"} {
				l.in(path, connectPanel.ReplaceAllString(planeSays(t, plane+path, token), ""))
			}
			if err := cmd.Process.Signal(os.Interrupt); err != nil {
				t.Fatal(err)
			}
			_ = cmd.Wait() // the code tells nothing here
			log := out.text.String()[len(greeting):]
			if strings.Count(log+diagnostics.text.String(), "\n") < n {
				t.Errorf("the log is short: %s%s", log, diagnostics.text.String())
			}
			l.in("stdout", log)
			l.in("stderr", diagnostics.text.String())
			l.told(t, n)
		})
	}
}

// connectPanel matches the part of a page that gives the app token to whoever is logged in to the control plane.
var connectPanel = regexp.MustCompile(`(?s)<section aria-labelledby="connect">.*?</section>`)

// opened is the session token of a new user.
func opened(t *testing.T, base, app string) string {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, base+"/0.2/users?withLogin=true", strings.NewReader(`{"user_name":"ada","password":"`+secretText()+`"}`))
	if err != nil {
		t.Fatal(err)
	}
	r.SetBasicAuth(app, "")
	r.Header.Set("Content-Type", "application/json")
	answer := fetched(t, r)
	var user struct {
		SessionToken string `json:"session_token"`
	}
	if err := json.Unmarshal([]byte(answer), &user); err != nil || user.SessionToken == "" {
		t.Fatalf("no session: %s", answer)
	}
	return user.SessionToken
}

func planeSays(t *testing.T, address, token string) string {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+token)
	return fetched(t, r)
}

func fetched(t *testing.T, r *http.Request) string {
	t.Helper()
	response, err := (&http.Transport{DisableKeepAlives: true}).RoundTrip(r)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	data, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode >= http.StatusBadRequest {
		t.Fatalf("%s: %d %v %.300s", r.URL, response.StatusCode, err, data)
	}
	return string(data)
}
