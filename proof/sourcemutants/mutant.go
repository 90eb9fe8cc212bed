package sourcemutants

import (
	"cmp"
	"fmt"
	"hash/fnv"
	"slices"
	"strings"
)

// Kind is the operator that made a mutant.
type Kind string

const (
	Relational Kind = "relational" // < becomes <=, == becomes !=
	Boolean    Kind = "boolean"    // && becomes ||, a condition becomes true, false or its opposite
	Arithmetic Kind = "arithmetic" // + becomes -, a concatenation loses an operand
	Constant   Kind = "constant"   // a number one off, a duration doubled, another value of an enumeration
	String     Kind = "string"     // a text blank or altered
	Status     Kind = "status"     // another HTTP status
	Statement  Kind = "statement"  // a statement left out
	Case       Kind = "case"       // a case of a switch that does nothing
	Loop       Kind = "loop"       // a loop that ends after its first round
	Return     Kind = "return"     // a zero value, or the opposite, returned
	Slice      Kind = "slice"      // a bound of a slice left out or one off
	Sort       Kind = "sort"       // an order turned around
	Call       Kind = "call"       // a call replaced by its argument, two arguments swapped
	Field      Kind = "field"      // a field not set, or read in the place of another
)

// Kinds lists the operators in the order of the tables.
func Kinds() []Kind {
	return []Kind{Relational, Boolean, Arithmetic, Constant, String, Status, Statement, Case, Loop, Return, Slice, Sort, Call, Field}
}

// Mutant is one small change of the reference server's source.
type Mutant struct {
	Number        int // chooses it in the program; another one after each edit of the source
	Kind          Kind
	File          string // from the root of the module
	Function      string // with its receiver's type: "Server.createUser"
	Line          int
	Before, After string // the text that is changed, on one line
	Ordinal       int    // among the mutants of the function that are alike, from 1
}

// Key names a mutant in a way that edits elsewhere in the source do not change.
func (m Mutant) Key() string {
	key := fmt.Sprintf("%s %s %s: %s → %s", m.File, m.Function, m.Kind, m.Before, m.After)
	if m.Ordinal > 1 {
		key += fmt.Sprintf(" #%d", m.Ordinal)
	}
	return key
}

// Sample draws n mutants by a seed, or all where there are fewer. Which ones are drawn depends
// on their keys alone: a mutant keeps its place when others come and go.
func Sample(all []Mutant, seed int64, n int) []Mutant {
	place := func(m Mutant) uint64 {
		h := fnv.New64a()
		fmt.Fprintf(h, "%d %s", seed, m.Key())
		return scramble(h.Sum64())
	}
	drawn := slices.Clone(all)
	slices.SortFunc(drawn, func(a, b Mutant) int {
		return cmp.Or(cmp.Compare(place(a), place(b)), cmp.Compare(a.Key(), b.Key()))
	})
	return drawn[:min(n, len(drawn))]
}

// scramble spreads hashes of similar texts over all numbers (the finalizer of MurmurHash3).
func scramble(x uint64) uint64 {
	x = (x ^ x>>33) * 0xff51afd7ed558ccd
	x = (x ^ x>>33) * 0xc4ceb9fe1a85ec53
	return x ^ x>>33
}

// oneLine is source text as keys show it: blanks made single, and long texts cut.
func oneLine(text string) string {
	const most = 100
	runes := []rune(strings.Join(strings.Fields(text), " "))
	if len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return string(runes)
}

// numbered gives mutants their numbers and ordinals, in the order of the source.
func numbered(all []*Mutant) {
	alike := map[string]int{}
	for i, m := range all {
		m.Number, m.Ordinal = i+1, 1
		key := m.Key()
		alike[key]++
		m.Ordinal = alike[key]
	}
}
