package conformance

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"net/url"
	"sync/atomic"
	"unicode/utf8"

	"github.com/socialfeed/conform/conformance/internal/jsonvalue"
	"github.com/socialfeed/conform/conformance/internal/wire"
	"github.com/socialfeed/conform/conformance/model/blame"
	"github.com/socialfeed/conform/conformance/model/exchange"
	"github.com/socialfeed/conform/conformance/model/story"
	"github.com/socialfeed/conform/conformance/model/value"
)

// errSpent ends a story of a plain run that takes more requests than it was estimated to.
var errSpent = errors.New("a plain run may send no more")

// modelTarget is the target as the model uses it: over the same wire as scenarios, observed by
// the passive rules, with its users deleted at the end.
type modelTarget struct {
	t     *T
	first int // the target's application that is the first one of a story, from 0
	most  int // requests of a category that the run may send, 0 for as many as there are
	// limited is set, and ends the story, where the target limits requests; nil where a story waits for that.
	limited *atomic.Bool

	beingSent [3]atomic.Int32 // requests of a category without an answer yet, which are not counted as sent
	tagged    taggedAnswers
}

// category returns the index of a request's category, and how many requests of it a cost has.
func category(method string, c story.Cost) (index, requests int) {
	switch method {
	case http.MethodGet:
		return 0, c.Reads
	case http.MethodDelete:
		return 1, c.Deletes
	}
	return 2, c.Writes
}

func (m *modelTarget) Unique() string { return m.t.Unique() }

func (m *modelTarget) Password() string { return m.t.Password() }

func (m *modelTarget) Do(ctx context.Context, r exchange.Request) (exchange.Response, error) {
	t := m.t
	if cause := t.run.ended(ctx); cause != nil {
		return exchange.Response{}, cause
	}
	kind, spent := category(r.Endpoint.Method(), t.run.spent())
	before := int(m.beingSent[kind].Add(1)) - 1
	defer m.beingSent[kind].Add(-1)
	if m.most > 0 && spent+before >= m.most {
		return exchange.Response{}, errSpent
	}
	var ids []string
	if r.ID != "" {
		ids = append(ids, r.ID)
	}
	if m.limited != nil {
		if m.limited.Load() {
			return exchange.Response{}, wire.ErrLimited
		}
		ctx = wire.Dispensable(ctx)
	}
	app := (r.App + m.first) % t.run.applications()
	target := t.run.url(r.Endpoint.Expand(ids...))
	query := url.Values{}
	for name, value := range r.Query {
		query.Set(name, value)
	}
	target.RawQuery = encodeQuery(query)
	req, err := t.request(ctx, r.Endpoint.Method(), target.String(), Basic{t.run.config.Target.appToken(app), r.Session})
	if err != nil {
		return exchange.Response{}, err
	}
	body := []byte(r.Raw)
	if r.Raw == "" && r.Body != nil {
		if body, err = encoded(r.Body); err != nil {
			return exchange.Response{}, err
		}
	}
	if len(body) > 0 {
		req.Header.Set("Content-Type", cmp.Or(r.ContentType, "application/json"))
	}
	kept := m.tagged.condition(req)
	x := t.send(req, body, true)
	answer := exchange.Response{Status: x.Status, Evidence: x}
	answer.Body, _ = jsonvalue.Decode(x.RespBody)
	if x.Err == nil {
		answer = m.tagged.resolve(kept, x, answer)
	}
	if m.limited != nil && errors.Is(x.Err, wire.ErrLimited) {
		m.limited.Store(true)
	}
	if t.observe(x); x.Err != nil { // after this another request of the story may release a long body
		return exchange.Response{}, x.Err
	}
	return answer, nil
}

// encoded returns a body as JSON: each second one, as its characters have it, in ASCII with escapes,
// which are other words for the same. A password stays as it is, for the redactor to find it.
func encoded(body any) ([]byte, error) {
	text, err := jsonvalue.Encode(body)
	if err != nil {
		return nil, err
	}
	fields, _ := body.(value.Fields)
	if password, _ := fields["password"].(string); jsonvalue.Escaped(password) != password {
		return text, nil
	}
	sum := rune(0)
	for _, r := range string(text) {
		if r >= utf8.RuneSelf {
			sum += r
		}
	}
	if sum%2 == 0 {
		return text, nil
	}
	return []byte(jsonvalue.Escaped(string(text))), nil
}

// exchangesOf returns the exchanges in a difference's evidence.
func exchangesOf(d blame.Difference) []*wire.Exchange {
	var all []*wire.Exchange
	for _, each := range d.Evidence {
		if x, ok := each.(*wire.Exchange); ok {
			all = append(all, x)
		}
	}
	return all
}
