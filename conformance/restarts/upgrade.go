package restarts

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"github.com/socialfeed/conform/conformance/result"
)

// UpgradeConfig says which versions of a target share a database.
type UpgradeConfig struct {
	Target   Target // which both are at, one after the other
	Old, New Process
	Seed     int64
}

// ErrNothingKept is why there is nothing that a new version could have of an old one.
var ErrNothingKept = errors.New("the old version keeps nothing when it is stopped and started again")

// upgrade is the one under way.
type upgrade struct {
	UpgradeConfig
	runner   *runner // which plays on the old version, and then on the new one
	acting   *player // who makes and changes things, and is judged by states
	fields   *player // who makes things with all fields
	out      result.Upgrade
	unlike   map[[2]string]bool // places and paths that the old version shows otherwise by itself
	loggedIn bool               // to read on: times of the latest login differ
}

// Upgrade lets the old version fill a database, stops it, starts the new one on that, and compares what both
// show of it. What the old version shows otherwise when it is stopped and started itself is left out.
func Upgrade(ctx context.Context, c UpgradeConfig) (*result.Upgrade, error) {
	u := &upgrade{UpgradeConfig: c, unlike: map[[2]string]bool{}, out: result.Upgrade{Changes: []result.UpgradeChange{}, Notes: []string{}}}
	before, err := u.old(ctx)
	if err != nil {
		return nil, errors.Join(ctx.Err(), fmt.Errorf("the old version: %w", err))
	}
	if err := u.to(ctx, c.Old, c.New); err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		u.add(Serves, "starting", "starts on what the old version left", err.Error())
		return &u.out, nil
	}
	if err := u.readAgain(ctx, before); err != nil {
		return nil, err
	}
	return &u.out, u.goOn(ctx)
}

// old has the old version fill the database, and returns what it shows of it after it was stopped and
// started once.
func (u *upgrade) old(ctx context.Context) ([2]snapshot, error) {
	var none [2]snapshot
	u.runner = newRunner(Config{Target: u.Target, Process: u.Old, Seed: u.Seed, Running: true})
	if err := u.runner.learnViews(ctx); err != nil {
		return none, err
	}
	if left := u.runner.out.Ignored; len(left) > 0 {
		u.out.Notes = append(u.out.Notes, "the old version itself is wrong about some views, which stories on the new one do not look at: "+strings.Join(left, ", "))
	}
	u.acting, u.fields = u.player(), u.player()
	if err := u.runner.before(ctx, u.acting); err != nil {
		return none, err
	}
	if err := errors.Join(u.fields.fillFields(ctx), u.acting.fill(ctx, rand.New(rand.NewPCG(uint64(u.Seed), 1)))); err != nil { //nolint:gosec // a seed is drawn anyhow
		return none, err
	}
	if u.acting.found != nil {
		return none, fmt.Errorf("it does not show what it was told: expected %s; got %s", u.acting.found.Expected, u.acting.found.Actual)
	}
	u.settle(ctx)
	first, err := u.snapshots(ctx)
	if err != nil {
		return none, err
	}
	if err := u.to(ctx, u.Old, u.Old); err != nil {
		return none, fmt.Errorf("starting it again: %w", err)
	}
	second, err := u.snapshots(ctx)
	if err != nil {
		return none, err
	}
	u.leaveOut(first, second)
	if err := u.acting.judge(ctx, Stop); err != nil {
		return none, err
	}
	if f := u.acting.found; f != nil {
		return none, fmt.Errorf("it is not whole when it is stopped and started again (%s): expected %s; got %s", f.Rule, f.Expected, f.Actual)
	}
	if n := len(u.acting.survived); u.acting.survived[n-1].kept == Nothing {
		return none, ErrNothingKept
	}
	u.settle(ctx)
	return u.snapshots(ctx)
}

// settle waits where views were seen to lag: what the latest logins changed is read, too.
func (u *upgrade) settle(ctx context.Context) {
	if max(u.acting.lag, u.runner.lag) > 0 {
		pause(ctx, u.Target.Settle)
	}
}

func (u *upgrade) player() *player {
	p := newPlayer(u.Target, nil)
	p.ignored, p.numericIDs, p.lag, p.restarted = u.runner.out.ignored, u.runner.numeric, u.runner.lag, true
	return p
}

// to stops one version and starts another on its database.
func (u *upgrade) to(ctx context.Context, from, next Process) error {
	if err := from.End(ctx, Stop); err != nil {
		return err
	}
	u.Target.Client.CloseIdleConnections()
	u.acting.starts++
	return next.Start(ctx)
}

func (u *upgrade) snapshots(ctx context.Context) (both [2]snapshot, err error) {
	for i, p := range []*player{u.acting, u.fields} {
		if both[i], err = p.snapshot(ctx); err != nil {
			return both, err
		}
	}
	return both, nil
}

// leaveOut notes which values the old version shows otherwise after it was stopped and started itself.
func (u *upgrade) leaveOut(first, second [2]snapshot) {
	alone := u.compare(first, second)
	var told []string
	for _, c := range alone.changes {
		if c.What != theStatus && c.What != theSession && !strings.HasSuffix(c.What, "[]") {
			u.unlike[[2]string{c.Endpoint, c.What}] = true
			told = append(told, c.What)
		}
	}
	if len(told) > 0 {
		slices.Sort(told)
		u.out.Notes = append(u.out.Notes, "not compared, since the old version shows it otherwise when it is stopped and started itself: "+strings.Join(slices.Compact(told), ", "))
	}
}

// compare compares what both players have read.
func (u *upgrade) compare(old, now [2]snapshot) *comparison {
	tokens := []string{u.Target.AppToken, "$APP_TOKEN"}
	for _, p := range []*player{u.acting, u.fields} {
		for _, s := range p.known.sessions {
			tokens = append(tokens, s.token, "$SESSION_TOKEN")
		}
	}
	c := &comparison{unlike: u.unlike, hide: replacer(tokens)}
	for i := range old {
		u.loggedIn = u.loggedIn || now[i].loggedIn
		c.loggedIn = u.loggedIn
		c.compare(old[i], now[i])
	}
	return c
}

// replacer replaces each first text by the one that follows it.
func replacer(pairs []string) *strings.Replacer {
	var all []string
	for pair := range slices.Chunk(pairs, 2) {
		if pair[0] != "" {
			all = append(all, pair...)
		}
	}
	return strings.NewReplacer(all...)
}

// readAgain reads from the new version what the old one has shown, as long as views may lag.
func (u *upgrade) readAgain(ctx context.Context, before [2]snapshot) error {
	began := time.Now()
	for {
		now, err := u.snapshots(ctx)
		if err != nil {
			return err
		}
		c := u.compare(before, now)
		if over := time.Since(began) > u.Target.Settle; over || len(c.changes) == 0 {
			u.out.Changes = append(u.out.Changes, c.changes...)
			for _, s := range now {
				u.out.Answers += len(s.answers) + len(s.sessions)
			}
			return nil
		}
		const between = 100 * time.Millisecond
		pause(ctx, between)
	}
}

// add adds what shows in no answer of its own.
func (u *upgrade) add(rule, what, expected, actual string) {
	u.out.Changes = append(u.out.Changes, result.UpgradeChange{Rule: rule, What: what, Old: expected, New: actual, Times: 1})
}
