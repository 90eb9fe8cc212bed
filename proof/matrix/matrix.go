// Package matrix keeps what the judge finds of each fault of the reference server, by seeds: one line a
// fault in matrix.tsv, in the order of their names, so that measurements of several people merge.
//
// A line has the fault's name, its kind, the day on which the measurement of it began, the plain
// runs, one cell a seed, and the deep run, "-" where there was none. A cell reads
// seed=result@endpoint/requests; the result is right (the fault's own rule is blamed, at the
// endpoint of that number in the contract, 0 for none), unstable (it is, but a second try did
// not show it again), missed, or the rule that is blamed instead.
package matrix

import (
	"cmp"
	"maps"
	"slices"
	"time"
)

// The results that are no rule's name.
const (
	Right    = "right"
	Unstable = "unstable"
	Missed   = "missed"
)

// Cell is what one run made of a fault.
type Cell struct {
	Seed     int64
	Result   string // Right, Unstable, Missed, or the first rule that is blamed instead
	Endpoint int    // its number, 0 where there is none
	Requests int    // of the whole run, which a deep one ends at the first failure
}

// Found reports whether anything is blamed.
func (c Cell) Found() bool { return c.Result != Missed }

// Rightly reports whether the fault's own rule is.
func (c Cell) Rightly() bool { return c.Result == Right || c.Result == Unstable }

// Row is what was measured of one fault.
type Row struct {
	Fault string
	Kind  string // Always for a fault that needs no condition
	Since string // the day, as in 2026-11-27
	Plain []Cell // by seed
	Deep  *Cell  // nil where there was no deep run
	For   time.Duration
}

// Always is the kind of the faults that show whenever somebody looks at their rule.
const Always = "always"

// Count returns how many plain runs there were, how many found the fault, and how many rightly.
func (r Row) Count() (runs, found, rightly int) {
	for _, c := range r.Plain {
		if c.Found() {
			found++
		}
		if c.Rightly() {
			rightly++
		}
	}
	return len(r.Plain), found, rightly
}

// tellingRuns is how many runs in all must agree before a fault counts as lost.
const tellingRuns = 7

// Tries returns how many runs in a row have to miss the fault before it is lost: two where five seeds
// found it, more where fewer were tried. It is 0 for a fault that some seed missed, and for one
// that was tried once or never: these may be missed.
func (r Row) Tries() int {
	runs, found, _ := r.Count()
	if runs < 2 || found < runs {
		return 0
	}
	return max(2, tellingRuns-runs)
}

// SameEndpoint reports whether all plain runs that blame the fault's rule name one endpoint.
func (r Row) SameEndpoint() bool {
	seen := map[int]bool{}
	for _, c := range r.Plain {
		if c.Rightly() {
			seen[c.Endpoint] = true
		}
	}
	return len(seen) == 1
}

// Add takes up the cell of a plain run, in the place of an earlier one of the same seed.
func (r *Row) Add(cell Cell) {
	r.Plain = slices.DeleteFunc(r.Plain, func(c Cell) bool { return c.Seed == cell.Seed })
	r.Plain = append(r.Plain, cell)
	slices.SortFunc(r.Plain, func(a, b Cell) int { return cmp.Compare(a.Seed, b.Seed) })
}

// Has reports whether a plain run of the seed was measured.
func (r Row) Has(seed int64) bool {
	return slices.ContainsFunc(r.Plain, func(c Cell) bool { return c.Seed == seed })
}

// Matrix has the rows by the names of the faults.
type Matrix map[string]Row

// Gone lists the rows whose fault is not among the names.
func (m Matrix) Gone(names []string) []string {
	return slices.DeleteFunc(slices.Sorted(maps.Keys(m)), func(name string) bool { return slices.Contains(names, name) })
}
