// Package tlscert makes a certificate authority and a server certificate in
// memory, for a server on this machine.
package tlscert

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"net"
	"time"
)

// validity is how long both certificates hold; they are made anew at each start.
const validity = 90 * 24 * time.Hour

// New makes a certificate for localhost, 127.0.0.1, ::1 and the hosts given
// (names or addresses), and returns it with the PEM of the authority that signed
// it, for clients to trust. The authority's key is forgotten, so it signs nothing else.
func New(hosts ...string) (tls.Certificate, []byte, error) {
	authorityKey, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return tls.Certificate{}, nil, fmt.Errorf("making the authority's key: %w", err)
	}
	authority := template("Reference server test authority")
	authority.IsCA, authority.BasicConstraintsValid, authority.MaxPathLenZero = true, true, true
	authority.KeyUsage = x509.KeyUsageCertSign
	authorityDER, err := x509.CreateCertificate(rand.Reader, authority, authority, authorityKey.Public(), authorityKey)
	if err != nil {
		return tls.Certificate{}, nil, fmt.Errorf("making the authority's certificate: %w", err)
	}
	if authority, err = x509.ParseCertificate(authorityDER); err != nil {
		return tls.Certificate{}, nil, fmt.Errorf("reading the authority's certificate: %w", err)
	}

	serverKey, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return tls.Certificate{}, nil, fmt.Errorf("making the server's key: %w", err)
	}
	server := template("Reference server")
	server.KeyUsage = x509.KeyUsageDigitalSignature
	server.ExtKeyUsage = []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth}
	for _, host := range append([]string{"localhost", "127.0.0.1", "::1"}, hosts...) {
		if ip := net.ParseIP(host); ip != nil {
			server.IPAddresses = append(server.IPAddresses, ip)
		} else {
			server.DNSNames = append(server.DNSNames, host)
		}
	}
	serverDER, err := x509.CreateCertificate(rand.Reader, server, authority, serverKey.Public(), authorityKey)
	if err != nil {
		return tls.Certificate{}, nil, fmt.Errorf("making the server's certificate: %w", err)
	}
	caPEM := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: authorityDER})
	return tls.Certificate{Certificate: [][]byte{serverDER}, PrivateKey: serverKey}, caPEM, nil
}

// template leaves the serial number to be drawn when the certificate is made.
func template(name string) *x509.Certificate {
	now := time.Now()
	return &x509.Certificate{
		Subject:   pkix.Name{CommonName: name},
		NotBefore: now.Add(-time.Hour), // for clients whose clock is behind
		NotAfter:  now.Add(validity),
	}
}
