//go:build unix

package main

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// disguise stands before a server of the contract: each id and each session token that the server gives ends
// with a text, and error messages and header fields are such texts. Requests are taken back to what the
// server gave. Nothing else changes: a server that keeps the contract still does, and so does a fault show.
type disguise struct {
	server    http.Handler
	id, token string    // the endings
	said      string    // in error messages and header fields
	given     *sync.Map // the ids that the server gave, as texts: a fault may show one in another field
	sent      *sync.Map // the custom_ids that clients sent: a fault may show one as an id
}

func (d disguise) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	answer := &disguised{ResponseWriter: w, status: http.StatusOK}
	d.server.ServeHTTP(answer, d.plain(r))
	if answer.hijacked {
		return
	}
	d.dressHeader(w.Header())
	body := answer.body.Bytes()
	if dressed := d.dress(answer.status, body); !bytes.Equal(dressed, body) {
		if w.Header().Get("Content-Length") == strconv.Itoa(len(body)) {
			w.Header().Set("Content-Length", strconv.Itoa(len(dressed)))
		}
		body = dressed
	}
	w.WriteHeader(answer.status)
	_, _ = w.Write(body)
}

// plain is a request with what the server gave.
func (d disguise) plain(r *http.Request) *http.Request {
	r = r.Clone(r.Context())
	segments := strings.Split(r.URL.EscapedPath(), "/")
	for i, segment := range segments {
		if text, err := url.PathUnescape(segment); err == nil && strings.HasSuffix(text, d.id) {
			segments[i] = url.PathEscape(strings.TrimSuffix(text, d.id))
		}
	}
	if path := strings.Join(segments, "/"); path != r.URL.EscapedPath() {
		r.URL.Path, _ = url.PathUnescape(path) // of escaped segments
		r.URL.RawPath = path
	}
	r.RequestURI = r.URL.RequestURI()
	scheme, code, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	if pair, err := base64.StdEncoding.DecodeString(code); err == nil {
		if app, session, _ := strings.Cut(string(pair), ":"); session != "" {
			given, whole := strings.CutSuffix(session, d.token)
			if !whole {
				given = "none" // a part of a token is none
			}
			r.Header.Set("Authorization", scheme+" "+base64.StdEncoding.EncodeToString([]byte(app+":"+given)))
		}
	}
	body, err := io.ReadAll(r.Body)
	for _, sent := range customID.FindAllSubmatch(body, -1) {
		d.sent.Store(string(sent[1]), true)
	}
	if err == nil && len(body) > 0 {
		short := d.ending().ReplaceAllString(string(body), "$1")
		if r.ContentLength == int64(len(body)) {
			r.ContentLength = int64(len(short))
		}
		body = []byte(short)
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	return r
}

// customID matches a custom_id that a client sends.
var customID = regexp.MustCompile(`"custom_id"\s*:\s*"([^"]+)"`)

// ending matches an id's last character and the ending behind it, as JSON may spell it. An ending alone may be
// the body's own.
func (d disguise) ending() *regexp.Regexp {
	var plain strings.Builder
	encoder := json.NewEncoder(&plain)
	encoder.SetEscapeHTML(false)
	_ = encoder.Encode(d.id)        // a string
	quoted, _ := json.Marshal(d.id) // a string
	escaped := strings.TrimSuffix(plain.String(), "\n")
	return regexp.MustCompile(`([0-9a-f])(?:` + regexp.QuoteMeta(string(quoted[1:len(quoted)-1])) + `|` + regexp.QuoteMeta(escaped[1:len(escaped)-1]) + `)`)
}

// dress is the body of an answer in disguise, up to where it is no JSON. The object of an event stays: its id is its
// author's.
func (d disguise) dress(status int, body []byte) []byte {
	var out bytes.Buffer
	decoder := json.NewDecoder(bytes.NewReader(body))
	decoder.UseNumber()
	var open []level
	from := int64(0)
	for {
		behind := decoder.InputOffset()
		token, err := decoder.Token()
		if err != nil {
			break
		}
		if delimiter, is := token.(json.Delim); is {
			open = nested(open, delimiter)
			continue
		}
		name, isValue := took(open, token)
		if !isValue || slices.ContainsFunc(open, func(l level) bool { return l.inObject }) {
			continue
		}
		text, changes := d.dressed(name, token, status)
		if !changes {
			continue
		}
		quoted, _ := json.Marshal(text) // a string
		between := bytes.IndexFunc(body[behind:], func(r rune) bool { return !strings.ContainsRune(" \t\r\n:,", r) })
		out.Write(body[from : behind+int64(between)])
		out.Write(quoted)
		from = decoder.InputOffset()
	}
	out.Write(body[from:])
	return out.Bytes()
}

// level is a list or an object of JSON that is read.
type level struct {
	list, inObject bool
	name           string // of the value that comes; "" before a name
}

// nested is what is open after a delimiter.
func nested(open []level, delimiter json.Delim) []level {
	if delimiter == '}' || delimiter == ']' {
		return open[:len(open)-1]
	}
	inside := level{list: delimiter == '['}
	if len(open) > 0 {
		last := &open[len(open)-1]
		inside.inObject = last.inObject || last.name == "object"
		last.name = ""
	}
	return append(open, inside)
}

// took gives the name of a value. It reports whether the token is a value, and no name itself.
func took(open []level, token json.Token) (name string, isValue bool) {
	if len(open) == 0 || open[len(open)-1].list {
		return "", true
	}
	last := &open[len(open)-1]
	if last.name == "" {
		last.name, _ = token.(string) // a name
		return "", false
	}
	name, last.name = last.name, ""
	return name, true
}

// dressed is a field's value in disguise. It reports whether the field has one.
func (d disguise) dressed(name string, token json.Token, status int) (text string, has bool) {
	switch token.(type) {
	case string, json.Number:
	default:
		return "", false
	}
	switch name {
	case "message":
		return d.said, status >= http.StatusBadRequest
	case "session_token":
		return fmt.Sprint(token, d.token), true
	case "id", "user_id", "user_from_id", "user_to_id":
		if _, sent := d.sent.Load(fmt.Sprint(token)); sent {
			return "", false
		}
		d.given.Store(fmt.Sprint(token), true)
		return fmt.Sprint(token, d.id), token != ""
	}
	_, given := d.given.Load(token)
	return fmt.Sprint(token, d.id), given
}

// dressHeader puts texts into an answer's header.
func (d disguise) dressHeader(h http.Header) {
	said := strings.Map(func(r rune) rune {
		if r < ' ' || r > '~' {
			return ' '
		}
		return r
	}, d.said)
	quoted := strconv.QuoteToASCII(said)
	if h.Get("Content-Type") == "application/json" {
		h.Set("Content-Type", "application/json; note="+quoted)
	}
	if h.Get("WWW-Authenticate") != "" {
		h.Set("WWW-Authenticate", "Basic realm="+quoted)
	}
	for _, name := range []string{"Server", "X-Trace", "Set-Cookie"} {
		h.Set(name, said)
	}
}

// disguised keeps the body of an answer.
type disguised struct {
	http.ResponseWriter
	status   int
	body     bytes.Buffer
	hijacked bool
}

func (a *disguised) WriteHeader(status int) {
	if status >= http.StatusOK {
		a.status = status
		return
	}
	a.ResponseWriter.WriteHeader(status)
}

func (a *disguised) Write(text []byte) (int, error) { return a.body.Write(text) }

func (a *disguised) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	a.hijacked = true
	return http.NewResponseController(a.ResponseWriter).Hijack()
}
