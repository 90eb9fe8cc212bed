package refserver

import (
	"crypto/tls"
	"errors"
	"net"
	"net/http"
	"slices"
)

// Serve serves as http.Server does, over TLS if the server has a configuration for it,
// with HTTP/2 and HTTP/1. Unlike http.Server it answers only JSON, also to requests that
// net/http refuses by itself, and the handler gets all other requests.
func Serve(server *http.Server, listener net.Listener) error {
	return ServeTelling(server, listener, func(net.Addr, error) {})
}

// ErrPlainHTTP is why a handshake fails in which a request came without TLS.
var ErrPlainHTTP = errors.New("plain HTTP on a port for HTTPS")

// ServeTelling serves as Serve does, and calls failed with the client and the error of each
// failed TLS handshake.
func ServeTelling(server *http.Server, listener net.Listener, failed func(peer net.Addr, why error)) error {
	server.DisableGeneralOptionsHandler = true // OPTIONS * is a request like others
	if server.TLSConfig == nil {
		return server.Serve(plainListener{listener})
	}
	config := server.TLSConfig.Clone()
	for _, protocol := range []string{"h2", "http/1.1"} {
		if !slices.Contains(config.NextProtos, protocol) {
			config.NextProtos = append(config.NextProtos, protocol)
		}
	}
	server.TLSConfig = config
	return server.Serve(listenTLS(listener, config, failed))
}

// listenTLS does the handshakes of connections. Those that then speak HTTP/2 are
// handed on as they are.
func listenTLS(inner net.Listener, config *tls.Config, failed func(net.Addr, error)) *tlsListener {
	l := &tlsListener{Listener: inner, config: config, failed: failed, ready: make(chan accepted), closed: make(chan struct{})}
	l.work.Go(l.accept)
	return l
}
