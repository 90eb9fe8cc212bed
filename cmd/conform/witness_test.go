package main

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/faults"
)

// talkative is a server that repeats tokens and passwords wherever it can.
func talkative(t *testing.T) http.Handler {
	t.Helper()
	good := reference(t, func(o *refserver.Options) {
		o.AppTokens, o.RateLimit = []string{loudApp, otherApp}, -1
		for _, name := range []string{"errors-unknown-app-token-repeated", "errors-session-token-repeated", "errors-password-repeated",
			"errors-authorization-repeated", "sessions-update-answers-token", "sessions-event-holds-session", "sessions-followers-show-tokens",
			"users-update-repeats-password"} {
			fault, err := faults.Find(name)
			if err != nil {
				t.Fatal(err)
			}
			fault.Apply(o)
		}
	})
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		answered := httptest.NewRecorder()
		good.ServeHTTP(answered, r)
		maps.Copy(w.Header(), answered.Header())
		said := confidences(r, body)
		w.Header().Set("X-Debug", said)
		w.Header().Add("Set-Cookie", "session="+url.QueryEscape(said))
		w.Header().Set("Link", "<https://example.com/?"+url.Values{"said": {said}}.Encode()+">; rel=help")
		answer := answered.Body.Bytes()
		if answered.Code > http.StatusBadRequest && len(answer) > 0 {
			answer = fmt.Appendf(nil, `{"errors":[{"code":1,"message":%q,"spelled":"%s"}]}`, said, spelled(said))
			w.Header().Del("Content-Length")
		}
		w.WriteHeader(answered.Code)
		if answered.Code != http.StatusNoContent {
			w.Write(answer)
		}
	})
}

// once handles the first request in one way, and the others in another.
func once(first, others http.Handler) http.Handler {
	var met atomic.Bool
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if met.Swap(true) {
			others.ServeHTTP(w, r)
		} else {
			first.ServeHTTP(w, r)
		}
	})
}

// confidences are what a request holds that nobody else should read.
func confidences(r *http.Request, body []byte) string {
	app, session, _ := r.BasicAuth()
	var fields struct {
		Password any `json:"password"`
	}
	_ = json.Unmarshal(body, &fields) // which not every body is
	said := fmt.Sprintf("%s; app %s; session %s; alone %s", r.Header.Get("Authorization"), app, session,
		base64.StdEncoding.EncodeToString([]byte(app+":")))
	if password, ok := fields.Password.(string); ok {
		said += "; password " + password
	}
	return strings.Map(func(r rune) rune {
		if r < ' ' || r > '~' {
			return -1
		}
		return r
	}, said)
}

// spelled writes a text in escapes of JSON.
func spelled(s string) string {
	var b strings.Builder
	for _, r := range s {
		fmt.Fprintf(&b, `\u%04x`, r)
	}
	return b.String()
}

// witness stands before a server and takes down every secret that goes by. What
// the judge makes up to be refused is none.
type witness struct {
	next http.Handler

	mu                         sync.Mutex
	sessions, passwords, pairs map[string]struct{}
}

// ServeHTTP passes the request on and takes down the secrets of both halves.
func (w *witness) ServeHTTP(rw http.ResponseWriter, r *http.Request) {
	overhear(w.next, rw, r, func([]byte) {}, func(body, response []byte) { w.takeDown(r, body, response) })
}

func (w *witness) takeDown(r *http.Request, bodies ...[]byte) {
	w.mu.Lock()
	defer w.mu.Unlock()
	app, session, _ := r.BasicAuth()
	if _, known := w.sessions[session]; known || app == loudApp || app == otherApp {
		_, encoded, _ := strings.Cut(r.Header.Get("Authorization"), " ")
		add(w.pairs, encoded)
	}
	for _, text := range bodies {
		for field, into := range map[string]map[string]struct{}{"password": w.passwords, "session_token": w.sessions} {
			for _, found := range regexp.MustCompile(`"`+field+`"\s*:\s*("(?:[^"\\]|\\.)*")`).FindAllSubmatch(text, -1) {
				var secret string
				if json.Unmarshal(found[1], &secret) == nil {
					add(into, secret)
				}
			}
		}
	}
}

func add(to map[string]struct{}, secret string) {
	if secret != "" {
		to[secret] = struct{}{}
	}
}
