package tlscert_test

import (
	"bytes"
	"crypto/x509"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/socialfeed/conform/refserver/tlscert"
)

func TestAuthorityIsKept(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "ca")
	first, err := tlscert.OpenAuthority(dir, nil, []string{"phone.example.org"})
	if err != nil {
		t.Fatal(err)
	}
	second, err := tlscert.OpenAuthority(dir, []string{"renamed.example.org"}, []string{"phone.example.org", "192.168.7.7"})
	if err != nil || !bytes.Equal(first.PEM(), second.PEM()) {
		t.Fatalf("the authority is not the one that was kept: %v", err)
	}
	if second.Permits("renamed.example.org") || !second.Permits("a.phone.example.org") {
		t.Error("the kept authority permits other names than when it was made")
	}
	certificate, err := second.Certificate("phone.example.org", "10.0.2.2", "host.docker.internal", "192.168.7.7")
	if err != nil {
		t.Fatal(err)
	}
	leaf, err := x509.ParseCertificate(certificate.Certificate[0])
	if err != nil {
		t.Fatal(err)
	}
	pool := x509.NewCertPool()
	pool.AppendCertsFromPEM(first.PEM())
	for _, name := range []string{"localhost", "127.0.0.1", "::1", "phone.example.org", "10.0.2.2", "host.docker.internal", "192.168.7.7"} {
		if _, err := leaf.Verify(x509.VerifyOptions{Roots: pool, DNSName: name}); err != nil {
			t.Errorf("as %s: %v", name, err)
		}
	}
	for _, path := range []string{dir, filepath.Join(dir, "refserver-ca-key.pem")} {
		if info, err := os.Stat(path); err != nil || info.Mode().Perm()&0o077 != 0 {
			t.Errorf("others can read %s: %v", path, info.Mode())
		}
	}
}

func TestAuthorityIsConstrained(t *testing.T) {
	dir := t.TempDir()
	authority, err := tlscert.OpenAuthority(dir, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	pool := x509.NewCertPool()
	pool.AppendCertsFromPEM(authority.PEM())
	for _, stranger := range []string{"bank.example.com", "8.8.8.8"} {
		certificate, err := authority.Certificate(stranger)
		if err != nil {
			t.Fatal(err)
		}
		leaf, err := x509.ParseCertificate(certificate.Certificate[0])
		if err != nil {
			t.Fatal(err)
		}
		if _, err := leaf.Verify(x509.VerifyOptions{Roots: pool, DNSName: stranger}); err == nil {
			t.Errorf("a client that trusts the authority takes its certificate for %s", stranger)
		}
		if _, err := tlscert.OpenAuthority(dir, nil, []string{stranger}); err == nil || !strings.Contains(err.Error(), stranger) {
			t.Errorf("opened for %s: %v", stranger, err)
		}
	}
}

func TestAuthorityThatCannotBeRead(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{tlscert.CertificateFile, "refserver-ca-key.pem"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("nothing"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := tlscert.OpenAuthority(dir, nil, nil); err == nil || !strings.Contains(err.Error(), dir) {
		t.Errorf("%v", err)
	}
}
