package store

import (
	"runtime"
	"strconv"
	"syscall"
	"testing"
	"time"
)

// threadTime is how long this thread has had a processor: unlike the time of day,
// what else runs on the machine does not add to it.
func threadTime(b *testing.B) time.Duration {
	const thisThread = 1
	var usage syscall.Rusage
	if err := syscall.Getrusage(thisThread, &usage); err != nil {
		b.Fatal(err)
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

// BenchmarkLongestHold reports how long the transactions that have most to do hold
// the writers' lock, at most, among 100,000 users.
func BenchmarkLongestHold(b *testing.B) {
	const crowd, most = 100_000, 100_000
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	s, err := New(Policy{MaxSessions: 1000}, time.Now)
	if err != nil {
		b.Fatal(err)
	}
	check := func(err error) {
		if err != nil {
			b.Fatal(err)
		}
	}
	var ids []string
	socialIDs := make(map[string]string)
	for i := range crowd {
		id := strconv.Itoa(i)
		ids, socialIDs[id] = append(ids, id), "x"
		_, err := s.CreateUser(1, User{UserName: "namesake", SocialIDs: map[string]string{"net": id, "same": "one"}})
		check(err)
	}
	ann, err := s.CreateUser(1, User{UserName: "ann"})
	check(err)
	for i := range most {
		_, err := s.CreateEvent(1, ann.ID, Event{Verb: "like"})
		check(err)
		_, _, err = s.Connect(1, ID(1+i), ann.ID, Follow)
		check(err)
		_, _, err = s.OpenSession(1, ann.ID, nil)
		check(err)
	}
	steps := func(platform string) func() (bool, error) {
		contacts := NewSocialContacts(platform, append(ids, "one"), Friend)
		return func() (bool, error) {
			done, err := s.ConnectSocialStep(1, ann.ID, contacts)
			return !done, err
		}
	}
	once := func(do func() error) func() (bool, error) { return func() (bool, error) { return false, do() } }
	for _, c := range []struct {
		name string
		step func() (more bool, err error)
	}{
		{"social with 100,000 ids", steps("net")},
		{"social with an id of 100,000 users", steps("same")},
		{"an update with 100,000 social ids", once(func() error {
			_, err := s.UpdateUser(1, ann.ID, func(user *User) { user.SocialIDs = socialIDs })
			return err
		})},
		{"a login with 100,000 social ids", once(func() error {
			_, _, err := s.OpenSession(1, ann.ID, nil)
			return err
		})},
		{"the deletion of the user with most of everything", once(func() error { return s.DeleteUser(1, ann.ID) })},
		{"making room after it", s.sweepSome},
	} {
		b.Run(c.name, func(b *testing.B) {
			runtime.LockOSThread()
			defer runtime.UnlockOSThread()
			longest, steps := time.Duration(0), 0
			for more := true; more && b.N == 1; steps++ {
				began := threadTime(b)
				var err error
				more, err = c.step()
				longest = max(longest, threadTime(b)-began)
				check(err)
			}
			b.ReportMetric(float64(longest.Microseconds())/1000, "longest-hold-ms")
			b.ReportMetric(float64(steps), "steps")
		})
	}
}
