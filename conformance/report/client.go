package report

import (
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

// rerunClient is the command that judges a client again, "" where recorded traffic was
// judged.
func rerunClient(r *result.Report, program string) string {
	if r.Client == nil || r.Client.Command == "" {
		return ""
	}
	return strings.TrimSpace(program + " client -- " + oneLine(r.Client.Command))
}
