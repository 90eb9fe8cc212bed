package tlscert_test

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"net"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/socialfeed/conform/refserver/tlscert"
)

// thief is who has an authority's key, and signs what it likes.
type thief struct {
	dir    string
	issuer *x509.Certificate
	key    crypto.PrivateKey
}

func newThief(t *testing.T) *thief {
	t.Helper()
	dir := t.TempDir()
	if _, err := tlscert.OpenAuthority(dir, nil, []string{"host.docker.internal"}); err != nil {
		t.Fatal(err)
	}
	pair, err := tls.LoadX509KeyPair(filepath.Join(dir, tlscert.CertificateFile), filepath.Join(dir, "refserver-ca-key.pem"))
	if err != nil {
		t.Fatal(err)
	}
	return &thief{dir, pair.Leaf, pair.PrivateKey}
}

// sign writes a certificate to a file.
func (f *thief) sign(t *testing.T, template *x509.Certificate) string {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template.SerialNumber, template.Subject = big.NewInt(7), pkix.Name{CommonName: "thief"}
	template.NotBefore, template.NotAfter = time.Now().Add(-time.Hour), time.Now().Add(time.Hour)
	der, err := x509.CreateCertificate(rand.Reader, template, f.issuer, key.Public(), f.key)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "leaf.pem")
	if err := os.WriteFile(path, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestOpenSSLTakesCertificatesOfLocalServersAlone signs with the authority's key, and lets openssl judge.
func TestOpenSSLTakesCertificatesOfLocalServersAlone(t *testing.T) {
	if _, err := exec.LookPath("openssl"); err != nil {
		t.Skip("there is no openssl on the search path to judge certificates")
	}
	f := newThief(t)
	server, client := []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth}, []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth}
	mail, code := []x509.ExtKeyUsage{x509.ExtKeyUsageEmailProtection}, []x509.ExtKeyUsage{x509.ExtKeyUsageCodeSigning}
	named := func(usage []x509.ExtKeyUsage, names ...string) *x509.Certificate {
		return &x509.Certificate{DNSNames: names, ExtKeyUsage: usage, KeyUsage: x509.KeyUsageDigitalSignature}
	}
	for name, judged := range map[string]struct {
		leaf    *x509.Certificate
		purpose string
		taken   bool
	}{
		"localhost":            {named(server, "localhost"), "sslserver", true},
		"a test name":          {named(server, "app.test"), "sslserver", true},
		"docker's host":        {named(server, "host.docker.internal"), "sslserver", true},
		"a loopback address":   {&x509.Certificate{IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, ExtKeyUsage: server}, "sslserver", true},
		"cloud metadata":       {named(server, "metadata.google.internal"), "sslserver", false},
		"the bare internal":    {named(server, "internal"), "sslserver", false},
		"a public name":        {named(server, "bank.example.com"), "sslserver", false},
		"a public address":     {&x509.Certificate{IPAddresses: []net.IP{net.IPv4(8, 8, 8, 8)}, ExtKeyUsage: server}, "sslserver", false},
		"the metadata address": {&x509.Certificate{IPAddresses: []net.IP{net.IPv4(169, 254, 169, 254)}, ExtKeyUsage: server}, "sslserver", false},
		"a client":             {named(client, "localhost"), "sslclient", false},
		"any client":           {named(nil, "localhost"), "sslclient", false},
		"mail":                 {&x509.Certificate{EmailAddresses: []string{"ada@localhost"}, ExtKeyUsage: mail}, "smimesign", false},
		"mail of any usage":    {&x509.Certificate{EmailAddresses: []string{"ada@localhost"}}, "smimesign", false},
		"an address of a mail": {&x509.Certificate{EmailAddresses: []string{"ada@example.com"}, ExtKeyUsage: server}, "sslserver", false},
		"code":                 {named(code, "localhost"), "codesign", false},
		"a workload":           {&x509.Certificate{URIs: []*url.URL{{Scheme: "spiffe", Host: "example.org", Path: "/x"}}, ExtKeyUsage: server}, "sslserver", false},
		"a local workload":     {&x509.Certificate{URIs: []*url.URL{{Scheme: "spiffe", Host: "localhost", Path: "/x"}}, ExtKeyUsage: server}, "sslserver", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			output, err := exec.CommandContext(t.Context(), "openssl", "verify", "-x509_strict", "-purpose", judged.purpose,
				"-CAfile", filepath.Join(f.dir, tlscert.CertificateFile), f.sign(t, judged.leaf)).CombinedOutput()
			if (err == nil) != judged.taken {
				t.Errorf("taken: %t, want %t: %s", err == nil, judged.taken, output)
			}
		})
	}
}

// TestAuthorityOfAnEarlierVersionIsRefused has an authority that may sign for any purpose.
func TestAuthorityOfAnEarlierVersionIsRefused(t *testing.T) {
	t.Parallel()
	f := newThief(t)
	earlier := *f.issuer
	earlier.ExtKeyUsage = nil
	signer := f.key.(*ecdsa.PrivateKey)
	der, err := x509.CreateCertificate(rand.Reader, &earlier, &earlier, signer.Public(), signer)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(f.dir, tlscert.CertificateFile), pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := tlscert.OpenAuthority(f.dir, nil, nil); err == nil || !strings.Contains(err.Error(), "of an earlier version") {
		t.Errorf("%v", err)
	}
}
