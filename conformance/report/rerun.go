package report

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/internal/quote"
)

// rerunCommands makes the commands that judge a rule again. The tokens come from the
// environment, as in any run.
type rerunCommands struct {
	program string // as it was called
	json    string // the path of the JSON report, "" for none
	played  string // the path of the JSON report that holds what was played, "" for none
	target  string // the flag that names the target, "" for an embedded one
	trust   string // the flags by which its certificate is trusted, "" for none
	plain   bool   // whether they allow plain HTTP
	seed    int64
	draw    string         // the flags that draw the same stories
	client  *result.Client // nil where a service was judged
}

func newRerunCommands(r *result.Report, o Options) rerunCommands {
	c := rerunCommands{program: quoted(cmp.Or(o.Program, "conform")), json: o.Report, played: cmp.Or(o.Report, o.Replayed), seed: r.Seed, draw: DrawAgain(r), client: r.Client}
	if c.client != nil || r.Target.Embedded || r.Target.BaseURL == "" {
		return c
	}
	c.target = " --base-url " + quoted(short(r.Target.BaseURL))
	if c.plain = strings.HasPrefix(r.Target.BaseURL, "http://"); c.plain {
		c.trust = " --allow-http"
	}
	for _, flag := range r.Target.Trust {
		c.trust += " " + quoted(short(flag))
	}
	return c
}

// DrawAgain are the flags that have a run draw the same stories.
func DrawAgain(r *result.Report) string {
	if r.Stories != nil && r.Stories.DeepMS > 0 {
		return fmt.Sprintf("--deep --seed %d", r.Seed)
	}
	return fmt.Sprintf("--seed %d", r.Seed) // what is seen beside the scenarios needs no stories
}

// notOverHTTP is the rule that --allow-http skips.
const notOverHTTP = "transport.https-only"

// judge is the command that judges a rule again. With a JSON report, of this run or of the one
// that it replays, it replays the scenarios and stories that are in it; without one it runs the
// rule's scenarios, or draws stories again where only those broke the rule. It is "" where no run
// would judge the rule.
func (c rerunCommands) judge(rule *result.Rule) string {
	if c.client != nil {
		return clientAgain(c.client, c.program, rule)
	}
	if rule.ID == notOverHTTP && c.plain {
		return ""
	}
	if rule.ShownInPassing() || c.played == "" && rule.ShownByStoriesAlone() {
		return c.program + c.target + " " + c.draw + c.trust
	}
	if c.played != "" {
		return fmt.Sprintf("%s replay %s --rule %s%s%s", c.program, quoted(c.played), quoted(short(rule.ID)), c.target, c.trust)
	}
	return fmt.Sprintf("%s%s --rule %s --seed %d%s", c.program, c.target, quoted(short(rule.ID)), c.seed, c.trust)
}

// next is the command that says what to do next.
func (c rerunCommands) next() string {
	if c.json != "" {
		return c.program + " next " + quoted(c.json)
	}
	return fmt.Sprintf("%s next%s%s", c.program, c.target, c.trust)
}

// all is the command that shows everything that is broken.
func (c rerunCommands) all() string {
	if c.json != "" {
		return c.program + " report text " + quoted(c.json)
	}
	return c.program + c.target + c.trust
}

// explain is the command that explains a rule.
func (c rerunCommands) explain(rule string) string {
	return c.program + " explain " + quoted(short(rule))
}

// contract is the command that shows a part of the contract.
func (c rerunCommands) contract(part string) string { return c.program + " contract " + quoted(part) }

// quoted is a text as a word of a shell command.
func quoted(s string) string {
	if s != "" && !strings.ContainsFunc(s, func(r rune) bool {
		return !strings.ContainsRune("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-/+,:@%", r)
	}) {
		return s
	}
	return quote.Shell(oneLine(s))
}
