package conformance_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	. "github.com/socialfeed/conform/conformance"
)

// suiteOf is a suite of several scenarios, with rules of all kinds of outcomes,
// that takes down the order in which they are played.
func suiteOf(played func(string)) func(*Suite) {
	return func(s *Suite) {
		for i, rule := range []string{"users.me.get", "users.get.other", "users.create.status", "users.create.body", "users.create.echo", "users.create.enabled", "feed.status", "feed.empty"} {
			s.Scenario("judges "+rule, Judges(rule), func(t *Trial) {
				played(rule)
				a := t.Actor()
				t.Judge(rule, func(c *Check) {
					c.Status(t.Send(a, GetMe), OneOf(200))
					c.True(i%3 != 0, "not the third", "the third")
				})
			})
		}
		s.ScenarioAlone("stands alone", Judges("versions.status"), func(t *Trial) {
			played("alone")
			t.Judge("versions.status", func(c *Check) { c.Status(t.Send(Nobody{}, Versions), OneOf(200)) })
		})
		s.Scenario("judges two", Judges("versions.shape", "versions.current"), func(t *Trial) {
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
		config.Seed = seed
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
func checksIn(report *Report) []string {
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

func TestShardsAddUpToTheWhole(t *testing.T) {
	f := newFake(t)
	var mu sync.Mutex
	var played []string
	register := suiteOf(func(name string) { mu.Lock(); defer mu.Unlock(); played = append(played, name) })
	whole := judged(t, f.config(), register)
	for _, processes := range []int{2, 5, 12} {
		played = nil
		judge := newJudge(t, f.config(), register)
		report, err := judge.RunIn(t.Context(), processes, func(ctx context.Context, part Part) (Result, error) {
			return judge.Play(ctx, part), nil
		})
		if err != nil {
			t.Fatal(err)
		}
		if got, want := checksIn(report), checksIn(whole); !slices.Equal(got, want) {
			t.Errorf("%d processes judge\n%s\nwant\n%s", processes, strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
		if report.Verdict != whole.Verdict || len(played) != 10 || played[9] != "alone" {
			t.Errorf("%d processes come to %s and play %v", processes, report.Verdict, played)
		}
		slices.Sort(played)
		if len(slices.Compact(played)) != 10 {
			t.Errorf("%d processes play a scenario twice", processes)
		}
	}
}

// The shards of several machines together judge what one machine judges, and
// none misses what is another's.
func TestShardsOfMachinesAddUpToTheWhole(t *testing.T) {
	f := newFake(t)
	whole := judged(t, f.config(), suiteOf(func(string) {}))
	played := map[string]int{}
	active := map[string]Status{}
	for index := 1; index <= 3; index++ {
		config := f.config()
		config.Shard = Shard{Index: index, Of: 3}
		judge := newJudge(t, config, suiteOf(func(name string) { played[name]++ }))
		report, err := judge.RunIn(t.Context(), 2, func(ctx context.Context, part Part) (Result, error) { return judge.Play(ctx, part), nil })
		if err != nil {
			t.Fatal(err)
		}
		for _, rule := range report.Rules {
			if len(rule.Checks) > 0 && rule.Checks[0].Scenario != "" && rule.Status != Skipped {
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
	var last Progress
	for _, p := range told {
		if p.Of == 9 {
			last = p
		}
	}
	if last.Done != 9 || last.Failed != 3 || !last.WaitingToHold {
		t.Errorf("told last of %+v", last)
	}
}

func TestAProcessThatBreaksLeavesAReport(t *testing.T) {
	f := newFake(t)
	judge := newJudge(t, f.config(), suiteOf(func(string) {}))
	report, err := judge.RunIn(t.Context(), 2, func(ctx context.Context, part Part) (Result, error) {
		if part.Shard.Index == 2 {
			return Result{}, fmt.Errorf("killed")
		}
		return judge.Play(ctx, part), nil
	})
	if err == nil || !strings.Contains(err.Error(), "killed") {
		t.Errorf("the error is %v", err)
	}
	if report == nil || report.Verdict != NonConformant || !strings.Contains(strings.Join(report.Notes, "\n"), "killed") {
		t.Errorf("the report is %+v", report)
	}
}

func TestScenariosThatDoNotFitAreRefused(t *testing.T) {
	f := newFake(t)
	nothing := func(*Trial) {}
	for complaint, register := range map[string]func(*Suite){
		"users.me.gett, which the catalogue does not have": func(s *Suite) { s.Scenario("a", Judges("users.me.gett"), nothing) },
		"users.types, which is passive":                    func(s *Suite) { s.Scenario("a", Judges("users.types"), nothing) },
		"where the catalogue does not book it":             func(s *Suite) { s.Scenario("a", JudgesAt(Feed, "users.me.get"), nothing) },
		`two scenarios are called "a"`: func(s *Suite) {
			s.Scenario("a", Judges("users.me.get"), nothing)
			s.Scenario("a", Judges("feed.status"), nothing)
		},
	} {
		if _, err := New(f.config(), register); err == nil || !strings.Contains(err.Error(), complaint) {
			t.Errorf("got %v, want %q", err, complaint)
		}
	}
}
