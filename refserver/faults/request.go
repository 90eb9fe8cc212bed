package faults

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"path"
	"strings"
)

// match picks the requests that a fault is about.
type match func(*http.Request) bool

// on picks an endpoint as the contract writes it, such as
// "DELETE /0.2/user/events/{EventID}"; a part in braces stands for any segment
// that is not a literal of another endpoint.
func on(endpoint string) match {
	method, path, _ := strings.Cut(endpoint, " ")
	return by(method).and(at(path))
}

// at picks the requests to a path, as the contract writes it.
func at(template string) match {
	want := strings.Split(template, "/")
	return func(r *http.Request) bool {
		got := strings.Split(r.URL.Path, "/")
		if len(want) != len(got) {
			return false
		}
		for i := range want {
			parameter := strings.HasPrefix(want[i], "{")
			if !parameter && want[i] != got[i] || parameter && (got[i] == "search" || got[i] == "social") {
				return false
			}
		}
		return true
	}
}

// by picks the requests of a method.
func by(method string) match { return func(r *http.Request) bool { return r.Method == method } }

// below picks the requests to paths that begin so.
func below(prefix string) match {
	return func(r *http.Request) bool { return strings.HasPrefix(r.URL.Path, prefix) }
}

// hasQuery picks the requests whose query has the parameter with the value.
func hasQuery(parameter, value string) match {
	return func(r *http.Request) bool { return r.URL.Query().Get(parameter) == value }
}

// lacksHeader picks the requests that lack a header.
func lacksHeader(name string) match {
	return func(r *http.Request) bool { return r.Header.Get(name) == "" }
}

// headerContains picks the requests whose header has the text in it.
func headerContains(name, text string) match {
	return func(r *http.Request) bool { return strings.Contains(r.Header.Get(name), text) }
}

// sends picks the requests whose body has the field.
func sends(field string) match { return sendsA(field, anything) }

// sendsA picks the requests whose body has the field with a value that is so.
func sendsA(field string, is func(value any) bool) match {
	return func(r *http.Request) bool { return has(field, is)(requestObject(r)) }
}

// sendsJSON picks the requests whose body is JSON of a value that is so.
func sendsJSON(is func(value any) bool) match {
	return func(r *http.Request) bool {
		body := bytes.TrimSpace(peekBody(r))
		return json.Valid(body) && is(decode(body))
	}
}

func anything(any) bool { return true }

func (m match) and(further match) match {
	return func(r *http.Request) bool { return m(r) && further(r) }
}

func (m match) or(further match) match {
	return func(r *http.Request) bool { return m(r) || further(r) }
}

func not(m match) match { return func(r *http.Request) bool { return !m(r) } }

// appIn is the app token of a request.
func appIn(r *http.Request) string {
	token, _, _ := r.BasicAuth()
	return token
}

// sessionIn is the session token of a request.
func sessionIn(r *http.Request) string {
	_, token, _ := r.BasicAuth()
	return token
}

// lastSegment is the id at the end of a request's path.
func lastSegment(r *http.Request) string { return path.Base(r.URL.Path) }

// userInPath is the id in /0.2/users/{UserID} and the paths below.
func userInPath(r *http.Request) string { return strings.Split(r.URL.Path, "/")[3] }

// setHeader gives a request a header.
func setHeader(name, value string) func(*http.Request) {
	return func(r *http.Request) { r.Header.Set(name, value) }
}

// inBody changes the body of a request that is an object.
func inBody(change objectEdit) func(*http.Request) {
	return func(r *http.Request) {
		if body := requestObject(r); body != nil {
			change(body)
			setJSON(r, body)
		}
	}
}

// inOther changes the body of a request that is JSON, and no object.
func inOther(change func(any) any) func(*http.Request) {
	return func(r *http.Request) {
		if body := decode(peekBody(r)); body != nil && isNo[map[string]any](body) {
			setJSON(r, change(body))
		}
	}
}

// requestObject is the body of a request, decoded; nil if it is not an object. The
// body can still be read afterwards.
func requestObject(r *http.Request) map[string]any { return objectOf(peekBody(r)) }

// setJSON gives a request another body.
func setJSON(r *http.Request, value any) { setBody(r, encode(value)) }

// peekBody reads a request's body and leaves it to be read again.
func peekBody(r *http.Request) []byte {
	const most = 4 << 20
	body, err := io.ReadAll(io.LimitReader(r.Body, most))
	if err != nil {
		body = nil
	}
	setBody(r, body)
	return body
}

func setBody(r *http.Request, body []byte) {
	r.Body = io.NopCloser(bytes.NewReader(body))
	r.ContentLength = int64(len(body))
}
