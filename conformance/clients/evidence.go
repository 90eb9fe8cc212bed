package clients

import (
	"net/http"
	"net/url"
	"regexp"
	"strings"

	"github.com/socialfeed/conform/conformance/internal/jsonvalue"
	"github.com/socialfeed/conform/conformance/internal/wire"
	"github.com/socialfeed/conform/conformance/result"
)

// render shows exchanges as reports do: what is secret in one of them is hidden in all.
func (t *tokens) render(exchanges []*Exchange) []result.Exchange {
	redactor := wire.NewRedactor(t.app, "")
	for _, x := range exchanges {
		t.hide(redactor, x)
	}
	shown := make([]result.Exchange, len(exchanges))
	for i, x := range exchanges {
		shown[i] = redactor.Exchange(x.wire())
		shown[i].Number = x.Number
	}
	return shown
}

// hide registers the secrets of an exchange with the redactor.
func (t *tokens) hide(redactor *wire.Redactor, x *Exchange) {
	r := takeApart(x, "")
	redactor.Learn(r.auth.app, "APP_TOKEN")
	redactor.Learn(r.auth.session, "SESSION_TOKEN")
	redactor.LearnCredentials(x.Header)
	if _, secret, ok := strings.Cut(x.Header.Get("Authorization"), " "); ok && !r.auth.pair {
		redactor.Learn(secret, "TOKEN")
	}
	if !r.auth.there || !strings.Contains(x.Header.Get("Authorization"), " ") {
		redactor.Learn(x.Header.Get("Authorization"), "TOKEN")
	}
	for _, text := range append(r.texts(), place{"", string(x.RespBody)}) {
		for _, w := range words(text.value) {
			if _, issued := t.sessions.get(w); issued {
				redactor.Learn(w, "SESSION_TOKEN")
			}
		}
	}
	for name, values := range r.query {
		for _, value := range values {
			if secretName.MatchString(name) {
				redactor.Learn(value, "SECRET")
			}
		}
	}
	record, _ := jsonvalue.AsRecord(r.sent)
	for _, field := range jsonvalue.SortedKeys(record) {
		if secretName.MatchString(field) {
			redactor.Learn(record.Text(field), "SECRET")
		}
	}
	if r.sent == nil {
		for _, found := range looseSecret.FindAllSubmatch(x.Body, -1) {
			secret := string(found[1])
			redactor.Learn(secret, "SECRET")
			if plain, err := url.QueryUnescape(secret); err == nil {
				redactor.Learn(plain, "SECRET")
			}
		}
	}
	answer, _ := jsonvalue.AsRecord(r.answer())
	redactor.Learn(answer.Text("session_token"), "SESSION_TOKEN")
}

// secretName is a field or a parameter that holds a secret.
var secretName = regexp.MustCompile(`(?i)password|passwd|token|secret|api.?key`)

// looseSecret is what seems to be a secret in a body that is no JSON: in a form, in markup, or
// in what nearly is JSON.
var looseSecret = regexp.MustCompile(`(?i)(?:password|passwd|token|secret|api.?key)\w*["']?(?:\s*[:=>]\s*|\r?\n\r?\n)["']?([^"'&,;}<\r\n]+)`)

// secretHeader is a header whose value is never shown.
var secretHeader = regexp.MustCompile(`(?i)cookie|token|secret|api-?key|^proxy-auth|^x-auth|csrf`)

// wire is the exchange as reports show it.
func (x *Exchange) wire() *wire.Exchange {
	w := x.Wire("") // which rule it breaks is known
	w.Header, w.RespHeader = withoutSecrets(x.Header), withoutSecrets(x.RespHeader)
	return w
}

// Wire is the exchange in the form of package wire, secrets included, its endpoint below a
// base path.
func (x *Exchange) Wire(base string) *wire.Exchange {
	path, query, _ := strings.Cut(x.Target, "?")
	u := &url.URL{Scheme: x.Scheme, Host: x.Host, Path: path, RawPath: path, RawQuery: query}
	if plain, err := url.PathUnescape(path); err == nil {
		u.Path = plain
	}
	w := &wire.Exchange{
		Endpoint: x.Endpoint(base), Method: x.Method, URL: u, Header: x.Header, Body: x.Body, Took: x.Took(),
		Status: x.Status, RespHeader: x.RespHeader, RespBody: x.RespBody,
	}
	if x.Status == 0 {
		w.Err = errNoAnswer
	}
	d := x.decode()
	w.Decoded(d.sent, d.sentErr, d.received, d.receivedErr)
	return w.Observed(x.Start, x.RespSize)
}

// FromWire is the inverse of Wire.
func FromWire(w *wire.Exchange) *Exchange {
	return &Exchange{
		Start: w.Started(), End: w.Started().Add(w.Took), Scheme: w.URL.Scheme, Host: w.URL.Host, Method: w.Method, Target: w.URL.RequestURI(),
		Header: w.Header, Body: w.Body, BodySize: len(w.Body), Status: w.Status, RespHeader: w.RespHeader, RespBody: w.RespBody, RespSize: len(w.RespBody),
	}
}

func withoutSecrets(h http.Header) http.Header {
	shown := h.Clone()
	shown.Del("Content-Length") // the body is shown with placeholders, so its length would be wrong
	for name := range shown {
		if secretHeader.MatchString(name) {
			shown[name] = []string{"[hidden]"}
		}
	}
	return shown
}
