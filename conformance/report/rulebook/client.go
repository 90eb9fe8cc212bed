package rulebook

import (
	"github.com/socialfeed/conform/conformance/report/plain"
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
	return shell.MustLine(shell.Call("conform", shell.Plain("--rule"), plain.Word(rule.ID)))
}
