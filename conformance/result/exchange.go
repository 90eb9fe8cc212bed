package result

import (
	"net/http"
	"time"
)

// Exchange is one request and its response as reports show them: secrets
// replaced by placeholders, bodies cut at a stated size.
type Exchange struct {
	Request    Request   `json:"request"`
	Response   *Response `json:"response,omitempty"` // absent when none came
	Error      string    `json:"error,omitempty"`    // why none came
	TraceID    string    `json:"trace_id,omitempty"` // of the request's traceparent header, where it had one
	StartedAt  time.Time `json:"started_at"`
	DurationMS float64   `json:"duration_ms"`
	Curl       string    `json:"curl"` // the request as a command, placeholders where secrets stood
	// Number is the exchange's place in a client's sequence, from 1, where a client is judged.
	Number int `json:"number,omitempty"`
}

// Request is the request's half of an Exchange.
type Request struct {
	Method  string      `json:"method"`
	URL     string      `json:"url"`
	Headers http.Header `json:"headers"`
	Body    string      `json:"body,omitempty"`
}

// Response is the response's half of an Exchange.
type Response struct {
	Status  int         `json:"status"`
	Headers http.Header `json:"headers"`
	Body    string      `json:"body,omitempty"`
}
