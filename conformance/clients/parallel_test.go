package clients

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/conformance/rules"
)

// parallelClient is a lawful client with several threads, some way from the service:
// it goes by the answers that it has, and others are under way.
type parallelClient struct {
	dice      *rand.Rand
	now       time.Time
	events    []event // of the client's time
	exchanges []*Exchange
	busy      []bool // the connections
	multiplex bool   // one connection for all, as HTTP/2 has

	session   int  // the number of the session in use
	open      bool // it is
	asked     int
	throttled map[string]time.Time // up to when a category waits
}

type event struct {
	at time.Time
	do func()
}

const (
	farAway = 20 * time.Millisecond // one way, at most; the skew is more than twice that
	threads = 4
	mostAsk = 80
)

func (c *parallelClient) upTo(d time.Duration) time.Duration {
	return time.Duration(c.dice.Int64N(int64(d)))
}

func (c *parallelClient) later(d time.Duration, do func()) {
	c.events = append(c.events, event{c.now.Add(d), do})
}

// send sends a request now; the client goes on when it has the answer.
func (c *parallelClient) send(s step, goOn func(status int)) {
	x, conn := s.Exchange, slices.Index(c.busy, false)
	if conn < 0 {
		conn, c.busy = len(c.busy), append(c.busy, false)
	}
	c.busy[conn] = true
	x.Conn, x.Serial = strconv.Itoa(conn), true
	if c.multiplex {
		x.Conn, x.Serial = "all", false
	}
	x.Start = c.now.Add(c.upTo(farAway))
	x.End = x.Start.Add(c.upTo(10 * time.Millisecond))
	if c.dice.IntN(8) == 0 {
		x.End = x.End.Add(200 * time.Millisecond) // which lets others come in
	}
	c.exchanges = append(c.exchanges, x)
	c.later(x.End.Add(c.upTo(farAway)).Sub(c.now), func() {
		c.busy[conn] = false
		goOn(x.Status)
	})
}

func sessionNamed(n int) string { return fmt.Sprintf("session-%012d", n) }

// ask sends a request of the session, once that is open and nobody asked to wait.
func (c *parallelClient) ask(session int, s step, goOn func(status int)) {
	category := takeApart(s.Exchange, "").category()
	until := c.throttled[category]
	switch {
	case !c.open || session != c.session: // what it was about is over
		c.later(farAway, func() { goOn(0) })
	case c.now.Before(until):
		c.later(until.Sub(c.now), func() { c.ask(session, s, goOn) })
	default:
		c.send(s, func(status int) {
			if until := c.now.Add(time.Second); status == 429 && until.After(c.throttled[category]) {
				c.throttled[category] = until
			}
			goOn(status)
		})
	}
}

// work is what a thread does: one thing after the other, each with all that follows
// from its answers.
func (c *parallelClient) work(thread int) {
	if c.asked++; c.asked > mostAsk {
		return
	}
	session, next := c.session, func(int) { c.later(c.upTo(30*time.Millisecond), func() { c.work(thread) }) }
	if c.asked%20 == 0 && c.open {
		c.restart(next)
		return
	}
	status := []int{200, 200, 200, 503, 504, 429, 404}[c.dice.IntN(7)]
	request := func(status int) step {
		return do("POST", "/0.2/user/events", sessionNamed(session), fmt.Sprintf(`{"verb":"liked-%d"}`, c.asked), status, `{"id":9}`, answerHeader("Retry-After", "1"))
	}
	first := request(status)
	switch c.dice.IntN(4) {
	case 0: // which all threads ask for, over and over
		c.ask(session, me(sessionNamed(session), func(s *step) {
			if c.asked > 20 && (status == 429 || status == 503) {
				s.Status = status
			}
		}, answerHeader("Retry-After", "1")), next)
		return
	case 1:
		first = do("GET", fmt.Sprintf("/0.2/users/%d", c.asked), sessionNamed(session), "", status, `{}`, answerHeader("Retry-After", "1"))
	}
	again := *first.Exchange
	again.Status = 200
	repeat := func(int) { c.ask(session, step{Exchange: &again}, next) }
	c.ask(session, first, func(status int) {
		switch {
		case status == 503:
			c.later(60*time.Millisecond, func() { repeat(0) })
		case status == 504 && first.Method == "POST":
			c.ask(session, do("GET", "/0.2/user/feed", sessionNamed(session), "", 200, `[]`), func(status int) {
				if status == 0 { // it could not look
					next(0)
					return
				}
				repeat(0)
			})
		case status == 504:
			repeat(0)
		default:
			next(0)
		}
	})
}

// restart logs out and in again; nobody uses the old session once the answer is there.
func (c *parallelClient) restart(next func(int)) {
	c.send(do("DELETE", "/0.2/user/logout", sessionNamed(c.session), "", 204, ""), func(int) {
		c.session++
		c.open = false
		opened := fmt.Sprintf(`{"id":"7","session_token":%q}`, sessionNamed(c.session))
		c.send(do("POST", "/0.2/user/login", "", `{"user_name":"ada","password":"`+hash+`"}`, 200, opened), func(int) {
			c.open = true
			next(0)
		})
	})
}

// play lets the threads work, and tells what came to the service.
func (c *parallelClient) play() []*Exchange {
	c.now, c.open = noon, true
	for i := range threads {
		c.later(c.upTo(farAway), func() { c.work(i) })
	}
	for len(c.events) > 0 {
		first := 0
		for i := range c.events {
			if c.events[i].at.Before(c.events[first].at) {
				first = i
			}
		}
		e := c.events[first]
		c.events = slices.Delete(c.events, first, first+1)
		c.now = e.at
		e.do()
	}
	slices.SortStableFunc(c.exchanges, func(a, b *Exchange) int { return a.Start.Compare(b.Start) })
	for i, x := range c.exchanges {
		x.Number = i + 1
	}
	slices.SortStableFunc(c.exchanges, func(a, b *Exchange) int { return a.End.Compare(b.End) })
	return c.exchanges
}

// TestParallelRequestsAreNotBlamed plays clients that do nothing wrong by what they
// know, however their requests come in.
func TestParallelRequestsAreNotBlamed(t *testing.T) {
	catalogue := rules.LoadClient()
	met := map[string]int{}
	for seed := range uint64(200) {
		c := &parallelClient{dice: rand.New(rand.NewPCG(seed, 1)), multiplex: seed%3 == 0, throttled: map[string]time.Time{}}
		j := New(catalogue, Options{Skew: 50 * time.Millisecond})
		for _, x := range c.play() {
			j.See(x)
		}
		for _, check := range j.Results("") {
			met[check.Rule] += check.Seen
			if check.Status != result.Pass {
				t.Errorf("seed %d: %s at %s: %s", seed, check.Rule, check.Endpoint, check.Message)
			}
		}
	}
	for _, rule := range []string{"client.session-ends", "client.waits-429", "client.waits-503", "client.checks-504", "client.no-retry-4xx"} {
		if met[rule] == 0 {
			t.Errorf("%s was not met", rule)
		}
	}
}

// FuzzJudge throws sequences of anything at the judge: it blames nothing without
// evidence, and shows no secret.
func FuzzJudge(f *testing.F) {
	f.Add("GET", "/0.2/user", "Basic YXBwOnNlc3Npb24=", "", 200, `{"id":7}`, uint8(3))
	f.Add("POST", "/0.2/users?withLogin=true", "Bearer x", `{"user_name":"a","password":"secret"}`, 503, `{"session_token":"abcdefgh"}`, uint8(200))
	catalogue := rules.LoadClient()
	f.Fuzz(func(t *testing.T, method, target, authorization, body string, status int, answer string, gap uint8) {
		j := New(catalogue, Options{AppToken: appToken})
		at := noon
		for i := range 4 {
			s := do(method, target, ada, body, status, answer)
			if i%2 == 1 {
				s.Header.Set("Authorization", authorization)
			}
			s.Number, s.Start = i+1, at
			s.End = at.Add(time.Duration(gap) * time.Millisecond)
			at = s.End.Add(time.Duration(gap%7) * time.Millisecond)
			j.See(s.Exchange)
		}
		for _, check := range j.Results("") {
			if (check.Status == result.Fail || check.Status == result.Warn) && (check.Decisive() == nil || check.Broken == 0) {
				t.Errorf("%s is blamed without evidence", check.Rule)
			}
		}
	})
}
