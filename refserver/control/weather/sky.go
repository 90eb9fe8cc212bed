package weather

import (
	"math/rand/v2"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/socialfeed/conform/refserver/control/openapi"
)

// Sky is the weather of a world: its rules, in their order, and what they have
// seen. The zero value is a clear sky. It is safe for concurrent use.
type Sky struct {
	mu     sync.Mutex
	fronts []*front
}

// front is a rule at work.
type front struct {
	Rule
	set  time.Time // by the world's clock
	seen int       // the requests it was for, this one included
	dice *rand.Rand
}

// Request has the properties of a request that rules match.
type Request struct {
	Method    string
	Operation openapi.Operation // zero where the contract has none
	User      string            // the session's user_name, or blank
}

// Outcome is the effect of the weather on a request.
type Outcome struct {
	Delay time.Duration
	rule  *Rule // what answers or cuts; nil lets the service answer
	Texts []string
}

// Text says which rules acted, blank where none did.
func (o Outcome) Text() string { return strings.Join(o.Texts, " + ") }

// Set replaces the rules, as of a time of the world's clock.
func (s *Sky) Set(texts []string, now time.Time) error {
	fronts := make([]*front, 0, len(texts))
	for _, text := range texts {
		rule, err := Parse(text)
		if err != nil {
			return err
		}
		fronts = append(fronts, &front{Rule: rule, set: now, dice: rand.New(rand.NewPCG(rule.seed, 0))})
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.fronts = fronts
	return nil
}

// Texts lists the rules as they were given.
func (s *Sky) Texts() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	texts := make([]string, 0, len(s.fronts))
	for _, f := range s.fronts {
		texts = append(texts, f.text)
	}
	return texts
}

// Next decides the outcome of a request. Delays add up; of the rules that answer or cut,
// the first applies. Preflights have no weather.
func (s *Sky) Next(r Request, now time.Time) Outcome {
	s.mu.Lock()
	defer s.mu.Unlock()
	var outcome Outcome
	if r.Method == http.MethodOptions {
		return outcome
	}
	for _, f := range s.fronts {
		if !f.strikes(r, now) || f.delay == 0 && outcome.rule != nil {
			continue
		}
		outcome.Texts = append(outcome.Texts, f.text)
		outcome.Delay += f.someDelay()
		if f.delay == 0 {
			outcome.rule = &f.Rule
		}
	}
	return outcome
}

// someDelay is one of the rule's delays, by chance.
func (f *front) someDelay() time.Duration {
	if f.delayMost <= f.delay {
		return f.delay
	}
	return f.delay + time.Duration(f.dice.Int64N(int64(f.delayMost-f.delay)+1))
}

// strikes counts the request if the rule is about it, and reports whether the rule acts.
func (f *front) strikes(r Request, now time.Time) bool {
	if f.matches != nil && !f.matches(r.Method, r.Operation) || f.user != "" && f.user != r.User {
		return false
	}
	f.seen++
	age := now.Sub(f.set)
	switch {
	case f.nth > 0 && f.seen != f.nth,
		f.after.requests > 0 && f.seen <= f.after.requests,
		f.until.requests > 0 && f.seen > f.until.requests,
		f.after.time > 0 && age < f.after.time,
		f.until.time > 0 && age >= f.until.time:
		return false
	}
	return f.probability == 1 || f.dice.Float64() < f.probability
}
