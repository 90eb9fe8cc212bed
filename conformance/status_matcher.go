package conformance

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/socialfeed/conform/conformance/result"
)

// StatusMatcher says which statuses a rule asks for.
type StatusMatcher struct {
	passing, tolerated []int
	refusals           bool // any 4xx but 429 passes
	tolerateRefusals   bool // any 4xx but 429 passes with a warning
}

// OneOf lets each of the statuses pass.
func OneOf(statuses ...int) StatusMatcher { return StatusMatcher{passing: statuses} }

// Refused lets any refusal pass: a 4xx, but 429, which refuses no request in particular.
func Refused() StatusMatcher { return StatusMatcher{refusals: true} }

// Tolerating lets further statuses pass with a warning.
func (s StatusMatcher) Tolerating(statuses ...int) StatusMatcher {
	s.tolerated = statuses
	return s
}

// ToleratingRefusals lets any other 4xx but 429 pass with a warning.
func (s StatusMatcher) ToleratingRefusals() StatusMatcher {
	s.tolerateRefusals = true
	return s
}

// tolerates reports whether the status passes with a warning.
func (s StatusMatcher) tolerates(status int) bool {
	if slices.Contains(s.statuses(), status) {
		return false
	}
	return slices.Contains(s.tolerated, status) || s.tolerateRefusals && slices.Contains(Refused().statuses(), status)
}

// statuses are those that pass.
func (s StatusMatcher) statuses() []int {
	if !s.refusals {
		return s.passing
	}
	var refusals []int
	for status := 400; status < 500; status++ {
		if status != http.StatusTooManyRequests {
			refusals = append(refusals, status)
		}
	}
	return refusals
}

// patterns are the statuses that pass, as a reproduction has them.
func (s StatusMatcher) patterns() []string {
	if s.refusals {
		return []string{result.AnyRefusal}
	}
	var all []string
	for _, status := range s.passing {
		all = append(all, strconv.Itoa(status))
	}
	return all
}

// failure is the outcome where another status came.
func (s StatusMatcher) failure(actual string) outcome {
	return outcome{status: result.Fail, expected: s.String(), actual: actual, passing: s.patterns()}
}

// String is the expectation in words.
func (s StatusMatcher) String() string {
	if s.refusals {
		return "a refusal (any 4xx)"
	}
	words := make([]string, len(s.passing))
	for i, status := range s.passing {
		words[i] = fmt.Sprintf("%d %s", status, http.StatusText(status))
	}
	return strings.Join(words, " or ")
}
