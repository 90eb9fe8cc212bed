package tlscert

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// The files of an authority that is kept.
const (
	CertificateFile = "refserver-ca.pem"
	keyFile         = "refserver-ca-key.pem"
)

// keptFor is how long a kept authority is valid: people make devices trust it by hand.
const keptFor = 2 * 365 * 24 * time.Hour

// Authority signs certificates of servers, and nothing else: not of clients, mail or code. Its name
// constraints allow local names and private addresses only, so that a stolen key cannot be used to
// impersonate public servers.
type Authority struct {
	certificate *x509.Certificate
	key         *ecdsa.PrivateKey
	pem         []byte
}

// PEM is the authority's certificate, for clients to trust.
func (a *Authority) PEM() []byte { return a.pem }

// OpenAuthority reads the authority kept in a directory, or makes one that may
// sign for local names, private addresses, and the names and hosts given. It
// refuses hosts that a kept one may not sign for, and leaves out such names.
func OpenAuthority(dir string, names, hosts []string) (*Authority, error) {
	keyPEM, err := os.ReadFile(filepath.Join(dir, keyFile))
	if errors.Is(err, fs.ErrNotExist) {
		return makeKept(dir, slices.Concat(names, hosts))
	}
	if err != nil {
		return nil, fmt.Errorf("reading the authority's key: %w", err)
	}
	certPEM, err := os.ReadFile(filepath.Join(dir, CertificateFile))
	if err != nil {
		return nil, fmt.Errorf("reading the authority's certificate: %w", err)
	}
	pair, err := tls.X509KeyPair(certPEM, keyPEM)
	if err != nil {
		return nil, fmt.Errorf("the authority in %s cannot be read: %w", dir, err)
	}
	key, isECDSA := pair.PrivateKey.(*ecdsa.PrivateKey)
	if !isECDSA || !pair.Leaf.IsCA {
		return nil, fmt.Errorf("%s in %s is not an authority of this command", CertificateFile, dir)
	}
	if time.Now().After(pair.Leaf.NotAfter) {
		return nil, fmt.Errorf("the authority in %s has expired; delete %s and %s, and trust the next one", dir, CertificateFile, keyFile)
	}
	if !slices.Equal(pair.Leaf.ExtKeyUsage, []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth}) {
		return nil, fmt.Errorf("the authority in %s is of an earlier version, and may sign more than certificates of servers; delete %s and %s, and trust the next one",
			dir, CertificateFile, keyFile)
	}
	a := &Authority{certificate: pair.Leaf, key: key, pem: certPEM}
	for _, host := range hosts {
		if !a.Permits(host) {
			return nil, fmt.Errorf("the authority in %s may not sign for %s; choose another directory, or delete %s and %s there and trust the next one",
				dir, host, CertificateFile, keyFile)
		}
	}
	return a, nil
}

func makeKept(dir string, hosts []string) (*Authority, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("making the authority's directory: %w", err)
	}
	a, err := NewAuthority(keptFor, hosts...)
	if err != nil {
		return nil, err
	}
	key, err := x509.MarshalPKCS8PrivateKey(a.key)
	if err != nil {
		return nil, fmt.Errorf("writing the authority's key: %w", err)
	}
	// The key comes last: a directory without it is one without an authority.
	if err := os.WriteFile(filepath.Join(dir, CertificateFile), a.pem, 0o644); err != nil {
		return nil, fmt.Errorf("writing the authority's certificate: %w", err)
	}
	keyPEM := pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: key})
	if err := os.WriteFile(filepath.Join(dir, keyFile), keyPEM, 0o600); err != nil {
		return nil, fmt.Errorf("writing the authority's key: %w", err)
	}
	return a, nil
}

// NewAuthority makes an authority in memory that may sign for local names,
// private addresses and the hosts given.
func NewAuthority(validFor time.Duration, hosts ...string) (*Authority, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, fmt.Errorf("making the authority's key: %w", err)
	}
	authority := template("Reference server test authority", validFor)
	authority.IsCA, authority.BasicConstraintsValid, authority.MaxPathLenZero = true, true, true
	authority.KeyUsage = x509.KeyUsageCertSign
	authority.ExtKeyUsage = []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth}
	authority.PermittedDNSDomainsCritical = true
	authority.PermittedDNSDomains = []string{"localhost", "local", "test", "home.arpa", "host.docker.internal"}
	// A constraint on one kind of name leaves the others free: these allow names that nobody has.
	authority.PermittedEmailAddresses, authority.PermittedURIDomains = []string{"none.invalid"}, []string{"none.invalid"}
	for _, network := range []string{"127.0.0.0/8", "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "::1/128", "fc00::/7", "fe80::/10"} {
		_, ipNet, err := net.ParseCIDR(network)
		if err != nil {
			return nil, fmt.Errorf("constraining the authority: %w", err)
		}
		authority.PermittedIPRanges = append(authority.PermittedIPRanges, ipNet)
	}
	for _, host := range hosts {
		if ip := net.ParseIP(host); ip == nil {
			authority.PermittedDNSDomains = append(authority.PermittedDNSDomains, host)
		} else if v4 := ip.To4(); v4 != nil {
			authority.PermittedIPRanges = append(authority.PermittedIPRanges, &net.IPNet{IP: v4, Mask: net.CIDRMask(32, 32)})
		} else {
			authority.PermittedIPRanges = append(authority.PermittedIPRanges, &net.IPNet{IP: ip, Mask: net.CIDRMask(128, 128)})
		}
	}
	der, err := x509.CreateCertificate(rand.Reader, authority, authority, key.Public(), key)
	if err != nil {
		return nil, fmt.Errorf("making the authority's certificate: %w", err)
	}
	if authority, err = x509.ParseCertificate(der); err != nil {
		return nil, fmt.Errorf("reading the authority's certificate: %w", err)
	}
	return &Authority{authority, key, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})}, nil
}

// Permits reports whether clients take the authority's certificates for a host.
func (a *Authority) Permits(host string) bool {
	if ip := net.ParseIP(host); ip != nil {
		return slices.ContainsFunc(a.certificate.PermittedIPRanges, func(n *net.IPNet) bool { return n.Contains(ip) })
	}
	return slices.ContainsFunc(a.certificate.PermittedDNSDomains, func(domain string) bool {
		return strings.EqualFold(host, domain) || strings.HasSuffix(strings.ToLower(host), "."+strings.ToLower(domain))
	})
}

// Certificate makes a server's certificate for localhost, 127.0.0.1, ::1 and the
// hosts given (names or addresses).
func (a *Authority) Certificate(hosts ...string) (tls.Certificate, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return tls.Certificate{}, fmt.Errorf("making the server's key: %w", err)
	}
	server := template("Reference server", validity)
	if server.NotAfter.After(a.certificate.NotAfter) {
		server.NotAfter = a.certificate.NotAfter
	}
	server.KeyUsage = x509.KeyUsageDigitalSignature
	server.ExtKeyUsage = []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth}
	for _, host := range append([]string{"localhost", "127.0.0.1", "::1"}, hosts...) {
		if ip := net.ParseIP(host); ip != nil {
			server.IPAddresses = append(server.IPAddresses, ip)
		} else {
			server.DNSNames = append(server.DNSNames, host)
		}
	}
	der, err := x509.CreateCertificate(rand.Reader, server, a.certificate, key.Public(), a.key)
	if err != nil {
		return tls.Certificate{}, fmt.Errorf("making the server's certificate: %w", err)
	}
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}, nil
}
