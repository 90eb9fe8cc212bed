package story

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"

	"github.com/socialfeed/conform/conformance/rules"
)

// Fields is a JSON object.
type Fields = map[string]any

// Request is one request to a target. The target adds the rest: host and headers.
type Request struct {
	App      int // the target's application, from 0
	Endpoint rules.Endpoint
	Session  string            // the session token, "" for none
	ID       string            // the path's parameter, "" if it has none
	Query    map[string]string // nil for none
	Body     Fields            // encoded as JSON, nil for none
}

// Response is a target's answer.
type Response struct {
	Status   int
	Body     any // decoded JSON with json.Number for numbers, nil if there is none
	Evidence any // the target's own record of the exchange; handed back in a Difference
}

// Target is what stories are played on.
type Target interface {
	// Do sends one request and waits for its answer. It is called concurrently
	// if a story says so. An error means that there was no answer.
	Do(context.Context, Request) (Response, error)
	// Unique returns a text of at most 8 lower-case letters and digits that is used nowhere else
	// on the target.
	Unique() string
	// Password returns a password as a client sends it.
	Password() string
}

// OK reports whether the answer is a success.
func (r Response) OK() bool { return r.Status/100 == 2 }

// Refused reports whether the answer is a refusal: any 4xx but 429.
func (r Response) Refused() bool { return r.Status/100 == 4 && r.Status != 429 }

func (r Response) object() Fields {
	o, _ := r.Body.(map[string]any)
	return o
}

// objects returns the objects of an array; the second result reports whether the body is such
// an array.
func (r Response) objects() ([]Fields, bool) {
	list, ok := r.Body.([]any)
	if !ok {
		return nil, false
	}
	objects := make([]Fields, 0, len(list))
	for _, item := range list {
		o, ok := item.(map[string]any)
		if !ok {
			return nil, false
		}
		objects = append(objects, o)
	}
	return objects, true
}

// show renders the answer for a message, truncated and without a session token.
func (r Response) show() string {
	if r.Body == nil {
		return fmt.Sprint(r.Status)
	}
	body := r.Body
	if o, ok := body.(map[string]any); ok && o["session_token"] != nil {
		shown := maps.Clone(o)
		delete(shown, "session_token")
		body = shown
	}
	return fmt.Sprintf("%d with %s", r.Status, showValue(body))
}

// idText returns an id as text, whatever its JSON type: ids are opaque.
func idText(v any) string {
	switch id := v.(type) {
	case string:
		return id
	case json.Number:
		return id.String()
	}
	return ""
}
