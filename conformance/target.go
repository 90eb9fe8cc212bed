package conformance

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net/url"
	"strconv"
	"strings"

	"github.com/socialfeed/conform/conformance/setting"
)

// Target is the server being judged.
type Target struct {
	BaseURL        string // https://host[:port][/prefix]
	AppToken       string
	SecondAppToken string // a second application of the same target, "" for none
	CACert         []byte // PEM, trusted beside the system's authorities; nil for none
	CACertFile     string // where CACert lies, for commands to name; "" where it is in no file
	Insecure       bool   // do not verify the target's certificate
	AllowHTTP      bool   // accept a target given as http://
}

// ConfigError is a mistake in what a person configured, as opposed to one of the target.
type ConfigError struct{ Err error }

// Error is the mistake in one line.
func (e *ConfigError) Error() string { return e.Err.Error() }

// Unwrap gives the cause.
func (e *ConfigError) Unwrap() error { return e.Err }

func configErrorf(format string, args ...any) error {
	return &ConfigError{fmt.Errorf(format, args...)}
}

// appToken is the token of an application, from 0.
func (t Target) appToken(application int) string {
	if application > 0 {
		return t.SecondAppToken
	}
	return t.AppToken
}

// base is the target's base URL without a trailing slash. Errors call settings by the names.
func (t Target) base(names setting.Names) (*url.URL, error) {
	u, err := url.Parse(strings.TrimRight(t.BaseURL, "/"))
	switch {
	case err != nil:
		// A parse error repeats the URL, which could carry a password.
		return nil, configErrorf("the base URL is not a valid URL: it reads https://host[:port][/prefix]")
	case !strings.Contains(t.BaseURL, "://"):
		return nil, configErrorf("the base URL must begin with https://, such as https://localhost:8443")
	case u.Scheme != "http" && u.Scheme != "https" || u.Host == "":
		return nil, configErrorf("the base URL must read https://host[:port], got scheme %q and host %q", u.Scheme, u.Host)
	case u.Port() != "" && !isPort(u.Port()):
		return nil, configErrorf("the base URL has the port %s: ports are 1 to 65535", u.Port())
	case u.User != nil || u.RawQuery != "" || u.Fragment != "":
		return nil, configErrorf("the base URL must carry no credentials, query or fragment")
	case t.AppToken == "":
		return nil, configErrorf("no app token: set %s", names.Of(setting.AppToken))
	case strings.Contains(t.AppToken+t.SecondAppToken, ":"):
		return nil, configErrorf("an app token cannot hold a colon: it is the user name of HTTP Basic authentication")
	}
	if t.SecondAppToken == t.AppToken {
		return nil, configErrorf("the second app token is the first one: the isolation between two applications takes those of two")
	}
	return u, nil
}

// isPort reports whether a text is the number of a port that can be dialled.
func isPort(text string) bool {
	n, err := strconv.ParseUint(text, 10, 16)
	return err == nil && n > 0
}

// TLS is how the target's certificate is verified: by the authority given beside those of the
// system. What holds no certificate is a *ConfigError.
func (t Target) TLS() (*tls.Config, error) {
	config := &tls.Config{MinVersion: tls.VersionTLS12, InsecureSkipVerify: t.Insecure, ClientSessionCache: tls.NewLRUClientSessionCache(0)}
	if len(t.CACert) == 0 {
		return config, nil
	}
	pool, err := x509.SystemCertPool()
	if err != nil {
		pool = x509.NewCertPool()
	}
	if !pool.AppendCertsFromPEM(t.CACert) {
		return nil, &ConfigError{errors.New("the CA file holds no PEM certificate")}
	}
	config.RootCAs = pool
	return config, nil
}
