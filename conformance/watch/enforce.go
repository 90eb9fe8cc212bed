package watch

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"strings"

	"github.com/socialfeed/conform/conformance/clients"
)

// unjudgedRequest marks the refusal of a request that breaks no rule for certain: it cannot be judged whole.
const unjudgedRequest = "unjudged"

// Enforced refuses requests that break a must rule, and those that cannot be judged whole. It
// forwards the others as they were judged: whole, and without the fields that end here.
func Enforced(next http.Handler, refused func(*clients.Exchange) (rule, problem string, refused bool)) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		a, watched := w.(*answer)
		if !watched {
			next.ServeHTTP(w, r)
			return
		}
		body, judged, status := whole(r)
		if status != 0 {
			a.x.Refused = true
			w.Header().Set(clients.RefusedHeader, unjudgedRequest)
			refuse(w, status, "refused by conform watch: "+map[int]string{
				http.StatusBadRequest:            "the body did not come to its end",
				http.StatusRequestEntityTooLarge: "the body is longer than what conform watch judges",
				http.StatusUnsupportedMediaType:  "the body is in a Content-Encoding that conform watch does not decode: send it as it is, or as gzip",
			}[status])
			return
		}
		forward(r, body)
		x := *a.x
		x.End, x.Body, x.BodySize, x.Header = x.Start, judged, len(judged), r.Header.Clone()
		x.Header.Del("Content-Encoding") // what is judged is decoded
		if rule, problem, is := refused(&x); is {
			a.x.Refused = true
			w.Header().Set(clients.RefusedHeader, rule)
			refuse(w, http.StatusBadRequest, "refused by conform watch: "+rule+": "+problem)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// whole reads a request's body, however it is sent, and decodes it. The status is the refusal of a
// body that cannot be judged whole, 0 for none.
func whole(r *http.Request) (body, decoded []byte, status int) {
	if r.ContentLength > maxBody {
		return nil, nil, http.StatusRequestEntityTooLarge
	}
	encoding := strings.ToLower(strings.TrimSpace(strings.Join(r.Header.Values("Content-Encoding"), ",")))
	if encoding != "" && encoding != "identity" && encoding != "gzip" {
		return nil, nil, http.StatusUnsupportedMediaType
	}
	body, status = upTo(r.Body)
	if status != 0 || encoding != "gzip" || len(body) == 0 {
		return body, body, status
	}
	unpacker, err := gzip.NewReader(bytes.NewReader(body))
	if err != nil {
		return nil, nil, http.StatusUnsupportedMediaType
	}
	if decoded, status = upTo(unpacker); status == http.StatusBadRequest {
		status = http.StatusUnsupportedMediaType
	}
	return body, decoded, status
}

// upTo reads what is no longer than what is judged.
func upTo(from io.Reader) (all []byte, status int) {
	all, err := io.ReadAll(io.LimitReader(from, maxBody+1))
	switch {
	case err != nil:
		return nil, http.StatusBadRequest
	case len(all) > maxBody:
		return nil, http.StatusRequestEntityTooLarge
	}
	return all, 0
}

// forward makes a request one that is sent on with a body that was read: without what concerns
// this connection alone.
func forward(r *http.Request, body []byte) {
	r.Header = endToEnd(r.Header)
	r.Header.Del("Expect") // which was met
	r.Body, r.ContentLength, r.TransferEncoding, r.Trailer = io.NopCloser(bytes.NewReader(body)), int64(len(body)), nil, nil
	if len(body) == 0 {
		r.Body = http.NoBody
	}
}

// endToEnd is a header without the fields that end at a proxy (RFC 9110, section 7.6.1): those that
// Connection names, too.
func endToEnd(h http.Header) http.Header {
	kept := h.Clone()
	ending := []string{"Connection", "Proxy-Connection", "Keep-Alive", "Proxy-Authenticate", "Proxy-Authorization", "Te", "Trailer", "Transfer-Encoding", "Upgrade"}
	for _, line := range h.Values("Connection") {
		ending = append(ending, strings.Split(line, ",")...)
	}
	for _, name := range ending {
		kept.Del(strings.TrimSpace(name))
	}
	return kept
}
