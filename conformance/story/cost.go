package story

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"strconv"
	"time"

	"github.com/socialfeed/conform/conformance/rules"
)

// Cost is how many requests something takes, by rate limit category.
type Cost struct{ Writes, Reads, Deletes int }

// Within reports whether the cost fits into what is left.
func (c Cost) Within(left Cost) bool {
	return c.Writes <= left.Writes && c.Reads <= left.Reads && c.Deletes <= left.Deletes
}

// Minus returns what is left after a cost.
func (c Cost) Minus(o Cost) Cost {
	return Cost{c.Writes - o.Writes, c.Reads - o.Reads, c.Deletes - o.Deletes}
}

// Plus returns both costs together.
func (c Cost) Plus(o Cost) Cost {
	return Cost{c.Writes + o.Writes, c.Reads + o.Reads, c.Deletes + o.Deletes}
}

// Cost returns the requests of the story, including the deletion of its users: those of a dry run on
// an imaginary target, which takes everything.
func (s Story) Cost(choices []Choices) Cost {
	dry := newDryRun(s, choices)
	_ = dry.play(context.Background()) // an imaginary target always answers
	return dry.cost()
}

// dryRun is a run of a story on an imaginary target.
type dryRun struct {
	*run
	target *imaginary
}

func newDryRun(s Story, choices []Choices) dryRun {
	target := &imaginary{}
	p := NewPlayer(target, Options{Choices: choices, Pause: func(context.Context, time.Duration) error { return nil }})
	p.imagine = target.answer
	return dryRun{p.run(s), target}
}

// cost returns what was sent so far, and the deletion of the users.
func (d dryRun) cost() Cost {
	left := 0
	for i := range d.world().users {
		if d.world().users[i].lives() {
			left++
		}
	}
	return d.target.sent.Plus(Cost{Deletes: left})
}

// imaginary is a target that answers every request as it is expected to be answered. It knows nothing
// of what it has: reads of it are not compared.
type imaginary struct {
	sent  Cost
	count int
}

func (t *imaginary) Unique() string {
	t.count++
	return "t" + strconv.FormatInt(int64(t.count), 36)
}

func (t *imaginary) Password() string { return "p" + t.Unique() }

// Do is never called: a dry run calls answer instead.
func (t *imaginary) Do(context.Context, Request) (Response, error) {
	return Response{}, errors.New("an imaginary target answers no requests")
}

// answer returns the answer that is expected to a request.
func (t *imaginary) answer(e Expect, r Request) Response {
	switch r.Endpoint.Method() {
	case http.MethodGet:
		t.sent.Reads++
	case http.MethodDelete:
		t.sent.Deletes++
	default:
		t.sent.Writes++
	}
	switch {
	case e.Status == 0 && len(e.Refusals) > 0:
		return Response{Status: e.Refusals[0]}
	case e.Status == 0 && e.Rule != "":
		return Response{Status: http.StatusNotFound}
	case r.Endpoint.Method() == http.MethodGet:
		return Response{Status: http.StatusOK, Body: imagined{}}
	case r.Endpoint.Method() == http.MethodDelete:
		return Response{Status: http.StatusNoContent}
	}
	t.count++
	o := maps.Clone(r.Body)
	if o == nil {
		o = Fields{}
	}
	now := time.Unix(int64(t.count), 0).UTC().Format(time.RFC3339)
	o["id"], o["created_at"], o["updated_at"] = json.Number(strconv.Itoa(t.count)), now, now
	if r.Endpoint == rules.Login || r.Query["withLogin"] != "" {
		o["session_token"] = fmt.Sprint("session ", t.count)
	}
	return Response{Status: e.Status, Body: o}
}

// imagined is the body of an answer that is not compared.
type imagined struct{}

// isImagined reports whether an answer is not compared.
func (r Response) isImagined() bool { _, is := r.Body.(imagined); return is }

// dry reports whether nothing is sent, so that answers are not compared.
func (r *run) dry() bool { return r.player.imagine != nil }
