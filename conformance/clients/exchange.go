// Package clients judges clients by their requests, and by what they do after an answer. It
// does not know where the exchanges come from: a recorder in front of a service, or a file
// of recorded traffic.
package clients

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"errors"
	"io"
	"mime"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/socialfeed/conform/conformance/internal/jsonvalue"
	"github.com/socialfeed/conform/conformance/rules"
)

// Exchange is one request of a client and the service's answer as they were recorded,
// secrets included. Bodies may be cut; BodySize and RespSize are those of the whole.
type Exchange struct {
	Number     int       // its place in the sequence, by the start, from 1
	Start, End time.Time // the request's arrival, the answer's last byte
	Conn       string    // names the connection, "" where that is not known
	Serial     bool      // the connection carries one exchange after the other, and no request was sent ahead
	Client     string    // the client's address
	Scheme     string    // http or https
	Host       string
	Method     string
	Target     string      // path and query as they were sent
	Header     http.Header // of the request
	Body       []byte      // of the request
	BodySize   int
	Status     int // 0 where no whole answer reached the client
	RespHeader http.Header
	RespBody   []byte
	RespSize   int
	Refused    bool // the answer is that of conform watch itself
	Lacks      Lacks
	// Seen is a time before which every request that changes something began that was recorded before this
	// exchange or with it; zero where that is not known.
	Seen time.Time

	decoded *decoded // for all that look at it, nil before
}

// RefusedHeader marks an answer of conform watch itself.
const RefusedHeader = "X-Conform-Refused"

// decoded are the bodies, decoded once.
type decoded struct {
	plain                []byte // the answer's body, unpacked
	unpacked             bool
	sent, received       any
	sentErr, receivedErr error
}

func (x *Exchange) decode() *decoded {
	if x.decoded != nil {
		return x.decoded
	}
	d := &decoded{}
	d.plain, d.unpacked = x.unpack()
	d.sent, d.sentErr = jsonvalue.Decode(x.Body)
	d.received, d.receivedErr = jsonvalue.Decode(d.plain)
	x.decoded = d
	return d
}

// Lacks says what was removed from an exchange before it was judged.
type Lacks struct {
	Headers     bool // of requests
	Credentials bool // the Authorization header alone
	Bodies      bool // of requests
}

// Took is the time from the request's arrival to the answer's last byte.
func (x *Exchange) Took() time.Duration { return x.End.Sub(x.Start) }

// Changes reports whether the method is one that changes something.
func (x *Exchange) Changes() bool {
	switch x.Method {
	case http.MethodGet, http.MethodHead, http.MethodOptions, http.MethodTrace:
		return false
	}
	return true
}

// Endpoint is the contract's endpoint that the request was sent to, below a base path.
func (x *Exchange) Endpoint(base string) rules.Endpoint {
	path, _, _ := strings.Cut(x.Target, "?")
	e, _ := endpointOf(x.Method, strings.TrimPrefix(path, strings.TrimSuffix(base, "/")))
	return e
}

func (x *Exchange) succeeded() bool { return x.Status/100 == 2 }

// request is an exchange in its parts, for the rules.
type request struct {
	*Exchange
	endpoint rules.Endpoint
	alias    bool // the path is the reference definition's variant
	api      bool // the path is meant for this API, right or wrong
	path     string
	rawQuery string
	query    url.Values
	auth     credentials
	sent     any
	broken   error // why the body is no JSON
	whole    bool  // the body was kept whole and is readable
	bodyHash [sha256.Size]byte
	same     digest // identifies the whole request of an owner
	lane     digest // identifies category and owner, whom a 429 concerns
	owner    digest // identifies the credentials, and whose program uses them
}

func takeApart(x *Exchange, base string) *request {
	r := &request{Exchange: x, auth: credentialsOf(x.Header), bodyHash: sha256.Sum256(x.Body)}
	var path string
	path, r.rawQuery, _ = strings.Cut(x.Target, "?")
	r.query, _ = url.ParseQuery(r.rawQuery) // another rule judges its encoding
	r.path = strings.TrimPrefix(path, strings.TrimSuffix(base, "/"))
	r.api = apiPath.MatchString(r.path)
	r.endpoint, r.alias = endpointOf(x.Method, r.path)
	encoding := x.Header.Get("Content-Encoding")
	r.whole = x.BodySize == len(x.Body) && (encoding == "" || strings.EqualFold(encoding, "identity")) && !x.Lacks.Bodies
	if r.hasBody() && r.whole {
		d := x.decode()
		r.sent, r.broken = d.sent, d.sentErr
	}
	r.owner = digestOf(x.Header.Get("Authorization"), x.Client, userAgentOf(x))
	r.lane = digestOf(string(r.owner[:]), r.category())
	r.same = digestOf(x.Method, x.Target, string(r.owner[:]), string(r.bodyHash[:]))
	if x.BodySize != len(x.Body) || x.Lacks != (Lacks{}) { // an incomplete request is never the same as another
		r.same = digestOf("", strconv.Itoa(x.Number))
	}
	return r
}

func (r *request) hasBody() bool { return r.BodySize != 0 }

// record is the body as a JSON object, nil where it is none.
func (r *request) record() (jsonvalue.Record, bool) {
	if !r.whole || r.broken != nil {
		return nil, false
	}
	return jsonvalue.AsRecord(r.sent)
}

// answer is the answer's body as JSON, nil where it cannot be decoded.
func (r *request) answer() any { return r.decode().received }

// Unpacked is the answer's body, decompressed; false where it was cut or its encoding is
// unknown.
func (x *Exchange) Unpacked() ([]byte, bool) {
	d := x.decode()
	return d.plain, d.unpacked
}

func (x *Exchange) unpack() ([]byte, bool) {
	if x.RespSize != len(x.RespBody) {
		return nil, false
	}
	switch strings.ToLower(x.RespHeader.Get("Content-Encoding")) {
	case "", "identity":
		return x.RespBody, true
	case "gzip":
		unpacker, err := gzip.NewReader(bytes.NewReader(x.RespBody))
		if err != nil {
			return nil, false
		}
		const most = 1 << 20
		plain, err := io.ReadAll(io.LimitReader(unpacker, most+1))
		return plain, err == nil && len(plain) <= most
	}
	return nil, false
}

// preflight reports whether the request is a browser's CORS preflight.
func (r *request) preflight() bool { return r.Method == http.MethodOptions }

func (r *request) writes() bool {
	return r.Method == http.MethodPost || r.Method == http.MethodPut || r.Method == http.MethodDelete
}

// userAgentOf is what a program says that it is: requests with other texts come from other programs.
func userAgentOf(x *Exchange) string { return strings.Join(x.Header.Values("User-Agent"), "\n") }

// category is the contract's for the rate limits.
func (r *request) category() string {
	switch r.Method {
	case http.MethodPost, http.MethodPut:
		return "writing data"
	case http.MethodDelete:
		return "deleting data"
	}
	return "querying data"
}

// digest is a short stand-in for texts that may be long or secret.
type digest [16]byte

func digestOf(texts ...string) digest {
	joined := make([]byte, 0, 256)
	for i, text := range texts {
		if i > 0 {
			joined = append(joined, 0)
		}
		joined = append(joined, text...)
	}
	sum := sha256.Sum256(joined)
	return digest(sum[:16])
}

// intent names what the request is for, whoever sends it and whatever ids it has.
func (r *request) intent() digest {
	path := r.endpoint.Path()
	if r.endpoint == rules.NoEndpoint {
		path = r.path
	}
	return digestOf(r.Method, path, r.rawQuery, string(r.bodyHash[:]))
}

func mediaType(value string) string {
	if value == "application/json" { // the common case, without parsing
		return value
	}
	kind, _, _ := mime.ParseMediaType(value)
	return kind
}

var errNoAnswer = errors.New("no whole answer reached the client")
