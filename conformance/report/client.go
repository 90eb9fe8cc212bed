package report

import (
	"slices"
	"strings"

	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/conformance/rules"
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
	return "conform --rule " + rule.ID
}

// clientAgain is the command that judges a client again by a rule, with the flags of the run
// and in the surrounding that broke the rule alone. It is "" where recorded traffic was judged.
func clientAgain(c *result.Client, program string, rule *result.Rule) string {
	if c.Command == "" {
		return ""
	}
	words := append([]string{program, "client"}, QuotedWords(c.Flags)...)
	for _, check := range rule.Checks {
		i := slices.IndexFunc(c.Runs, func(run result.ClientRun) bool { return run.Surrounding == check.Scenario })
		if i >= 0 && slices.Contains([]result.Status{result.Fail, result.Warn, result.Unstable}, check.Status) {
			words = append(words, QuotedWords(c.Runs[i].Flags)...)
			break
		}
	}
	return strings.Join(append(words, "--", oneLine(c.Command)), " ")
}

// QuotedWords quotes the words of a command for a shell. Each comes on one line and is cut where
// it is too long.
func QuotedWords(words []string) []string {
	var all []string
	for _, word := range words {
		all = append(all, quoted(short(word)))
	}
	return all
}
