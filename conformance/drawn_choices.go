package conformance

import (
	"github.com/socialfeed/conform/conformance/model/leeway"
	"github.com/socialfeed/conform/conformance/model/play"
	"github.com/socialfeed/conform/conformance/result"
)

// ChoiceAnswer is an answer to one of the choices that drawn stories depend on, in the words of
// reports.
type ChoiceAnswer string

// The answers that drawn stories go by. Any other leaves the choice open for them.
const (
	FriendsAtOnce   ChoiceAnswer = "friends at once"
	FriendsWhenBoth ChoiceAnswer = "after the other side's too"
	SessionSurvives ChoiceAnswer = "survives"
	SessionEnds     ChoiceAnswer = "ends"
	OthersSurvive   ChoiceAnswer = "survive"
	OthersEnd       ChoiceAnswer = "end"
	FieldsKept      ChoiceAnswer = "kept"
	FieldsCleared   ChoiceAnswer = "cleared"
)

// observedChoices returns the choices that the scenarios have already observed, among those
// that stories depend on. Others stay Unknown.
func (r *run) observedChoices() leeway.Choices {
	answer, status := r.observed()
	return r.traffic.LearnForms(leeway.Choices{
		FriendsAtOnce:  either(answer["connections.friends.one-sided"], FriendsAtOnce, FriendsWhenBoth),
		Concurrent:     either(answer["sessions.concurrent"], SessionSurvives, SessionEnds),
		LogoutKeeps:    either(answer["sessions.logout.others"], OthersSurvive, OthersEnd),
		KeepsUser:      either(answer["users.me.update.omitted-fields"], FieldsKept, FieldsCleared),
		KeepsEvent:     either(answer["events.update.omitted-fields"], FieldsKept, FieldsCleared),
		NamesRecur:     either(status["feed.purge.no-return"], result.Pass, result.Skipped),
		SocialConnects: either(status["social.connects"], result.Pass, result.Warn),
		Lengths:        r.traffic.Lengths(),
		Hidden:         r.traffic.Hidden(),
		Defaults:       r.traffic.Defaults(),
	})
}

// either returns Yes or No where one of the two was seen, else Unknown.
func either[T comparable](seen, yes, no T) leeway.Tri {
	switch seen {
	case yes:
		return leeway.Yes
	case no:
		return leeway.No
	}
	return leeway.Unknown
}

// probeChoices finds out the choices of the target's applications that stories depend on, and the
// observed lag.
func (t *T) probeChoices(o play.Options, applications int) (play.Options, error) {
	var err error
	if o.Choices, o.Lag, err = play.NewPlayer(&modelTarget{t: t}, o).ProbeChoices(t.ctx, o.Choices); err == nil && applications > 1 {
		o.SecondChoices, err = t.probeSecondChoices(&modelTarget{t: t, first: 1}, o)
	}
	return o, err
}

// probeSecondChoices finds out the choices of the target's second application. What does not differ between the
// applications of one service is known.
func (t *T) probeSecondChoices(second *modelTarget, o play.Options) (leeway.Choices, error) {
	known := leeway.Choices{Lengths: o.Choices.Lengths, Hidden: o.Choices.Hidden, OmitsZeros: o.Choices.OmitsZeros, LowersEmails: o.Choices.LowersEmails, TrimsTexts: o.Choices.TrimsTexts}
	choices, _, err := play.NewPlayer(second, o).ProbeChoices(t.ctx, known)
	return choices, err
}

// observed returns the answer to each choice that has one which stories go by, and the status of
// each rule. Of several checks the last counts.
func (r *run) observed() (map[string]ChoiceAnswer, map[string]result.Status) {
	answers, statuses := map[string]ChoiceAnswer{}, map[string]result.Status{}
	r.plays.each(func(c *Check) {
		statuses[c.rule] = c.status
		if answers[c.rule] = ""; c.status == result.Observed {
			answers[c.rule] = c.answer
		}
	})
	return answers, statuses
}
