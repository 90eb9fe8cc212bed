package story

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"github.com/socialfeed/conform/conformance/rules"
)

// run is one play of a story.
type run struct {
	player   *Player
	story    Story
	worlds   []*World // the states that the target may be in, the likeliest first
	outcome  Outcome
	reported map[diffKey]bool
	right    map[readKey]any // the evidence of reads that agreed since the latest write
	evidence []any           // of what was sent so far, except the reads that agreed
	ahead    map[int]call    // reads that were sent before it was their turn, by step
	index    int             // of the step being played
	wrote    time.Time       // when it last sent a write
	quickest map[rules.Endpoint]time.Duration
	lost     bool  // the state of the target is unknown
	err      error // the first request without an answer, which ends the story
}

// readKey identifies a read: two with the same one ask for the same.
type readKey struct {
	app               int
	at                rules.Endpoint
	session, id, term string
}

func (r Request) key() readKey {
	return readKey{app: r.App, at: r.Endpoint, session: r.Session, id: r.ID, term: r.Query["q"]}
}

// Play plays a story with users of its own. An error means that a request got no answer; the
// outcome, which is never nil, has what was found before.
func (p *Player) Play(ctx context.Context, s Story) (*Outcome, error) {
	r := p.run(s)
	err := r.play(ctx)
	return &r.outcome, err
}

// run returns a run of a story that has not begun.
func (p *Player) run(s Story) *run {
	r := &run{player: p, story: s, worlds: []*World{newWorld(s, p.options.choices(s.Apps()))}, reported: map[diffKey]bool{}, right: map[readKey]any{},
		ahead: map[int]call{}, quickest: map[rules.Endpoint]time.Duration{}}
	r.outcome.existing = map[int]Existing{}
	return r
}

func (r *run) play(ctx context.Context) error {
	for i := 0; i < len(r.story.Steps) && !r.lost; {
		r.index = i
		n := r.story.group(i)
		if n > 1 {
			r.race(ctx, r.story.Steps[i:i+n])
		} else {
			r.readAhead(ctx)
			r.perform(ctx, r.story.Steps[i])
		}
		if r.err != nil {
			return fmt.Errorf("step %d, %s: %w", i+1, r.story.Steps[i].Do, r.err)
		}
		i += n
	}
	return nil
}

// world is the likeliest state of the target.
func (r *run) world() *World { return r.worlds[0] }

// perform plays one step. One that makes no sense, or whose outcome is open, is skipped.
func (r *run) perform(ctx context.Context, s Step) {
	a := r.player.table[s.Do]
	if s.Do == "wait" {
		r.wait(ctx, s)
		return
	}
	if !r.enter(ctx, s) {
		return
	}
	if a.reads() {
		r.read(ctx, a, s)
		return
	}
	c, ok := r.prepare(ctx, a, s)
	if !ok {
		return
	}
	r.sendCall(ctx, a, &c)
	if r.err != nil || r.lost || c.skip {
		return
	}
	r.say(a, c)
	r.settle(a, c)
}

// enter creates the users of a step that do not exist yet, and reports whether they all do.
func (r *run) enter(ctx context.Context, s Step) bool {
	for _, role := range s.roles() {
		if _, there := r.world().who(role, false); there || s.Do == "create" && role == s.User {
			continue
		}
		r.create(ctx, role)
		if _, there := r.world().who(role, false); !there {
			return false
		}
	}
	return r.err == nil && !r.lost
}

// create gives a role its user: one that exists already, or a new one.
func (r *run) create(ctx context.Context, role int) {
	is := r.story.Users[role-1]
	if r.player.options.Reuse != nil && is.Body == nil && is.App == 0 {
		if user, there := r.player.options.Reuse(); there {
			for _, w := range r.worlds {
				w.exists(role, user)
			}
			r.outcome.existing[role] = user
			r.outcome.Log = append(r.outcome.Log, fmt.Sprintf("user %d was created before, and nothing was done with it", role))
			return
		}
	}
	r.perform(ctx, Step{Do: "create", User: role, Body: is.Body, Refusable: is.Refusable})
}

// exists gives a role a user that was created before.
func (w *World) exists(role int, user Existing) {
	who := w.created(role, user.App, user.Sent, nil, user.Answer)
	w.loggedIn(who, 0, user.Session, rules.Place{Rule: "sessions.create-with-login", At: rules.CreateUser})
}

// prepare returns the call of a step with the session that it is sent in; false if the step makes
// no sense in some world.
func (r *run) prepare(ctx context.Context, a *Action, s Step) (call, bool) {
	c := call{Step: s}
	for i, w := range r.worlds {
		request, ok := a.Request(w, s)
		if !ok {
			return c, false
		}
		if i == 0 {
			c.Request = request
		}
	}
	if s.Do == "create" {
		is := r.story.Users[s.User-1]
		c.App = is.App
		if !is.LoggedOut && s.Without == "" {
			c.Query = map[string]string{"withLogin": "true"}
		}
	} else {
		c.App = r.world().appOf(s.User)
	}
	if s.In > 0 {
		c.App = s.In - 1
	}
	r.fill(&c)
	if s.Without != "" {
		delete(c.Request.Body, s.Without)
	}
	c.sent = c.Request.Body
	return c, r.signIn(ctx, a, &c)
}

// send sends a request and keeps its evidence. Once a request gets no answer, r.err is set:
// nothing more is sent, logged or judged, and every further answer is empty.
func (r *run) send(ctx context.Context, q Request) Response {
	if r.err != nil {
		return Response{}
	}
	r.outcome.Requests++
	began := time.Now()
	answer, err := r.player.target.Do(ctx, q)
	r.timed(q.Endpoint, time.Since(began))
	if err != nil {
		r.err = fmt.Errorf("endpoint %d: %w", q.Endpoint, err)
		return Response{}
	}
	r.keep(q.Endpoint, answer)
	return answer
}

// keep keeps the evidence of an answer, and that something was written.
func (r *run) keep(at rules.Endpoint, answer Response) {
	const most = 64 // exchanges that a difference keeps: the latest ones
	if at.Method() != http.MethodGet {
		r.wrote, r.right = time.Now(), map[readKey]any{}
		if at != rules.Login {
			r.ahead = map[int]call{}
		}
	}
	r.evidence = append(r.evidence[max(0, len(r.evidence)-most+1):], answer.Evidence)
	r.lost = r.lost || answer.Status >= 500 || answer.Status == http.StatusTooManyRequests // it may have taken effect
}

// wait lets time pass: the hold time, or longer than short-lived caches last.
func (r *run) wait(ctx context.Context, s Step) {
	const long = 6 * time.Second
	pause := r.player.options.Hold
	if s.How == longWait {
		pause = max(pause, long)
	}
	r.outcome.Log = append(r.outcome.Log, "some time passes")
	r.pause(ctx, pause)
}

// pause waits, unless the story has ended.
func (r *run) pause(ctx context.Context, d time.Duration) {
	if r.err == nil && d > 0 {
		r.err = r.player.options.Pause(ctx, d)
	}
}

// say adds a sentence about a step to the log.
func (r *run) say(a *Action, c call) {
	if r.err != nil {
		return
	}
	sentence := fmt.Sprintf("user %d %s", c.User, a.Say(c.Step))
	if c.Beside || r.index > 0 && r.index <= len(r.story.Steps) && r.story.Steps[r.index-1].Beside {
		sentence = "at the same time: " + sentence
	}
	if len(c.Step.Body) > 0 {
		sentence += describe(c.Request.Body)
	}
	if c.Step.Session > 0 && c.Do != "log in" {
		sentence += fmt.Sprintf(" in session %d", c.Step.Session)
	}
	if c.In > 0 {
		sentence += fmt.Sprintf(" in application %d", c.In)
	}
	if c.Without != "" {
		sentence += " without " + c.Without
	}
	if e, _ := a.expected(r.world(), c.Step); !c.answer.OK() && e.Status != 0 {
		sentence += ", and is refused"
	}
	r.outcome.Log = append(r.outcome.Log, sentence)
}
