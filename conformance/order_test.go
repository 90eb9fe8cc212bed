package conformance_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/onsi/ginkgo/v2/formatter"
	. "github.com/socialfeed/conform/conformance"
	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/conformance/rules"
)

// suiteOf is a suite of several scenarios, with rules of all kinds of outcomes,
// that takes down the order in which they are played.
func suiteOf(played func(string)) func(*Suite) {
	return func(s *Suite) {
		for i, rule := range []string{"users.me.get", "users.get.other", "users.create.status", "users.create.body", "users.create.echo", "users.create.enabled", "feed.status", "feed.empty"} {
			s.Scenario("judges "+rule, Covers(rule), func(t *T) {
				played(rule)
				a := t.Actor()
				t.Judge(rule, func(c *Check) {
					c.Status(t.Send(a, rules.GetMe), OneOf(200))
					c.True(i%3 != 0, "not the third", "the third")
				})
			})
		}
		s.ScenarioAlone("stands alone", Covers("versions.status"), func(t *T) {
			played("alone")
			t.Judge("versions.status", func(c *Check) { c.Status(t.Send(Anonymous{}, rules.Versions), OneOf(200)) })
		})
		s.Scenario("judges two", Covers("versions.shape", "versions.current"), func(t *T) {
			played("two")
			t.Judge("versions.shape", func(*Check) {})
			t.Judge("versions.current", func(*Check) {})
		})
	}
}

func TestTheSeedDecidesTheOrder(t *testing.T) {
	order := func(seed int64) string {
		var played []string
		f := newFake(t)
		config := f.config()
		config.Seed, config.Jobs = seed, 1
		report := judged(t, config, suiteOf(func(name string) { played = append(played, name) }))
		if report.Seed != seed {
			t.Errorf("the report says seed %d, it was %d", report.Seed, seed)
		}
		if len(played) != 10 || played[9] != "alone" {
			t.Errorf("played %v, want ten with the lone one last", played)
		}
		return strings.Join(played, " ")
	}
	first := order(1)
	if again := order(1); again != first {
		t.Errorf("seed 1 gives once %s, then %s", first, again)
	}
	if second, third := order(2), order(3); first == second && second == third {
		t.Errorf("three seeds give one order: %s", first)
	}
}

// checksIn is what a report judged, in a form that compares.
func checksIn(report *result.Report) []string {
	var all []string
	for _, rule := range report.Rules {
		for _, check := range rule.Checks {
			message, _, _ := strings.Cut(check.Message, " (") // how often depends on nothing but the whole
			if check.Scenario == "" {
				message = ""
			}
			all = append(all, fmt.Sprint(rule.ID, "|", check.Endpoint, "|", check.Scenario, "|", check.Status, "|", message))
		}
	}
	return all
}

// TestTheLongestRecheckedComesFirst has the scenarios with rechecks before the others, and of them
// the one that judges most first, whatever the seed: the hold time runs from its end.
func TestTheLongestRecheckedComesFirst(t *testing.T) {
	for seed := range int64(5) {
		var played []string
		f := newFake(t)
		config := f.config()
		config.Seed, config.Jobs = seed, 1
		config.Selection.Rules = []string{"users.me.get", "versions.*"} // so that no story is drawn
		judged(t, config, func(s *Suite) {
			passing := func(rules ...string) func(*T) {
				return func(t *T) {
					played = append(played, rules[0])
					for _, rule := range rules {
						t.Judge(rule, func(*Check) {})
					}
				}
			}
			s.Scenario("without a recheck", Covers("versions.shape"), passing("versions.shape"))
			s.ScenarioWithRecheck("short", Covers("versions.status"), passing("versions.status"))
			s.ScenarioWithRecheck("long", Covers("users.me.get", "versions.current"), passing("users.me.get", "versions.current"))
		})
		if got := strings.Join(played, " "); got != "users.me.get versions.status versions.shape" {
			t.Errorf("seed %d: %s", seed, got)
		}
	}
}

func TestJobsAddUpToTheWhole(t *testing.T) {
	f := newFake(t)
	var mu sync.Mutex
	var played []string
	register := suiteOf(func(name string) { mu.Lock(); defer mu.Unlock(); played = append(played, name) })
	config := f.config()
	config.Jobs = 1
	whole := judged(t, config, register)
	for _, jobs := range []int{2, 5, 12} {
		played = nil
		config.Jobs = jobs
		report := judged(t, config, register)
		if got, want := checksIn(report), checksIn(whole); !slices.Equal(got, want) {
			t.Errorf("%d jobs judge\n%s\nwant\n%s", jobs, strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
		if report.Verdict != whole.Verdict || len(played) != 10 || played[9] != "alone" {
			t.Errorf("%d jobs come to %s and play %v", jobs, report.Verdict, played)
		}
		slices.Sort(played)
		if len(slices.Compact(played)) != 10 {
			t.Errorf("%d jobs play a scenario twice", jobs)
		}
	}
}

// The shards of several machines together judge what one machine judges, and
// none misses what is another's.
func TestShardsOfMachinesAddUpToTheWhole(t *testing.T) {
	f := newFake(t)
	whole := judged(t, f.config(), suiteOf(func(string) {}))
	var mu sync.Mutex
	played := map[string]int{}
	active := map[string]result.Status{}
	for index := 1; index <= 3; index++ {
		config := f.config()
		config.Shard = Shard{Index: index, Of: 3}
		report := judged(t, config, suiteOf(func(name string) { mu.Lock(); defer mu.Unlock(); played[name]++ }))
		for _, rule := range report.Rules {
			if len(rule.Checks) > 0 && rule.Checks[0].Scenario != "" && rule.Status != result.Skipped {
				active[rule.ID] = rule.Status
			}
		}
	}
	for _, rule := range whole.Rules {
		if len(rule.Checks) > 0 && rule.Checks[0].Scenario != "" && active[rule.ID] != rule.Status {
			t.Errorf("%s is %s as a whole and %q in shards", rule.ID, rule.Status, active[rule.ID])
		}
	}
	delete(played, "alone")
	if len(played) != 9 {
		t.Errorf("played %v", played)
	}
	for name, n := range played {
		if n != 1 {
			t.Errorf("%s is played %d times", name, n)
		}
	}
}

func TestProgressIsTold(t *testing.T) {
	f := newFake(t)
	var mu sync.Mutex
	var told []Progress
	config := f.config()
	config.Progress = func(p Progress) { mu.Lock(); defer mu.Unlock(); told = append(told, p) }
	judged(t, config, suiteOf(func(string) {}))
	if last := told[len(told)-1]; last.Of != 10 || last.Done != 10 || last.Failed != 3 {
		t.Errorf("told last of %+v", last)
	}
	if !slices.ContainsFunc(told, func(p Progress) bool { return p.WaitingToHold }) {
		t.Error("the wait before deletions are re-checked is not reported")
	}
}

func TestScenariosThatDoNotFitAreRefused(t *testing.T) {
	f := newFake(t)
	nothing := func(*T) {}
	for complaint, register := range map[string]func(*Suite){
		`what scenario "a" covers: there is no rule "users.me.gett"; did you mean users.me.get?`: func(s *Suite) { s.Scenario("a", Covers("users.me.gett"), nothing) },
		"users.types, which is passive":        func(s *Suite) { s.Scenario("a", Covers("users.types"), nothing) },
		"where the catalogue does not list it": func(s *Suite) { s.Scenario("a", CoversAt(rules.Feed, "users.me.get"), nothing) },
		`two scenarios are called "a"`: func(s *Suite) {
			s.Scenario("a", Covers("users.me.get"), nothing)
			s.Scenario("a", Covers("feed.status"), nothing)
		},
	} {
		if _, err := New(f.config(), register); err == nil || !strings.Contains(err.Error(), complaint) {
			t.Errorf("got %v, want %q", err, complaint)
		}
	}
}

// TestASeedBelowZeroIsASeed plays a scenario that takes awkward values, which the seed chooses.
func TestASeedBelowZeroIsASeed(t *testing.T) {
	f := newFake(t)
	for _, seed := range []int64{-1, -10_001, math.MinInt64} {
		config := f.config("users.me.get")
		config.Seed = seed
		report := judged(t, config, func(s *Suite) {
			s.Scenario("awkward values", Covers("users.me.get"), func(t *T) {
				texts := []string{t.Awkward(), t.NameWord(), t.NamePhrase(), t.CustomID()}
				t.Actor().Post(nil)
				t.Judge("users.me.get", func(c *Check) { c.True(!slices.Contains(texts, ""), "texts", "none") })
			})
		})
		expectRule(t, report, "users.me.get", result.Pass, "")
	}
}

// TestGinkgoSpeaksAgainAfterARun sees that a run silences Ginkgo for itself alone.
func TestGinkgoSpeaksAgainAfterARun(t *testing.T) {
	before := formatter.ColorableStdOut
	f := newFake(t)
	judged(t, f.config("users.me.get"), suiteOf(func(string) {}))
	if formatter.ColorableStdOut != before {
		t.Error("Ginkgo's output is not what it was")
	}
}
