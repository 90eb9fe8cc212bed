package result

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/socialfeed/conform/conformance/rules"
)

// WaiverState is the effect that a waiver had.
type WaiverState string

// The states. Used and Unjudged leave the verdict alone; the others gate: a file
// of waivers that nobody tends would hide what it was never meant for.
const (
	WaiverUsed     WaiverState = "used"
	WaiverUnjudged WaiverState = "unjudged" // this run did not judge what it is about
	WaiverExpired  WaiverState = "expired"
	WaiverStale    WaiverState = "stale"   // it waives nothing: the rule passes now, or fails in another way
	WaiverUnknown  WaiverState = "unknown" // no rule has that id
	WaiverQuiet    WaiverState = "quiet"   // it is of an intermittent failure, which did not show
)

// Gates reports whether the state makes a run non-conformant.
func (s WaiverState) Gates() bool {
	return s != WaiverUsed && s != WaiverUnjudged && s != WaiverQuiet
}

// AppliedWaiver is a waiver with the effect that it had.
type AppliedWaiver struct {
	Waiver
	State   WaiverState `json:"state"`
	Message string      `json:"message"`
	Checks  int         `json:"checks"` // how many it waived
	// Consequences are how many checks could not be judged for what it waives.
	Consequences int `json:"consequences,omitempty"`
	// EndsInDays is after how many days it no longer holds, where that is soon; nil otherwise.
	EndsInDays *int `json:"ends_in_days,omitempty"`
}

// soon is how many days before its end a waiver says so.
const soon = 14

// Accepted is what a waiver accepts about a check: what its outcome was, and why
// that is fine for now.
type Accepted struct {
	Status  Status `json:"status"`
	Reason  string `json:"reason"`
	Link    string `json:"link,omitempty"`
	Expires string `json:"expires"`
	// Cause is the rule whose waiver covers the check, where it is not the check's own:
	// it could not be judged since that one is broken.
	Cause string `json:"cause,omitempty"`
}

// Apply applies waivers to a report, as of a point in time: what they cover is waived, and each
// says what effect it had. Earlier waivers are lifted first. Where several cover a check, the
// narrower one counts.
func (ws Waivers) Apply(r *Report, c *rules.Catalogue, on time.Time) {
	r.lift()
	r.nameRootCauses()
	today := on.UTC().Format(time.DateOnly)
	r.Waivers = make([]AppliedWaiver, len(ws))
	for _, i := range ws.narrowFirst() {
		r.Waivers[i] = ws[i].apply(r, c, today)
		r.Waivers[i].warnOfEnd(on)
	}
	r.waiveConsequences()
	r.Summarize()
}

// lift gives every waived check its own outcome back.
func (r *Report) lift() {
	r.Waivers = nil
	for _, c := range r.EachCheck() {
		c.Status, c.Waived = c.original(), nil
	}
	r.Summarize()
}

// original is how the check came out before it was waived.
func (c *Check) original() Status {
	if c.Waived != nil {
		return c.Waived.Status
	}
	return c.Status
}

func (ws Waivers) narrowFirst() []int {
	order := make([]int, len(ws))
	for i := range ws {
		order[i] = i
	}
	width := func(w Waiver) int {
		conditions := 0
		for _, narrow := range []bool{!isPattern(w.Rule), w.Endpoint != "", w.Endpoint != "" && !isPattern(w.Endpoint), w.Status != "", w.Answer != 0} {
			if narrow {
				conditions++
			}
		}
		return -conditions
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(width(ws[a]), width(ws[b])) })
	return order
}

func (w Waiver) apply(r *Report, c *rules.Catalogue, today string) AppliedWaiver {
	out := AppliedWaiver{Waiver: w}
	var meant []rules.Rule
	for _, rule := range c.Rules() {
		if matches(w.Rule, rule.ID) {
			meant = append(meant, rule)
		}
	}
	switch {
	case len(meant) == 0:
		out.State, out.Message = WaiverUnknown, c.Unknown(w.Rule).Error()
		return out
	case w.Expires < today:
		out.State, out.Message = WaiverExpired, "it expired on "+w.Expires+": fix the target, or agree on another day"
		return out
	}
	var about []*Check
	for rule, c := range r.EachCheck() {
		if matches(w.Rule, rule.ID) && (w.Endpoint == "" || matches(w.Endpoint, c.Endpoint)) {
			about = append(about, c)
		}
	}
	if out.Checks = w.waive(about); out.Checks > 0 {
		out.State, out.Message = WaiverUsed, fmt.Sprintf("it waives %d of %d checks until %s", out.Checks, len(about), w.Expires)
		return out
	}
	out.State, out.Message = w.idle(r, meant, about)
	return out
}

// warnOfEnd says that a waiver ends soon, if it does.
func (w *AppliedWaiver) warnOfEnd(on time.Time) {
	last, err := time.Parse(time.DateOnly, w.Expires)
	if err != nil || w.State.Gates() {
		return
	}
	days := int(last.Sub(on.UTC().Truncate(24*time.Hour)).Hours() / 24)
	if days > soon {
		return
	}
	w.EndsInDays = &days
	if days == 0 {
		w.Message += "; today is its last day"
		return
	}
	w.Message += "; its last day is in " + Plural(days, "day")
}

// isPattern reports whether a text of a waiver stands for several rules or endpoints.
func isPattern(text string) bool { return strings.ContainsAny(text, "*?[") }

// matches reports whether a text is a name, or a pattern that the name matches. In an endpoint, *
// stands for slashes, too.
func matches(pattern, name string) bool {
	if !isPattern(pattern) {
		return pattern == name
	}
	flat := strings.NewReplacer("/", "\x00")
	ok, err := path.Match(flat.Replace(pattern), flat.Replace(name))
	return err == nil && ok
}

// waive waives the checks that came out as the waiver says, and counts them.
func (w Waiver) waive(about []*Check) int {
	n := 0
	for _, c := range about {
		if w.covers(c) {
			c.Waived = &Accepted{Status: c.Status, Reason: w.Reason, Link: w.Link, Expires: w.Expires}
			c.Status = Waived
			n++
		}
	}
	return n
}

func (w Waiver) covers(c *Check) bool {
	status := c.Status == w.Status || w.Status == "" && (c.FoundBroken() || w.Intermittent && c.Status == Unstable)
	return status && (w.Answer == 0 || w.Answer == c.Answered())
}

// Answered is the HTTP status of the exchange that decided the check, 0 without one.
func (c *Check) Answered() int {
	if decisive := c.Decisive(); decisive != nil && decisive.Response != nil {
		return decisive.Response.Status
	}
	return 0
}

// idle returns why a waiver waives nothing.
func (w Waiver) idle(r *Report, meant []rules.Rule, about []*Check) (WaiverState, string) {
	what := w.Rule
	if w.Endpoint != "" {
		what += " at " + w.Endpoint
	}
	passes, open := false, len(about) == 0
	for _, c := range about {
		switch c.Status {
		case Waived:
			return WaiverStale, "narrower waivers cover all that it could: remove it"
		case Fail, Warn:
			return WaiverStale, fmt.Sprintf("%s fails in another way: waived is %s, and it came out as %s",
				what, outcomeText(w.Status, w.Answer), outcomeText(c.Status, c.Answered()))
		case Pass, Observed:
			passes = true
		case Skipped:
			open = open || c.Message == LeftElsewhere
		default:
			open = true
		}
	}
	switch passive, choice := w.kinds(meant); {
	case w.Endpoint != "" && !passive && !w.judgedThere(meant):
		return WaiverStale, "it matches no check: " + w.Rule + " is not judged at " + w.Endpoint
	case len(about) == 0 && passive && !r.partial():
		return WaiverStale, "it matches no check: no response shows what " + what + " is about"
	case open || !passes:
		return WaiverUnjudged, "this run does not judge " + what
	case choice:
		return WaiverStale, w.Rule + " is a choice, which no target can break: remove the waiver"
	}
	if w.Intermittent {
		return WaiverQuiet, what + " passes in this run: the failure is known to come and go"
	}
	return WaiverStale, what + " passes now: remove the waiver"
}

// kinds reports whether all rules that the waiver is about are passive, and whether all are choices.
func (w Waiver) kinds(meant []rules.Rule) (passive, choice bool) {
	passive, choice = true, true
	for _, rule := range meant {
		passive, choice = passive && rule.Passive, choice && rule.Level == rules.Choice
	}
	return passive, choice
}

// judgedThere reports whether one of the rules is judged at the waiver's endpoint.
func (w Waiver) judgedThere(meant []rules.Rule) bool {
	return slices.ContainsFunc(meant, func(rule rules.Rule) bool {
		return slices.ContainsFunc(rule.Places(), func(e rules.Endpoint) bool { return matches(w.Endpoint, e.String()) })
	})
}

// outcomeText is an outcome in words, with the answer that decided it where one did.
func outcomeText(s Status, answer int) string {
	text := cmp.Or(string(s), "any failure")
	if answer != 0 {
		text = fmt.Sprintf("%s with %d", text, answer)
	}
	return text
}

// partial reports that the report was to judge only some of the rules, or some of the scenarios.
func (r *Report) partial() bool {
	return r.Shard != nil || slices.ContainsFunc(r.Rules, func(rule Rule) bool {
		return rule.Message == rules.NotSelected || rule.Message == rules.NotClaimed || rules.LeftOut(rule.Message)
	})
}
