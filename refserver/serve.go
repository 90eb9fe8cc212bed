package refserver

import (
	"crypto/tls"
	"net"
	"net/http"
	"slices"
)

// Serve serves as http.Server does, over TLS where the server has a configuration
// for it, with HTTP/2 beside HTTP/1. But all that the port answers is JSON, also what
// net/http refuses before any handler sees it, and the handler gets all requests.
func Serve(server *http.Server, listener net.Listener) error {
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
	return server.Serve(listenTLS(listener, config))
}

// listenTLS does the handshakes of connections. Those that then speak HTTP/2 are
// handed on as they are.
func listenTLS(inner net.Listener, config *tls.Config) *tlsListener {
	l := &tlsListener{Listener: inner, config: config, ready: make(chan accepted), closed: make(chan struct{})}
	l.work.Go(l.accept)
	return l
}
