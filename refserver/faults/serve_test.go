package faults_test

import (
	"crypto/tls"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/socialfeed/conform/refserver/faults"
)

// TestSecondOrderFaultsServe sees that a server with any of the faults serves what
// is not touched by them: two users, a follow, an event and a feed, over TLS.
func TestSecondOrderFaultsServe(t *testing.T) {
	for _, fault := range faults.SecondOrder() {
		t.Run(fault.Name, func(t *testing.T) {
			server := httptest.NewTLSServer(newServer(t, fault))
			defer server.Close()
			send := func(session, method, path, body string, want int) []byte {
				t.Helper()
				r, err := http.NewRequestWithContext(t.Context(), method, server.URL+path, strings.NewReader(body))
				if err != nil {
					t.Fatal(err)
				}
				r.SetBasicAuth(firstApp, session)
				r.Header.Set("Accept", "application/json")
				if body != "" {
					r.Header.Set("Content-Type", "application/json")
				}
				resp, err := server.Client().Do(r)
				if err != nil {
					t.Fatal(err)
				}
				defer resp.Body.Close()
				answer, err := io.ReadAll(resp.Body)
				if err != nil || resp.StatusCode != want {
					t.Fatalf("%s %s: %d %s, %v", method, path, resp.StatusCode, answer, err)
				}
				return answer
			}
			create := func(name string) (made struct {
				ID      json.Number
				Session string `json:"session_token"`
			}) {
				t.Helper()
				answer := send("", "POST", "/0.2/users?withLogin=true", fmt.Sprintf(`{"user_name":%q,"password":"p"}`, name), 201)
				if err := json.Unmarshal(answer, &made); err != nil {
					t.Fatalf("%v in %s", err, answer)
				}
				return made
			}
			poster, reader := create("poster"), create("reader")
			send(reader.Session, "POST", "/0.2/user/connections", fmt.Sprintf(`{"user_to_id":%s,"type":"follow"}`, poster.ID), 201)
			send(poster.Session, "POST", "/0.2/user/events", `{"verb":"like"}`, 201)
			if feed := send(reader.Session, "GET", "/0.2/user/feed", "", 200); strings.Count(string(feed), `"verb":"like"`) != 1 {
				t.Errorf("the feed is %s", feed)
			}
		})
	}
}

// TestBodyBehindNoContent looks for bytes behind a 204 where only the connection has them.
func TestBodyBehindNoContent(t *testing.T) {
	fault, err := faults.Find("endpoint-204-of-user-with-body")
	if err != nil {
		t.Fatal(err)
	}
	handler := newServer(t, fault)
	server := httptest.NewTLSServer(handler)
	defer server.Close()
	create := newRequest("POST", "/0.2/users?withLogin=true", `{"user_name":"leaver","password":"p"}`)
	create.SetBasicAuth(firstApp, "")
	created := httptest.NewRecorder()
	handler.ServeHTTP(created, create)
	var leaver struct {
		Session string `json:"session_token"`
	}
	if err := json.Unmarshal(created.Body.Bytes(), &leaver); err != nil {
		t.Fatal(err)
	}
	dialer := tls.Dialer{NetDialer: &net.Dialer{Timeout: 5 * time.Second}, Config: server.Client().Transport.(*http.Transport).TLSClientConfig}
	conn, err := dialer.DialContext(t.Context(), "tcp", server.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	_ = conn.SetDeadline(time.Now().Add(5 * time.Second)) // bounds what follows
	deletion := newRequest("DELETE", "/0.2/user", "")
	deletion.SetBasicAuth(firstApp, leaver.Session)
	fmt.Fprintf(conn, "DELETE /0.2/user HTTP/1.1\r\nHost: x\r\nUser-Agent: story\r\nAuthorization: %s\r\n\r\n", deletion.Header.Get("Authorization"))
	answer, err := io.ReadAll(conn)
	if err != nil || !strings.HasPrefix(string(answer), "HTTP/1.1 204 ") || !strings.HasSuffix(string(answer), "\r\n\r\n{}") {
		t.Errorf("the answer is %q, %v", answer, err)
	}
}
