// Package weather is what a client may meet at any time: a service, or a network, that is
// slow, refuses, cuts an answer off, resets the connection, never answers, or sends an
// intermediary's HTML.
package weather

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/socialfeed/conform/refserver/control/openapi"
)

// Rule is one kind of weather and the requests that it is for.
type Rule struct {
	text string

	delay      time.Duration
	delayMost  time.Duration // any delay up to this one; not above delay if there is one alone
	status     int           // of a refusal or of an intermediary's page; 0 is none
	done       bool          // of a 504: the request was processed
	html       bool
	reset      bool
	hang       bool
	cut        bool
	cutAfter   int // bytes of the body
	retryAfter time.Duration

	matches     func(method string, op openapi.Operation) bool // nil: every request
	user        string
	nth         int
	after       bound
	until       bound
	probability float64
	seed        uint64
}

// bound is a number of requests or a time since the rule was set; zero is none.
type bound struct {
	requests int
	time     time.Duration
}

// maxDelay stays below the time that servers give an answer.
const maxDelay = 50 * time.Second

// Parse reads a rule such as "delay=2s,on=21" or "429,after=5":
//
//	what: delay=2s · delay=1s-3s · a status from 400 to 599 · cut=20 · reset · hang · html=502
//	on=21, on=POST, on=GET /0.2/user/feed    by endpoint or method
//	user=ada                                 by the session's user
//	nth=3, after=5, until=8                  by the count of such requests
//	after=10s, until=1m                      by the world's clock, since the rule was set
//	probability=0.1, seed=7                  by chance, the same with every run
//	retry-after=3s                           of 429 and 503, 1s by default
//	done=true                                of 504: the write happened anyway
func Parse(text string) (Rule, error) {
	rule, err := parse(text)
	if err != nil {
		return Rule{}, fmt.Errorf("weather %q: %w", text, err)
	}
	return rule, nil
}

func parse(text string) (Rule, error) {
	what, conditions, more := strings.Cut(text, ",")
	rule := Rule{text: text, probability: 1, retryAfter: time.Second}
	if err := rule.readWhat(what); err != nil {
		return rule, err
	}
	if !more {
		return rule, nil
	}
	for condition := range strings.SplitSeq(conditions, ",") {
		name, value, given := strings.Cut(strings.TrimSpace(condition), "=")
		if name == "done" && !given {
			value = "true"
		}
		if err := rule.readCondition(name, value); err != nil {
			return rule, fmt.Errorf("%s: %w", name, err)
		}
	}
	return rule, nil
}

func (r *Rule) readWhat(what string) (err error) {
	name, value, _ := strings.Cut(strings.TrimSpace(what), "=")
	switch name {
	case "delay":
		err = r.readDelay(value)
	case "reset":
		r.reset = true
	case "hang":
		r.hang = true
	case "cut":
		r.cut = true
		r.cutAfter, err = count(value, 0)
	case "html":
		r.html = true
		if r.status, err = strconv.Atoi(value); err != nil || r.status < 500 || r.status > 599 {
			err = errors.New("a page of an intermediary has a status from 500 to 599, such as html=502")
		}
	default:
		if r.status, err = strconv.Atoi(name); err != nil || r.status < 400 || r.status > 599 {
			err = errors.New("it begins with delay=2s, delay=1s-3s, a status from 400 to 599, cut=20, reset, hang or html=502")
		}
	}
	return err
}

// readDelay reads a delay, or a range of delays.
func (r *Rule) readDelay(text string) (err error) {
	least, most, isRange := strings.Cut(text, "-")
	if r.delay, err = duration(least); err != nil {
		return err
	}
	r.delayMost = r.delay
	if isRange {
		if r.delayMost, err = duration(most); err != nil {
			return err
		}
	}
	switch {
	case r.delayMost > maxDelay:
		return fmt.Errorf("the longest delay is %s", maxDelay)
	case r.delayMost < r.delay:
		return errors.New("the first time of a range is the shorter one, such as 1s-3s")
	}
	return nil
}

func (r *Rule) readCondition(name, value string) (err error) {
	switch name {
	case "on":
		r.matches, err = matcher(value)
	case "user":
		if r.user = value; value == "" {
			err = errors.New("it takes a user_name")
		}
	case "nth":
		r.nth, err = count(value, 1)
	case "after":
		r.after, err = readBound(value)
	case "until":
		r.until, err = readBound(value)
	case "probability":
		if r.probability, err = strconv.ParseFloat(value, 64); err != nil || !(r.probability >= 0 && r.probability <= 1) {
			err = errors.New("it takes a number from 0 to 1")
		}
	case "seed":
		if r.seed, err = strconv.ParseUint(value, 10, 64); err != nil {
			err = errors.New("it takes a whole number")
		}
	case "retry-after":
		if r.retryAfter, err = duration(value); err == nil && r.status != http.StatusTooManyRequests && r.status != http.StatusServiceUnavailable {
			err = errors.New("it goes with 429 and 503")
		}
	case "done":
		if r.done, err = strconv.ParseBool(value); err != nil || r.status != http.StatusGatewayTimeout || r.html {
			err = errors.New("it is true or false, and goes with 504")
		}
	default:
		err = errors.New("there is no such condition; there are on, user, nth, after, until, probability, seed, retry-after and done")
	}
	return err
}

// matcher reads an endpoint by its number, a method, or a method and a path.
func matcher(text string) (func(string, openapi.Operation) bool, error) {
	operations := openapi.Operations()
	if number, err := strconv.Atoi(text); err == nil {
		if number < 1 || number > len(operations) {
			return nil, fmt.Errorf("the contract's endpoints are 1 to %d", len(operations))
		}
		return func(_ string, op openapi.Operation) bool { return op.Number == number }, nil
	}
	method, path, withPath := strings.Cut(text, " ")
	if !withPath && slices.Contains([]string{"GET", "POST", "PUT", "DELETE"}, method) {
		return func(m string, _ openapi.Operation) bool { return m == method }, nil
	}
	for _, op := range operations {
		if op.Method == method && op.Path == path {
			return func(_ string, other openapi.Operation) bool { return other.Number == op.Number }, nil
		}
	}
	return nil, fmt.Errorf("%q is not an endpoint; write its number in the contract (21), a method (POST), or both method and path (GET /0.2/user/feed)", text)
}

func readBound(text string) (bound, error) {
	if n, err := strconv.Atoi(text); err == nil && n > 0 {
		return bound{requests: n}, nil
	}
	d, err := time.ParseDuration(text)
	if err != nil || d <= 0 {
		return bound{}, errors.New("it takes a number of requests (5) or a time (10s)")
	}
	return bound{time: d}, nil
}

func duration(text string) (time.Duration, error) {
	d, err := time.ParseDuration(text)
	if err != nil || d <= 0 {
		return 0, errors.New("it takes a time such as 2s")
	}
	return d, nil
}

func count(text string, least int) (int, error) {
	n, err := strconv.Atoi(text)
	if err != nil || n < least {
		return 0, fmt.Errorf("it takes a number from %d", least)
	}
	return n, nil
}
