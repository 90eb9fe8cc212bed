package sourcemutants

import (
	"fmt"
	"strings"
)

// Tally counts what became of mutants.
type Tally struct {
	Fates   map[Fate]int
	Deep    int // of the killed, those that drawn stories found
	Classes map[Class]int
}

// Counted is how many mutants break the contract as far as is known: those that are killed, and
// those that should be.
func (t Tally) Counted() int { return t.Fates[Killed] + t.NoVerdict() + t.Missed() }

// NoVerdict counts runs that were neither green nor blamed anything.
func (t Tally) NoVerdict() int { return t.Fates[Undecided] + t.Fates[TimedOut] }

// Missed counts misses among the green runs, and what nobody has classified.
func (t Tally) Missed() int { return t.Classes[Miss] + t.Classes[Unclassified] }

// Rate is killed of counted, in percent.
func (t Tally) Rate() string {
	if t.Counted() == 0 {
		return "-"
	}
	return fmt.Sprintf("%.1f %%", 100*float64(t.Fates[Killed])/float64(t.Counted()))
}

func newTally() Tally { return Tally{Fates: map[Fate]int{}, Classes: map[Class]int{}} }

// add counts one outcome. What is broken is no server; what survived has a class.
func (t *Tally) add(o Outcome, classes map[string]Class) {
	t.Fates[o.Fate]++
	switch {
	case o.Fate == Killed && o.Deep > 0:
		t.Deep++
	case o.Fate == Survived:
		t.Classes[classes[o.Key()]]++
	}
}

// Table shows tallies by kind, and over all, as Markdown.
func Table(outcomes []Outcome, classes map[string]Class) string {
	byKind, all := map[Kind]Tally{}, newTally()
	for _, o := range outcomes {
		tally, ok := byKind[o.Kind]
		if !ok {
			tally = newTally()
		}
		tally.add(o, classes)
		byKind[o.Kind] = tally
		all.add(o, classes)
	}
	var b strings.Builder
	b.WriteString("| kind | killed | by deep alone | no verdict | missed | rate | equivalent | internal | lawful | unreachable | unclassified | broken |\n")
	b.WriteString("|---|---|---|---|---|---|---|---|---|---|---|---|\n")
	for _, kind := range Kinds() {
		if tally, ok := byKind[kind]; ok {
			b.WriteString(tally.line(string(kind)))
		}
	}
	b.WriteString(all.line("all"))
	return b.String()
}

func (t Tally) line(name string) string {
	return fmt.Sprintf("| %s | %d | %d | %d | %d | %s | %d | %d | %d | %d | %d | %d |\n", name, t.Fates[Killed], t.Deep, t.NoVerdict(), t.Missed(), t.Rate(),
		t.Classes[Equivalent], t.Classes[Internal], t.Classes[Lawful], t.Classes[Unreachable], t.Classes[Unclassified], t.Fates[Broken])
}
