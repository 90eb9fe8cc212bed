//go:build unix

package main

import (
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/socialfeed/conform/conformance/rules"
)

// saidFile is what such a client leaves for the test: the secrets by their places.
type saidFile map[string]string

// saySecrets says the secrets of a session to the service.
func saySecrets(way string) int {
	number, path, _ := strings.Cut(way, ":")
	n, err := strconv.Atoi(number)
	app := os.Getenv("REFSERVER_APP_TOKEN")
	at, urlErr := url.Parse(os.Getenv("REFSERVER_URL"))
	pem, pemErr := os.ReadFile(os.Getenv("REFSERVER_CA_FILE"))
	if err != nil || urlErr != nil || pemErr != nil {
		fmt.Fprintln(os.Stderr, err, urlErr, pemErr)
		return 1
	}
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(pem)
	said := saidFile{}
	for _, p := range secretSessions(requestPlaces(), func() string { return app })[n] {
		conn, err := (&tls.Dialer{Config: &tls.Config{MinVersion: tls.VersionTLS12, RootCAs: roots, NextProtos: []string{"http/1.1"}}}).Dial("tcp", at.Host)
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		_, _ = io.WriteString(conn, p.request())
		_, _ = io.Copy(io.Discard, conn) // the answer does not matter
		conn.Close()
		said[p.name] = p.secret
	}
	data, err := json.Marshal(said)
	if err != nil || os.WriteFile(path, data, 0o600) != nil {
		return 1
	}
	return 0
}

// requestPlaces are the places of requests.
func requestPlaces() []secretPlace {
	return slices.DeleteFunc(secretPlaces(), func(p secretPlace) bool { return strings.HasPrefix(p.name, "an answer") })
}

// answerPlaces are the places of answers.
func answerPlaces() []secretPlace {
	return slices.DeleteFunc(secretPlaces(), func(p secretPlace) bool { return !strings.HasPrefix(p.name, "an answer") })
}

// TestAJudgedClientsReportTellsNoSecret has a client say secrets in every place of a request.
func TestAJudgedClientsReportTellsNoSecret(t *testing.T) {
	t.Parallel()
	sessions := secretSessions(requestPlaces(), secretText)
	l, tried := newLeaks(), 0
	for i := range sessions {
		if os.Getenv(allSecretsVariable) == "" && i%3 != 0 {
			continue
		}
		dir := t.TempDir()
		path := filepath.Join(dir, "said.json")
		cmd := command(t, append(everyReport(dir), "client", "--dialects", "none", "--weather", "none", "--report", "text=-", "--", os.Args[0])...)
		cmd.Env = append(cmd.Env, clientVariable+"="+secretClient+strconv.Itoa(i)+":"+path)
		o := finish(t, cmd)
		o.wants(t, exitNonConformant)
		var said saidFile
		if err := json.Unmarshal([]byte(read(t, path)), &said); err != nil {
			t.Fatal(err)
		}
		for place, secret := range said {
			l.expect(place, secret)
			tried++
		}
		l.written(t, dir, o)
	}
	l.told(t, tried)
}

// TestARunTellsNoSecret has a target say secrets in every place of an answer.
func TestARunTellsNoSecret(t *testing.T) {
	t.Parallel()
	l, tried := newLeaks(), 0
	for i, session := range secretSessions(answerPlaces(), func() string { return loudApp }) {
		if os.Getenv(allSecretsVariable) == "" && i%3 != 0 {
			continue
		}
		said := map[rules.Endpoint]talk{}
		for _, p := range session {
			l.expect(p.name, p.secret)
			said[rules.EndpointOf(p.method, p.target)] = p.talk
			tried++
		}
		good := talkative(t)
		target := slices.Delete(serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			x, strange := said[rules.EndpointOf(r.Method, r.URL.Path)]
			if !strange {
				good.ServeHTTP(w, r)
				return
			}
			conn, _, err := http.NewResponseController(w).Hijack()
			if err != nil {
				return
			}
			_, _ = io.WriteString(conn, x.answer())
			conn.Close()
		})), 2, 4)
		dir := t.TempDir()
		cmd := command(t, slices.Concat(everyReport(dir), target, []string{"--rate", "30000", "--settle", "100ms", "--hold", "100ms", "--jobs", "2",
			"--rule", "users.*", "--rule", "connections.*", "--rule", "feed.*", "--rule", "transport.*"})...)
		cmd.Env = append(cmd.Env, "CONFORM_APP_TOKEN="+loudApp, "CONFORM_SECOND_APP_TOKEN="+otherApp)
		o := finish(t, cmd)
		o.wants(t, exitNonConformant, exitNoVerdict)
		l.written(t, dir, o)
	}
	l.told(t, tried)
}
