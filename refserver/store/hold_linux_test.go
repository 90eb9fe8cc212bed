package store

import (
	"cmp"
	"fmt"
	"runtime"
	"slices"
	"strconv"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// holding is a request that has much to do, and step what it does while it holds
// the writers' lock once.
type holding struct {
	name string
	step func() (more bool, err error)
}

// burdened is a store of 100,000 users, one of whom has n of everything.
type burdened struct {
	b     *testing.B
	store *Store
	ann   ID
	n     int
}

func newBurdened(b *testing.B, n int) *burdened {
	b.Helper()
	s, err := New(Policy{MaxSessions: 1000}, time.Now)
	if err != nil {
		b.Fatal(err)
	}
	x := &burdened{b: b, store: s, n: n}
	const crowd = 100_000
	for i := range crowd {
		ids := map[string]string{"net": strconv.Itoa(i)}
		if i < n {
			ids["same"] = "one"
		}
		_, err := s.CreateUser(1, User{UserName: "namesake", SocialIDs: ids})
		x.check(err)
	}
	ann, err := s.CreateUser(1, User{UserName: "ann"})
	x.check(err)
	x.ann = ann.ID
	for i := range n {
		_, err := s.CreateEvent(1, ann.ID, Event{Verb: "like"})
		x.check(err)
		_, _, err = s.Connect(1, ID(1+i), ann.ID, Follow)
		x.check(err)
		_, _, err = s.OpenSession(1, ann.ID, nil)
		x.check(err)
	}
	return x
}

func (x *burdened) check(err error) {
	if err != nil {
		x.b.Fatal(err)
	}
}

// holdings are in the order in which they can follow each other.
func (x *burdened) holdings() []holding {
	ids, socialIDs := make([]string, x.n), make(map[string]string, x.n)
	for i := range ids {
		ids[i] = strconv.Itoa(i)
		socialIDs[ids[i]] = "x"
	}
	s := x.store
	social := func(platform string, ids []string) func() (bool, error) {
		contacts := NewSocialContacts(platform, ids, Friend)
		return func() (bool, error) {
			done, err := s.ConnectSocialStep(1, x.ann, contacts)
			return !done, err
		}
	}
	once := func(do func() error) func() (bool, error) { return func() (bool, error) { return false, do() } }
	return []holding{
		{"social with n ids", social("net", ids)},
		{"social with an id of n users", social("same", []string{"one"})},
		{"an update with n social ids", once(func() error {
			_, err := s.UpdateUser(1, x.ann, func(user *User) { user.SocialIDs = socialIDs })
			return err
		})},
		{"a login with n social ids", once(func() error {
			_, _, err := s.OpenSession(1, x.ann, nil)
			return err
		})},
		{"the deletion of a user with n of everything", once(func() error { return s.DeleteUser(1, x.ann) })},
		{"making room after it", func() (bool, error) { return s.sweepSome(), nil }},
	}
}

// held is how long a request held the lock: by the clock, and how long it had a
// processor meanwhile.
type held struct{ clock, cpu time.Duration }

// BenchmarkHold reports how long requests hold the writers' lock among 100,000 users,
// while what each asks for doubles: at most, and as a rule. What else runs on the
// machine only adds to what the clock says, so each hold is the shortest of three
// rounds, and the processor's time is told beside it.
func BenchmarkHold(b *testing.B) {
	for _, n := range []int{25_000, 50_000, 100_000} {
		all := make(map[string][]held)
		const rounds = 3
		for range rounds {
			for _, h := range newBurdened(b, n).holdings() {
				all[h.name] = shortest(all[h.name], hold(b, h))
			}
		}
		for name, times := range all {
			b.Run(fmt.Sprintf("%s/%d", name, n), func(b *testing.B) {
				byClock := func(x, y held) int { return cmp.Compare(x.clock, y.clock) }
				slices.SortFunc(times, byClock)
				longestCPU := slices.MaxFunc(times, func(x, y held) int { return cmp.Compare(x.cpu, y.cpu) })
				b.ReportMetric(times[len(times)-1].clock.Seconds()*1000, "longest-ms")
				b.ReportMetric(longestCPU.cpu.Seconds()*1000, "longest-CPU-ms")
				b.ReportMetric(times[len(times)/2].clock.Seconds()*1000, "usual-ms")
				b.ReportMetric(float64(len(times)), "holds")
			})
		}
	}
}

// hold takes all steps, and tells how long each took.
func hold(b *testing.B, h holding) (all []held) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	for more := true; more; {
		began, cpu := time.Now(), threadTime(b)
		var err error
		more, err = h.step()
		all = append(all, held{time.Since(began), threadTime(b) - cpu})
		if err != nil {
			b.Fatal(err)
		}
	}
	return all
}

// shortest is the shorter of each two.
func shortest(known, now []held) []held {
	for i := range min(len(known), len(now)) {
		now[i] = held{min(now[i].clock, known[i].clock), min(now[i].cpu, known[i].cpu)}
	}
	return now
}

// threadTime is how long this thread has had a processor.
func threadTime(b *testing.B) time.Duration {
	var now unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &now); err != nil {
		b.Fatal(err)
	}
	return time.Duration(now.Nano())
}
