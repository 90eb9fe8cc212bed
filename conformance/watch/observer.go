package watch

import (
	"crypto/rand"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/socialfeed/conform/conformance/clients"
	"github.com/socialfeed/conform/conformance/internal/passive"
	"github.com/socialfeed/conform/conformance/internal/wire"
	"github.com/socialfeed/conform/conformance/model/traffic"
	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/conformance/rules"
	"github.com/socialfeed/conform/internal/redact"
)

const (
	Client       = "client"
	Service      = "service"
	Intermediary = "intermediary"
)

// Observer judges both sides of every exchange that it sees: the client by its
// rules, the service by those that hold for every response.
type Observer struct {
	catalogue   *rules.Catalogue
	basePath    string // the prefix of the contract's paths
	client      *clients.Judge
	service     *passive.Monitor
	budget      *wire.Budget      // of what is held of all exchanges
	follower    *traffic.Follower // nil where nothing is followed
	skew        time.Duration     // how uncertain the times of exchanges are
	presumption string            // what the memory relies on, as a note of the report

	mu      sync.Mutex
	weather result.Weather
	unread  int // answers that could not be judged
}

// Finding is a violation by one exchange, as it is told at once: without what may turn out to be a secret.
type Finding struct {
	Side, Rule, Problem string
	Number              int // of the exchange
	Endpoint            rules.Endpoint
}

// Catalogue has the rules that traffic can show: those of clients, those of services
// that hold for every response, and those about what was written before.
func Catalogue() *rules.Catalogue {
	followed := traffic.FollowedRules()
	return rules.LoadAll().Observed(func(r rules.Rule) bool { return r.Passive || slices.Contains(followed, r.ID) })
}

// NewObserver makes an observer by the rules of Catalogue.
func NewObserver(c *rules.Catalogue, o clients.Options) *Observer {
	const noPassword = "no password of anybody " // followed by a random text, so that no password equals it
	return &Observer{catalogue: c, basePath: o.BasePath, client: clients.New(c, o), service: passive.NewMonitor(noPassword + rand.Text()), budget: wire.NewBudget()}
}

// See judges an exchange, and returns the certain violations.
func (o *Observer) See(x *clients.Exchange) []Finding {
	var found []Finding
	violations, judged := o.client.See(x)
	for _, b := range violations {
		found = append(found, Finding{Client, b.Rule, redact.Opaque(o.client.Write(b.Problem)), x.Number, b.Endpoint})
	}
	w := x.Wire(o.basePath)
	defer func() { w.KeepObserved(o.budget) }()
	found = append(found, o.follow(x, w)...)
	if !judged || x.Status == 0 || x.Refused {
		return found
	}
	plain, whole := x.Unpacked()
	switch {
	case o.weatherOf(x, plain):
		return found
	case !whole:
		o.mu.Lock()
		o.unread++
		o.mu.Unlock()
		return found
	}
	w.RespBody = plain
	for _, b := range o.service.See(w) {
		side := Service
		if b.Lenient {
			side = Intermediary
		}
		found = append(found, Finding{side, b.Rule, redact.Opaque(o.client.Text(b.Problem)), x.Number, w.Endpoint})
	}
	return found
}

// weatherOf counts what a lawful service, or an intermediary, may do to a client at any time.
func (o *Observer) weatherOf(x *clients.Exchange, body []byte) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	switch {
	case x.Status == 429:
		o.weather.Throttled++
	case x.Status == 503:
		o.weather.Unavailable++
	case x.Status == 504, x.Status == 502, x.Status >= 500 && !looksLikeJSON(body):
		o.weather.Intermediary++
	default:
		return false
	}
	return true
}

func looksLikeJSON(body []byte) bool { return len(body) > 0 && (body[0] == '{' || body[0] == '[') }

// Refused is the must rule that a request breaks, as a text for its sender.
func (o *Observer) Refused(x *clients.Exchange) (rule, problem string, refused bool) {
	b, refused := o.client.Refused(x)
	return b.Rule, o.client.Write(b.Problem), refused
}

// Report fills a report with the results.
func (o *Observer) Report(report *result.Report) error {
	selected, err := (rules.Selection{}).Resolve(o.catalogue, rules.Given{SecondApp: true, RateLimits: true}, nil)
	if err != nil {
		return err
	}
	checks := o.client.Results("")
	for i := range checks {
		checks[i].Side = Client
	}
	for _, outcome := range o.service.Outcomes() {
		checks = append(checks, o.check(outcome))
	}
	checks = append(checks, o.followed()...)
	requests, ignored := o.client.Requests()
	o.mu.Lock()
	defer o.mu.Unlock()
	outcomes := result.Outcomes{Checks: clients.Complete(o.catalogue, checks, nil), Requests: requests, Weather: o.weather}
	for note, n := range map[string]int{
		"%d requests to paths that are none of such a service were not judged":                  ignored,
		"%d answers were not judged: they were too long, or compressed in a way not known here": o.unread,
	} {
		if n > 0 {
			outcomes.Notes = append(outcomes.Notes, fmt.Sprintf(note, n))
		}
	}
	outcomes.Notes = append(outcomes.Notes, o.presumption)
	outcomes.Notes = slices.DeleteFunc(outcomes.Notes, func(note string) bool { return note == "" })
	slices.Sort(outcomes.Notes)
	o.client.Sweep(&outcomes)
	report.Client = &result.Client{}
	result.Assemble(report, o.catalogue, selected, outcomes)
	return nil
}

// check is the check of a rule about the service.
func (o *Observer) check(p passive.Outcome) result.CheckResult {
	check := result.Check{Endpoint: p.At.String(), Status: p.Status, Expected: p.Expected, Side: Service,
		Exchanges: o.show(p.Evidence), Seen: p.Seen, Broken: p.Broken}
	if p.Broken == 0 {
		return result.CheckResult{Rule: p.Rule, At: p.At, Check: check}
	}
	check.Message = o.client.Text(p.Problem)
	check.Actual = check.Message
	deciding := len(check.Exchanges) - 1
	check.Deciding = &deciding
	if p.Status == result.Warn {
		check.Side = Intermediary
	}
	if rule, _ := o.catalogue.Rule(p.Rule); rule.Level != rules.Must {
		check.Status = result.Warn
	}
	return result.CheckResult{Rule: p.Rule, At: p.At, Check: check}
}

func (o *Observer) show(evidence []*wire.Exchange) []result.Exchange {
	shown := make([]*clients.Exchange, len(evidence))
	for i, w := range evidence {
		shown[i] = clients.FromWire(w)
	}
	return o.client.Show(shown)
}

// String is the finding in one line.
func (f Finding) String() string {
	at := strings.TrimSpace(fmt.Sprintf("%-12s request %d  %s", f.Side, f.Number, f.Endpoint))
	return fmt.Sprintf("%s  %s: %s", at, f.Rule, f.Problem)
}
