package conformance

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
)

// Want is what statuses a rule asks for.
type Want struct {
	passing, tolerated []int
	refusals           bool // any 4xx but 429 passes
	tolerateRefusals   bool // any 4xx but 429 passes with a warning
}

// OneOf lets each of the statuses pass.
func OneOf(statuses ...int) Want { return Want{passing: statuses} }

// Refused lets any refusal pass: a 4xx, but 429, which refuses no request in particular.
func Refused() Want { return Want{refusals: true} }

// Tolerating lets further statuses pass with a warning.
func (w Want) Tolerating(statuses ...int) Want {
	w.tolerated = statuses
	return w
}

// ToleratingRefusals lets any other 4xx but 429 pass with a warning.
func (w Want) ToleratingRefusals() Want {
	w.tolerateRefusals = true
	return w
}

func (w Want) verdict(status int) Status {
	refusal := status/100 == 4 && status != http.StatusTooManyRequests
	switch {
	case slices.Contains(w.passing, status), w.refusals && refusal:
		return Pass
	case slices.Contains(w.tolerated, status), w.tolerateRefusals && refusal:
		return Warn
	}
	return Fail
}

// String is the expectation in words.
func (w Want) String() string {
	if w.refusals {
		return "a refusal (any 4xx)"
	}
	words := make([]string, len(w.passing))
	for i, status := range w.passing {
		words[i] = fmt.Sprintf("%d %s", status, http.StatusText(status))
	}
	return strings.Join(words, " or ")
}
