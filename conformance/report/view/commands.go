package view

import (
	"cmp"
	"slices"
	"strings"

	"github.com/socialfeed/conform/conformance/report/plain"
	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/conformance/rules"
	"github.com/socialfeed/conform/internal/shell"
)

// Commands makes the commands that judge a rule again. The tokens come from the
// environment, as in any run.
type Commands struct {
	program shell.Word // as it was called
	json    string     // the path of the JSON report, "" for none
	played  string     // the path of the JSON report that holds what was played, "" for none
	target  []shell.Word
	trust   []shell.Word // the flags by which its certificate is trusted
	plain   bool         // whether they allow plain HTTP
	seed    []shell.Word
	draw    []shell.Word   // the flags that draw the same stories
	client  *result.Client // nil where a service was judged
}

func newCommands(r *result.Report, o Options) Commands {
	c := Commands{program: plain.Word(cmp.Or(o.Program, "conform")), json: o.Report, played: cmp.Or(o.Report, o.Replayed),
		seed: []shell.Word{shell.Plain("--seed"), plain.Number(r.Seed)}, draw: drawAgain(r), client: r.Client}
	if c.client != nil || r.Target.Embedded || r.Target.BaseURL == "" {
		return c
	}
	c.target = []shell.Word{shell.Plain("--base-url"), plain.Word(r.Target.BaseURL)}
	if c.plain = strings.HasPrefix(r.Target.BaseURL, "http://"); c.plain {
		c.trust = append(c.trust, shell.Plain("--allow-http"))
	}
	for _, flag := range r.Target.Trust {
		c.trust = append(c.trust, plain.Word(flag))
	}
	return c
}

// run is the program with a subcommand or flags, as a line to paste.
func (c Commands) run(words ...[]shell.Word) string {
	all := []shell.Word{c.program}
	for _, some := range words {
		all = append(all, some...)
	}
	return shell.MustLine(shell.Run(all...))
}

// drawAgain are the flags that have a run draw the same stories.
func drawAgain(r *result.Report) []shell.Word {
	flags := []shell.Word{shell.Plain("--seed"), plain.Number(r.Seed)}
	if r.Stories != nil && r.Stories.DeepMS > 0 {
		return append(plain.Constants("--deep"), flags...)
	}
	return flags // what is seen beside the scenarios needs no stories
}

// DrawAgain is the command that has a run draw the same stories.
func DrawAgain(r *result.Report) string {
	return shell.MustLine(shell.Call("conform", drawAgain(r)...))
}

// notOverHTTP is the rule that --allow-http skips.
const notOverHTTP = "transport.https-only"

// Judge is the command that judges a rule again. With a JSON report, of this run or of the one
// that it replays, it replays the scenarios and stories that are in it; without one it runs the
// rule's scenarios, or draws stories again where only those broke the rule. It is "" where no run
// would judge the rule.
func (c Commands) Judge(rule *result.Rule) string {
	if c.client != nil {
		return c.clientAgain(rule)
	}
	if rule.ID == notOverHTTP && c.plain {
		return ""
	}
	if rule.Part == rules.RestartsPart {
		return c.run(c.target, plain.Constants("--restarts", "--rule"), []shell.Word{plain.Word(rule.ID)}, c.seed, c.trust)
	}
	if rule.ShownInPassing() || c.played == "" && rule.ShownByStoriesAlone() {
		return c.run(c.target, c.draw, c.trust)
	}
	of := []shell.Word{shell.Plain("--rule"), plain.Word(rule.ID)}
	if c.played != "" {
		return c.run([]shell.Word{shell.Plain("replay"), plain.Path(c.played)}, of, c.target, c.trust)
	}
	return c.run(c.target, of, c.seed, c.trust)
}

// Next is the command that says what to do next.
func (c Commands) Next() string {
	if c.json != "" {
		return c.run([]shell.Word{shell.Plain("next"), plain.Path(c.json)})
	}
	return c.run(plain.Constants("next"), c.target, c.trust)
}

// All is the command that shows everything that is broken.
func (c Commands) All() string {
	if c.json != "" {
		return c.run(append(plain.Constants("report", "text"), plain.Path(c.json)))
	}
	return c.run(c.target, c.trust)
}

// Everything says how to see the whole evidence.
func (c Commands) Everything(width int) []string {
	if c.json != "" {
		return plain.Command(c.All(), width)
	}
	return []string{"--report text=- shows it here, --report html=FILE as a page"}
}

// Explain is the command that explains a rule.
func (c Commands) Explain(rule string) string {
	return c.run([]shell.Word{shell.Plain("explain"), plain.Word(rule)})
}

// Contract is the command that shows a part of the contract.
func (c Commands) Contract(part string) string {
	return c.run([]shell.Word{shell.Plain("contract"), plain.Word(part)})
}

// clientAgain is the command that judges a client again by a rule, with the flags of the run
// and in the surrounding that broke the rule alone. It is "" where recorded traffic was judged.
func (c Commands) clientAgain(rule *result.Rule) string {
	command, input, ok := shell.ReadLine(c.client.Command)
	if !ok || input != nil { // a report may hold any text
		return ""
	}
	flags := c.client.Flags
	for _, check := range rule.Checks {
		i := slices.IndexFunc(c.client.Runs, func(run result.ClientRun) bool { return run.Surrounding == check.Scenario })
		if i >= 0 && slices.Contains([]result.Status{result.Fail, result.Warn, result.Unstable}, check.Status) {
			flags = slices.Concat(flags, c.client.Runs[i].Flags)
			break
		}
	}
	words := plain.Constants("client")
	for _, flag := range flags {
		words = append(words, plain.Word(flag))
	}
	return c.run(append(words, shell.Plain("--")), command)
}
