package faults

import (
	"maps"
	"net/http"
	"strconv"
	"strings"
)

// response is a response before it is sent.
type response struct {
	status int
	header http.Header
	body   []byte
}

// edit changes a response, knowing its request.
type edit = func(*http.Request, *response)

func (resp *response) ok() bool { return resp.status/100 == 2 }

// empty reports whether the body is an empty list.
func (resp *response) empty() bool { return strings.TrimSpace(string(resp.body)) == "[]" }

// become makes another response of it; a blank body is none.
func (resp *response) become(status int, body string) {
	resp.status, resp.body = status, []byte(body)
	resp.header.Del("Content-Length")
	resp.header.Del("Content-Type")
	if body != "" {
		resp.header.Set("Content-Type", "application/json")
	}
}

func (resp *response) send(w http.ResponseWriter) {
	maps.Copy(w.Header(), resp.header)
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

// json changes the decoded body; what is no JSON stays as it is.
func (resp *response) json(change func(value any) any) {
	if value := decode(resp.body); value != nil {
		resp.body = encode(change(value))
	}
}

// object changes the body of a successful response that is an object.
func (resp *response) object(change objectEdit) {
	if object := objectOf(resp.body); object != nil && resp.ok() {
		change(object)
		resp.body = encode(object)
	}
}

// list changes the body of a successful response that is an array.
func (resp *response) list(change func([]any) []any) {
	if list, ok := decode(resp.body).([]any); ok && resp.ok() {
		resp.body = encode(change(list))
	}
}

// status gives a success another status.
func status(status int) edit {
	return func(_ *http.Request, resp *response) {
		if resp.ok() {
			resp.status = status
		}
	}
}

// replaceSuccess gives a success another status and body.
func replaceSuccess(status int, body string) edit {
	return func(_ *http.Request, resp *response) {
		if resp.ok() {
			resp.become(status, body)
		}
	}
}

// replaceStatus gives a response of one status another status and body.
func replaceStatus(of, status int, body string) edit {
	return onStatus(of, func(_ *http.Request, resp *response) { resp.become(status, body) })
}

// otherStatus gives a response of one status another, and leaves the rest.
func otherStatus(of, status int) edit {
	return onStatus(of, func(_ *http.Request, resp *response) { resp.status = status })
}

// restated gives a response another status and body, and leaves its headers.
func restated(status int, body string) edit {
	return func(_ *http.Request, resp *response) { resp.status, resp.body = status, []byte(body) }
}

// served answers a request that was refused with 401 after all.
func served(body string) edit {
	return onStatus(401, func(r *http.Request, resp *response) {
		restated(200, body)(r, resp)
		resp.header.Del("WWW-Authenticate")
	})
}

// onStatus narrows an edit to one status.
func onStatus(status int, change edit) edit {
	return func(r *http.Request, resp *response) {
		if resp.status == status {
			change(r, resp)
		}
	}
}

// onSuccess narrows an edit to successes.
func onSuccess(change edit) edit {
	return func(r *http.Request, resp *response) {
		if resp.ok() {
			change(r, resp)
		}
	}
}

// idsIn are the ids of the objects in the list that a success answers.
func idsIn(resp *response) (ids []string) {
	inEach(func(item map[string]any) { ids = append(ids, fieldText(item, "id")) })(nil, resp)
	return ids
}

// header gives a header a value; a blank one takes it away.
func header(name, value string) edit {
	return func(_ *http.Request, resp *response) {
		if resp.header[http.CanonicalHeaderKey(name)] = []string{value}; value == "" {
			resp.header[http.CanonicalHeaderKey(name)] = nil
		}
	}
}

// otherHeader gives a header that is there another value.
func otherHeader(name, value string) edit {
	return func(r *http.Request, resp *response) {
		if resp.header.Get(name) != "" {
			header(name, value)(r, resp)
		}
	}
}

// wrapped puts what is answered with 200 into a field of an object.
func wrapped(field string) edit {
	return onStatus(200, func(_ *http.Request, resp *response) {
		resp.json(func(value any) any { return map[string]any{field: value} })
	})
}

// body gives another body.
func body(text string) edit {
	return func(_ *http.Request, resp *response) { resp.body = []byte(text) }
}

// complaint is the body of an error.
func complaint(message string) string {
	return string(encode(map[string]any{"errors": []any{map[string]any{"code": 1, "message": message}}}))
}

// inList changes the list that a success answers.
func inList(change func([]any) []any) edit {
	return func(_ *http.Request, resp *response) { resp.list(change) }
}

// inObject changes the object that a success answers.
func inObject(change objectEdit) edit {
	return func(_ *http.Request, resp *response) { resp.object(change) }
}

// inEach changes every object of the list that a success answers.
func inEach(change objectEdit) edit {
	return inList(func(list []any) []any {
		for _, item := range list {
			if object, ok := item.(map[string]any); ok {
				change(object)
			}
		}
		return list
	})
}

// whereEmpty answers an empty list otherwise.
func whereEmpty(m match, status int, body string) mutation {
	return rewriteResponse(m, func(r *http.Request, resp *response) {
		if resp.empty() {
			replaceSuccess(status, body)(r, resp)
		}
	})
}

// fromRequest gives a field of a success the value that the request has in a field.
func fromRequest(field, from string) edit {
	return func(r *http.Request, resp *response) {
		if value, there := requestObject(r)[from]; there {
			resp.object(set(field, value))
		}
	}
}
