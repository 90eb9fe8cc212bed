package conformance

import (
	"cmp"
	"encoding/base64"
	"fmt"
	"net/http"
	"net/url"
	"path"
	"strings"

	"github.com/socialfeed/conform/conformance/accounts"
	"github.com/socialfeed/conform/conformance/grid"
	"github.com/socialfeed/conform/conformance/internal/jsonvalue"
	"github.com/socialfeed/conform/conformance/internal/wire"
	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/conformance/rules"
)

// Credentials say who sends a request. An *Actor is one; so are Basic, AppOnly
// of a T, and Anonymous.
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

// Anonymous sends no credentials.
type Anonymous struct{}

func (Anonymous) authorization() string { return "" }

// With shapes a request: its ids, query, headers and body.
type With func(*draft)

// draft is a request in the making.
type draft struct {
	path    string
	spelled string // the path in another spelling of the same, "" for none
	ids     []string
	query   url.Values
	raw     string // the query as it stands, "" for query
	headers http.Header
	body    []byte
	chunked bool     // the body is sent without its length
	sample  bool     // of a long list in the answer the beginning is enough
	tried   []string // what the request has that a plain one has not, in words
}

// ID fills the path's parameter.
func ID(id fmt.Stringer) With { return IDText(id.String()) }

// IDText fills the path's parameter by an id that is known as text.
func IDText(id string) With { return func(d *draft) { d.ids = append(d.ids, id) } }

// Query adds a query parameter.
func Query(name, value string) With { return func(d *draft) { d.query.Add(name, value) } }

// RawQuery sets the query as it stands, also where it is malformed.
func RawQuery(query string) With { return func(d *draft) { d.raw = query } }

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
		body, err := jsonvalue.Encode(value)
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

// Chunked sends the body without its length.
func Chunked() With { return func(d *draft) { d.chunked = true } }

// tried says what a request has that a plain one has not, in words.
func tried(what []string) With { return func(d *draft) { d.tried = what } }

// Sample has no more be read of a long list in the answer than its beginning, where that is enough to
// judge: a target may hold a million users.
func Sample() With { return func(d *draft) { d.sample = true } }

// Layouts are other texts of the same JSON object.
func Layouts() []grid.Layout { return grid.Layouts() }

// LaidOut gives the body, which is an object, other layouts, one after another.
func LaidOut(layouts ...grid.Layout) With {
	return func(d *draft) {
		for _, layout := range layouts {
			d.body = layout.Respell(d.body)
		}
	}
}

// LowerCaseScheme spells the scheme of the credentials in lower case.
func LowerCaseScheme() With {
	return func(d *draft) {
		scheme, credentials, _ := strings.Cut(d.headers.Get("Authorization"), " ")
		d.headers.Set("Authorization", strings.ToLower(scheme)+" "+credentials)
	}
}

// Answer is the response to a request that a scenario sent.
type Answer struct {
	t        *T
	exchange *wire.Exchange
	sender   *Actor // nil for nobody's request
}

// Send sends a request to an endpoint. When no response comes, nothing more of
// the check (or outside of one, of the scenario) can be judged. A user whom the scenario has created
// is asked for as SendSettled does.
func (t *T) Send(as Credentials, to rules.Endpoint, with ...With) *Answer {
	answer := t.sendTo(as, to.Method(), to.Path(), to, with)
	if to == rules.GetUser && answer.exchange.Status == http.StatusNotFound && t.created(answer.exchange) {
		return t.SendSettled(as, to, with...)
	}
	return answer
}

// created reports whether an exchange asks for a user whom the scenario has created and not deleted.
func (t *T) created(x *wire.Exchange) bool {
	app, _, _ := wire.CredentialsOf(x.Header)
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.accounts.Find(func(a *accounts.Account) bool {
		return a.App == app && !a.Doubtful && !a.Gone && !a.MaybeGone && a.ID == lastPiece(x.URL)
	}) != nil
}

// lastPiece is the last piece of a path, which is where an id stands.
func lastPiece(of *url.URL) string {
	piece, _ := url.PathUnescape(path.Base(of.EscapedPath()))
	return piece
}

// SendTo sends a request to a path where there is no endpoint, or by a method that the path does
// not have.
func (t *T) SendTo(as Credentials, method, path string, with ...With) *Answer {
	return t.sendTo(as, method, path, rules.NoEndpoint, with)
}

func (t *T) sendTo(as Credentials, method, path string, to rules.Endpoint, with []With) *Answer {
	d := &draft{path: path, query: url.Values{}, headers: http.Header{
		"Accept":     {"application/json"},
		"User-Agent": {t.run.userAgent()},
	}}
	if authorization := as.authorization(); authorization != "" {
		d.headers.Set("Authorization", authorization)
	}
	for _, shape := range with {
		shape(d)
	}
	if to != rules.NoEndpoint {
		d.path = cmp.Or(d.spelled, to.Expand(d.ids...))
	}
	target := t.run.url(d.path)
	target.RawQuery = cmp.Or(d.raw, encodeQuery(d.query))
	sender, _ := as.(*Actor)
	ctx, sent := t.newCall(sender)
	if d.sample {
		ctx = wire.WithSample(ctx)
	}
	ctx = wire.WithTried(ctx, d.tried)
	t.expect.Request(method, "").
		WithContext(ctx).
		WithTransformer(func(r *http.Request) {
			r.URL = target
			r.Header = d.headers
			if d.chunked {
				r.TransferEncoding = []string{"chunked"}
			}
		}).
		WithBytes(d.body).
		Expect()
	return &Answer{t: t, exchange: sent.exchange, sender: sender}
}

// read is the answer's exchange, whose content is about to decide something.
func (a *Answer) read() *wire.Exchange {
	a.t.mu.Lock()
	defer a.t.mu.Unlock()
	a.t.lastUsed = a.exchange
	if a.exchange.Cut() {
		panic(unjudged(errTooLong))
	}
	if c := a.t.current; c != nil {
		c.recordRefusal(a.exchange)
	}
	return a.exchange
}

var errTooLong = fmt.Errorf("the answers are longer than %d bytes together", maxHeld)

// Status is the response's status code.
func (a *Answer) Status() int { return a.read().Status }

// Succeeded reports whether the status is a 2xx.
func (a *Answer) Succeeded() bool { return a.Status()/100 == 2 }

// Body is the response's body as it came.
func (a *Answer) Body() []byte { return a.read().RespBody }

// Headers are the response's headers.
func (a *Answer) Headers() http.Header { return a.read().RespHeader }

// HeaderItems are the items of a header that holds a list, of all its lines.
func (a *Answer) HeaderItems(name string) []string {
	items := strings.Split(strings.Join(a.Headers().Values(name), ","), ",")
	for i, item := range items {
		items[i] = strings.TrimSpace(item)
	}
	return items
}

// Value is the decoded body, not to be changed; nil where it is no JSON.
func (a *Answer) Value() any {
	value, _ := a.read().Value()
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
	records, ok := jsonvalue.AsRecords(a.Value())
	if !ok {
		a.block("a JSON array of objects in the response")
	}
	return records
}

// Done requires success and nothing else of the response. Without it, what is being judged is
// blocked by the rule that stands for the endpoint.
func (a *Answer) Done() { a.needsSuccess() }

func (a *Answer) needsSuccess() {
	if !a.Succeeded() {
		a.block("success")
	}
}

func (a *Answer) block(need string) {
	a.needsSession()
	at := a.exchange.Endpoint
	a.t.blockBy(outcome{status: result.Blocked, blockedBy: at.BlockingRule(), expected: fmt.Sprintf("%s from %s", need, at), actual: a.summary(),
		message: fmt.Sprintf("needs %s from %s, which answered %s", need, at, a.summary())}, a.exchange)
}

// needsSession ends what is being judged where the answer is a 401 to an actor that has logged out: it
// says nothing of the endpoint, but that no login gave the actor a session since.
func (a *Answer) needsSession() {
	if a.exchange.Status != http.StatusUnauthorized || a.sender == nil || !a.sender.sessionEnded() {
		return
	}
	a.t.mu.Lock()
	lost := a.t.lostAnswer
	a.t.mu.Unlock()
	if lost {
		panic(outcome{status: result.Error, message: "could not judge: a connection was lost, and the user who had logged out has no session since"})
	}
	a.t.block("sessions.logout.relogin", "needs a session of a user who has logged out, and there is none", a.exchange)
}

// encodeQuery is a query with blanks as %20, which stands for one everywhere, as + does not.
func encodeQuery(query url.Values) string {
	return strings.ReplaceAll(query.Encode(), "+", "%20")
}

// summary is the response in a few words.
func (a *Answer) summary() string { return a.read().Summary() }
