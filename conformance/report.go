package conformance

import "time"

// ReportSchema names the report's format. Within it, keys are added but never renamed.
const ReportSchema = "conform.report/v1"

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
	Schema     string           `json:"schema"`
	Tool       Tool             `json:"tool"`
	Target     TargetReport     `json:"target"`
	StartedAt  time.Time        `json:"started_at"`
	DurationMS int64            `json:"duration_ms"`
	Seed       int64            `json:"seed"`
	FailOn     Level            `json:"fail_on"`
	Verdict    Verdict          `json:"verdict"`
	EndedBy    string           `json:"ended_by,omitempty"` // why the run ended before all was judged, "" where it did not
	Notes      []string         `json:"notes,omitempty"`    // what a reader should know: an early end, users left behind
	Summary    Summary          `json:"summary"`
	Rules      []RuleReport     `json:"rules"`     // every rule of the catalogue, in its order
	Endpoints  []EndpointReport `json:"endpoints"` // all 22, in the contract's order
	Choices    []ChoiceReport   `json:"choices"`
	Repeats    int              `json:"repeats,omitempty"` // how often the run was played, where more than once
	Waivers    []WaiverReport   `json:"waivers,omitempty"` // those the run was held against
	Shard      *ShardReport     `json:"shard,omitempty"`   // which part of a run this is, where it is one
	Missing    string           `json:"missing,omitempty"` // which shards were missing when it was put together
	// Exchanges are all those of the run, in the order of their start, where the
	// run was told to keep them.
	Exchanges []Exchange `json:"exchanges,omitempty"`
}

// Tool tells which judge made the report.
type Tool struct {
	Version string `json:"version"`
}

// TargetReport tells what was judged.
type TargetReport struct {
	BaseURL  string `json:"base_url"`
	Embedded bool   `json:"embedded,omitempty"` // it was started for the run, and is gone

	// Trust are the flags under which its certificate was trusted, for running again.
	Trust []string `json:"trust,omitempty"`
}

// Summary counts rules, checks and requests.
type Summary struct {
	Rules    map[Status]int `json:"rules"`
	Checks   map[Status]int `json:"checks"`
	Requests map[string]int `json:"requests"` // by method
}

// RuleReport is one rule's outcome: the worst of its checks.
type RuleReport struct {
	ID        string        `json:"id"`
	Level     Level         `json:"level"`
	Part      string        `json:"part"`
	Statement string        `json:"statement"`
	Source    string        `json:"source"`
	Status    Status        `json:"status"`
	Message   string        `json:"message,omitempty"` // why a rule without checks has the status it has
	Checks    []CheckReport `json:"checks"`
}

// CheckReport is one judgement.
type CheckReport struct {
	Endpoint  string     `json:"endpoint"` // method and path, "" where tied to none
	Scenario  string     `json:"scenario"`
	Status    Status     `json:"status"`
	Message   string     `json:"message"`
	Expected  string     `json:"expected,omitempty"`
	Actual    string     `json:"actual,omitempty"`
	BlockedBy string     `json:"blocked_by,omitempty"` // a rule
	Exchanges []Exchange `json:"exchanges"`            // the decisive one last; empty where the check passed
	// Of a passive rule: how many responses it was about, and how many broke it.
	Seen   int `json:"seen,omitempty"`
	Broken int `json:"broken,omitempty"`
	// Waived is what a waiver accepts about the check.
	Waived *Accepted `json:"waived,omitempty"`
}

// EndpointReport is what the checks booked at one endpoint add up to.
type EndpointReport struct {
	Number int            `json:"number"`
	Method string         `json:"method"`
	Path   string         `json:"path"`
	Status Status         `json:"status"`
	Checks map[Status]int `json:"checks"`
}

// ChoiceReport is what the target does where the contract is silent.
type ChoiceReport struct {
	Rule     string `json:"rule"`
	Endpoint string `json:"endpoint"`
	Answer   string `json:"answer"`
}
