package main

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"net/http"
)

// bufferedResponse buffers a whole answer, to send it in another way.
type bufferedResponse struct {
	http.ResponseWriter
	status int
	body   bytes.Buffer
}

func (w *bufferedResponse) WriteHeader(status int) {
	if w.status == 0 {
		w.status = status
	}
}

func (w *bufferedResponse) Write(p []byte) (int, error) {
	w.WriteHeader(http.StatusOK)
	return w.body.Write(p)
}

// manner is a middleware that sends the whole answer by a function.
func manner(send func(r *http.Request, w *bufferedResponse)) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
			w := &bufferedResponse{ResponseWriter: rw}
			next.ServeHTTP(w, r)
			w.WriteHeader(http.StatusOK)
			send(r, w)
		})
	}
}

func (w *bufferedResponse) send(body []byte) {
	w.ResponseWriter.WriteHeader(w.status)
	if len(body) > 0 {
		_, _ = w.ResponseWriter.Write(body) // the client is gone, or will be
	}
}

// extraFields adds an unknown field to every object of an answer.
func extraFields(next http.Handler) http.Handler {
	return manner(func(_ *http.Request, w *bufferedResponse) {
		body := w.body.Bytes()
		if w.status/100 == 2 && len(body) > 0 {
			body = withExtra(body)
			w.Header().Del("Content-Length")
		}
		w.send(body)
	})(next)
}

func withExtra(body []byte) []byte {
	var list []json.RawMessage
	if json.Unmarshal(body, &list) == nil {
		for i := range list {
			list[i] = withExtra(list[i])
		}
		if joined, err := json.Marshal(list); err == nil {
			return joined
		}
		return body
	}
	rest, isObject := bytes.CutPrefix(bytes.TrimSpace(body), []byte("{"))
	if !isObject {
		return body
	}
	extra := `{"x_new_field":{"of":["a","later","release"]}`
	if !bytes.HasPrefix(bytes.TrimSpace(rest), []byte("}")) {
		extra += ","
	}
	return append([]byte(extra), rest...)
}

// compressed sends answers as gzip where the client accepts that.
func compressed(next http.Handler) http.Handler {
	return manner(func(r *http.Request, w *bufferedResponse) {
		if !takesGzip(r.Header) || w.body.Len() == 0 {
			w.send(w.body.Bytes())
			return
		}
		var packed bytes.Buffer
		packer := gzip.NewWriter(&packed)
		_, _ = packer.Write(w.body.Bytes()) // a buffer returns no error
		_ = packer.Close()
		w.Header().Del("Content-Length")
		w.Header().Set("Content-Encoding", "gzip")
		w.Header().Add("Vary", "Accept-Encoding")
		w.send(packed.Bytes())
	})(next)
}

// chunked sends answers in pieces of a few bytes.
func chunked(next http.Handler) http.Handler {
	return manner(func(_ *http.Request, w *bufferedResponse) {
		const piece = 7
		w.Header().Del("Content-Length")
		w.send(nil)
		flush := http.NewResponseController(w.ResponseWriter)
		for body := w.body.Bytes(); len(body) > 0; body = body[min(piece, len(body)):] {
			_, _ = w.ResponseWriter.Write(body[:min(piece, len(body))]) // the client is gone, or will be
			_ = flush.Flush()
		}
	})(next)
}

// closing closes the connection after each answer.
func closing(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Connection", "close")
		next.ServeHTTP(w, r)
	})
}
