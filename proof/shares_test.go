package proof_test

import (
	"fmt"
	"hash/fnv"
	"os"
	"os/exec"
	"slices"
	"testing"

	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/refserver/faults"
)

// answer is what a column of the table says of a fault: blank where it was not asked.
type answer string

const (
	yes answer = "yes"
	no  answer = "NO"
)

func verdictOf(holds bool) answer {
	if holds {
		return yes
	}
	return no
}

// shares are the faults whose turn it is. Where PROOF_TURN, a number, says whose, one in
// a few is judged, so that as many turns in a row judge all; without it all are. Of those
// that are judged, fewer are seen to have a stable outcome and a reproduction that tells.
// PROOF_SHARE=all takes them all, PROOF_SHARE=stable or PROOF_SHARE=reproduced all for one
// of the two. PROOF_QUICK takes none of either, unless PROOF_SHARE asks for some.
type shares struct {
	all     string
	turn    int
	turns   bool // PROOF_TURN is given
	scripts bool // there is what reproductions need
	quick   bool // what is blamed is all that is asked
}

// One in so many faults has its turn.
const (
	oneInJudged     = 8
	oneInRepeated   = 40
	oneInReproduced = 10
)

func sharesOf(t *testing.T) shares {
	s := shares{all: os.Getenv("PROOF_SHARE"), turn: fromEnvironment(t, "PROOF_TURN", 0), turns: os.Getenv("PROOF_TURN") != "", scripts: true}
	if s.quick = os.Getenv("PROOF_QUICK") != "" && s.all == ""; s.quick {
		t.Log("PROOF_QUICK: none is judged nine times, and no reproduction is tried")
	}
	for _, tool := range []string{"sh", "curl", "jq"} {
		if _, err := exec.LookPath(tool); err != nil {
			s.scripts = false
			t.Logf("there is no %s: no reproduction is tried", tool)
		}
	}
	return s
}

func hashOf(text string) uint32 {
	h := fnv.New32a()
	h.Write([]byte(text))
	return h.Sum32()
}

func (s shares) takes(f faults.Fault, kind string, turn int, oneIn uint32) bool {
	return s.all == "all" || s.all == kind || s.all == "" && (hashOf(kind+f.Name)+uint32(turn))%oneIn == 0
}

func (s shares) judged(f faults.Fault) bool {
	return !s.turns || s.takes(f, "judged", s.turn, oneInJudged)
}

// round is how often all faults have been judged: a fault that is judged in every round has its
// turn for more in one of them.
func (s shares) round() int { return s.turn / oneInJudged }

func (s shares) repeated(f faults.Fault) bool {
	return !s.quick && !rates(f) && s.takes(f, "stable", s.round(), oneInRepeated)
}

func (s shares) reproduced(f faults.Fault) bool {
	return !s.quick && s.scripts && unreproduced(f) == "" && s.takes(f, "reproduced", s.round(), oneInReproduced)
}

// wandering judges a server under further seeds and numbers of jobs, and lists the
// rules that do not come out as they did in the given report.
func (j *judges) wandering(o order, report *result.Report) ([]string, error) {
	var found []string
	first, given := statuses(report), o.Seed
	for _, seed := range []int64{1, 2, 3} {
		for _, jobs := range []int{1, 3, 8} {
			if seed == given && jobs == 8 {
				continue // which is the given report's
			}
			o.Seed, o.Jobs, o.Reproduce = seed, jobs, ""
			again, err := j.judged(o)
			if err != nil {
				return nil, err
			}
			for rule, status := range statuses(again) {
				if first[rule] != status {
					found = append(found, fmt.Sprintf("%s is %s under seed %d and 8 jobs, and %s under seed %d and %d jobs", rule, first[rule], given, status, seed, jobs))
				}
			}
		}
	}
	slices.Sort(found)
	return found, nil
}

func statuses(report *result.Report) map[string]result.Status {
	all := map[string]result.Status{}
	for _, rule := range report.Rules {
		all[rule.ID] = rule.Status
	}
	return all
}

// decided reports whether every broken check of a rule names the exchange that
// decided it.
func decided(rule result.Rule) bool {
	return !slices.ContainsFunc(rule.Checks, func(c result.Check) bool {
		return (c.Status == result.Fail || c.Status == result.Warn) && (c.Deciding == nil || c.Decisive() == nil)
	})
}

// addedUp is the table in one line.
func addedUp(rows []row) string {
	tried, reproduced, repeated, unstable, shown, twice := 0, 0, 0, 0, 0, 0
	for _, r := range rows {
		if len(r.once) > 0 {
			twice++
		}
		if r.stable != "" {
			repeated++
		}
		if r.stable == no {
			unstable++
		}
		if r.shown == yes {
			shown++
		}
		if r.reproduction.Tried {
			tried++
		}
		if r.reproduction.tells() {
			reproduced++
		}
	}
	return fmt.Sprintf("%d faults: %d show what decided; %d showed a problem at the first of two times alone; of %d judged nine times %d were unstable; of %d told again %d by a script that fails with the fault and passes without",
		len(rows), shown, twice, repeated, unstable, tried, reproduced)
}

// enoughProven sees that few faults come out otherwise from run to run, and that most
// are shown again by a script. Which faults are tried changes with the commit: a
// handful says too little, but that a fault which is tried alone has no problem at all.
func enoughProven(t *testing.T, rows []row) {
	t.Helper()
	const enough, mostTwice, mostUnstable, fewestReproduced = 10, 0.02, 0.1, 0.75
	part := func(of, is func(row) bool) (share float64, tried int) {
		found := 0
		for _, r := range rows {
			if of(r) {
				tried++
				if is(r) {
					found++
				}
			}
		}
		return float64(found) / float64(max(tried, 1)), tried
	}
	if share, tried := part(func(row) bool { return true }, func(r row) bool { return len(r.once) > 0 }); share > mostTwice {
		t.Errorf("%.0f %% of %d faults show a problem at one of two times", 100*share, tried)
	}
	repeated := func(r row) bool { return r.stable != "" }
	if share, tried := part(repeated, func(r row) bool { return r.stable == no }); tried >= enough && share > mostUnstable {
		t.Errorf("%.0f %% of %d faults come out otherwise from run to run", 100*share, tried)
	}
	retold := func(r row) bool { return r.reproduction.Tried }
	if share, tried := part(retold, func(r row) bool { return r.reproduction.tells() }); tried >= enough && share < fewestReproduced {
		t.Errorf("%.0f %% of %d faults are shown again by their scripts", 100*share, tried)
	}
}

// TestEveryFaultHasItsTurn: in as many turns as there are shares of shares, each fault is judged
// once for each kind of look, but for those that a kind leaves out.
func TestEveryFaultHasItsTurn(t *testing.T) {
	for kind, look := range map[string]struct {
		oneIn int
		takes func(shares, faults.Fault) bool
		out   func(faults.Fault) bool
	}{
		"stable":     {oneInRepeated, shares.repeated, rates},
		"reproduced": {oneInReproduced, shares.reproduced, func(f faults.Fault) bool { return unreproduced(f) != "" }},
	} {
		for _, f := range faults.All() {
			times, want := 0, 1
			if look.out(f) {
				want = 0
			}
			for turn := range oneInJudged * look.oneIn {
				if s := (shares{turn: turn, turns: true, scripts: true}); s.judged(f) && look.takes(s, f) {
					times++
				}
			}
			if times != want {
				t.Errorf("%s has its turn to be %s %d times, want %d", f.Name, kind, times, want)
			}
		}
	}
}
