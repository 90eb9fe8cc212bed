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

// leftOver is an unchanged user of a scenario that is over: another scenario, or a drawn story,
// uses it, which saves creating one.
type leftOver struct {
	model.ReusableUser
	account *account
	created *wire.Exchange
}

// leftOvers are the left over users of a run.
type leftOvers struct {
	mu  sync.Mutex
	all []leftOver
}

// collectLeftOvers takes the unchanged users of a scenario that is over, which then does not
// delete them.
func (r *run) collectLeftOvers(t *T) {
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

// leftOverOf returns a user of the scenario as a left over one, false if others cannot use it.
func (t *T) leftOverOf(a model.ReusableUser) (leftOver, bool) {
	if a.App != t.run.config.Target.AppToken {
		return leftOver{}, false
	}
	l := leftOver{ReusableUser: a}
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

// takeLeftOver takes a left over user, false if there is none.
func (t *T) takeLeftOver() (leftOver, bool) {
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
	if wrote := l.created.Started(); wrote.After(t.wrote) { // a copy may not know the user yet
		t.wrote = wrote
	}
	t.story.Borrow(l.created)
	return l, true
}

// reuse makes an actor of a left over user, nil if there is none.
func (t *T) reuse(api *client.Client) *Actor {
	l, there := t.takeLeftOver()
	if !there {
		return nil
	}
	a := t.newActor(api, l.App, l.Sent)
	a.ID = idIn(Record(l.Answer))
	a.setToken(l.Session)
	return a
}

// takeReusable takes a left over user for a drawn story.
func (t *T) takeReusable() (model.ReusableUser, bool) {
	l, there := t.takeLeftOver()
	return l.ReusableUser, there
}

// leftOverUsers returns the left over users.
func (r *run) leftOverUsers() []model.ReusableUser {
	r.leftOver.mu.Lock()
	defer r.leftOver.mu.Unlock()
	var users []model.ReusableUser
	for _, l := range r.leftOver.all {
		users = append(users, l.ReusableUser)
	}
	return users
}

// deleteLeftOvers deletes the left over users that nobody has used.
func (r *run) deleteLeftOvers(ctx context.Context) {
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
	_ = group.Wait() // always nil
}
