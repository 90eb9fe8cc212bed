package exchange

import (
	"fmt"
	"maps"

	"github.com/socialfeed/conform/conformance/model/value"
	"github.com/socialfeed/conform/conformance/rules"
)

// Request is one request to a target. The target adds the rest: host and headers.
type Request struct {
	App         int // the target's application, from 0
	Endpoint    rules.Endpoint
	Session     string            // the session token, "" for none
	ID          string            // the path's parameter, "" where it has none
	Query       map[string]string // nil for none
	Body        any               // encoded as JSON, nil for none
	Raw         string            // sent as the body verbatim, for what Body cannot express
	ContentType string            // of a body, "" for application/json
}

// Response is a target's answer.
type Response struct {
	Status   int
	Body     any // decoded JSON with json.Number for numbers, nil where there is none
	Evidence any // the target's own record of the exchange; handed back in a Difference
}

// OK reports whether the answer is a success.
func (r Response) OK() bool { return r.Status/100 == 2 }

// Refused reports whether the answer is a refusal: any 4xx but 429.
func (r Response) Refused() bool { return r.Status/100 == 4 && r.Status != 429 }

// Object returns the object in the body, nil if it is none.
func (r Response) Object() value.Fields {
	o, _ := r.Body.(map[string]any)
	return o
}

// Objects returns the objects of an array; the second result reports whether the body is such
// an array.
func (r Response) Objects() ([]value.Fields, bool) {
	list, ok := r.Body.([]any)
	if !ok {
		return nil, false
	}
	objects := make([]value.Fields, 0, len(list))
	for _, item := range list {
		o, ok := item.(map[string]any)
		if !ok {
			return nil, false
		}
		objects = append(objects, o)
	}
	return objects, true
}

// Show renders the answer for a message, truncated and without a session token.
func (r Response) Show() string {
	if r.Body == nil {
		return fmt.Sprint(r.Status)
	}
	body := r.Body
	if o, ok := body.(map[string]any); ok {
		body = WithoutToken(o)
	}
	return fmt.Sprintf("%d with %s", r.Status, value.Show(body))
}

// WithoutToken returns an object without its session token.
func WithoutToken(o value.Fields) value.Fields {
	if o["session_token"] == nil {
		return o
	}
	shown := maps.Clone(o)
	delete(shown, "session_token")
	return shown
}
