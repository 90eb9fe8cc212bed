//go:build unix

package main

import (
	"crypto/tls"
	"crypto/x509"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/socialfeed/conform/client"
	"github.com/socialfeed/conform/conformance/result"
)

// watchedSession is a run of conform watch before a service.
type watchedSession struct {
	t        *testing.T
	cmd      *exec.Cmd
	out, err growing
	url      string
	http     *http.Client
	report   string // the path of the JSON report
	html     string // that of the HTML report
}

var pointedAt = regexp.MustCompile(`point the client at (\S+?)(?:, which is to be trusted by ([^;]+))?; Ctrl-C`)

// startWatch starts conform watch on a free port before a service.
func startWatch(t *testing.T, service http.Handler, flags ...string) *watchedSession {
	t.Helper()
	upstream := serve(t, service) // --base-url URL --app-token TOKEN --ca-cert FILE
	dir := t.TempDir()
	w := &watchedSession{t: t, report: filepath.Join(dir, "report.json"), html: filepath.Join(dir, "report.html")}
	w.cmd = command(t, slices.Concat([]string{"watch", "--upstream", upstream[1], "--ca-cert", upstream[5], "--addr", "127.0.0.1:0",
		"--report", "text=-", "--report", "json=" + w.report, "--report", "html=" + w.html}, flags)...)
	w.cmd.Stdout, w.cmd.Stderr = &w.out, &w.err
	launch(t, w.cmd)
	w.err.until(t, 0, "Ctrl-C")
	w.err.mu.Lock()
	where := pointedAt.FindStringSubmatch(w.err.text.String())
	w.err.mu.Unlock()
	w.url = where[1]
	transport := &http.Transport{}
	t.Cleanup(transport.CloseIdleConnections)
	if where[2] != "" {
		pem, err := os.ReadFile(where[2])
		if err != nil {
			t.Fatal(err)
		}
		transport.TLSClientConfig = &tls.Config{MinVersion: tls.VersionTLS12, RootCAs: x509.NewCertPool()}
		transport.TLSClientConfig.RootCAs.AppendCertsFromPEM(pem)
	}
	w.http = &http.Client{Transport: transport}
	return w
}

// stop stops it as a person does, and reads what it leaves behind.
func (w *watchedSession) stop() outcome {
	w.t.Helper()
	w.http.CloseIdleConnections()
	if err := w.cmd.Process.Signal(os.Interrupt); err != nil {
		w.t.Fatal(err)
	}
	_ = w.cmd.Wait() // the code tells
	o := outcome{code: w.cmd.ProcessState.ExitCode(), stdout: w.out.text.String(), stderr: w.err.text.String()}
	o.read(w.t, w.report)
	return o
}

// lives does a little of everything by the typed client.
func (w *watchedSession) lives(transport http.RoundTripper) {
	w.t.Helper()
	const hash = "2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae"
	ctx := w.t.Context()
	api, err := client.New(client.Config{BaseURL: w.url, AppToken: appToken, UserAgent: "feedreader/1.0", HTTPClient: &http.Client{Transport: transport}})
	if err != nil {
		w.t.Fatal(err)
	}
	_, ada, err := api.CreateUserWithLogin(ctx, client.UserFields{UserName: "ada", Password: hash, Email: "ada@example.com"})
	if err != nil {
		w.t.Fatal(err)
	}
	if _, err := ada.CreateEvent(ctx, client.EventFields{Verb: "liked", Object: &client.Object{ID: "song-1"}}); err != nil {
		w.t.Error(err)
	}
	if _, err := ada.Feed(ctx); err != nil {
		w.t.Error(err)
	}
	if err := ada.Logout(ctx); err != nil {
		w.t.Error(err)
	}
}

// A live session of a lawful client with a good service: nobody is blamed, and the
// reports are there once it is stopped.
func TestWatchedSessionOfALawfulClient(t *testing.T) {
	t.Parallel()
	w := startWatch(t, reference(t, nil))
	w.lives(w.http.Transport)
	o := w.stop()
	o.wants(t, exitConformant)
	if blamed := o.blamed(); len(blamed) > 0 {
		t.Errorf("blamed is %v", blamed)
	}
	page, err := os.ReadFile(w.html)
	if err != nil || !strings.Contains(string(page), "Exercised: rules by endpoint") {
		t.Errorf("the HTML report has no map of what was exercised (%v)", err)
	}
	if !strings.Contains(o.stdout, "CONFORMANT") {
		t.Errorf("on the screen: %.300s", o.stdout)
	}
	for _, secret := range []string{appToken, "2c26b46b68ffc68ff99b"} {
		if strings.Contains(o.stdout+o.stderr+o.written+string(page), secret) {
			t.Errorf("%.8s… is told", secret)
		}
	}
}

// Of two who do wrong each is told its own, while they do it.
func TestWatchedSessionTellsWhoseAFindingIs(t *testing.T) {
	t.Parallel()
	good := reference(t, nil)
	w := startWatch(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "/feed") {
			w.Header().Set("Content-Type", "text/plain")
			_, _ = io.WriteString(w, "[]")
			return
		}
		good.ServeHTTP(w, r)
	}))
	w.lives(bare{w.http.Transport})
	w.err.until(t, 0, "client.accept") // while it goes on
	o := w.stop()
	o.wants(t, exitNonConformant)
	sides := map[string]string{}
	for _, rule := range o.report.Rules {
		for _, check := range rule.Checks {
			if check.Status == result.Fail {
				sides[rule.ID] = check.Side
			}
		}
	}
	if len(sides) != 2 || sides["client.accept"] != "client" || sides["transport.json-body"] != "service" {
		t.Errorf("blamed are %v", sides)
	}
}

// With --enforce, what breaks a must does not reach the service; all else does.
func TestWatchedSessionEnforced(t *testing.T) {
	t.Parallel()
	good := reference(t, nil)
	var reached atomic.Int64
	w := startWatch(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		reached.Add(1)
		good.ServeHTTP(w, r)
	}), "--enforce")
	w.lives(w.http.Transport)
	const lawful = 4
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, w.url+"/0.2/user", nil)
	if err != nil {
		t.Fatal(err)
	}
	request.SetBasicAuth(appToken, "session-of-nobody-0123456789")
	request.Header.Set("User-Agent", "feedreader/1.0")
	response, err := w.http.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	body, err := io.ReadAll(response.Body)
	response.Body.Close()
	if err != nil || response.StatusCode != http.StatusBadRequest || !strings.Contains(string(body), "client.accept") {
		t.Errorf("a request without Accept: %d %s (%v)", response.StatusCode, body, err)
	}
	o := w.stop()
	o.wants(t, exitNonConformant)
	if blamed := o.blamed(); !slices.Equal(blamed, []string{"client.accept"}) || reached.Load() != lawful {
		t.Errorf("blamed is %v, and %d requests reached the service, want %d", blamed, reached.Load(), lawful)
	}
}

// Nothing that was seen is no verdict, and no crash.
func TestWatchedSessionOfNobody(t *testing.T) {
	t.Parallel()
	w := startWatch(t, reference(t, nil), "--http")
	if !strings.HasPrefix(w.url, "http://") {
		t.Errorf("with --http the client is pointed at %s", w.url)
	}
	o := w.stop()
	o.wants(t, exitNoVerdict)
	if !strings.Contains(o.stderr, "no request to the service was seen") {
		t.Errorf("stderr says %q", o.stderr)
	}
}

// The archives: what a browser saved of a page's session, whole and sanitized.
func TestArchivesOfABrowser(t *testing.T) {
	t.Parallel()
	whole := filepath.Join("testdata", "browser.har")
	o := judged(t, "har", whole)
	o.wants(t, exitConformant)
	if blamed := o.blamed(); len(blamed) > 0 {
		t.Errorf("blamed is %v", blamed)
	}
	data, err := os.ReadFile(whole)
	if err != nil {
		t.Fatal(err)
	}
	sanitized := regexp.MustCompile(`\{\s*"name": "authorization",\s*"value": "[^"]*"\s*\},?\s*`).ReplaceAll(data, nil)
	o = judged(t, "har", file(t, sanitized))
	o.wants(t, exitNoVerdict)
	for _, id := range []string{"client.basic", "client.both-tokens", "client.session-ends"} {
		if status := o.status(id); status != result.Error {
			t.Errorf("without credentials %s is %s", id, status)
		}
	}
	if len(o.blamed()) > 0 || o.status("client.accept") != result.Pass {
		t.Errorf("blamed is %v, client.accept is %s", o.blamed(), o.status("client.accept"))
	}
	for name, args := range map[string][]string{
		"no file": {"har"}, "no such file": {"har", "no-such.har"}, "no archive": {"har", file(t, []byte("<html>"))}, "no service": {"watch"},
		"plain HTTP": {"watch", "--upstream", "http://127.0.0.1:1"},
	} {
		if o := conform(t, args...); o.code != exitUsage || strings.Count(strings.TrimSpace(o.stderr), "\n") > 1 {
			t.Errorf("%s: exit %d: %s", name, o.code, o.stderr)
		}
	}
}
