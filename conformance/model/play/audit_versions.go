package play

import (
	"context"
	"fmt"
	"slices"

	"github.com/socialfeed/conform/conformance/model/blame"
	"github.com/socialfeed/conform/conformance/model/exchange"
	"github.com/socialfeed/conform/conformance/model/leeway"
	"github.com/socialfeed/conform/conformance/model/value"
	"github.com/socialfeed/conform/conformance/model/world"
	"github.com/socialfeed/conform/conformance/rules"
)

// readVersions reads the list of versions several times in a user's session. Once it is shown it must
// be shown each time, with version 0.2 as current; which credentials it takes is open.
func (t *run) readVersions(ctx context.Context, who int) {
	const times = 4
	works := slices.IndexFunc(t.state.Users[who].Sessions, func(s world.Session) bool { return s.State == leeway.Yes })
	if works < 0 {
		return
	}
	t.logf("user %d reads the versions several times", who)
	shown := false
	for range times {
		answer := t.read(ctx, world.View{At: rules.Versions, Viewer: who, Owner: who, Session: works})
		if t.err != nil {
			return
		}
		d := blame.Difference{Rule: "versions.current", At: rules.Versions, Expected: "a list with version 0.2 as current", Actual: answer.Show()}
		switch {
		case answer.OK() && !listsCurrent(answer):
			t.recordDifference(d)
		case !answer.OK() && shown:
			d.Rule, d.Expected, d.Actual = "versions.status", "200, as before", fmt.Sprint(answer.Status)
			t.recordDifference(d)
		}
		shown = shown || answer.OK()
	}
}

// listsCurrent reports whether a list of versions has 0.2 as current, and as nothing else.
func listsCurrent(answer exchange.Response) bool {
	entries, _ := answer.Objects()
	entries = slices.DeleteFunc(entries, func(entry value.Fields) bool { return entry["version"] != "0.2" })
	return len(entries) > 0 && !slices.ContainsFunc(entries, func(entry value.Fields) bool { return entry["status"] != "current" })
}
