//go:build unix

package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"net"

	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/socialfeed/conform/conformance/report"
)

// told fails the test for every place that was seen.
func (l *leaks) told(t *testing.T, of int) {
	t.Helper()
	for _, place := range slices.Sorted(maps.Keys(l.seen)) {
		t.Errorf("%s: seen in %s", place, strings.Join(l.seen[place], ", "))
	}
	t.Logf("%d of %d places were seen", len(l.seen), of)
}

// everyReport are the flags for a report in each format, below a folder.
func everyReport(dir string) (flags []string) {
	for _, format := range report.Formats() {
		flags = append(flags, "--report", fmt.Sprintf("%s=%s", format, filepath.Join(dir, "report."+format)))
	}
	return flags
}

// written looks for secrets in what a command wrote, and in the scripts of its failures.
func (l *leaks) written(t *testing.T, dir string, o outcome) {
	t.Helper()
	l.in("stdout", o.stdout)
	l.in("stderr", o.stderr)
	for _, format := range report.Formats() {
		data, err := os.ReadFile(filepath.Join(dir, "report."+format))
		if err != nil {
			t.Errorf("no report: %v; %s", err, o.stderr)
			continue
		}
		l.in(format, string(data))
	}
}

// seeded looks for secrets in the seed of a run, which there must be.
func (l *leaks) seeded(t *testing.T, seed string) {
	t.Helper()
	l.in("seed", read(t, seed))
}

// allSecretsVariable has every place be tried on every way, and not only a share of them.
const allSecretsVariable = "SECRETS_ALL"

// share is every third of the sessions; another one where the secrets are known before than where they are
// known after, and with every test.
func share(t *testing.T, sessions [][]placed, late bool) [][]placed {
	t.Helper()
	if os.Getenv(allSecretsVariable) != "" {
		return sessions
	}
	const of = 3
	from := len(t.Name()) % of
	if late {
		from = (from + 1) % of
	}
	var some [][]placed
	for i := from; i < len(sessions); i += of {
		some = append(some, sessions[i])
	}
	return some
}

// inSessions plays every session with the logins before, and with those after.
func inSessions(t *testing.T, play func(t *testing.T, l *leaks, talks []talk, late bool)) {
	t.Helper()
	places := secretPlaces()
	for _, late := range []bool{false, true} {
		name := "known before"
		if late {
			name = "known after"
		}
		t.Run(name, func(t *testing.T) {
			l := newLeaks()
			for _, session := range share(t, secretSessions(places, secretText), late) {
				for _, p := range session {
					l.expect(p.name, p.secret)
				}
				play(t, l, withLogins(session, late), late)
			}
			l.told(t, len(places))
		})
	}
}

// TestWatchTellsNoSecret has a client and a service say secrets in every place, through conform watch.
func TestWatchTellsNoSecret(t *testing.T) {
	t.Parallel()
	inSessions(t, func(t *testing.T, l *leaks, talks []talk, _ bool) {
		dir := t.TempDir()
		cmd := command(t, append(everyReport(dir), "watch", "--upstream", sayer(t, talks), "--allow-http", "--http", "--addr", "127.0.0.1:0", "--seed-out", filepath.Join(dir, "seed.yaml"), "--report", "text=-")...)
		var out, diagnostics growing
		cmd.Stdout, cmd.Stderr = &out, &diagnostics
		launch(t, cmd)
		diagnostics.until(t, 0, "Ctrl-C")
		diagnostics.mu.Lock()
		where := pointedAt.FindStringSubmatch(diagnostics.text.String())
		diagnostics.mu.Unlock()
		at, err := url.Parse(where[1])
		if err != nil {
			t.Fatal(err)
		}
		for _, x := range talks {
			conn, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", at.Host)
			if err != nil {
				t.Fatal(err)
			}
			say(t, conn, x)
		}
		if err := cmd.Process.Signal(os.Interrupt); err != nil {
			t.Fatal(err)
		}
		_ = cmd.Wait() // the code tells
		o := outcome{code: cmd.ProcessState.ExitCode(), stdout: out.text.String(), stderr: diagnostics.text.String()}
		o.wants(t, exitNonConformant)
		l.written(t, dir, o)
		l.seeded(t, filepath.Join(dir, "seed.yaml"))
	})
}

// TestArchivesTellNoSecret has them in an archive.
func TestArchivesTellNoSecret(t *testing.T) {
	t.Parallel()
	inSessions(t, func(t *testing.T, l *leaks, talks []talk, _ bool) {
		dir := t.TempDir()
		archive := filepath.Join(dir, "session.har")
		if err := os.WriteFile(archive, archiveOf(t, talks), 0o600); err != nil {
			t.Fatal(err)
		}
		o := conform(t, append(everyReport(dir), "har", archive, "--seed-out", filepath.Join(dir, "seed.yaml"), "--report", "text=-")...)
		o.wants(t, exitNonConformant)
		l.written(t, dir, o)
		l.seeded(t, filepath.Join(dir, "seed.yaml"))
	})
}

// TestSeedsTellNoSecret has users and events that hold secrets in every field, and in the keys of maps: of mixed
// characters, and of lower-case letters alone, as the words are that a seed keeps.
func TestSeedsTellNoSecret(t *testing.T) {
	t.Parallel()
	for name, secret := range map[string]string{"a text": secretText(), "a word": "thehiddenword"} {
		for _, late := range []bool{false, true} {
			fields := fmt.Sprintf(`"id": 1, "user_name": "%[1]s", "first_name": "%[1]s", "last_name": "%[1]s", "email": "%[1]s@example.com", "custom_id": "%[1]s",
				"url": "https://x.example/%[1]s", "social_ids": {"%[1]s": "%[1]s"}, "metadata": {"%[1]s": "%[1]s"}, "image": [{"url": "%[1]s"}],
				"created_at": "2026-01-02T12:00:00Z", "updated_at": "2026-01-02T12:00:00Z", "session_token": "%[1]s", "password": "%[1]s"`, secret)
			event := fmt.Sprintf(`"id": 2, "user_id": 1, "verb": "%[1]s", "language": "%[1]s", "priority": "%[1]s", "location": "%[1]s", "metadata": {"%[1]s": "%[1]s"},
				"object": {"id": "%[1]s", "type": "%[1]s", "url": "%[1]s", "display_name": {"%[1]s": "%[1]s"}},
				"created_at": "2026-01-02T12:00:00Z", "updated_at": "2026-01-02T12:00:00Z"`, secret)
			answers := []talk{
				{method: "GET", target: "/0.2/users/1", status: "200 OK", respHeader: []string{"Content-Type: application/json"}, respBody: "{" + fields + "}"},
				{method: "GET", target: "/0.2/user/feed", status: "200 OK", respHeader: []string{"Content-Type: application/json"}, respBody: "[{" + event + "}]"},
			}
			talks := append([]talk{login(secret)}, answers...)
			if late {
				talks = append(answers, login(secret))
			}
			dir := t.TempDir()
			archive, seed := filepath.Join(dir, "session.har"), filepath.Join(dir, "seed.yaml")
			if err := os.WriteFile(archive, archiveOf(t, talks), 0o600); err != nil {
				t.Fatal(err)
			}
			conform(t, "har", archive, "--seed-out", seed).wants(t, exitNonConformant, exitConformant)
			l := newLeaks()
			l.expect(fmt.Sprintf("%s, known late: %t", name, late), secret)
			l.seeded(t, seed)
			l.told(t, 1)
			if text := read(t, seed); !strings.Contains(text, "user_name:") || !strings.Contains(text, "verb:") {
				t.Errorf("the seed has no user or no event:\n%s", text)
			}
		}
	}
}

// archiveOf is the talks as a browser records them.
func archiveOf(t *testing.T, talks []talk) []byte {
	t.Helper()
	type m = map[string]any
	fields := func(lines []string) []m {
		all := []m{}
		for _, line := range lines {
			name, value, _ := strings.Cut(line, ": ")
			all = append(all, m{"name": name, "value": value})
		}
		return all
	}
	var entries []m
	for i, x := range talks {
		var status int
		_, _ = fmt.Sscan(x.status, &status)
		request := m{"method": x.method, "url": "https://service.example" + x.target, "httpVersion": "HTTP/1.1", "headers": fields(append(x.header, x.trailer...)), "bodySize": len(x.body)}
		if x.body != "" {
			request["postData"] = m{"mimeType": "application/json", "text": x.body}
		}
		entries = append(entries, m{"startedDateTime": fmt.Sprintf("2026-01-02T12:%02d:%02dZ", i/60, i%60), "time": 5, "request": request,
			"response": m{"status": status, "headers": fields(append(x.respHeader, x.respTrailer...)), "content": m{"size": len(x.respBody), "text": x.respBody}}})
	}
	data, err := json.Marshal(m{"log": m{"version": "1.2", "creator": m{"name": "proxy"}, "entries": entries}})
	if err != nil {
		t.Fatal(err)
	}
	return data
}
