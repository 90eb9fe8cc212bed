package watch

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"fmt"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/socialfeed/conform/conformance/clients"
)

// TestEnforcedRequestsAreJudgedAsForwarded sends raw requests: what breaks a must, however it is
// sent, and what cannot be judged whole does not reach the service.
func TestEnforcedRequestsAreJudgedAsForwarded(t *testing.T) {
	const wrong, right = `{"verb":1}`, `{"verb":"liked"}`
	packed := func(text string) string {
		var b bytes.Buffer
		w := gzip.NewWriter(&b)
		_, _ = w.Write([]byte(text))
		_ = w.Close()
		return b.String()
	}
	chunked := func(text string) string {
		return fmt.Sprintf("Transfer-Encoding: chunked\r\n\r\n%x\r\n%s\r\n0\r\n\r\n", len(text), text)
	}
	sized := func(text string) string { return fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(text), text) }
	long := func(text string) string {
		return strings.TrimSuffix(text, "}") + `,"metadata":{"a":"` + strings.Repeat("x", maxBody) + `"}}`
	}
	for name, tc := range map[string]struct {
		rest   string
		status int
	}{
		"right":                                {sized(right), 201},
		"wrong":                                {sized(wrong), 400},
		"right, chunked":                       {chunked(right), 201},
		"wrong, chunked":                       {chunked(wrong), 400},
		"right, expecting 100":                 {"Expect: 100-continue\r\n" + sized(right), 201},
		"wrong, expecting 100":                 {"Expect: 100-continue\r\n" + sized(wrong), 400},
		"wrong and long":                       {sized(long(wrong)), 413},
		"wrong and long, chunked":              {chunked(long(wrong)), 413},
		"right, packed":                        {"Content-Encoding: gzip\r\n" + sized(packed(right)), 201},
		"wrong, packed":                        {"Content-Encoding: gzip\r\n" + sized(packed(wrong)), 400},
		"packed, and long":                     {"Content-Encoding: gzip\r\n" + sized(packed(long(right))), 413},
		"said to be packed":                    {"Content-Encoding: gzip\r\n" + sized(right), 415},
		"in an encoding that is not known":     {"Content-Encoding: br\r\n" + sized(right), 415},
		"packed twice":                         {"Content-Encoding: gzip, gzip\r\n" + sized(packed(packed(wrong))), 415},
		"credentials that end at the proxy":    {"Connection: authorization\r\n" + sized(right), 400},
		"a User-Agent that ends at the proxy":  {"Connection: close, User-Agent\r\n" + sized(right), 400},
		"an Accept that ends at the proxy":     {"Connection: Accept\r\n" + sized(right), 400},
		"a field that nobody judges ends here": {"Connection: X-Own\r\nX-Own: 1\r\n" + sized(right), 201},
	} {
		t.Run(name, func(t *testing.T) {
			var reached atomic.Int64
			var got atomic.Pointer[http.Header]
			o := NewObserver(Catalogue(), clients.Options{HTTP: true})
			p := before(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				reached.Add(1)
				got.Store(&r.Header)
				w.Header().Set("Content-Type", "application/json")
				w.WriteHeader(http.StatusCreated)
			}), func(next http.Handler) http.Handler { return Enforced(next, o.Refused) })
			conn, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", strings.TrimPrefix(p.url, "http://"))
			if err != nil {
				t.Fatal(err)
			}
			defer conn.Close()
			head := "POST /0.2/user/events HTTP/1.1\r\nHost: feeds.example\r\nUser-Agent: feedreader/1.0\r\nAccept: application/json\r\n" +
				"Content-Type: application/json\r\nAuthorization: Basic YXBwLXRva2VuLTAxMjM0NTY3ODk6c2Vzc2lvbi1vZi1hZGEtMDEyMzQ1Njc4OQ==\r\n"
			go func() { _, _ = conn.Write([]byte(head + tc.rest)) }() // it may be refused before its end
			reader := bufio.NewReader(conn)
			response, err := http.ReadResponse(reader, nil)
			for err == nil && response.StatusCode == http.StatusContinue {
				response, err = http.ReadResponse(reader, nil)
			}
			if err != nil {
				t.Fatal(err)
			}
			response.Body.Close()
			want := int64(0)
			if tc.status == http.StatusCreated {
				want = 1
			}
			if response.StatusCode != tc.status || reached.Load() != want {
				t.Errorf("got %d, %d requests reached the service; want %d, %d", response.StatusCode, reached.Load(), tc.status, want)
			}
			if header := got.Load(); header != nil && header.Get("X-Own") != "" {
				t.Error("a field that Connection names was forwarded")
			}
		})
	}
}
