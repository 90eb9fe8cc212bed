package refserver

import (
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"time"
)

// Options configures a Server. Only AppTokens must be set.
type Options struct {
	// AppTokens are the applications' tokens, at least one; each application has
	// users, sessions and events of its own. See NewAppToken.
	AppTokens []string

	// Choices settles points that the contract leaves open; the zero value is friendly.
	Choices Choices

	// RateLimit is the number of requests a minute in each category: writing,
	// querying, deleting (the contract's Limits part). 0 is the contract's 1,000;
	// a negative number sets no limit.
	RateLimit int

	// MaxBodyBytes bounds a request's body; beyond it the answer is 413. 0 is 1 MiB.
	MaxBodyBytes int64

	// MaxMemory bounds the process's heap, in bytes; beyond it, POST and PUT are refused
	// with 503, and reading and deleting go on. 0 is a quarter of the memory that the
	// machine or the container has; a negative number sets no bound.
	MaxMemory int64

	// PasswordCost is the number of PBKDF2 rounds for each password. 0 is 1,000:
	// cheap enough for a fake, far too cheap for real passwords.
	PasswordCost int

	// AllowPlainHTTP serves requests that did not come over TLS, which transport
	// item 1 forbids, for local tools that cannot do otherwise.
	AllowPlainHTTP bool

	// Clock tells the time; nil is time.Now.
	Clock func() time.Time

	// Logger gets a debug record per request and an error record per panic; nil is silent.
	Logger *slog.Logger

	// WrapStore, if set, may replace methods of the store before the handlers see it.
	WrapStore func(Store) Store

	// WrapHandler, if set, wraps the whole server: it meets every request first and every response last.
	WrapHandler func(http.Handler) http.Handler
}

// NewAppToken makes an app token of 130 random bits.
func NewAppToken() string {
	return rand.Text()
}

// withDefaults replaces zero values by defaults, and checks the options.
func (o Options) withDefaults() (Options, error) {
	if o.RateLimit == 0 {
		o.RateLimit = 1000
	}
	if o.MaxBodyBytes == 0 {
		o.MaxBodyBytes = 1 << 20
	}
	if o.MaxMemory == 0 {
		o.MaxMemory = quarterOfMachine()
	}
	if o.PasswordCost == 0 {
		o.PasswordCost = 1000
	}
	if o.Clock == nil {
		o.Clock = time.Now
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	if o.MaxBodyBytes < 0 || o.PasswordCost < 0 {
		return o, errors.New("MaxBodyBytes and PasswordCost must not be negative")
	}
	o.Choices = o.Choices.withDefaults()
	if err := o.Choices.validate(); err != nil {
		return o, err
	}
	return o, checkAppTokens(o.AppTokens)
}

// checkAppTokens names tokens by position, never by value.
func checkAppTokens(tokens []string) error {
	if len(tokens) == 0 {
		return errors.New("no app token is given")
	}
	seen := make(map[string]bool)
	for i, token := range tokens {
		switch {
		case strings.TrimSpace(token) == "":
			return fmt.Errorf("app token %d is blank", i+1)
		case strings.ContainsFunc(token, func(r rune) bool { return r == ':' || r < ' ' || r == 0x7f }):
			return fmt.Errorf("app token %d holds a colon or a control character, which Basic authentication cannot carry", i+1)
		case seen[token]:
			return fmt.Errorf("app token %d is given twice", i+1)
		}
		seen[token] = true
	}
	return nil
}
