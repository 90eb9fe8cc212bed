package watch

import (
	"encoding/json"
	"io"
	"log"
	"net/http"
	"net/http/httputil"
	"net/url"
	"strings"
	"sync"
	"time"
)

// soon is how long the proxy waits for the rest of an answer of known length before it
// flushes; an answer without a length is flushed at once. Flushing every answer at once would
// send headers and body in separate packets.
const soon = 5 * time.Millisecond

// Proxy forwards requests to a service, and its answers back, unchanged.
func Proxy(upstream *url.URL, transport http.RoundTripper) http.Handler {
	return &httputil.ReverseProxy{
		Transport:     transport,
		BufferPool:    &buffers{sync.Pool{New: func() any { return new([32 << 10]byte) }}},
		FlushInterval: soon,
		ErrorLog:      log.New(io.Discard, "", 0),
		Rewrite: func(r *httputil.ProxyRequest) {
			query := r.In.URL.RawQuery
			r.SetURL(upstream) // which joins the queries
			r.Out.URL.RawQuery = query
			for _, name := range []string{"Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto"} {
				if values := r.In.Header.Values(name); len(values) > 0 {
					r.Out.Header[name] = values
				}
			}
		},
		ErrorHandler: func(w http.ResponseWriter, _ *http.Request, err error) {
			refuse(w, http.StatusBadGateway, why(err))
		},
	}
}

// why says why there is no answer. The error is not sent: it may contain what the client must not know.
func why(err error) string {
	if strings.Contains(err.Error(), "malformed HTTP") { // net/http has no error of its own for it
		return "conform watch got something else than an answer from the service, which may not have read the whole body of an earlier request, and have taken the rest for this one"
	}
	return "conform watch got no answer from the service"
}

// buffers is a pool of buffers for copying answers.
type buffers struct{ sync.Pool }

func (b *buffers) Get() []byte { return b.Pool.Get().(*[32 << 10]byte)[:] }

func (b *buffers) Put(buffer []byte) { b.Pool.Put((*[32 << 10]byte)(buffer)) }

func refuse(w http.ResponseWriter, status int, message string) {
	body, err := json.Marshal(map[string]any{"errors": []any{map[string]any{"code": status, "message": message}}})
	if err != nil {
		body = []byte("{}")
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(append(body, '\n')) // an error means that the client is gone
}
