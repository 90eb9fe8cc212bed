package conformance

import (
	"encoding/base64"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"github.com/gavv/httpexpect/v2"
)

// Credentials say who sends a request. An *Actor is one; so are Basic, AppOnly
// of a trial, and Nobody.
type Credentials interface {
	// authorization is the Authorization header's value, "" for none.
	authorization() string
}

// Basic are credentials put together by hand: the app token and the session
// token of the contract's part Authentication.
type Basic struct{ App, Session string }

func (b Basic) authorization() string {
	return "Basic " + base64.StdEncoding.EncodeToString([]byte(b.App+":"+b.Session))
}

// Nobody sends no credentials.
type Nobody struct{}

func (Nobody) authorization() string { return "" }

// With shapes a request: its ids, query, headers and body.
type With func(*draft)

// draft is a request in the making.
type draft struct {
	path    string
	ids     []string
	query   url.Values
	headers http.Header
	body    []byte
}

// ID fills the path's parameter.
func ID(id fmt.Stringer) With { return IDText(id.String()) }

// IDText fills the path's parameter by an id that is known as text.
func IDText(id string) With { return func(d *draft) { d.ids = append(d.ids, id) } }

// Query adds a query parameter.
func Query(name, value string) With { return func(d *draft) { d.query.Add(name, value) } }

// Header sets a header, in place of the one that every request carries.
func Header(name, value string) With { return func(d *draft) { d.headers.Set(name, value) } }

// Without leaves out a header that every request carries.
func Without(name string) With {
	return func(d *draft) {
		d.headers.Del(name)
		if name == "User-Agent" {
			d.headers.Set(name, "") // without this, the HTTP library adds its own
		}
	}
}

// JSON sends the value as the body.
func JSON(value any) With {
	return func(d *draft) {
		body, err := encodeJSON(value)
		if err != nil {
			panic(fmt.Sprintf("a scenario's body does not encode: %v", err))
		}
		d.body = body
		d.headers.Set("Content-Type", "application/json")
	}
}

// Text sends a body as it stands, under the given media type.
func Text(body, mediaType string) With {
	return func(d *draft) {
		d.body = []byte(body)
		d.headers.Set("Content-Type", mediaType)
	}
}

// Answer is the response to a request that a scenario sent.
type Answer struct {
	*httpexpect.Response
	trial    *Trial
	exchange *exchange
}

// Send sends a request to an endpoint. When no response comes, nothing more of
// the check (or outside of one, of the scenario) can be judged.
func (t *Trial) Send(as Credentials, to Endpoint, with ...With) *Answer {
	return t.sendTo(as, to.Method(), to.Path(), to, with)
}

// SendTo sends a request to where no endpoint is, or by a method that it does not have.
func (t *Trial) SendTo(as Credentials, method, path string, with ...With) *Answer {
	return t.sendTo(as, method, path, NoEndpoint, with)
}

func (t *Trial) sendTo(as Credentials, method, path string, to Endpoint, with []With) *Answer {
	d := &draft{path: path, query: url.Values{}, headers: http.Header{
		"Accept":     {"application/json"},
		"User-Agent": {t.run.userAgent},
	}}
	if authorization := as.authorization(); authorization != "" {
		d.headers.Set("Authorization", authorization)
	}
	for _, shape := range with {
		shape(d)
	}
	if to != NoEndpoint {
		d.path = to.expand(d.ids...)
	}
	target := t.run.url(d.path)
	target.RawQuery = strings.ReplaceAll(d.query.Encode(), "+", "%20") // which stands for a blank everywhere
	t.sender, _ = as.(*Actor)
	defer func() { t.sender = nil }()
	response := t.expect.Request(method, "").
		WithTransformer(func(r *http.Request) {
			r.URL = target
			r.Header = d.headers
		}).
		WithBytes(d.body).
		Expect()
	return &Answer{Response: response, trial: t, exchange: t.last}
}

// Status is the response's status code.
func (a *Answer) Status() int { return a.exchange.status }

// Succeeded tells whether the status is a 2xx.
func (a *Answer) Succeeded() bool { return a.Status()/100 == 2 }

// Body is the response's body as it came.
func (a *Answer) Body() []byte { return a.exchange.answered }

// Headers are the response's headers.
func (a *Answer) Headers() http.Header { return a.exchange.answer }

// Value decodes the body; nil where it is no JSON.
func (a *Answer) Value() any {
	value, err := decodeJSON(a.exchange.answered)
	if err != nil {
		return nil
	}
	return value
}

// Record is the resource in a successful response. Without one, what needs it is
// blocked by the rule that stands for the endpoint.
func (a *Answer) Record() Record {
	a.needsSuccess()
	record, ok := a.Value().(map[string]any)
	if !ok {
		a.block("a JSON object in the response")
	}
	return record
}

// Records are the resources in a successful response that holds a list.
func (a *Answer) Records() []Record {
	a.needsSuccess()
	records, ok := recordsIn(a.Value())
	if !ok {
		a.block("a JSON array of objects in the response")
	}
	return records
}

// Done needs nothing of the response but success.
func (a *Answer) Done() { a.needsSuccess() }

func (a *Answer) needsSuccess() {
	if !a.Succeeded() {
		a.block("success")
	}
}

func (a *Answer) block(need string) {
	a.trial.block(a.exchange.endpoint.Home(), fmt.Sprintf("needs %s from %s, which answered %s",
		need, a.exchange.endpoint, a.summary()))
}

// summary is the response in a few words.
func (a *Answer) summary() string { return a.exchange.summary() }

func (x *exchange) summary() string {
	if len(x.answered) == 0 {
		return fmt.Sprintf("%d with no body", x.status)
	}
	return fmt.Sprintf("%d with %s", x.status, cutText(string(x.answered), 160))
}

func recordsIn(value any) ([]Record, bool) {
	list, ok := value.([]any)
	if !ok {
		return nil, false
	}
	records := make([]Record, len(list))
	for i, item := range list {
		if records[i], ok = asRecord(item); !ok {
			return nil, false
		}
	}
	return records, true
}

func asRecord(value any) (Record, bool) {
	m, ok := value.(map[string]any)
	return m, ok
}
