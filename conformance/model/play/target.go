package play

import (
	"context"

	"github.com/socialfeed/conform/conformance/model/exchange"
)

// Target is what stories are played on.
type Target interface {
	// Do sends one request and waits for its answer. It is called concurrently
	// if a story says so. An error means that there was no answer.
	Do(context.Context, exchange.Request) (exchange.Response, error)
	// Unique returns a text of at most 8 lower-case letters and digits that stands nowhere else on the target.
	Unique() string
	// Password returns a password as a client sends it.
	Password() string
}
