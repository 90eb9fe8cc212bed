// Package result is the model of a report: how checks, rules and endpoints came out,
// the verdict they add up to, and what is made of reports: merged, compared, repeated
// and held against waivers.
package result

import (
	"encoding/json"
	"iter"
	"strings"
	"time"

	"github.com/socialfeed/conform/conformance/rules"
)

// Schema names the report's format. Within it, keys are added but never renamed.
const Schema = "conform.report/v1"

// Verdict is what a run comes to.
type Verdict string

// The verdicts. Incomplete: nothing failed, but something stayed blocked or
// unjudged, or came out differently when it was repeated.
const (
	Conformant    Verdict = "conformant"
	NonConformant Verdict = "non-conformant"
	Incomplete    Verdict = "incomplete"
)

// Report is the outcome of a run. It holds no secret.
type Report struct {
	Schema string `json:"schema"`
	Tool   Tool   `json:"tool"`
	Target Target `json:"target"`
	// Implementation is what the server's makers call it, nil where nobody told.
	Implementation *Implementation `json:"implementation,omitempty"`
	StartedAt      time.Time       `json:"started_at"`
	DurationMS     int64           `json:"duration_ms"`
	Seed           int64           `json:"seed"`
	FailOn         rules.Level     `json:"fail_on"`
	Verdict        Verdict         `json:"verdict"`
	EndedBy        string          `json:"ended_by,omitempty"`   // why the run ended before all was judged, "" where it did not
	NoVerdict      *NoVerdict      `json:"no_verdict,omitempty"` // why there is no verdict, nil where there is one
	Notes          []string        `json:"notes,omitempty"`      // what a reader should know: an early end, users left behind
	Summary        Summary         `json:"summary"`
	Rules          []Rule          `json:"rules"`     // every rule of the catalogue, in its order
	Endpoints      []Endpoint      `json:"endpoints"` // all 22, in the contract's order
	Choices        []Choice        `json:"choices"`
	Claims         *Claims         `json:"claims,omitempty"`        // what the server was judged by, nil where by everything
	NotJudged      []NotJudged     `json:"not_judged,omitempty"`    // of the contract, for lack of what it takes
	Stories        *DrawnStories   `json:"drawn_stories,omitempty"` // what was played besides the scenarios
	Repeats        int             `json:"repeats,omitempty"`       // how often the run was played, where more than once
	Waivers        []AppliedWaiver `json:"waivers,omitempty"`       // those the run was held against
	Shard          *Shard          `json:"shard,omitempty"`         // which part of a run this is, where it is one
	Weather        *Weather        `json:"weather,omitempty"`       // what was waited out
	WatchedMS      int64           `json:"watched_ms,omitempty"`    // after how long deletions were re-checked, at the least
	Jobs           int             `json:"jobs,omitempty"`          // scenarios played at the same time, where the run chose more than it began with
	Client         *Client         `json:"client,omitempty"`        // the client, where one was judged
	Missing        string          `json:"missing,omitempty"`       // which shards were missing when it was put together
	JudgedAgain    *JudgedAgain    `json:"judged_again,omitempty"`  // without the target, nil where it was not
	// Exchanges are all those of the run, in the order of their start, where the run was asked to
	// keep them.
	Exchanges []Exchange `json:"exchanges,omitempty"`
}

// Tool is the judge that made the report.
type Tool struct {
	Version string `json:"version"`
	Commit  string `json:"commit,omitempty"` // that it was built from, "" where it is not known
	// Settings are those that differ from the defaults, by flag.
	Settings map[string]string `json:"settings,omitempty"`
}

// String is the version, with the commit where the version does not have it.
func (t Tool) String() string {
	const digits = 12
	short := t.Commit[:min(len(t.Commit), digits)]
	if short == "" || strings.Contains(t.Version, short) {
		return t.Version
	}
	return t.Version + " (commit " + short + ")"
}

// Target is what was judged.
type Target struct {
	BaseURL  string `json:"base_url"`
	Embedded bool   `json:"embedded,omitempty"` // it was started for the run, and is gone

	// Trust are the flags under which its certificate was trusted, for running again.
	Trust []string `json:"trust,omitempty"`
}

// DrawnStories counts the stories that were drawn from a seed and played.
type DrawnStories struct {
	Seed     int64 `json:"seed"`
	Stories  int   `json:"stories"`
	Requests int   `json:"requests"`
	Covered  int   `json:"covered"` // operations by the state they met, and classes of values
	// DeepMS is for how long a deep run drew them, 0 for a plain one.
	DeepMS int64 `json:"deep_ms,omitempty"`
	// Kept are those of earlier runs that were to be played first, nil where there are none.
	Kept *KeptStories `json:"kept,omitempty"`
	// NoneSince is why none was played, where the run would have had the requests for it.
	NoneSince string `json:"none_since,omitempty"`
}

// KeptStories counts the stories that showed something in earlier runs.
type KeptStories struct {
	Of     int `json:"of"`
	Played int `json:"played"`          // to their end
	Showed int `json:"showed"`          // of those, a difference of the rule that they were kept for
	Apart  int `json:"apart,omitempty"` // not played, since they take a second application that the target was not given
}

// Summary counts rules, checks, requests and endpoints.
type Summary struct {
	Rules    map[Status]int `json:"rules"`
	Checks   map[Status]int `json:"checks"`
	Requests map[string]int `json:"requests"` // by method
	// Endpoints counts them by whether they are implemented, nil where no run told.
	Endpoints *EndpointCount `json:"endpoints,omitempty"`
}

// Rule is one rule's outcome: the worst of its checks.
type Rule struct {
	ID        string      `json:"id"`
	Level     rules.Level `json:"level"`
	Part      string      `json:"part"`
	Statement string      `json:"statement"`
	Source    string      `json:"source"`
	// Contract is what the contract says where the source points, of a rule that did not simply hold.
	Contract []rules.Quote `json:"contract,omitempty"`
	Status   Status        `json:"status"`
	Message  string        `json:"message,omitempty"` // why a rule without checks has the status it has
	Checks   []Check       `json:"checks"`
}

// ShownByStoriesAlone reports whether what is wrong with the rule shows in drawn stories
// alone: no scenario would show it again.
func (r *Rule) ShownByStoriesAlone() bool { return r.shownBy((*Check).OfStory) }

// ShownInPassing reports whether what is wrong with the rule shows only in drawn stories of
// which none was kept: there is nothing to replay.
func (r *Rule) ShownInPassing() bool {
	return r.shownBy(func(c *Check) bool { return c.OfStory() && len(c.Story) == 0 })
}

// shownBy reports whether all checks that found something wrong are such.
func (r *Rule) shownBy(such func(*Check) bool) bool {
	shown := false
	for i := range r.Checks {
		c := &r.Checks[i]
		if !c.FoundBroken() && !c.SeenOnce() {
			continue
		}
		if !such(c) {
			return false
		}
		shown = true
	}
	return shown
}

// Check is one judgement.
type Check struct {
	Endpoint string `json:"endpoint"` // method and path, "" where tied to none
	Scenario string `json:"scenario"`
	Drawn    bool   `json:"drawn,omitempty"` // the scenario is a story drawn from the seed
	// Story is the drawn story in the form in which a later run plays it again, empty where
	// there is none.
	Story     json.RawMessage `json:"story,omitempty"`
	Status    Status          `json:"status"`
	Message   string          `json:"message"`
	Expected  string          `json:"expected,omitempty"`
	Actual    string          `json:"actual,omitempty"`
	BlockedBy string          `json:"blocked_by,omitempty"` // a rule
	BlockedAt string          `json:"blocked_at,omitempty"` // the endpoint of the step that did not work
	Exchanges []Exchange      `json:"exchanges"`            // empty where the check passed
	Deciding  *int            `json:"deciding,omitempty"`   // which of them decided, nil where none did
	// Reproduction is what it takes to show a failure again, nil where it passed or
	// takes something that only the judge has.
	Reproduction *Reproduction `json:"reproduction,omitempty"`
	// Timeline is what a story with restarts did, one step in a line, and Restarts the story in the
	// form in which a script is written of it.
	Timeline []string        `json:"timeline,omitempty"`
	Restarts json.RawMessage `json:"restarts,omitempty"`
	// Side is whose finding it is, client, service or intermediary, where both sides were judged.
	Side string `json:"side,omitempty"`
	// Of a passive rule: how many responses it was about, and how many broke it.
	Seen   int `json:"seen,omitempty"`
	Broken int `json:"broken,omitempty"`
	// Waived is what a waiver accepts about the check.
	Waived *Accepted `json:"waived,omitempty"`
}

// Endpoint is what the checks at one endpoint add up to.
type Endpoint struct {
	Number int            `json:"number"`
	Method string         `json:"method"`
	Path   string         `json:"path"`
	Status Status         `json:"status"`
	Checks map[Status]int `json:"checks"`
	// Implemented is false where the endpoint answers 404, 405 or 501 to whatever is
	// valid, and nil where the run did not show whether it is there.
	Implemented *bool `json:"implemented,omitempty"`
}

// Choice is what the target does where the contract is silent.
type Choice struct {
	Rule     string `json:"rule"`
	Endpoint string `json:"endpoint"`
	Answer   string `json:"answer"`
}

// Name is the rule, with where it was judged.
func (j CheckResult) Name() string {
	return strings.TrimSuffix(j.Rule+" at "+j.Endpoint, " at ")
}

// EachCheck visits the checks of all rules, in order.
func (r *Report) EachCheck() iter.Seq2[*Rule, *Check] {
	return func(yield func(*Rule, *Check) bool) {
		for i := range r.Rules {
			rule := &r.Rules[i]
			for k := range rule.Checks {
				if !yield(rule, &rule.Checks[k]) {
					return
				}
			}
		}
	}
}

// StoryPrefix begins the names of drawn stories and of other requests that no scenario makes.
const StoryPrefix = "a drawn story: "

// OfStory reports whether a drawn story shows it, of itself or in passing.
func (c *Check) OfStory() bool { return c.Drawn || strings.HasPrefix(c.Scenario, StoryPrefix) }

// FoundBroken reports whether the check found its rule broken.
func (c *Check) FoundBroken() bool { return c.Status == Fail || c.Status == Warn }

// LeftStory reports whether a drawn story that a later run can play showed that the rule is broken,
// or once that it may be.
func (c *Check) LeftStory() bool { return len(c.Story) > 0 && (c.FoundBroken() || c.SeenOnce()) }

// SeenOnce reports whether a drawn story showed it, and there was no time to play the story again: the
// rule could not be judged, and is hardly kept.
func (c *Check) SeenOnce() bool { return c.Status == Error && len(c.Story) > 0 }

// Decisive is the exchange that decided the check, nil where none did. In a report
// that does not name it, it is the last.
func (c *Check) Decisive() *Exchange {
	if i := c.DecisiveIndex(); i >= 0 {
		return &c.Exchanges[i]
	}
	return nil
}

// DecisiveIndex is where the exchange that decided the check stands, -1 for nowhere.
func (c *Check) DecisiveIndex() int {
	if c.Deciding != nil && *c.Deciding >= 0 && *c.Deciding < len(c.Exchanges) {
		return *c.Deciding
	}
	return len(c.Exchanges) - 1
}

// String is how the check came out, and why, in one line.
func (c Check) String() string {
	text := string(c.Status)
	if c.BlockedBy != "" {
		text += " by " + c.BlockedBy
	}
	if c.Message != "" {
		text += ": " + c.Message
	}
	return text
}
