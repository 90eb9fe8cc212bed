// Package tlscert makes a certificate authority and server certificates for a
// server on this machine.
package tlscert

import (
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"time"
)

// validity is how long a server's certificate holds; a new one is made at each start.
const validity = 90 * 24 * time.Hour

// New makes a certificate for localhost, 127.0.0.1, ::1 and the hosts given
// (names or addresses), and returns it with the PEM of the authority that signed
// it, for clients to trust. The authority's key is forgotten, so it signs nothing else.
func New(hosts ...string) (tls.Certificate, []byte, error) {
	authority, err := NewAuthority(validity, hosts...)
	if err != nil {
		return tls.Certificate{}, nil, err
	}
	certificate, err := authority.Certificate(hosts...)
	return certificate, authority.PEM(), err
}

// template leaves the serial number to be drawn when the certificate is made.
func template(name string, validFor time.Duration) *x509.Certificate {
	now := time.Now()
	return &x509.Certificate{
		Subject:   pkix.Name{CommonName: name},
		NotBefore: now.Add(-time.Hour), // for clients whose clock is behind
		NotAfter:  now.Add(validFor),
	}
}
