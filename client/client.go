package client

import (
	"errors"
	"fmt"
	"log/slog"
	"math"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"
)

const (
	version                 = "0.1.0"
	defaultMaxRetries       = 3
	defaultMaxRetryWait     = time.Minute
	defaultMaxResponseBytes = 8 << 20
)

// Config says which service a Client talks to, and how. BaseURL and AppToken
// are required; the zero value of every other field stands for its default.
type Config struct {
	// BaseURL is the contract's {base_url}: absolute, http or https, without
	// user information, query or fragment. A trailing slash is dropped.
	BaseURL string
	// AppToken identifies the application (Authentication, items 1 and 6).
	// It is never printed, logged or encoded.
	AppToken string `json:"-"`
	// HTTPClient sends the requests. Nil stands for a private one with
	// time-outs of its own. Redirects are not followed, unless this client has
	// a CheckRedirect that says otherwise.
	HTTPClient *http.Client `json:"-"`
	// UserAgent names the application and its version (General transport
	// rules, item 6). Default "socialfeed-client/<version>".
	UserAgent string
	// MaxRetries is how often one call is repeated after 429 and 503, and a
	// read also after 504. Default 3; negative means never.
	MaxRetries int
	// MaxRetryWait is the longest single wait before a repetition. A service
	// that asks for more is not waited for. Default 60 s.
	MaxRetryWait time.Duration
	// MaxResponseBytes bounds what is read of one response body. Default 8 MiB.
	MaxResponseBytes int64
}

// Client calls the service for one application. It is safe for concurrent use.
type Client struct {
	base      string
	appToken  secret
	userAgent string
	http      *http.Client
	maxBytes  int64
	retry     retryPolicy
}

// New returns a Client for the service that cfg describes. It fails where
// BaseURL or AppToken cannot be used, and sends nothing.
func New(cfg Config) (*Client, error) {
	base, err := parseBase(cfg.BaseURL)
	if err != nil {
		return nil, err
	}
	if cfg.AppToken == "" {
		return nil, errors.New("client: the app token is required")
	}
	if strings.Contains(cfg.AppToken, ":") {
		return nil, errors.New("client: the app token holds a colon, which a Basic user name cannot")
	}
	userAgent := strings.TrimSpace(cfg.UserAgent)
	if userAgent == "" {
		userAgent = "socialfeed-client/" + version
	}
	return &Client{
		base:      base,
		appToken:  hide(cfg.AppToken),
		userAgent: userAgent,
		http:      httpClient(cfg.HTTPClient),
		maxBytes:  min(positiveOr(cfg.MaxResponseBytes, defaultMaxResponseBytes), math.MaxInt64-1),
		retry:     newRetryPolicy(cfg.MaxRetries, positiveOr(cfg.MaxRetryWait, defaultMaxRetryWait)),
	}, nil
}

// CloseIdleConnections closes the connections that no call is using.
func (c *Client) CloseIdleConnections() { c.http.CloseIdleConnections() }

// parseBase never quotes raw: it may hold a password.
func parseBase(raw string) (string, error) {
	u, err := url.Parse(raw)
	switch {
	case err != nil:
		return "", errors.New("client: the base URL is not a URL")
	case u.Scheme != "https" && u.Scheme != "http":
		return "", errors.New("client: the base URL is not an absolute https or http URL")
	case u.Hostname() == "":
		return "", errors.New("client: the base URL names no host")
	case u.User != nil:
		return "", errors.New("client: the base URL holds user information")
	case strings.ContainsAny(raw, "?#"):
		return "", errors.New("client: the base URL holds a query or a fragment")
	}
	return strings.TrimRight(raw, "/"), nil
}

// httpClient does not follow redirects by default: following one would turn a
// POST into a GET.
func httpClient(given *http.Client) *http.Client {
	c := http.Client{Timeout: time.Minute}
	if given != nil {
		c = *given
	} else {
		c.Transport = &http.Transport{
			Proxy:                 http.ProxyFromEnvironment,
			DialContext:           (&net.Dialer{Timeout: 10 * time.Second}).DialContext,
			ForceAttemptHTTP2:     true,
			MaxIdleConns:          100,
			MaxIdleConnsPerHost:   16,
			IdleConnTimeout:       90 * time.Second,
			TLSHandshakeTimeout:   10 * time.Second,
			ResponseHeaderTimeout: 30 * time.Second,
		}
	}
	if c.CheckRedirect == nil {
		c.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	}
	return &c
}

func positiveOr[T int64 | time.Duration](v, fallback T) T {
	if v > 0 {
		return v
	}
	return fallback
}

// Format prints the Config without its app token, whatever the verb.
func (c Config) Format(f fmt.State, verb rune) {
	type plain Config
	c.AppToken = redacted(c.AppToken)
	fmt.Fprintf(f, fmt.FormatString(f, verb), plain(c))
}

// LogValue is the Config without its app token.
func (c Config) LogValue() slog.Value { return slog.StringValue(fmt.Sprintf("%+v", c)) }
