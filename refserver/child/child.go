// Package child runs a command together with the reference server. Environment variables tell the
// command where the server is and which certificates to trust.
package child

import (
	"bytes"
	"errors"
	"fmt"
	"os"
)

// Service tells a command how to use the server, by its environment. Blank fields are
// left out.
type Service struct {
	BaseURL, AppToken        string
	CAFile                   string // path of the server's certificate authority
	Bundle                   string // path of that authority together with the system's roots
	ControlURL, ControlToken string
}

// Variable is one variable of an environment.
type Variable struct{ Name, Value string }

// Variables are the service as environment variables: our own names, and those that
// TLS libraries read. SSL_CERT_FILE and its like replace a program's roots instead of
// adding to them, so they name the bundle.
func (s Service) Variables() []Variable {
	list := []Variable{
		{"REFSERVER_URL", s.BaseURL}, {"REFSERVER_APP_TOKEN", s.AppToken}, {"REFSERVER_CA_FILE", s.CAFile},
		{"REFSERVER_CONTROL_URL", s.ControlURL}, {"REFSERVER_CONTROL_TOKEN", s.ControlToken},
		{"CONFORM_BASE_URL", s.BaseURL}, {"CONFORM_APP_TOKEN", s.AppToken}, {"CONFORM_CA_CERT", s.CAFile},
		{"NODE_EXTRA_CA_CERTS", s.CAFile}, {"DENO_CERT", s.CAFile},
	}
	for _, name := range []string{"SSL_CERT_FILE", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE", "AWS_CA_BUNDLE", "PIP_CERT"} {
		list = append(list, Variable{name, s.Bundle})
	}
	set := list[:0]
	for _, v := range list {
		if v.Value != "" {
			set = append(set, v)
		}
	}
	return set
}

// Bundle writes the system's roots and an authority to a new temporary file.
func Bundle(caPEM []byte) (path string, err error) {
	path, err = WriteTemp("refserver-bundle-*.pem", bytes.Join([][]byte{systemRoots(), caPEM}, []byte("\n")))
	if err != nil {
		return "", fmt.Errorf("writing the bundle of CAs: %w", err)
	}
	return path, nil
}

// WriteTemp writes a new temporary file; the pattern of its name is that of os.CreateTemp.
func WriteTemp(pattern string, data []byte) (path string, err error) {
	file, err := os.CreateTemp("", pattern)
	if err != nil {
		return "", err
	}
	_, err = file.Write(data)
	return file.Name(), errors.Join(err, file.Close())
}

// systemRoots are the roots that programs on this machine use; nil where none are found.
func systemRoots() []byte {
	for _, path := range []string{
		os.Getenv("SSL_CERT_FILE"),
		"/etc/ssl/certs/ca-certificates.crt", // Debian, Alpine
		"/etc/pki/tls/certs/ca-bundle.crt",   // Fedora
		"/etc/ssl/ca-bundle.pem",             // SUSE
		"/etc/ssl/cert.pem",                  // macOS, BSD
	} {
		if roots, err := os.ReadFile(path); err == nil && path != "" {
			return roots
		}
	}
	return nil
}
