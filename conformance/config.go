package conformance

import (
	"cmp"
	"math/rand/v2"
	"time"

	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/conformance/rules"
	"github.com/socialfeed/conform/conformance/setting"
)

// Config is the configuration of a run. The zero value of every field but Target is a
// sensible default.
type Config struct {
	Target Target
	// Implementation is what the server is called in reports; nil for nothing.
	Implementation *result.Implementation
	Selection      rules.Selection
	// Jobs is how many scenarios are played at the same time; 0 for as many as the target answers without getting
	// slower: from DefaultJobs, where it is near, to MostJobs.
	Jobs int
	// Rate is the most requests a minute in each of the contract's categories
	// (writing, querying, deleting); default DefaultRate. With a higher one, or without one on a target on this
	// machine that limits nothing, more stories are drawn, and those of Deep are not paced.
	Rate int
	// Settle is how long feeds, lists and search may lag; default DefaultSettle.
	Settle time.Duration
	// Hold is how long deleted things are checked to stay deleted; default DefaultHold. It is
	// never shorter than the rest of the run, nor than Settle on a target that lags.
	Hold time.Duration
	// RequestTimeout bounds one request with its response; default DefaultRequestTimeout.
	RequestTimeout time.Duration
	// Timeout bounds the run; default DefaultTimeout.
	Timeout time.Duration
	// RateLimits also judges the rate limits; RateLimitOf is what they are on
	// this target, default 1000 as in the contract.
	RateLimits  bool
	RateLimitOf int
	// Restarts selects the rules about restarts. What starts the target judges them, and adds its
	// checks to the report: Runner.Run does not end the target.
	Restarts bool
	// Startable says that whoever runs this starts the target: a report names restarts where they were not
	// judged.
	Startable bool
	// FailOn is the level from which on a broken rule gates: Must (the default) or Should.
	FailOn rules.Level
	// Stories are drawn stories that showed a violation in earlier runs, as their reports
	// have them. They are played before any other.
	Stories [][]byte
	// Deep is how long stories are drawn and played after the scenarios; 0 plays the
	// few that fit into what a run may send.
	Deep time.Duration
	// Seed decides the order of the scenarios and what is drawn; 0 picks one, for a shard always the
	// same, so that the shards of a run agree.
	Seed int64
	// Shard is the part of the scenarios to play.
	Shard Shard
	// MaxFailures ends the run when so many checks have failed; 0: never.
	MaxFailures int
	// NoHeaders leaves out the headers by which a target finds each request in its log and traces: its
	// scenario and rule, and its trace.
	NoHeaders bool
	// KeepExchanges keeps every exchange of the run in the report, not only the
	// evidence of what went wrong.
	KeepExchanges bool
	// KeepEvidence keeps the exchanges also of the checks that passed.
	KeepEvidence bool
	// UsersDir is the folder where a run writes down the users that it creates, for
	// Clean, should it be killed; "" for nowhere. No secret is in it.
	UsersDir string
	// Names are what messages call settings, where their reader knows them by other words than
	// by the fields of Config: as the flags of a command.
	Names setting.Names
	// Version of the judge, for the report and the User-Agent header.
	Version string
	// Progress, when set, is called after every scenario.
	Progress func(Progress)

	rateSet bool
}

// Progress is how far a run has come.
type Progress struct {
	Scenario      string // the latest one that ended
	Done, Of      int    // scenarios
	Failed        int    // checks failed so far
	WaitingToHold bool   // only rechecks are left
	Notice        string // what is to be known before the run goes on; "" for nothing
	Waiting       string // a wait that holds the run back; "" where none began
	// Of the drawn stories of a deep run: how many were played, what they have covered, and for how
	// long more are to be drawn at most; all 0 before the first.
	Stories, Covered int
	Left             time.Duration
}

// The defaults of a Config.
const (
	DefaultJobs           = 8
	DefaultRate           = 950
	DefaultSettle         = 3 * time.Second
	DefaultHold           = 2 * time.Second
	DefaultRequestTimeout = 10 * time.Second
	DefaultTimeout        = 15 * time.Minute
	contractRateLimit     = 1000
	shardSeed             = 1
)

// complete applies the defaults and validates.
func (c Config) complete() (Config, error) {
	c.rateSet = c.Rate != 0
	c.Rate = cmp.Or(c.Rate, DefaultRate)
	c.Settle = cmp.Or(c.Settle, DefaultSettle)
	c.Hold = cmp.Or(c.Hold, DefaultHold)
	c.RequestTimeout = cmp.Or(c.RequestTimeout, DefaultRequestTimeout)
	c.Timeout = cmp.Or(c.Timeout, DefaultTimeout)
	c.RateLimitOf = cmp.Or(c.RateLimitOf, contractRateLimit)
	c.FailOn = cmp.Or(c.FailOn, rules.Must)
	c.Version = cmp.Or(c.Version, "dev")
	switch {
	case c.Seed == 0 && c.Shard.Of > 0:
		c.Seed = shardSeed
	case c.Seed == 0:
		c.Seed = rand.Int64N(1_000_000) + 1 // easy to type again
	}
	switch {
	case c.FailOn != rules.Must && c.FailOn != rules.Should:
		return c, configErrorf("the level that gates (%s) must be must or should, got %q", c.Names.Of(setting.FailOn), c.FailOn)
	case !c.Shard.valid():
		return c, configErrorf("shard I/N (%s) needs 1 ≤ I ≤ N, got %d/%d", c.Names.Of(setting.Shard), c.Shard.Index, c.Shard.Of)
	case c.MaxFailures < 0:
		return c, configErrorf("the number of failures that ends the run (%s) must not be below zero", c.Names.Of(setting.MaxFailures))
	case c.Deep < 0:
		return c, configErrorf("the time for drawn stories (%s) must not be below zero", c.Names.Of(setting.Deep))
	case c.RateLimits && c.Shard.Of > 1:
		return c, configErrorf("the rate limits (%s) cannot be judged beside other shards: judge them in a run of their own", c.Names.Of(setting.RateLimits))
	case min(c.Rate, c.RateLimitOf, c.Jobs) < 0 || min(c.Settle, c.Hold, c.RequestTimeout, c.Timeout) < 0:
		return c, configErrorf("rates, durations and the number of jobs must be above zero")
	}
	if c.Implementation != nil {
		if err := c.Implementation.Check(); err != nil {
			return c, configErrorf("%s: %w", c.Names.Of(setting.Implementation), err)
		}
	}
	// The other machines have the rest. Without a rate of its own a plain run's scenarios need less than
	// a minute's requests, of all shards together, and some shards need more of them than others.
	if c.Shard.Of > 1 && (c.rateSet || c.Deep > 0) {
		c.Rate = max(1, c.Rate/c.Shard.Of)
	}
	return c, nil
}
