package store

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// FuzzGramIndex: the index names each user who holds the term.
func FuzzGramIndex(f *testing.F) {
	f.Add("ann", "Ännchen", "nn")
	f.Add("aaaa", "baaab", "aaa")
	f.Add("é\u0301ß", "İstanbul", "ist")
	f.Fuzz(func(t *testing.T, first, second, term string) {
		folded := fold(term)
		wanted := gramsOf(folded)
		if len(wanted) == 0 {
			return
		}
		all := []*User{{ID: blockLength, UserName: first}, {ID: blockLength + 1, LastName: second}, {ID: 2*blockLength - 1, Email: first + term + second}}
		for _, user := range all {
			user.fold()
		}
		named := newGramIndex(all).candidates(wanted, blockLength)
		for _, user := range all {
			if user.holds(folded) && !slices.Contains(named, user.ID) {
				t.Errorf("%q is in user %d, whom the index does not name", term, user.ID)
			}
		}
	})
}

// TestIndexedSearchFindsWhatALinearOneFinds writes while it is indexed and searched, and lets states lag.
func TestIndexedSearchFindsWhatALinearOneFinds(t *testing.T) {
	for _, policy := range []Policy{{}, {Lag: time.Hour}} {
		t.Run(fmt.Sprintf("lag=%s", policy.Lag), func(t *testing.T) {
			s, err := New(policy, time.Now)
			if err != nil {
				t.Fatal(err)
			}
			const app = 1
			random := rand.New(rand.NewPCG(1, 2))
			var wait sync.WaitGroup
			for range 2*blockLength + 100 {
				if _, err := s.CreateUser(app, madeUp(random)); err != nil {
					t.Fatal(err)
				}
			}
			for n := range 2 {
				wait.Go(func() { change(s, app, rand.New(rand.NewPCG(3, uint64(n)))) })
			}
			for range 200 {
				compareSearch(t, s, app, madeUp(random).UserName[:3])
			}
			wait.Wait()
			if policy.Lag > 0 {
				return // the index is of no use to states before it
			}
			for !s.indexed(app) {
				compareSearch(t, s, app, "abc")
			}
			for range 200 {
				compareSearch(t, s, app, madeUp(random).UserName[:3])
			}
			if err := s.Restore(s.State()); err != nil {
				t.Fatal(err)
			}
			compareSearch(t, s, app, "abc")
		})
	}
}

// madeUp is a user with a name of few letters.
func madeUp(random *rand.Rand) User {
	var name strings.Builder
	for range 6 {
		name.WriteByte("abcdE"[random.IntN(5)])
	}
	return User{UserName: name.String()}
}

// change renames and deletes users.
func change(s *Store, app App, random *rand.Rand) {
	for i := range 1500 {
		id := ID(1 + random.IntN(2*blockLength))
		if i%10 == 0 {
			_ = s.DeleteUser(app, id) // it may be gone
			continue
		}
		_, _ = s.UpdateUser(app, id, func(user *User) { user.UserName = madeUp(random).UserName })
	}
}

// compareSearch searches a state by the index and without.
func compareSearch(t *testing.T, s *Store, app App, term string) {
	t.Helper()
	state := s.readLagged()
	ids := func(users []*User) (all []ID) {
		for _, user := range users {
			all = append(all, user.ID)
		}
		return all
	}
	got, want := ids(slices.Collect(s.found(state, app, term))), ids(slices.Collect(state.holders(app, fold(term), 0, state.lastUser)))
	if !slices.Equal(got, want) {
		t.Fatalf("%q: got users %v, want %v", term, got, want)
	}
}

// indexed reports whether all whole blocks have an index.
func (s *Store) indexed(app App) bool {
	state := s.read()
	whole := uint64(state.lastUser+1) / blockLength
	return !slices.ContainsFunc(state.grams.of(app, whole, state.number), func(b gramBlock) bool { return b.index == nil })
}
