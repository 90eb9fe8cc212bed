package main

import (
	"bufio"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"net/http"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/conformance/rules"
)

// TestConformAloneJudgesTheEmbeddedServer is the first thing a person does.
func TestConformAloneJudgesTheEmbeddedServer(t *testing.T) {
	t.Parallel()
	o := judged(t)
	o.wants(t, exitConformant)
	if o.report.Verdict != result.Conformant || !strings.Contains(o.stdout, "CONFORMANT") {
		t.Errorf("verdict %q; the report on stdout begins %.80q", o.report.Verdict, o.stdout)
	}
	catalogue := rules.Load()
	const endpoints = 22
	if len(o.report.Rules) != len(catalogue.Rules()) || len(o.report.Endpoints) != endpoints {
		t.Errorf("the report lists %d rules and %d endpoints, want %d and %d",
			len(o.report.Rules), len(o.report.Endpoints), len(catalogue.Rules()), endpoints)
	}
	for i, rule := range catalogue.Rules() {
		got := o.report.Rules[i]
		if got.ID != rule.ID || len(got.Checks) == 0 && got.Message == "" {
			t.Errorf("rule %d is %s with %d checks and no word why, want %s", i, got.ID, len(got.Checks), rule.ID)
		}
		if got.Status == result.Skipped && !strings.Contains(got.Message, "--rate-limits") && !strings.Contains(got.Message, "--restarts") {
			t.Errorf("%s is skipped: %s", got.ID, got.Message)
		}
	}
	for category, n := range byCategory(o.report.Summary.Requests) {
		if n == 0 {
			t.Errorf("no request of the category %s is counted", category)
		}
	}
	// An app token as the server makes them, a password as the judge does.
	secret := regexp.MustCompile(`\b[A-Z2-7]{26}\b|[0-9a-f]{64}`)
	for _, text := range []string{o.stdout, o.stderr, o.written} {
		if found := secret.FindString(text); found != "" {
			t.Errorf("what looks like a secret is told: %s", found)
		}
	}
}

// fewRequests sees that a run stays below the contract's limits, whatever its speed.
func fewRequests(t *testing.T, by map[string]int) {
	t.Helper()
	const most = 900
	for category, n := range byCategory(by) {
		if n >= most {
			t.Errorf("%d requests of the category %s, want fewer than %d", n, category, most)
		}
	}
}

// byCategory adds requests up by the categories that the contract limits.
func byCategory(methods map[string]int) map[string]int {
	return map[string]int{
		"writing": methods[http.MethodPost] + methods[http.MethodPut], "querying": methods[http.MethodGet], "deleting": methods[http.MethodDelete],
	}
}

// TestTwoCommandsMeet starts the reference server's command and judges it from
// another process, through a recorder that sees what goes by.
func TestTwoCommandsMeet(t *testing.T) {
	t.Parallel()
	baseURL, caFile := startReference(t)
	caPEM, err := os.ReadFile(caFile)
	if err != nil {
		t.Fatal(err)
	}
	pool := x509.NewCertPool()
	pool.AppendCertsFromPEM(caPEM)

	direct := judged(t, "--base-url", baseURL, "--ca-cert", caFile, "--app-token", appToken, "--second-app-token", secondAppToken)
	direct.wants(t, exitConformant)

	between := record(behind(t, baseURL, &tls.Config{RootCAs: pool}))
	o := judged(t, append(serve(t, between), "--second-app-token", secondAppToken, "--rate", "1000")...) // what is cut short for its time may be counted and not go by
	o.wants(t, exitConformant)
	between.told(t, o.stdout, o.stderr, o.written)
	for method, n := range o.report.Summary.Requests {
		if between.counts[method] != n {
			t.Errorf("the report counts %d requests by %s, %d went by", n, method, between.counts[method])
		}
	}
	nobodyFound(t, baseURL, &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: pool}}})
}

// startReference runs the reference server's command up to the end of the test.
func startReference(t *testing.T, more ...string) (baseURL, caFile string) {
	t.Helper()
	server := exec.CommandContext(t.Context(), program("refserver"), append([]string{"--addr", "127.0.0.1:0", "--rate-limit", "0",
		"--app-token", appToken, "--app-token", secondAppToken}, more...)...)
	server.Cancel = func() error { return server.Process.Signal(syscall.SIGTERM) }
	output, err := server.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { server.Wait() })
	for lines := bufio.NewScanner(output); lines.Scan(); {
		name, value, _ := strings.Cut(lines.Text(), ":")
		switch name {
		case "base URL":
			baseURL = strings.TrimSpace(value)
		case "CA file":
			caFile = strings.TrimSpace(value)
		}
		if baseURL != "" && caFile != "" {
			return baseURL, caFile
		}
	}
	t.Fatal("the reference server told no base URL and CA file")
	return "", ""
}

// nobodyFound looks from outside for users that runs have left behind: all have
// an address of one domain.
func nobodyFound(t *testing.T, baseURL string, client *http.Client) {
	t.Helper()
	defer client.CloseIdleConnections()
	ask := func(method, path, session, body string, into any) {
		req, err := http.NewRequestWithContext(t.Context(), method, baseURL+path, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		req.SetBasicAuth(appToken, session)
		req.Header.Set("Content-Type", "application/json")
		resp, err := client.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		if err := json.NewDecoder(resp.Body).Decode(into); err != nil {
			t.Fatalf("%s %s answered %d: %v", method, path, resp.StatusCode, err)
		}
	}
	var finder struct {
		Token string `json:"session_token"`
	}
	ask(http.MethodPost, "/0.2/users?withLogin=true", "", `{"user_name":"finder","password":"of users","email":"finder@example.com"}`, &finder)
	var found []struct {
		UserName string `json:"user_name"`
	}
	ask(http.MethodGet, "/0.2/users/search?q=example.com", finder.Token, "", &found)
	for _, user := range found {
		if user.UserName != "finder" {
			t.Errorf("user %s is left on the target", user.UserName)
		}
	}
}

// TestDeepRunsOfTheEmbeddedServerDrawStories sees that the limit of the own server leaves the drawn stories time.
func TestDeepRunsOfTheEmbeddedServerDrawStories(t *testing.T) {
	t.Parallel()
	o := judged(t, "--deep=5s")
	o.wants(t, exitConformant)
	if s := o.report.Stories; s == nil || s.Stories == 0 {
		t.Errorf("the stories are %+v, want some that were played; notes %q", s, o.report.Notes)
	}
}
