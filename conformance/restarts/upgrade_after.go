package restarts

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/socialfeed/conform/conformance/result"
)

// goOn plays on the new version with what the old one left, and starts it once more.
func (u *upgrade) goOn(ctx context.Context) error {
	p := u.acting
	kept := !slices.ContainsFunc(u.out.Changes, func(c result.UpgradeChange) bool { return !c.Allowed && c.Rule != Sessions })
	if err := u.told(u.newIDs(ctx)); err != nil || p.found != nil {
		return err
	}
	if !kept { // what is not there cannot be changed
		u.out.Notes = append(u.out.Notes, "since something is different, no story went on with it on the new version")
		return nil
	}
	if known, err := u.learnViews(ctx); err != nil || !known {
		return err
	}
	if err := u.told(p.judge(ctx, "")); err != nil || p.found != nil {
		return err
	}
	p.base, p.history = p.now(), nil
	err := p.steps(ctx, goingOn())
	if err == nil && p.found == nil {
		err = p.judge(ctx, "")
	}
	if err := u.told(err); err != nil || p.found != nil {
		return err
	}
	if err := u.to(ctx, u.New, u.New); err != nil {
		u.add(Serves, "starting", "starts again on its own data", err.Error())
		return ctx.Err()
	}
	return u.told(p.judge(ctx, Stop))
}

// learnViews finds out which views the new version shows wrongly also of users who were never the old one's,
// and reports whether it serves those.
func (u *upgrade) learnViews(ctx context.Context) (bool, error) {
	u.runner.config.Process = u.New
	err := u.runner.learnViews(ctx)
	var refused refusedError
	switch {
	case errors.As(err, &refused):
		u.add(refused.kind.rule(), "to "+string(refused.kind), "succeeds", refused.answer.String())
	case err != nil && ctx.Err() == nil:
		u.add(Serves, "stories of new users", "are served", err.Error())
	}
	if err != nil {
		return false, ctx.Err()
	}
	if left := u.runner.out.Ignored; len(left) > 0 {
		u.out.Notes = append(u.out.Notes, "stories on the new version did not look at views that are wrong of its own users, too: "+strings.Join(left, ", "))
	}
	return true, nil
}

// goingOn changes and ends some of what all users have. One of them still follows another in the end, and has
// the other's events.
func goingOn() Story {
	var s Story
	for slot := range slots {
		for _, kind := range []Kind{Post, Edit, Update, Remove, Login, Logout} {
			s.Steps = append(s.Steps, Step{Do: kind, Slot: slot})
		}
	}
	s.Steps = append(s.Steps, Step{Do: Unfollow, Slot: 1, Other: 2}, Step{Do: Delete, Slot: 0})
	return s
}

// newIDs makes a user and an event, whose ids must be new ones.
func (u *upgrade) newIDs(ctx context.Context) error {
	p := u.acting
	slot := max(0, slices.Index(p.slots[:], 0))
	if err := p.write(ctx, p.creation(slot)); err != nil || p.found != nil {
		return err
	}
	w, _ := p.plan(Step{Do: Post, Slot: slot})
	return p.write(ctx, w)
}

// told adds what a story has found or was refused. The error is why it was broken off otherwise.
func (u *upgrade) told(err error) error {
	var refused refusedError
	if errors.As(err, &refused) {
		u.add(refused.kind.rule(), "to "+string(refused.kind), "succeeds, as for its own users", refused.answer.String())
		return nil
	}
	if f := u.acting.found; f != nil {
		u.add(f.Rule, "with what was there", f.Expected, f.Actual)
	}
	return err
}
