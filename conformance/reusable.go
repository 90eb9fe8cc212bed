package conformance

import (
	"context"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/socialfeed/conform/conformance/accounts"
	"github.com/socialfeed/conform/conformance/internal/wire"
	"github.com/socialfeed/conform/conformance/model/reuse"
	"github.com/socialfeed/conform/conformance/rules"
	"golang.org/x/text/unicode/norm"
)

// reusableUser is a user of a scenario that is over: another scenario or, if nothing came of it
// so far, a drawn story uses it, which saves creating one.
type reusableUser struct {
	reuse.User
	account *accounts.Account
	created *wire.Exchange
}

// reusableUsers are those of a run.
type reusableUsers struct {
	mu  sync.Mutex
	all []reusableUser
	// companions are scenarios whose other users stay as long as the reusable ones: where a target
	// takes away too much with a user whom it deletes, no other scenario is to see that.
	companions []*T
}

// sharedWord is a word that the user names of some scenarios' users share.
type sharedWord struct {
	word  string
	given atomic.Int64
}

// name returns the next user name with the word, nothing once so many have one that those who are
// left in the end are as many as every server must list.
func (s *sharedWord) name(t *T) Fields {
	const most = 24
	if s.given.Add(1) > most {
		return nil
	}
	return Fields{"user_name": t.Unique() + s.word}
}

// cleanUpBut deletes the users of a scenario that is over, but for those that others can use.
func (r *run) cleanUpBut(ctx context.Context, t *T) {
	if !r.collectReusable(t) {
		r.cleanUp(ctx, t)
	}
}

// setAside leaves the users of a scenario until the end of the run.
func (r *run) setAside(t *T) {
	r.reusable.mu.Lock()
	defer r.reusable.mu.Unlock()
	r.reusable.companions = append(r.reusable.companions, t)
}

// collectReusable takes the reusable users of a scenario that is over, which then does not
// delete them, and reports whether the others are to stay, too.
func (r *run) collectReusable(t *T) (othersStay bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	r.reusable.mu.Lock()
	defer r.reusable.mu.Unlock()
	othersStay = slices.ContainsFunc(t.accounts, func(a *accounts.Account) bool { return a.Involved }) // perhaps with some who can be used
	for _, l := range t.forReuse {
		i := slices.Index(t.accounts, l.account)
		if i >= 0 && !l.account.Gone && !l.account.Doubtful {
			l.account.UsedBy = append(l.account.UsedBy, t.scenario.text)
			l.account.Involved = l.account.Involved || l.Involved
			l.account.Events = append(l.account.Events, l.Events...)
			l.account.EventsUnknown = l.account.EventsUnknown || !l.EventsKnown
			l.Involved = l.account.Involved
			othersStay = othersStay || l.Involved
			r.reusable.all = append(r.reusable.all, l)
			t.accounts = slices.Delete(t.accounts, i, i+1)
		}
	}
	t.forReuse = nil
	if othersStay {
		r.reusable.companions = append(r.reusable.companions, t)
	}
	return othersStay
}

// reusableOf returns a user of the scenario as a reusable one, false if others cannot use it.
func (t *T) reusableOf(a reuse.User) (reusableUser, bool) {
	if a.App != t.run.config.Target.AppToken {
		return reusableUser{}, false
	}
	l := reusableUser{User: a}
	for _, x := range t.exchanged {
		if x.Endpoint != rules.CreateUser {
			continue
		}
		value, err := x.Value()
		if o, ok := value.(map[string]any); ok && err == nil && Record(o).ID() == a.ID() {
			l.created = x
		} else if sent, err := x.Sent(); err == nil && sharesNames(Record(a.Sent), sent) {
			return reusableUser{}, false // a login of the one may be one of the other
		}
	}
	i := slices.IndexFunc(t.accounts, func(each *accounts.Account) bool { return each.App == a.App && each.ID == a.ID() })
	if i < 0 || l.created == nil {
		return reusableUser{}, false
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

// untouched reports whether nobody has acted on a reusable user, nor it itself.
func (l reusableUser) untouched() bool { return !l.Involved }

// unknownHere reports whether no earlier scenario may have connected a reusable user with one of
// this scenario. The scenario's lock is held.
func (t *T) unknownHere(l reusableUser) bool {
	return !slices.ContainsFunc(t.accounts, func(a *accounts.Account) bool {
		return slices.ContainsFunc(a.UsedBy, func(text string) bool { return slices.Contains(l.account.UsedBy, text) })
	})
}

// takeReusable takes the first such reusable user, false if there is none.
func (t *T) takeReusable(such func(reusableUser) bool) (reusableUser, bool) {
	reusable := &t.run.reusable
	reusable.mu.Lock()
	defer reusable.mu.Unlock()
	t.mu.Lock()
	defer t.mu.Unlock()
	i := slices.IndexFunc(reusable.all, func(l reusableUser) bool { // of a crowd, some may have been deleted
		return such(l) && !l.account.Gone && !l.account.MaybeGone
	})
	if i < 0 {
		return reusableUser{}, false
	}
	l := reusable.all[i]
	reusable.all = slices.Delete(reusable.all, i, i+1)
	t.accounts = append(t.accounts, l.account)
	t.exchanged = append(t.exchanged, l.created)
	if wrote := l.created.Started(); wrote.After(t.wrote) { // a copy may not know the user yet
		t.wrote = wrote
	}
	t.transcript.Borrow(l.created)
	return l, true
}

// reusingActor makes an actor of such a reusable user, nil if there is none.
func (t *T) reusingActor(such func(reusableUser) bool) *Actor {
	l, there := t.takeReusable(such)
	if !there {
		return nil
	}
	a := t.newActor(t.client, l.App, l.Sent)
	a.ID = idIn(Record(l.Answer))
	a.setToken(l.Session)
	return a
}

// reusableForStory takes a reusable user for a drawn story.
func (t *T) reusableForStory() (reuse.User, bool) {
	l, there := t.takeReusable(reusableUser.untouched)
	return l.User, there
}

// meetReusable takes the reusable users who may have events, as whom the scenario can act until it leaves them:
// then others can use them again.
func (t *T) meetReusable() (crowd []reuse.User, leave func()) {
	reusable := &t.run.reusable
	reusable.mu.Lock()
	defer reusable.mu.Unlock()
	t.mu.Lock()
	defer t.mu.Unlock()
	var met []reusableUser
	for _, l := range reusable.all {
		if !l.untouched() {
			met = append(met, l)
			l.Events, l.EventsKnown = l.account.Events, !l.account.EventsUnknown
			crowd = append(crowd, l.User)
			t.accounts = append(t.accounts, l.account)
		}
	}
	reusable.all = slices.DeleteFunc(reusable.all, func(l reusableUser) bool { return !l.untouched() })
	return crowd, func() {
		reusable.mu.Lock()
		defer reusable.mu.Unlock()
		t.mu.Lock()
		defer t.mu.Unlock()
		reusable.all = append(reusable.all, met...)
		t.accounts = slices.DeleteFunc(t.accounts, func(a *accounts.Account) bool {
			return slices.ContainsFunc(met, func(l reusableUser) bool { return l.account == a })
		})
	}
}

// usersToReuse returns the reusable users that a drawn story can use.
func (r *run) usersToReuse() []reuse.User {
	r.reusable.mu.Lock()
	defer r.reusable.mu.Unlock()
	var users []reuse.User
	for _, l := range r.reusable.all {
		if l.untouched() {
			users = append(users, l.User)
		}
	}
	return users
}

// deleteReusable deletes the reusable users that are left, and those that stayed with them.
func (r *run) deleteReusable(ctx context.Context) {
	var left []*T
	for _, l := range r.reusable.all {
		t := newT(ctx, r, &scenario{text: "users that are left over"})
		t.accounts = []*accounts.Account{l.account}
		left = append(left, t)
	}
	r.plays.add(left...)
	byCrew(r.crew, append(left, r.reusable.companions...), func(t *T) { r.cleanUp(ctx, t) })
}
