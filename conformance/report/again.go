package report

import (
	"fmt"
	"strings"

	"github.com/socialfeed/conform/conformance"
)

// again tells with which command a rule is judged again. The tokens come from the
// environment, as in any run.
type again struct {
	json   string // where the JSON report lies, "" where nobody knows
	target string // the flag that names the target, "" for an embedded one
	trust  string // the flags without which it is not judged, "" for none
	seed   int64
}

func againOf(r *conformance.Report, o TextOptions) again {
	a := again{json: o.Report, seed: r.Seed}
	if r.Target.Embedded || r.Target.BaseURL == "" {
		return a
	}
	a.target = " --base-url " + quoted(short(r.Target.BaseURL))
	if strings.HasPrefix(r.Target.BaseURL, "http://") {
		a.trust = " --allow-http"
	}
	for _, flag := range r.Target.Trust {
		a.trust += " " + quoted(short(flag))
	}
	return a
}

// of replays the scenarios that judged the rule; without a JSON report that names
// them it is a run of that rule alone.
func (a again) of(rule string) string {
	if a.json != "" {
		return fmt.Sprintf("conform replay %s --rule %s%s", quoted(a.json), clean(rule), a.trust)
	}
	return fmt.Sprintf("conform%s --rule %s --seed %d%s", a.target, clean(rule), a.seed, a.trust)
}

// quoted is a text as a word of a shell command.
func quoted(s string) string {
	if s != "" && !strings.ContainsFunc(s, func(r rune) bool {
		return !strings.ContainsRune("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-/+,:@%", r)
	}) {
		return s
	}
	return "'" + strings.ReplaceAll(clean(s), "'", `'\''`) + "'"
}
