package conformance

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/gavv/httpexpect/v2"
	"github.com/socialfeed/conform/client"
	"github.com/socialfeed/conform/conformance/accounts"
	"github.com/socialfeed/conform/conformance/internal/wire"
	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/conformance/rules"
	"github.com/socialfeed/conform/conformance/setting"
)

// T is one scenario being played against the target. It is what a body is
// written with: it makes actors, sends requests and judges rules.
type T struct {
	run      *run
	scenario *scenario
	ctx      context.Context
	client   *client.Client // of the target's first application
	second   *client.Client // of its second one, nil without
	expect   *httpexpect.Expect

	checks   []*Check
	current  *Check // the check being judged, nil while arranging
	unjudged bool   // no passive rule sees its exchanges
	looking  bool   // for endpoints that are absent: none that it meets starts another search

	unpaced  bool          // within Unpaced; calls take it along
	recalled *recollection // within a first reading; calls take it along

	mu          sync.Mutex // guards what concurrent requests of a drawn story change
	accounts    accounts.List
	arranged    []*wire.Exchange // while arranging
	transcript  wire.Transcript  // all its requests, up to the run's end
	lastUsed    *wire.Exchange   // the latest one that was made, or whose answer was read
	exchanged   []*wire.Exchange // all of them, up to the scenario's end
	awkwardUsed int              // awkward values so far
	wrote       time.Time        // when it last sent what may change something
	newcomers   int              // users that it created; reused ones do not count
	forReuse    []reusableUser   // users that others may go on with once it is over
	repeated    bool             // a request may have been carried out twice
	lostAnswer  bool             // a connection was lost, or an intermediary answered
	lostWrite   *wire.Exchange   // the first write whose answer was lost, nil for none
	uncleaned   bool             // a request of its clean-up got no answer, or none was sent
}

func newT(ctx context.Context, r *run, s *scenario) *T {
	t := &T{run: r, scenario: s, ctx: ctx}
	httpClient := &http.Client{
		Transport:     transport{t},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	t.client = r.client(r.config.Target.AppToken, httpClient)
	if r.config.Target.SecondAppToken != "" {
		t.second = r.client(r.config.Target.SecondAppToken, httpClient)
	}
	t.expect = httpexpect.WithConfig(httpexpect.Config{
		BaseURL:          r.base.String(),
		Client:           httpClient,
		AssertionHandler: assertions{},
	})
	return t
}

// Context is cancelled when the run ends early.
func (t *T) Context() context.Context { return t.ctx }

// AppOnly are the credentials of a request without a session: the app token, and
// an empty password.
func (t *T) AppOnly() Credentials { return Basic{App: t.run.config.Target.AppToken} }

// AppToken is the target's app token.
func (t *T) AppToken() string { return t.run.config.Target.AppToken }

// PlainExchange sends one request over unencrypted HTTP to the target's host and
// port, without credentials, unseen by passive rules. An error means that there
// was no HTTP response.
func (t *T) PlainExchange(method, path string) (status int, body []byte, err error) {
	target := t.run.url(path)
	target.Scheme = "http"
	if target.Port() == "" {
		target.Host += ":443"
	}
	req, err := t.request(t.ctx, method, target.String(), Anonymous{})
	if err != nil {
		return 0, nil, err
	}
	x := t.run.wire.Send(t.run.marked(req, t.marker()), nil, true)
	t.addEvidence(x)
	return x.Status, x.RespBody, x.Err
}

// Secure reports whether the target was given as https://.
func (t *T) Secure() bool { return t.run.base.Scheme == "https" }

// AllowsHTTP reports whether the judge accepts a target without TLS.
func (t *T) AllowsHTTP() bool { return t.run.config.Target.AllowHTTP }

// Called is what whoever configured the run calls a setting, for messages.
func (t *T) Called(s setting.Name) string { return t.run.called(s) }

// HasSecondApp reports whether the judge was given a second application's token.
func (t *T) HasSecondApp() bool { return t.second != nil }

// RateLimit is how many requests a minute the target promises to serve in each
// category.
func (t *T) RateLimit() int { return t.run.config.RateLimitOf }

// Unpaced calls the function with requests sent unpaced, and a 429 or 503 taken for an answer
// instead of being waited out: for probing limits, and resting until they have recovered.
func (t *T) Unpaced(send func()) {
	t.unpaced = true
	defer func() {
		t.unpaced = false
		t.run.discount()
	}()
	send()
}

func (t *T) request(ctx context.Context, method, target string, as Credentials) (*http.Request, error) {
	req, err := http.NewRequestWithContext(ctx, method, target, nil)
	if err != nil {
		return nil, fmt.Errorf("making a request: %w", err)
	}
	req.Header.Set("Accept", "application/json")
	req.Header.Set("User-Agent", t.run.userAgent())
	if authorization := as.authorization(); authorization != "" {
		req.Header.Set("Authorization", authorization)
	}
	return req, nil
}

// Judge judges a rule that the scenario covers at one endpoint.
func (t *T) Judge(rule string, judge func(*Check)) {
	t.JudgeAt(t.scenario.coverage.endpointOf(rule), rule, judge)
}

// JudgeAt judges a rule at one of several endpoints where the scenario covers it.
func (t *T) JudgeAt(at rules.Endpoint, rule string, judge func(*Check)) {
	t.mustKnow(rule)
	c := &Check{t: t, rule: rule, endpoint: at, status: result.Pass}
	t.checks = append(t.checks, c)
	switch {
	case !t.scenario.coverage.has(rule, at):
		c.end(&outcome{status: result.Error, message: "a defect of the suite: the scenario judges a rule that it does not cover"})
	default:
		c.perform(judge)
	}
}

// mustKnow ends what is being judged where the catalogue does not have a rule: a mistyped id
// would block by nothing.
func (t *T) mustKnow(rule string) {
	if _, known := t.run.catalogue.Rule(rule); !known {
		panic("what the scenario names: " + t.run.catalogue.Unknown(rule).Error())
	}
}

// block ends what is being judged: a step it needs, which the rule stands for, does
// not work, as the exchange shows; nil for the latest one.
func (t *T) block(rule, message string, x *wire.Exchange) {
	t.blockBy(outcome{status: result.Blocked, blockedBy: rule, message: message}, x)
}

func (t *T) blockBy(o outcome, x *wire.Exchange) {
	o.step = x
	if x == nil {
		x = t.latest()
	}
	if x != nil {
		if x.Err != nil { // what went wrong is no fault of the rule
			panic(unjudged(exchangeError{x}))
		}
		o.evidence, o.blockedAt = []*wire.Exchange{x}, cmp.Or(o.blockedAt, x.Endpoint)
	}
	t.mustKnow(o.blockedBy)
	panic(o)
}

// Blocked ends what is being judged because of a step that the given rule stands for.
func (t *T) Blocked(rule, format string, args ...any) {
	t.block(rule, fmt.Sprintf(format, args...), nil)
}

// BlockedAt is Blocked by a step at an endpoint that was taken before this judgement.
func (t *T) BlockedAt(at rules.Endpoint, rule, format string, args ...any) {
	t.blockBy(outcome{status: result.Blocked, blockedBy: rule, blockedAt: at, message: fmt.Sprintf(format, args...)}, nil)
}

// Skip ends what is being judged: it cannot be tried on this target, and that is no fault.
func (t *T) Skip(format string, args ...any) {
	panic(outcome{status: result.Skipped, message: fmt.Sprintf(format, args...)})
}

// play runs the body and sees that every rule covered comes to an outcome.
func (t *T) play() {
	ended := outcomeOf(func() {
		if cause := t.run.ended(t.ctx); cause != nil {
			panic(unjudged(cause))
		}
		t.scenario.body(t)
	})
	if ended == nil {
		ended = &outcome{status: result.Error, message: "a defect of the suite: the scenario covers this rule and does not judge it"}
	} else if ended.status == result.Fail {
		ended = &outcome{status: result.Error, message: "a defect of the suite: an assertion outside of Judge: " + ended.text()}
	}
	ended = t.excuse(ended)
	if x := t.latest(); x != nil && x.Err != nil && ended.status == result.Error && len(ended.evidence) == 0 {
		ended.evidence = []*wire.Exchange{x} // the request that the target did not survive
	}
	for _, place := range t.scenario.coverage {
		judged := slices.ContainsFunc(t.checks, func(c *Check) bool { return c.rule == place.Rule && c.endpoint == place.At })
		if !judged {
			c := &Check{t: t, rule: place.Rule, endpoint: place.At}
			if c.exchanges = ended.evidence; len(c.exchanges) > 0 {
				c.deciding = c.exchanges[0]
			}
			c.end(ended)
			t.checks = append(t.checks, c)
		}
	}
}
