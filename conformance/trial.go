package conformance

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"

	"github.com/gavv/httpexpect/v2"

	"github.com/socialfeed/conform/client"
)

// Trial is one scenario being played against the target. It is what a story is
// told with: it makes actors, sends requests and judges rules.
type Trial struct {
	run      *run
	scenario *scenario
	ctx      context.Context
	client   *client.Client // of the target's first application
	second   *client.Client // of its second one, nil without
	expect   *httpexpect.Expect

	actors   []*Actor
	accounts []*account
	checks   []*Check
	current  *Check      // the check being judged, nil while arranging
	last     *exchange   // the latest one of the trial
	arranged []*exchange // while arranging
	sender   *Actor      // whose session is renewed when the target ends it
	rushed   bool        // a 429 or 503 is an answer, not a call for patience
}

func newTrial(ctx context.Context, r *run, s *scenario) (*Trial, error) {
	t := &Trial{run: r, scenario: s, ctx: ctx}
	httpClient := &http.Client{
		Transport:     tap{t},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	var err error
	if t.client, err = r.client(r.config.Target.AppToken, httpClient); err != nil {
		return nil, err
	}
	if r.config.Target.SecondAppToken != "" {
		if t.second, err = r.client(r.config.Target.SecondAppToken, httpClient); err != nil {
			return nil, err
		}
	}
	t.expect = httpexpect.WithConfig(httpexpect.Config{
		BaseURL:          r.base.String(),
		Client:           httpClient,
		AssertionHandler: assertions{t},
	})
	return t, nil
}

// Context is cancelled when the run ends early.
func (t *Trial) Context() context.Context { return t.ctx }

// AppOnly are the credentials of a request without a session: the app token, and
// an empty password.
func (t *Trial) AppOnly() Credentials { return Basic{App: t.run.config.Target.AppToken} }

// AppToken is the target's app token.
func (t *Trial) AppToken() string { return t.run.config.Target.AppToken }

// Unique makes a text of lower-case letters and digits that stands nowhere else
// on the target: for names, verbs and search terms.
func (t *Trial) Unique() string { return t.run.unique() }

// Password makes a password as a client sends it: hashed, in hexadecimal digits.
func (t *Trial) Password() string { return t.run.password() }

// Secret keeps a text that a scenario made out of reports, such as one that
// resembles a token; it returns the text.
func (t *Trial) Secret(text string) string {
	t.run.redactor.learn(text, "$SECRET")
	return text
}

// PlainExchange sends one request over unencrypted HTTP to the target's host and
// port, without credentials, outside of what passive rules see. The error tells
// that no HTTP response came.
func (t *Trial) PlainExchange(method, path string) (status int, body []byte, err error) {
	target := t.run.url(path)
	target.Scheme = "http"
	if target.Port() == "" {
		target.Host += ":443"
	}
	req, err := t.request(method, target.String(), Nobody{})
	if err != nil {
		return 0, nil, err
	}
	x := t.run.wire.send(req, nil, true)
	t.keep(x)
	return x.status, x.answered, x.err
}

// Secure tells whether the target was given as https://.
func (t *Trial) Secure() bool { return t.run.base.Scheme == "https" }

// AllowsHTTP tells whether the judge was told to accept a target without TLS.
func (t *Trial) AllowsHTTP() bool { return t.run.config.Target.AllowHTTP }

// HasSecondApp tells whether the judge was given a second application's token.
func (t *Trial) HasSecondApp() bool { return t.second != nil }

// RateLimit is how many requests a minute the target promises to serve in each
// category.
func (t *Trial) RateLimit() int { return t.run.config.RateLimitOf }

// Rushed lets requests go out unpaced, and takes a 429 or 503 for an answer
// instead of waiting it out: for probing limits.
func (t *Trial) Rushed(rush func()) {
	t.rushed = true
	defer func() { t.rushed = false }()
	rush()
}

func (t *Trial) request(method, target string, as Credentials) (*http.Request, error) {
	req, err := http.NewRequestWithContext(t.ctx, method, target, nil)
	if err != nil {
		return nil, fmt.Errorf("making a request: %w", err)
	}
	req.Header.Set("Accept", "application/json")
	req.Header.Set("User-Agent", t.run.userAgent)
	if authorization := as.authorization(); authorization != "" {
		req.Header.Set("Authorization", authorization)
	}
	return req, nil
}

// Judge judges a rule that the scenario claims at one endpoint.
func (t *Trial) Judge(rule string, judge func(*Check)) {
	t.JudgeAt(t.scenario.claims.endpointOf(rule), rule, judge)
}

// JudgeAt judges a rule at one of several endpoints that the scenario claims it at.
func (t *Trial) JudgeAt(at Endpoint, rule string, judge func(*Check)) {
	if _, known := t.run.catalogue.Rule(rule); !known {
		panic(fmt.Sprintf("the scenario judges %s, which the catalogue does not have", rule))
	}
	c := &Check{trial: t, rule: rule, endpoint: at, status: Pass}
	t.checks = append(t.checks, c)
	switch {
	case !t.scenario.claims.has(rule, at):
		c.conclude(&stop{status: Error, message: "the suite itself is at fault: the scenario judges what it does not name"})
	default:
		c.perform(judge)
	}
}

// block ends what is being judged: a step it needs, which the rule stands for, does not work.
func (t *Trial) block(rule, message string) {
	s := stop{status: Blocked, blockedBy: rule, message: message}
	if t.last != nil {
		s.evidence = []*exchange{t.last}
	}
	panic(s)
}

// Blocked ends what is being judged because of a step that the given rule stands for.
func (t *Trial) Blocked(rule, format string, args ...any) {
	t.block(rule, fmt.Sprintf(format, args...))
}

// Skip ends what is being judged: it cannot be tried on this target, and that is no fault.
func (t *Trial) Skip(format string, args ...any) {
	panic(stop{status: Skipped, message: fmt.Sprintf(format, args...)})
}

// play tells the story and sees that every claim comes to an outcome.
func (t *Trial) play() {
	ended := func() (ended *stop) {
		defer func() { ended = catch(recover()) }()
		if cause := t.run.over(t.ctx); cause != nil {
			panic(unjudged(cause))
		}
		t.scenario.story(t)
		return nil
	}()
	if ended == nil {
		ended = &stop{status: Error, message: "the suite itself is at fault: the scenario names this rule and does not judge it"}
	} else if ended.status == Fail {
		ended = &stop{status: Error, message: "the suite itself is at fault: an assertion outside of a judgement: " + ended.text()}
	}
	for _, cl := range t.scenario.claims {
		judged := slices.ContainsFunc(t.checks, func(c *Check) bool { return c.rule == cl.rule && c.endpoint == cl.at })
		if !judged {
			c := &Check{trial: t, rule: cl.rule, endpoint: cl.at}
			c.exchanges = ended.evidence
			c.conclude(ended)
			t.checks = append(t.checks, c)
		}
	}
}

// tap is the trial's way to the wire: it records every exchange.
type tap struct{ trial *Trial }

// RoundTrip sends the request and keeps its exchange.
func (tp tap) RoundTrip(req *http.Request) (*http.Response, error) {
	t := tp.trial
	var body []byte
	if req.Body != nil {
		var err error
		body, err = io.ReadAll(req.Body)
		req.Body.Close()
		if err != nil {
			return nil, fmt.Errorf("reading the request's body: %w", err)
		}
	}
	req = req.WithContext(t.ctx) // a trial outlives its scenario, for second looks and clean-up
	if cause := t.run.over(t.ctx); cause != nil {
		return nil, cause
	}
	x := t.run.wire.send(req, body, !t.rushed)
	t.book(x)
	if replayed := t.renewed(req, body, x); replayed != nil {
		x = replayed
	}
	t.keep(x) // after what the renewal took: it is the answer, and the latest one
	if x.err != nil {
		return nil, x.err
	}
	return &http.Response{
		Status: fmt.Sprintf("%d %s", x.status, http.StatusText(x.status)), StatusCode: x.status,
		Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: x.answer.Clone(), Body: io.NopCloser(strings.NewReader(string(x.answered))),
		ContentLength: int64(len(x.answered)), Request: req,
	}, nil
}

// note books an exchange and keeps it where it belongs.
func (t *Trial) note(x *exchange) {
	t.book(x)
	t.keep(x)
}

// book learns from an exchange and shows it to the passive rules.
func (t *Trial) book(x *exchange) {
	x.scenario = t.scenario.text
	t.learn(x)
	t.run.seen(t.ctx, x)
}

// keep files an exchange under the check being judged.
func (t *Trial) keep(x *exchange) {
	t.last = x
	if t.current != nil {
		t.current.exchanges = append(t.current.exchanges, x)
		return
	}
	t.arranged = append(t.arranged, x)
}
