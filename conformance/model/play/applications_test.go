package play

import (
	"math/rand/v2"
	"testing"

	"github.com/socialfeed/conform/conformance/model/blame"
	"github.com/socialfeed/conform/conformance/model/draw"
	"github.com/socialfeed/conform/conformance/model/story"
)

// pairOfDialects are those of a target's two applications, which may differ.
func pairOfDialects(seed uint64) (one, other dialect) {
	r := rand.New(rand.NewPCG(seed, 2))
	if one = randomDialect(r); seed%3 > 0 {
		return one, one
	}
	return one, randomDialect(r)
}

func playedOnPair(t *testing.T, p *fakePair, s story.Story) *Outcome {
	t.Helper()
	o, err := pairPlayer(p).Play(t.Context(), s)
	if err != nil {
		t.Fatalf("%s: %v", s.Name, err)
	}
	return o
}

func pairPlayer(p *fakePair) *Player {
	return NewPlayer(p, Options{Choices: p.apps[0].dialect.choices(), SecondChoices: p.apps[1].dialect.choices(), Pause: noPause})
}

// TestFaultsOfEachAreTheirOwn has each application of a target, or only one, break a rule by
// itself: stories of two applications must blame that rule, not isolation.
func TestFaultsOfEachAreTheirOwn(t *testing.T) {
	for fault, want := range map[string]string{
		"an update goes back in time":                 "users.me.update.updated-at",
		"deleted users log in":                        "sessions.deleted-user",
		"logout keeps the session when there are two": "sessions.logout.destroys",
	} {
		for name, broken := range map[string][]int{"both": {0, 1}, "the second": {1}} {
			t.Run(fault+" in "+name, func(t *testing.T) {
				found := 0
				for _, s := range draw.Applications(7) {
					p := newFakePair(dialect{}, dialect{}, "").withOwnIDs()
					for _, i := range broken {
						p.apps[i].fault = fault
					}
					for _, d := range playedOnPair(t, p, s).Differences {
						const times, plays = 2, 60
						f, err := pairPlayer(p).Confirm(t.Context(), s, d, times, plays)
						if err != nil {
							t.Fatal(err)
						}
						if found++; f.Rule != want {
							t.Errorf("story %s, %s: blamed on %s, by %s", s.Name, d, f.Rule, f.Story)
						}
					}
				}
				if found == 0 {
					t.Error("no story finds it")
				}
			})
		}
	}
}

// TestApplicationsMayBeKnownToOneAnother has applications affect one another in ways that the
// contract leaves open.
func TestApplicationsMayBeKnownToOneAnother(t *testing.T) {
	for _, choice := range []string{"names are unique everywhere", "sessions of deleted users are not found"} {
		for _, s := range draw.Applications(7) {
			p := newFakePair(dialect{}, dialect{}, choice).withOwnIDs()
			if found := playedOnPair(t, p, s).Differences; len(found) > 0 {
				t.Errorf("%s: story %s is blamed: %s", choice, s.Name, found)
			}
		}
	}
}

// TestMixedApplicationsAreBlamed breaks the isolation of applications in one way at a time: it
// must be found and blamed on isolation alone.
func TestMixedApplicationsAreBlamed(t *testing.T) {
	if testing.Short() {
		t.Skip("one goroutine, and slow with the race detector: it runs without it")
	}
	for _, fault := range []string{"sessions work everywhere", "sessions read feeds everywhere", "who logs in here may log in there", "users are shown everywhere",
		"followers are listed everywhere", "a search by a whole name finds everywhere", "an update changes the namesake",
		"a deletion takes the namesake along", "events are changed from everywhere", "an end ends a namesake's follow", "social ids connect to everywhere", "a namesake's feed is kept"} {
		t.Run(fault, func(t *testing.T) {
			found := false
			for _, s := range draw.Applications(7) {
				p := newFakePair(dialect{}, dialect{}, fault).withOwnIDs()
				for _, d := range playedOnPair(t, p, s).Differences {
					const times, plays = 3, 80
					f, err := pairPlayer(p).Confirm(t.Context(), s, d, times, plays)
					if err != nil {
						t.Fatal(err)
					}
					if found = true; f.Rule != blame.Isolation || !f.Stable {
						t.Errorf("story %s: %s, stable %v: %s", s.Name, f.Difference, f.Stable, f.Story)
					}
					t.Logf("%s as %s by %s", f.Difference, d.Rule, f.Story)
				}
			}
			if !found {
				t.Error("no story finds it")
			}
		})
	}
}
