package main

import (
	"errors"
	"fmt"
	"io"
	"net"
	"sync"

	"github.com/socialfeed/conform/refserver"
)

// handshakes tells of clients that fail before they send a request, each cause a few times.
type handshakes struct {
	out    io.Writer
	caFile string // "" where the certificate is the user's own

	mu   sync.Mutex
	told map[string]int // by the cause
}

// tell writes why a client's TLS handshake failed, and the way out. A client that only connects, as
// health checks do, is nothing to tell of.
func (h *handshakes) tell(peer net.Addr, why error) {
	cause := ""
	switch {
	case errors.Is(why, io.EOF):
		return
	case errors.Is(why, refserver.ErrPlainHTTP):
		cause = "it speaks plain HTTP; use https:// in its URL, or start refserver with --http"
	case refusesCertificate(why):
		cause = "it does not trust the certificate; " + h.wayOut()
	default:
		cause = why.Error() // of crypto/tls: it quotes nothing that the client sent
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	const most, causes = 3, 20
	if h.told == nil {
		h.told = map[string]int{}
	}
	if h.told[cause]++; h.told[cause] > most || len(h.told) > causes {
		return
	}
	last := ""
	if h.told[cause] == most {
		last = " (further ones are not told)"
	}
	fmt.Fprintf(h.out, "refserver: a client at %s could not connect: %s%s\n", peer, cause, last)
}

// refusesCertificate reports whether the client ended the handshake since it does not take the certificate.
func refusesCertificate(why error) bool {
	ended := &net.OpError{}
	if !errors.As(why, &ended) {
		return false
	}
	switch ended.Op + ": " + ended.Err.Error() {
	case "remote error: tls: unknown certificate authority", "remote error: tls: bad certificate",
		"remote error: tls: unknown certificate", "remote error: tls: expired certificate",
		"local error: tls: bad record MAC": // how crypto/tls reads OpenSSL's alert in TLS 1.3, such as curl's
		return true
	}
	return false
}

func (h *handshakes) wayOut() string {
	if h.caFile == "" {
		return "give it the authority that signed yours"
	}
	return fmt.Sprintf("give it the authority in %s: --cacert of curl, NODE_EXTRA_CA_CERTS, SSL_CERT_FILE and REQUESTS_CA_BUNDLE take the file", h.caFile)
}
