package faults

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"

	"github.com/socialfeed/conform/refserver"
)

// match picks the requests that a fault is about.
type match func(*http.Request) bool

// on picks an endpoint as the contract writes it, such as
// "DELETE /0.2/user/events/{EventID}"; a part in braces stands for any segment
// that is not a literal of another endpoint.
func on(endpoints ...string) match {
	return func(r *http.Request) bool {
		for _, endpoint := range endpoints {
			method, path, _ := strings.Cut(endpoint, " ")
			if r.Method == method && samePath(path, r.URL.Path) {
				return true
			}
		}
		return false
	}
}

func samePath(template, path string) bool {
	want, got := strings.Split(template, "/"), strings.Split(path, "/")
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

// and narrows a match.
func (m match) and(further match) match {
	return func(r *http.Request) bool { return m(r) && further(r) }
}

// response is a response before it is sent.
type response struct {
	status int
	header http.Header
	body   []byte
}

// edit changes the responses to the requests that match.
func edit(m match, change func(*http.Request, *response)) func(*refserver.Options) {
	return front(func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if !m(r) {
				next.ServeHTTP(w, r)
				return
			}
			resp := record(next, r)
			change(r, resp)
			resp.send(w)
		})
	})
}

// around lets a fault answer the requests that match, with or without the server.
func around(m match, answer func(next http.Handler, r *http.Request) *response) func(*refserver.Options) {
	return front(func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if !m(r) {
				next.ServeHTTP(w, r)
				return
			}
			answer(next, r).send(w)
		})
	})
}

// replace answers the requests that match without asking the server.
func replace(m match, status int, body string) func(*refserver.Options) {
	return front(func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if !m(r) {
				next.ServeHTTP(w, r)
				return
			}
			resp := &response{status: status, header: http.Header{}, body: []byte(body)}
			if body != "" {
				resp.header.Set("Content-Type", "application/json")
			}
			if r.Header.Get("Origin") != "" {
				resp.header.Set("Access-Control-Allow-Origin", "*")
			}
			resp.send(w)
		})
	})
}

// tamper changes the requests that match before the server sees them.
func tamper(m match, change func(*http.Request)) func(*refserver.Options) {
	return front(func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if m(r) {
				change(r)
			}
			next.ServeHTTP(w, r)
		})
	})
}

// record lets the server answer, and keeps what it says. The request's body can
// still be read afterwards.
func record(next http.Handler, r *http.Request) *response {
	body := keepBody(r)
	recorder := httptest.NewRecorder()
	next.ServeHTTP(recorder, r)
	setBody(r, body)
	return &response{status: recorder.Code, header: recorder.Header(), body: recorder.Body.Bytes()}
}

func (resp *response) send(w http.ResponseWriter) {
	for name, values := range resp.header {
		w.Header()[name] = values
	}
	if resp.header.Get("Content-Length") != "" {
		w.Header().Set("Content-Length", strconv.Itoa(len(resp.body)))
	}
	if resp.status == http.StatusNoContent {
		w.Header().Del("Content-Length")
	}
	w.WriteHeader(resp.status)
	if resp.status != http.StatusNoContent {
		_, _ = w.Write(resp.body) // a peer that is gone needs no answer
	}
}

func (resp *response) ok() bool { return resp.status/100 == 2 }

// json changes the decoded body; what is no JSON stays as it is.
func (resp *response) json(change func(value any) any) {
	value := decode(resp.body)
	if value == nil {
		return
	}
	resp.body = encode(change(value))
}

// object changes the body of a successful response that is an object.
func (resp *response) object(change func(map[string]any)) {
	if !resp.ok() {
		return
	}
	resp.json(func(value any) any {
		if object, ok := value.(map[string]any); ok {
			change(object)
		}
		return value
	})
}

// list changes the body of a successful response that is an array.
func (resp *response) list(change func([]any) []any) {
	if !resp.ok() {
		return
	}
	resp.json(func(value any) any {
		if list, ok := value.([]any); ok {
			return change(list)
		}
		return value
	})
}

// sent is the body of a request, decoded; nil when it is no object. The body can
// still be read afterwards.
func sent(r *http.Request) map[string]any {
	object, _ := decode(keepBody(r)).(map[string]any)
	return object
}

// resend gives a request another body.
func resend(r *http.Request, value any) {
	setBody(r, encode(value))
}

// keepBody reads a request's body and leaves it to be read again.
func keepBody(r *http.Request) []byte {
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

// decode decodes JSON without losing digits; nil when it is none, or more than one value.
func decode(data []byte) any {
	if !json.Valid(data) {
		return nil
	}
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.UseNumber()
	var value any
	if decoder.Decode(&value) != nil {
		return nil
	}
	return value
}

func encode(value any) []byte {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		return nil
	}
	return b.Bytes()
}

// call asks the server for something more, as the same client with the same credentials.
func call(next http.Handler, like *http.Request, method, path string, body any) *response {
	var content []byte
	if body != nil {
		content = encode(body)
	}
	r := httptest.NewRequest(method, path, bytes.NewReader(content)).WithContext(like.Context())
	r.TLS, r.RemoteAddr = like.TLS, like.RemoteAddr
	r.Header = like.Header.Clone()
	r.Header.Set("Accept", "application/json")
	r.Header.Set("User-Agent", "fault")
	r.Header.Del("Content-Type")
	if body != nil {
		r.Header.Set("Content-Type", "application/json")
	}
	return record(next, r)
}
