package watch

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/socialfeed/conform/conformance/clients"
	"github.com/socialfeed/conform/conformance/internal/wire"
	"github.com/socialfeed/conform/conformance/model/blame"
	"github.com/socialfeed/conform/conformance/model/exchange"
	"github.com/socialfeed/conform/conformance/model/traffic"
	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/conformance/rules"
	"github.com/socialfeed/conform/internal/redact"
)

// DefaultSettle is how long an answer may lag behind a write before the service is blamed.
const DefaultSettle = 10 * time.Second

// remembered is how many users, events and sessions are remembered, each.
const remembered = 5000

// Memory says how an Observer judges what clients are shown by what clients wrote before.
type Memory struct {
	AllTraffic bool          // every exchange of the service is seen, since it began or since nobody acted
	Settle     time.Duration // how long an answer may lag
	Skew       time.Duration // how uncertain the times of exchanges are
}

// Remember makes the observer follow what is written. It is called before the first exchange.
func (o *Observer) Remember(m Memory) {
	o.follower = traffic.NewFollower(traffic.Presumptions{AllTraffic: m.AllTraffic, Settle: m.Settle, Remembered: remembered})
	o.skew = m.Skew
	if m.AllTraffic {
		o.presumption = "it is presumed that every client of the service passed here"
	}
}

// evidence is an exchange that the follower hands back.
type evidence struct {
	*wire.Exchange
	number int
}

// follow passes an exchange to the follower, and returns what it shows.
func (o *Observer) follow(x *clients.Exchange, w *wire.Exchange) []Finding {
	if o.follower == nil || x.Refused {
		return nil
	}
	return o.findings(o.follower.See(o.observation(x, w), x.Seen.Add(-o.skew)))
}

// findings are differences as they are told at once.
func (o *Observer) findings(differences []blame.Difference) (found []Finding) {
	for _, d := range differences {
		deciding, _ := d.Evidence[len(d.Evidence)-1].(*evidence)
		text := "expected " + d.Expected + "; got " + d.Actual
		found = append(found, Finding{Service, d.Rule, redact.Opaque(o.client.Text(text)), deciding.number, d.At})
	}
	return found
}

// observation is an exchange as the follower takes it.
func (o *Observer) observation(x *clients.Exchange, w *wire.Exchange) traffic.Observation {
	app, session, _ := wire.CredentialsOf(x.Header)
	plain, whole := x.Unpacked()
	s := traffic.Observation{
		Endpoint: w.Endpoint, App: app, Session: session, Partial: partial(x), Changes: x.Changes(),
		Response: exchange.Response{Status: x.Status, Evidence: &evidence{w, x.Number}}, From: x.Start.Add(-o.skew), To: x.End.Add(o.skew),
	}
	s.ID = parameter(w.Endpoint, w.URL)
	sent, unread := w.Sent()
	s.Sent, s.Unread = sent, x.BodySize > 0 && (unread != nil || len(x.Body) != x.BodySize)
	var err error
	if len(plain) > 0 {
		s.Body, err = w.Value()
	}
	s.Detailed = w.URL.Query().Get("withUserDetails") == "true"
	switch {
	case x.Lacks != (clients.Lacks{}) && s.Changes: // who changed what is not known
		s.Endpoint = rules.NoEndpoint
	case x.Status == 0, x.Status >= 500, x.Status == http.StatusRequestTimeout, x.Status/100 == 3 && s.Changes, x.Status/100 == 2 && (!whole || err != nil):
		s.Doubtful = true
	}
	return s
}

// parameter is what stands in a path for the parameter of its endpoint, "" for none. The path may have a prefix.
func parameter(e rules.Endpoint, of *url.URL) string {
	template, pieces := strings.Split(e.Path(), "/"), strings.Split(of.EscapedPath(), "/")
	i := slices.IndexFunc(template, func(piece string) bool { return strings.HasPrefix(piece, "{") })
	if i < 0 || len(pieces) < len(template) {
		return ""
	}
	text, _ := url.PathUnescape(pieces[len(pieces)-len(template)+i])
	return text
}

// partial reports whether an answer may be a part of what there is, by a parameter of the request, or one of before, by a
// cache.
func partial(x *clients.Exchange) bool {
	_, query, _ := strings.Cut(x.Target, "?")
	if age := x.RespHeader.Get("Age"); age != "" && age != "0" {
		return true
	}
	parameters, err := url.ParseQuery(query)
	for name := range parameters {
		if !slices.Contains([]string{"q", "withLogin", "withUserDetails"}, name) {
			return true
		}
	}
	return err != nil
}

// followed are the checks of what was followed.
func (o *Observer) followed() (checks []result.CheckResult) {
	if o.follower == nil {
		return nil
	}
	o.follower.Finish()
	kept, broken := o.follower.Counts()
	blamed := map[rules.Place]bool{}
	for _, d := range o.follower.Differences() {
		at := rules.Place{Rule: d.Rule, At: d.At}
		blamed[at] = true
		checks = append(checks, o.followedCheck(d, kept[at], max(broken[at], 1)))
	}
	for at, n := range kept {
		if !blamed[at] {
			checks = append(checks, result.CheckResult{Rule: at.Rule, At: at.At, Check: result.Check{Endpoint: at.At.String(), Status: result.Pass, Side: Service, Seen: n, Exchanges: []result.Exchange{}}})
		}
	}
	return checks
}

// followedCheck is the check of a difference: the exchanges that wrote, and the one that shows something else.
func (o *Observer) followedCheck(d blame.Difference, kept, broken int) result.CheckResult {
	check := result.Check{Endpoint: d.At.String(), Status: result.Fail, Expected: o.client.Text(d.Expected), Actual: o.client.Text(d.Actual), Side: Service, Seen: kept + broken, Broken: broken}
	if rule, _ := o.catalogue.Rule(d.Rule); rule.Level != rules.Must {
		check.Status = result.Warn
	}
	var shown []*clients.Exchange
	for _, each := range d.Evidence {
		if e, ok := each.(*evidence); ok {
			x := clients.FromWire(e.Exchange)
			x.Number = e.number
			shown = append(shown, x)
		}
	}
	check.Exchanges = o.client.Show(shown)
	deciding := len(shown) - 1
	check.Deciding = &deciding
	check.Message = "expected " + check.Expected + "; got " + check.Actual
	return result.CheckResult{Rule: d.Rule, At: d.At, Check: check}
}
