package conformance

import (
	"net/http"
	"net/url"
	"time"
)

// exchange is one request and its response as they were on the wire, secrets
// and all. It leaves the judge only through a redactor, as an Exchange.
type exchange struct {
	endpoint Endpoint
	method   string
	url      *url.URL
	header   http.Header // of the request
	body     []byte      // of the request
	started  time.Time
	took     time.Duration
	err      error // the exchange failed on the wire; no response then

	status   int
	answer   http.Header // of the response
	answered []byte      // the response's body
	stray    *capture    // raw bytes behind a 204
	scenario string
}

// Exchange is one request and its response as reports show them: secrets
// replaced by placeholders, bodies cut at a stated size.
type Exchange struct {
	Request    RequestRecord   `json:"request"`
	Response   *ResponseRecord `json:"response,omitempty"` // absent when none came
	Error      string          `json:"error,omitempty"`    // why none came
	StartedAt  time.Time       `json:"started_at"`
	DurationMS float64         `json:"duration_ms"`
	Curl       string          `json:"curl"` // the request as a command, placeholders where secrets stood
}

// RequestRecord is the request's half of an Exchange.
type RequestRecord struct {
	Method  string      `json:"method"`
	URL     string      `json:"url"`
	Headers http.Header `json:"headers"`
	Body    string      `json:"body,omitempty"`
}

// ResponseRecord is the response's half of an Exchange.
type ResponseRecord struct {
	Status  int         `json:"status"`
	Headers http.Header `json:"headers"`
	Body    string      `json:"body,omitempty"`
}

// maxShownBody is how much of a body a report shows, in bytes.
const maxShownBody = 2048
