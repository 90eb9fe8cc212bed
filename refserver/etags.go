package refserver

import (
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"strings"
)

// tagged gives answers to reads an ETag, and answers 304 to a client that has them already (RFC 9110).
func tagged(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet {
			next.ServeHTTP(w, r)
			return
		}
		held := &heldResponse{header: w.Header(), status: http.StatusOK}
		next.ServeHTTP(held, r)
		if held.status == http.StatusOK {
			sum := sha256.Sum256([]byte(held.body.String()))
			tag := `"` + hex.EncodeToString(sum[:8]) + `"`
			w.Header().Set("ETag", tag)
			if strings.Contains(r.Header.Get("If-None-Match"), tag) {
				w.Header().Del("Content-Type")
				w.Header().Del("Content-Length")
				w.WriteHeader(http.StatusNotModified)
				return
			}
		}
		w.WriteHeader(held.status)
		_, _ = w.Write([]byte(held.body.String())) // the client may have hung up
	})
}

// heldResponse holds a response until its ETag is known.
type heldResponse struct {
	header http.Header
	status int
	body   strings.Builder
}

func (h *heldResponse) Header() http.Header         { return h.header }
func (h *heldResponse) WriteHeader(status int)      { h.status = status }
func (h *heldResponse) Write(p []byte) (int, error) { return h.body.Write(p) }
