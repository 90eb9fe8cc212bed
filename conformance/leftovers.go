package conformance

import (
	"context"
	"slices"
	"strings"
	"sync"

	"github.com/socialfeed/conform/client"
	"github.com/socialfeed/conform/conformance/internal/wire"
	"github.com/socialfeed/conform/conformance/model"
	"github.com/socialfeed/conform/conformance/rules"
	"golang.org/x/sync/errgroup"
	"golang.org/x/text/unicode/norm"
)

// leftOver is a user that a scenario created and that nothing was done with: another
// scenario, or a drawn story, goes on with it, which saves creating one.
type leftOver struct {
	model.Adopted
	account *account
	created *wire.Exchange
}

// leftOvers are those of a run.
type leftOvers struct {
	mu  sync.Mutex
	all []leftOver
}

// keepLeftOvers takes the users of a scenario that is over, which then deletes them no more.
func (r *run) keepLeftOvers(t *T) {
	t.mu.Lock()
	defer t.mu.Unlock()
	r.leftOver.mu.Lock()
	defer r.leftOver.mu.Unlock()
	for _, l := range t.leftOver {
		i := slices.Index(t.accounts, l.account)
		if i >= 0 && !l.account.gone && !l.account.doubtful {
			r.leftOver.all = append(r.leftOver.all, l)
			t.accounts = slices.Delete(t.accounts, i, i+1)
		}
	}
	t.leftOver = nil
}

// leftOverOf is a user of the scenario as one that may be left over.
func (t *T) leftOverOf(a model.Adopted) (leftOver, bool) {
	if a.App != t.run.config.Target.AppToken {
		return leftOver{}, false
	}
	l := leftOver{Adopted: a}
	for _, x := range t.exchanged {
		if x.Endpoint != rules.CreateUser {
			continue
		}
		value, err := x.Value()
		if o, ok := value.(map[string]any); ok && err == nil && Record(o).ID() == a.ID() {
			l.created = x
		} else if sent, err := x.Sent(); err == nil && sharesNames(Record(a.Sent), sent) {
			return leftOver{}, false // a login of the one may be one of the other
		}
	}
	i := slices.IndexFunc(t.accounts, func(each *account) bool { return each.app == a.App && each.id == a.ID() })
	if i < 0 || l.created == nil {
		return leftOver{}, false
	}
	l.account = t.accounts[i]
	return l, true
}

// sharesNames reports whether a user that was asked for has a name of another one,
// however it is written.
func sharesNames(one Record, other any) bool {
	o, _ := other.(map[string]any)
	for _, name := range []string{"user_name", "email", "custom_id"} {
		mine, theirs := one.Text(name), Record(o).Text(name)
		if mine != "" && theirs != "" && strings.EqualFold(norm.NFC.String(strings.TrimSpace(mine)), norm.NFC.String(strings.TrimSpace(theirs))) {
			return true
		}
	}
	return false
}

// take takes over a user that is left over, false where there is none.
func (t *T) take() (leftOver, bool) {
	left := &t.run.leftOver
	left.mu.Lock()
	defer left.mu.Unlock()
	if len(left.all) == 0 {
		return leftOver{}, false
	}
	l := left.all[0]
	left.all = left.all[1:]
	t.mu.Lock()
	defer t.mu.Unlock()
	t.accounts = append(t.accounts, l.account)
	t.exchanged = append(t.exchanged, l.created)
	t.story.Borrow(l.created)
	return l, true
}

// reuse makes an actor of a user that is left over, nil where there is none.
func (t *T) reuse(api *client.Client) *Actor {
	l, there := t.take()
	if !there {
		return nil
	}
	a := t.newActor(api, l.App, l.Sent)
	a.ID = idIn(Record(l.Answer))
	a.setToken(l.Session)
	return a
}

// goOnWith takes a user over into a drawn story.
func (t *T) goOnWith() (model.Adopted, bool) {
	l, there := t.take()
	return l.Adopted, there
}

// adopted are the users that are left over, for drawn stories.
func (r *run) adopted() []model.Adopted {
	r.leftOver.mu.Lock()
	defer r.leftOver.mu.Unlock()
	var users []model.Adopted
	for _, l := range r.leftOver.all {
		users = append(users, l.Adopted)
	}
	return users
}

// leaveLeftOvers deletes the users that nobody went on with.
func (r *run) leaveLeftOvers(ctx context.Context) {
	const each = 5
	var group errgroup.Group
	group.SetLimit(r.config.Jobs)
	for some := range slices.Chunk(r.leftOver.all, each) {
		t := newT(ctx, r, &scenario{text: "users that are left over"})
		for _, l := range some {
			t.accounts = append(t.accounts, l.account)
		}
		r.played = append(r.played, t)
		group.Go(func() error { r.cleanUp(ctx, t); return nil })
	}
	_ = group.Wait() // which has no error to give
}
