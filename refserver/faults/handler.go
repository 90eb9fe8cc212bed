package faults

import (
	"bytes"
	"net/http"
	"net/http/httptest"

	"github.com/socialfeed/conform/refserver"
)

// wrapHandler puts a handler in front of the server.
func wrapHandler(wrap func(http.Handler) http.Handler) mutation {
	return func(o *refserver.Options) {
		inner := o.WrapHandler
		o.WrapHandler = func(next http.Handler) http.Handler {
			if inner != nil {
				next = inner(next)
			}
			return wrap(next)
		}
	}
}

// intercept lets a fault answer the requests that match, with or without the server.
func intercept(m match, answer func(next http.Handler, r *http.Request) *response) mutation {
	return wrapHandler(func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if !m(r) {
				next.ServeHTTP(w, r)
				return
			}
			answer(next, r).send(w)
		})
	})
}

// rewriteResponse changes the responses to the requests that match.
func rewriteResponse(m match, change edit) mutation {
	return intercept(m, func(next http.Handler, r *http.Request) *response {
		resp := record(next, r)
		change(r, resp)
		return resp
	})
}

// rewriteObject changes the object of a successful response.
func rewriteObject(m match, change objectEdit) mutation {
	return rewriteResponse(m, inObject(change))
}

// rewriteEach changes every object in the list of a successful response.
func rewriteEach(m match, change objectEdit) mutation { return rewriteResponse(m, inEach(change)) }

// rewriteRequest changes the requests that match before the server sees them.
func rewriteRequest(m match, change func(*http.Request)) mutation {
	return wrapHandler(func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if m(r) {
				change(r)
			}
			next.ServeHTTP(w, r)
		})
	})
}

// rewriteBody changes the object that a request that matches sends.
func rewriteBody(m match, change objectEdit) mutation { return rewriteRequest(m, inBody(change)) }

// rewriteKnowing changes the object that a request that matches sends, by the record of its user.
func rewriteKnowing(m match, change func(own, sent map[string]any)) mutation {
	return intercept(m, func(next http.Handler, r *http.Request) *response {
		own := ownRecord(next, r)
		if own != nil {
			inBody(func(sent map[string]any) { change(own, sent) })(r)
		}
		return record(next, r)
	})
}

// respond answers the requests that match without asking the server.
func respond(m match, status int, body string) mutation {
	return intercept(m, func(_ http.Handler, r *http.Request) *response { return answer(r, status, body) })
}

// answer makes a response of its own; a blank body is none.
func answer(r *http.Request, status int, body string) *response {
	resp := &response{header: http.Header{}}
	resp.become(status, body)
	if r.Header.Get("Origin") != "" {
		resp.header.Set("Access-Control-Allow-Origin", "*")
	}
	return resp
}

// refused refuses writes with a body that a valid server accepts, without effect.
func refused(m match, status int, content string) mutation {
	return intercept(m, func(next http.Handler, r *http.Request) *response {
		setBody(r, []byte("{"))
		resp := record(next, r)
		replaceStatus(400, status, content)(r, resp)
		return resp
	})
}

// refusedButDone makes the server refuse the requests that match, and then do them:
// repair removes the reason for the refusal.
func refusedButDone(m match, repair func(*http.Request)) mutation {
	return intercept(m, func(next http.Handler, r *http.Request) *response {
		content := peekBody(r)
		refusal := record(next, r)
		if refusal.status/100 == 4 {
			setBody(r, content)
			repair(r)
			record(next, r)
		}
		return refusal
	})
}

// record keeps the server's answer. The request's body can
// still be read afterwards.
func record(next http.Handler, r *http.Request) *response {
	body := peekBody(r)
	recorder := httptest.NewRecorder()
	next.ServeHTTP(recorder, r)
	setBody(r, body)
	return &response{status: recorder.Code, header: recorder.Header(), body: recorder.Body.Bytes()}
}

// call sends the server a further request, as the same client with the same credentials.
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

// ownRecord is the user of a request's session, nil without.
func ownRecord(next http.Handler, r *http.Request) map[string]any {
	return objectOf(call(next, r, http.MethodGet, "/0.2/user", nil).body)
}

// lists reports whether the user with the id is on a list that the client of a request reads.
func lists(next http.Handler, r *http.Request, path, id string) bool {
	found := false
	inEach(func(user map[string]any) { found = found || fieldText(user, "id") == id })(r, call(next, r, http.MethodGet, path, nil))
	return found
}
