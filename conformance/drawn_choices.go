package conformance

import (
	"context"
	"strings"

	"github.com/socialfeed/conform/conformance/model"
	"github.com/socialfeed/conform/conformance/result"
)

// observedChoices returns the choices that the scenarios have already observed, among those
// that stories depend on. Others stay Unknown.
func (r *run) observedChoices() model.Choices {
	seen := r.observed()
	answer := func(rule, yes, no string) model.Tri {
		switch said := seen[rule]; {
		case said == "":
			return model.Unknown
		case says(said, yes):
			return model.Yes
		case says(said, no):
			return model.No
		}
		return model.Unknown
	}
	return model.Choices{
		FriendsAtOnce:  answer("connections.friends.one-sided", "friends at once", "after"),
		Concurrent:     answer("sessions.concurrent", "survives", "ends"),
		LogoutKeeps:    answer("sessions.logout.others", "survive", "end"),
		KeepsUser:      answer("users.me.update.omitted-fields", "kept", "cleared"),
		KeepsEvent:     answer("events.update.omitted-fields", "kept", "cleared"),
		NamesRecur:     answer("feed.purge.no-return", string(result.Pass), string(result.Skipped)),
		SocialConnects: answer("social.connects", string(result.Pass), string(result.Warn)),
		OmitsZeros:     r.traffic.OmitsZeros(),
		Hidden:         r.traffic.Hidden(),
		Defaults:       r.traffic.Defaults(),
	}
}

// says reports whether the words of a choice begin with these. "kept: language; cleared:
// priority" is not "kept": it is about some fields only.
func says(said, words string) bool {
	rest, ok := strings.CutPrefix(said, words)
	return ok && !strings.HasPrefix(rest, ":")
}

// probeChoices finds out the choices of the target's applications that stories depend on, and the
// observed lag.
func (t *T) probeChoices(o model.Options, applications int) (model.Options, error) {
	target := &modelTarget{t: t}
	var err error
	if o.Choices, o.Lag, err = model.NewPlayer(target, o).ProbeChoices(t.ctx, o.Choices); err == nil && applications > 1 {
		o.SecondChoices, _, err = model.NewPlayer(secondApplication{target}, o).ProbeChoices(t.ctx, model.Choices{Hidden: o.Choices.Hidden, OmitsZeros: o.Choices.OmitsZeros})
	}
	return o, err
}

// secondApplication is the target's second application in the place of the first.
type secondApplication struct{ *modelTarget }

func (e secondApplication) Do(ctx context.Context, r model.Request) (model.Response, error) {
	r.App = 1
	return e.modelTarget.Do(ctx, r)
}

// observed returns the outcome of each rule: the words of a choice, else the status. Of several
// checks the last counts.
func (r *run) observed() map[string]string {
	r.mu.Lock()
	defer r.mu.Unlock()
	said := map[string]string{}
	for _, t := range r.played {
		for _, c := range t.checks {
			if said[c.rule] = string(c.status); c.status == result.Observed {
				said[c.rule] = c.message
			}
		}
	}
	return said
}
