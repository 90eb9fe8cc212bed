package result

// Reason says, for machines, why a run has no verdict.
type Reason string

// The reasons.
const (
	Unreachable   Reason = "unreachable"       // the target, or what stands before it, gave no answer of its own
	Untrusted     Reason = "untrusted"         // its certificate is not trusted, is for another host, or is out of date
	UnknownHost   Reason = "unknown-host"      // no host has that name
	WrongProtocol Reason = "wrong-protocol"    // TLS to a port that does not speak it, or the other way round
	DeadHTTP2     Reason = "http2-dead"        // it offers HTTP/2, and answers nothing over it
	Stranger      Reason = "not-the-service"   // what answers is something else
	NotStarted    Reason = "command-not-found" // the shell could not start the command of --exec
	ServerEnded   Reason = "server-ended"      // the server of --exec ended by itself
	Interrupted   Reason = "interrupted"       // by a signal
	TimeUp        Reason = "time-up"           // the run's time was over
	EndedEarly    Reason = "ended-early"       // for a reason that ended_by tells
	ShardsMissing Reason = "shards-missing"    // reports of other shards are not there
	Unjudged      Reason = "unjudged"          // the run was played to its end, and something could not be judged
)

// SetUp reports whether the reason is a mistake in the set-up, which no later try mends.
func (r Reason) SetUp() bool {
	switch r {
	case Untrusted, UnknownHost, WrongProtocol, Stranger, NotStarted:
		return true
	}
	return false
}

// NoVerdict tells pipelines why a run has no verdict.
type NoVerdict struct {
	Reason Reason `json:"reason"`
	Retry  bool   `json:"retry"` // the same run may have a verdict later
}

// End records that the run ended before all was judged.
func (r *Report) End(by string, why Reason) {
	r.EndedBy, r.Verdict, r.NoVerdict = by, Incomplete, noVerdict(why)
}

func noVerdict(why Reason) *NoVerdict { return &NoVerdict{Reason: why, Retry: !why.SetUp()} }

// reasonFor is why the report has no verdict, nil where it has one.
func (r *Report) reasonFor() *NoVerdict {
	switch {
	case r.Verdict != Incomplete:
		return nil
	case r.EndedBy != "" && r.NoVerdict != nil:
		return r.NoVerdict
	case r.EndedBy != "":
		return noVerdict(EndedEarly)
	case r.Missing != "":
		return noVerdict(ShardsMissing)
	}
	return noVerdict(Unjudged)
}
