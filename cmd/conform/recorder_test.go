package main

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"io"
	"net/http"
	"regexp"
	"strings"
	"sync"
	"testing"
)

// recorder stands before a server, and keeps what it needs to tell what a run
// must not tell, and in which order it asked.
type recorder struct {
	next http.Handler

	mu      sync.Mutex
	lines   []string            // the requests as "METHOD path", ids taken out
	secrets map[string]struct{} // tokens, passwords and encoded credentials that went by
	counts  map[string]int      // requests by method
}

func record(next http.Handler) *recorder {
	return &recorder{next: next, counts: map[string]int{},
		secrets: map[string]struct{}{appToken: {}, secondAppToken: {}}}
}

// ServeHTTP passes the request on and takes down both halves of the exchange.
func (r *recorder) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	overhear(r.next, w, req, func(body []byte) { r.request(req, body) }, func(_, response []byte) {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.keep(response, "session_token")
	})
}

// overhear passes a request on, and tells its body before, and both bodies after.
func overhear(next http.Handler, w http.ResponseWriter, r *http.Request, before func(body []byte), after func(body, response []byte)) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		http.Error(w, "the request broke off", http.StatusBadRequest)
		return
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	before(body)
	copied := &copying{ResponseWriter: w}
	next.ServeHTTP(copied, r)
	after(body, copied.body.Bytes())
}

func (r *recorder) request(req *http.Request, body []byte) {
	r.mu.Lock()
	defer r.mu.Unlock()
	path := regexp.MustCompile(`/(\d+|[a-z]{8})(/|$)`).ReplaceAllString(req.URL.Path, "/{id}$2")
	r.lines = append(r.lines, req.Method+" "+path)
	r.counts[req.Method]++
	r.keep(body, "password")
	if encoded, ok := strings.CutPrefix(req.Header.Get("Authorization"), "Basic "); ok {
		if pair, err := base64.StdEncoding.DecodeString(encoded); err == nil && bytes.Contains(pair, []byte(":")) {
			r.secrets[encoded] = struct{}{}
		}
	}
}

// keep takes down the value of a secret field, unless it is too short to be one.
func (r *recorder) keep(body []byte, field string) {
	var fields map[string]any
	if json.Unmarshal(body, &fields) != nil {
		return
	}
	const short = 16
	if secret, ok := fields[field].(string); ok && len(secret) >= short {
		r.secrets[secret] = struct{}{}
	}
}

// copying is a response that keeps a copy of its body.
type copying struct {
	http.ResponseWriter
	body bytes.Buffer
}

func (c *copying) Write(p []byte) (int, error) {
	c.body.Write(p)
	return c.ResponseWriter.Write(p)
}

// told fails the test for every secret that stands in what the run told.
func (r *recorder) told(t *testing.T, texts ...string) {
	t.Helper()
	r.mu.Lock()
	defer r.mu.Unlock()
	const few = 100 // a run has hundreds of users, each with a password and a token
	if len(r.secrets) < few {
		t.Fatalf("only %d secrets went by", len(r.secrets))
	}
	for secret := range r.secrets {
		for _, text := range texts {
			if at := strings.Index(text, secret); at >= 0 {
				t.Errorf("a secret is told: …%s…", text[max(0, at-80):min(len(text), at+len(secret)+20)])
				return
			}
		}
	}
}
