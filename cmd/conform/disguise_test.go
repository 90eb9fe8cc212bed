//go:build unix

package main

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"
)

// disguise stands before a server of the contract: each id and each session token that the server gives ends
// with a text, and error messages and header fields are such texts. Requests are taken back to what the
// server gave. Nothing else changes: a server that keeps the contract still does, and so does a fault show.
type disguise struct {
	server    http.Handler
	id, token string // the endings
	said      string // in error messages and header fields
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
	if err == nil && len(body) > 0 {
		short := strings.NewReplacer(endings(d.id)...).Replace(string(body))
		if r.ContentLength == int64(len(body)) {
			r.ContentLength = int64(len(short))
		}
		body = []byte(short)
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	return r
}

// endings are an ending as JSON may spell it, with nothing in its place.
func endings(text string) []string {
	var plain strings.Builder
	encoder := json.NewEncoder(&plain)
	encoder.SetEscapeHTML(false)
	_ = encoder.Encode(text)        // a string
	quoted, _ := json.Marshal(text) // a string
	escaped := strings.TrimSuffix(plain.String(), "\n")
	return []string{string(quoted[1 : len(quoted)-1]), "", escaped[1 : len(escaped)-1], ""}
}

// object is the object of an event, whose id is its author's.
var object = regexp.MustCompile(`"object"\s*:\s*\{[^{}]*\}`)

// named is a field that is disguised.
var named = regexp.MustCompile(`"(id|user_id|user_from_id|user_to_id|session_token|message)"(\s*:\s*)("(?:[^"\\]|\\.)+"|-?\d+)`)

// dress is the body of an answer in disguise.
func (d disguise) dress(status int, body []byte) []byte {
	objects := object.FindAllIndex(body, -1)
	var out bytes.Buffer
	from := 0
	for _, at := range named.FindAllSubmatchIndex(body, -1) {
		name, value := string(body[at[2]:at[3]]), body[at[6]:at[7]]
		text := strings.Trim(string(value), `"`)
		inObject := false
		for _, o := range objects {
			inObject = inObject || o[0] <= at[0] && at[1] <= o[1]
		}
		switch {
		case name == "message" && status < http.StatusBadRequest, name != "message" && inObject:
			continue
		case name == "message":
			text = d.said
		case name == "session_token":
			text += d.token
		default:
			text += d.id
		}
		quoted, _ := json.Marshal(text) // a string
		out.Write(body[from:at[6]])
		out.Write(quoted)
		from = at[7]
	}
	out.Write(body[from:])
	return out.Bytes()
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
