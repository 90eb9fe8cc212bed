package report

import (
	"slices"

	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/conformance/rules"
	"github.com/socialfeed/conform/internal/shell"
)

// isClients reports whether a rule is about clients.
func isClients(rule rules.Rule) bool { return rule.Part() == rules.ClientPart }

// whereOfClient says where a client's rule is judged, in short.
func whereOfClient(rule rules.Rule) string {
	if rule.Passive {
		return "every request"
	}
	return "runs of the client's tests"
}

// aloneOf is the command that judges a rule and as few others as possible.
func aloneOf(rule rules.Rule) string {
	if isClients(rule) {
		return "conform client -- COMMAND"
	}
	return shell.MustLine(shell.Call("conform", shell.Plain("--rule"), Word(rule.ID)))
}

// clientAgain is the command that judges a client again by a rule, with the flags of the run
// and in the surrounding that broke the rule alone. It is "" where recorded traffic was judged.
func (c rerunCommands) clientAgain(rule *result.Rule) string {
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
	words := constants("client")
	for _, flag := range flags {
		words = append(words, Word(flag))
	}
	return c.run(append(words, shell.Plain("--")), command)
}
