package proof_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/socialfeed/conform/conformance/story"
	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/faults"
)

// storyTarget is a reference server as stories are played on, in this process.
type storyTarget struct {
	server *refserver.Server
	apps   []string
	unique *atomic.Int64
	sent   map[string]*atomic.Int64 // requests by method
}

// newStoryTarget returns a target with the choices of a dialect, or of several, and a fault.
func newStoryTarget(t *testing.T, dialect, fault string) *storyTarget {
	t.Helper()
	options := refserver.Options{AppTokens: []string{"first-application-token", "second-application-token"}, PasswordCost: 1, RateLimit: -1, AllowPlainHTTP: true, MaxMemory: -1}
	if dialect != "" {
		choices, err := refserver.Compose(dialect)
		must(t, err)
		options.Choices = choices
	}
	if fault != "" {
		f, err := faults.Find(fault)
		must(t, err)
		f.Apply(&options)
	}
	server, err := refserver.New(options)
	must(t, err)
	s := &storyTarget{server: server, apps: options.AppTokens, unique: &atomic.Int64{}, sent: map[string]*atomic.Int64{}}
	for _, method := range []string{"GET", "POST", "PUT", "DELETE"} {
		s.sent[method] = &atomic.Int64{}
	}
	return s
}

func (s *storyTarget) Unique() string {
	n := s.unique.Add(1) * 7919 % 2821109907456
	text := strconv.FormatInt(n, 36)
	return "q" + strings.Repeat("x", max(0, 5-len(text))) + text
}

func (s *storyTarget) Password() string { return "hash" + s.Unique() }

func (s *storyTarget) Do(ctx context.Context, r story.Request) (story.Response, error) {
	var ids []string
	if r.ID != "" {
		ids = append(ids, r.ID)
	}
	query := url.Values{}
	for name, value := range r.Query {
		query.Set(name, value)
	}
	target := "http://localhost" + r.Endpoint.Expand(ids...) + "?" + query.Encode()
	var body bytes.Buffer
	if r.Body != nil {
		encoder := json.NewEncoder(&body)
		encoder.SetEscapeHTML(false)
		if err := encoder.Encode(r.Body); err != nil {
			return story.Response{}, fmt.Errorf("encoding a body: %w", err)
		}
	}
	req := httptest.NewRequest(r.Endpoint.Method(), target, &body).WithContext(ctx)
	if r.Body == nil {
		req = httptest.NewRequest(r.Endpoint.Method(), target, nil).WithContext(ctx)
	} else {
		req.Header.Set("Content-Type", "application/json")
	}
	req.Header.Set("Accept", "application/json")
	req.Header.Set("User-Agent", "story/1")
	req.SetBasicAuth(s.apps[r.App], r.Session)
	w := httptest.NewRecorder()
	s.server.ServeHTTP(w, req)
	s.sent[r.Endpoint.Method()].Add(1)
	answer := story.Response{Status: w.Code, Evidence: fmt.Sprintf("%s %s %s -> %d %s", r.Endpoint, r.ID, shortened(fmt.Sprint(r.Body)), w.Code, shortened(w.Body.String()))}
	decoder := json.NewDecoder(w.Body)
	decoder.UseNumber()
	if err := decoder.Decode(&answer.Body); err != nil {
		answer.Body = nil
	}
	return answer, nil
}

func shortened(s string) string { return s[:min(len(s), 300)] }

var _ http.Handler = (*refserver.Server)(nil)
