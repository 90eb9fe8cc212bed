package control

import (
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"net"
	"net/http"
	"slices"
	"strings"

	"github.com/socialfeed/conform/internal/loopback"
)

// cookieName is the cookie of browsers that have logged in.
const cookieName = "refserver_control"

var errNoToken = errors.New("the control token is missing or wrong; send it as Authorization: Bearer")

// guardHost refuses requests whose Host is neither this machine nor a given name: a name of an
// attacker's that resolves to the plane's address would let the attacker's page in (DNS rebinding).
func guardHost(names []string, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		host := r.Host
		if name, _, err := net.SplitHostPort(host); err == nil {
			host = name
		}
		if !loopback.IsHost(host) && !slices.ContainsFunc(names, func(name string) bool { return strings.EqualFold(name, host) }) {
			fail(w, http.StatusMisdirectedRequest, errors.New("the control plane answers as localhost, 127.0.0.0/8, [::1] and the further names that it was given, alone"))
			return
		}
		next.ServeHTTP(w, r)
	})
}

func safeHeaders(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'")
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		h.Set("Cache-Control", "no-store")
		next.ServeHTTP(w, r)
	})
}

// authenticated admits requests with the token or the cookie.
func (p *Plane) authenticated(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if p.knows(r) {
			next.ServeHTTP(w, r)
			return
		}
		if r.Method == http.MethodGet && !strings.HasPrefix(r.URL.Path, "/v1") {
			http.Redirect(w, r, "/login", http.StatusSeeOther)
			return
		}
		w.Header().Set("WWW-Authenticate", `Bearer realm="refserver control"`)
		fail(w, http.StatusUnauthorized, errNoToken)
	})
}

func (p *Plane) knows(r *http.Request) bool {
	if scheme, token, ok := strings.Cut(r.Header.Get("Authorization"), " "); ok && strings.EqualFold(scheme, "Bearer") {
		return p.isToken(token)
	}
	cookie, err := r.Cookie(cookieName)
	return err == nil && subtle.ConstantTimeCompare([]byte(cookie.Value), []byte(p.cookie)) == 1
}

func (p *Plane) isToken(token string) bool {
	given := sha256.Sum256([]byte(strings.TrimSpace(token)))
	return p.open && subtle.ConstantTimeCompare(given[:], p.token[:]) == 1
}
