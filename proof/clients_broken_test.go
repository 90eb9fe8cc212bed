package proof_test

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/socialfeed/conform/refserver/control"
)

// brokenClient breaks one rule and is lawful otherwise.
type brokenClient struct {
	settings control.Settings // of the service that shows it
	change   func(http.RoundTripper) http.RoundTripper
}

// roundTrip is a transport made of a function.
type roundTrip func(*http.Request) (*http.Response, error)

// RoundTrip sends the request.
func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// sending changes the requests that it is for.
func sending(change func(r *http.Request)) func(http.RoundTripper) http.RoundTripper {
	return func(next http.RoundTripper) http.RoundTripper {
		return roundTrip(func(r *http.Request) (*http.Response, error) {
			changed := r.Clone(r.Context())
			change(changed)
			return next.RoundTrip(changed)
		})
	}
}

func withHeader(name string, values ...string) func(http.RoundTripper) http.RoundTripper {
	return sending(func(r *http.Request) { r.Header[name] = values })
}

// withBody changes the JSON objects sent to a path.
func withBody(path string, change func(body map[string]any)) func(http.RoundTripper) http.RoundTripper {
	return sending(func(r *http.Request) {
		if r.Body == nil || !strings.HasPrefix(r.URL.Path, path) {
			return
		}
		var body map[string]any
		decoder := json.NewDecoder(r.Body)
		decoder.UseNumber()
		if decoder.Decode(&body) != nil {
			return
		}
		change(body)
		data, _ := json.Marshal(body) // which came from JSON
		setBody(r, data)
	})
}

func setBody(r *http.Request, data []byte) {
	r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(data)), int64(len(data))
	r.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(data)), nil }
}

// again sends a request once more where it was answered like this.
func again(path string, status int) func(http.RoundTripper) http.RoundTripper {
	return func(next http.RoundTripper) http.RoundTripper {
		return roundTrip(func(r *http.Request) (*http.Response, error) {
			repeated := r.Clone(r.Context())
			response, err := next.RoundTrip(r)
			if err != nil || response.StatusCode != status || r.URL.Path != path {
				return response, err
			}
			_, _ = io.Copy(io.Discard, response.Body) // so that the connection is free again
			response.Body.Close()
			if status == http.StatusNotFound { // nothing holds such an answer: the order is to be certain
				time.Sleep(clientSkew + 10*time.Millisecond)
			}
			if r.GetBody != nil {
				if repeated.Body, err = r.GetBody(); err != nil {
					return nil, err
				}
			}
			return next.RoundTrip(repeated)
		})
	}
}

// lastSession is the session token of a request.
func lastSession(r *http.Request) string {
	_, session, _ := r.BasicAuth()
	return session
}

// brokenClients are those by the rule that each of them breaks.
func brokenClients() map[string]brokenClient {
	plain := control.Settings{}
	weather := func(rules ...string) control.Settings { return control.Settings{Weather: rules} }
	event := "/0.2/user/events"
	return map[string]brokenClient{
		"client.https": {plain, func(next http.RoundTripper) http.RoundTripper {
			return roundTrip(func(r *http.Request) (*http.Response, error) {
				if r.URL.Path == "/versions" {
					insecure := r.Clone(r.Context())
					insecure.URL.Scheme = "http"
					if response, err := next.RoundTrip(insecure); err == nil {
						response.Body.Close()
					}
				}
				return next.RoundTrip(r)
			})
		}},
		"client.user-agent":       {plain, withHeader("User-Agent", "")},
		"client.user-agent-named": {plain, withHeader("User-Agent", "Go-http-client/1.1")},
		"client.accept":           {plain, withHeader("Accept", "*/*")},
		"client.content-type": {plain, sending(func(r *http.Request) {
			if r.Body != nil && r.URL.Path == event {
				r.Header.Set("Content-Type", "text/plain")
			}
		})},
		"client.json": {plain, sending(func(r *http.Request) {
			if r.Method == http.MethodPost && r.URL.Path == event {
				setBody(r, []byte("verb=liked"))
			}
		})},
		"client.nfc": {plain, withBody(event, func(body map[string]any) { body["location"] = "Cafe\u0301" })},
		"client.endpoints": {plain, sending(func(r *http.Request) {
			if r.URL.Path == "/0.2/user/feed" {
				r.URL.Path = "/0.2/feed"
			}
		})},
		"client.documented-paths": {control.Settings{Dialect: "aliases"}, sending(func(r *http.Request) {
			if r.Method == http.MethodPost && r.URL.Path == event {
				r.URL.Path = "/0.2/users/events"
			}
		})},
		"client.basic": {plain, sending(func(r *http.Request) {
			if r.URL.Path == "/0.2/user/feed" {
				r.Header.Set("Authorization", "Bearer "+lastSession(r))
			}
		})},
		"client.app-only": {plain, sending(func(r *http.Request) {
			if r.URL.Path == "/0.2/user/login" {
				app, _, _ := r.BasicAuth()
				r.SetBasicAuth(app, "the-session-of-yesterday")
			}
		})},
		"client.both-tokens": {plain, sending(func(r *http.Request) {
			if r.URL.Path == "/0.2/user/feed" {
				app, _, _ := r.BasicAuth()
				r.SetBasicAuth(app, "")
			}
		})},
		"client.token-confined": {plain, sending(func(r *http.Request) {
			if r.URL.Path == "/0.2/user/feed" {
				r.URL.RawQuery = "token=" + lastSession(r)
			}
		})},
		"client.session-ends": {plain, afterLogout},
		"client.required":     {plain, withBody(event, func(body map[string]any) { delete(body, "verb"); body["location"] = "Berlin" })},
		"client.types":        {plain, withBody(event, func(body map[string]any) { body["latitude"] = "52.5" })},
		"client.timestamps":   {plain, withBody(event, func(body map[string]any) { body["created_at"] = "02.01.2026 12:00" })},
		"client.metadata":     {plain, withBody(event, func(body map[string]any) { body["metadata"] = map[string]any{"rating": 5} })},
		"client.password-hashed": {plain, withBody("/0.2/user", func(body map[string]any) {
			if body["password"] != nil {
				body["password"] = "secret"
			}
		})},
		"client.id-verbatim": {control.Settings{Choose: map[string]string{"user-ids": "big"}}, roundingIDs},
		"client.query-encoded": {plain, sending(func(r *http.Request) {
			if r.URL.Path == "/0.2/users/search" {
				r.URL.RawQuery = "q=caf\u00e9"
			}
		})},
		"client.quota": {plain, func(next http.RoundTripper) http.RoundTripper {
			return roundTrip(func(r *http.Request) (*http.Response, error) {
				for range 1000 {
					if r.URL.Path == "/versions" {
						response, err := next.RoundTrip(r.Clone(r.Context()))
						if err != nil {
							return nil, err
						}
						_, _ = io.Copy(io.Discard, response.Body) // so that the connection is free again
						response.Body.Close()
					}
				}
				return next.RoundTrip(r)
			})
		}},
		"client.waits-429":    {weather("delay=150ms,on=18,nth=1", "429,on=18,nth=1,retry-after=5s"), again(event, 429)},
		"client.waits-503":    {weather("delay=150ms,on=18,until=4", "503,on=18,until=4,retry-after=1s"), again(event, 503)},
		"client.checks-504":   {weather("delay=150ms,on=18,nth=1", "504,on=18,nth=1,done"), again(event, 504)},
		"client.no-retry-4xx": {plain, again("/0.2/users/nobody-of-this-name", 404)},
	}
}

// afterLogout goes on with the session, once the order on any connection is certain.
func afterLogout(next http.RoundTripper) http.RoundTripper {
	return roundTrip(func(r *http.Request) (*http.Response, error) {
		response, err := next.RoundTrip(r)
		if err != nil || r.URL.Path != "/0.2/user/logout" {
			return response, err
		}
		time.Sleep(clientSkew + 10*time.Millisecond)
		late := r.Clone(r.Context())
		late.Method, late.URL.Path = http.MethodGet, "/0.2/user/friends"
		if used, err := next.RoundTrip(late); err == nil {
			used.Body.Close()
		}
		return response, err
	})
}

// roundingIDs takes ids through floating point, as a language without integers does.
func roundingIDs(next http.RoundTripper) http.RoundTripper {
	rounded := func(text string) string {
		if number, err := strconv.ParseFloat(text, 64); err == nil && len(text) > 15 {
			return strconv.FormatFloat(number, 'f', 0, 64)
		}
		return text
	}
	inPath := sending(func(r *http.Request) {
		segments := strings.Split(r.URL.Path, "/")
		for i := range segments {
			segments[i] = rounded(segments[i])
		}
		r.URL.Path = strings.Join(segments, "/")
	})
	inBody := withBody("/0.2/user/connections", func(body map[string]any) {
		switch id := body["user_to_id"].(type) {
		case json.Number:
			body["user_to_id"] = json.Number(rounded(id.String()))
		case string:
			body["user_to_id"] = rounded(id)
		}
	})
	return inPath(inBody(next))
}
