package proof_test

import (
	"cmp"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/socialfeed/conform/proof/matrix"
	"github.com/socialfeed/conform/refserver/faults"
	"golang.org/x/sync/errgroup"
)

// TestMatrixIsRenewed measures what the matrix lacks, which make matrix asks for: of each fault plain runs by
// the seeds 1 to MATRIX_SEEDS, and a deep run of MATRIX_DEEP, a duration, where one is given. What was
// measured is kept at once, so that an interrupted measurement goes on where it was. Rows that were begun
// before MATRIX_SINCE, a day, are measured anew.
//
// MATRIX_FAULT, a pattern over names, and MATRIX_KIND, kinds with commas between them, narrow the
// measurement; MATRIX_SHARE=i/n takes the i-th of n parts; MATRIX_AT_ONCE says how many servers
// are judged at once.
func TestMatrixIsRenewed(t *testing.T) {
	if os.Getenv("MATRIX_SEEDS") == "" {
		t.Skip("a measurement of hours: make matrix asks for it")
	}
	m := &measurement{path: matrixFile, seeds: fromEnvironment(t, "MATRIX_SEEDS", 0), since: os.Getenv("MATRIX_SINCE"), today: time.Now().Format(time.DateOnly)}
	var err error
	m.deep, err = time.ParseDuration(cmp.Or(os.Getenv("MATRIX_DEEP"), "0s"))
	must(t, err)
	m.rows, err = matrix.Read(m.path)
	must(t, err)
	m.judges = startJudges(t, fromEnvironment(t, "MATRIX_AT_ONCE", sideBySide))
	chosen := asked(t)
	for seed := range m.seeds { // an interrupted measurement has as much of each fault
		must(t, m.each(chosen, func(f faults.Fault) error { return m.plain(f, int64(seed+1)) }))
	}
	must(t, m.each(chosen, m.deeply))
	t.Log(m.summary(chosen))
}

// asked are the faults that the environment asks for.
func asked(t *testing.T) []faults.Fault {
	t.Helper()
	part, parts := 1, 1
	if share := os.Getenv("MATRIX_SHARE"); share != "" {
		if n, err := fmt.Sscanf(share, "%d/%d", &part, &parts); n != 2 || err != nil || part < 1 || part > parts {
			t.Fatalf("MATRIX_SHARE is %q, and should be as 1/4", share)
		}
	}
	chosen := slices.DeleteFunc(everyFault(), func(f faults.Fault) bool {
		return !matches(os.Getenv("MATRIX_FAULT"), f.Name) || !matches(os.Getenv("MATRIX_KIND"), kindOf(f)) ||
			hashOf(f.Name)%uint32(parts) != uint32(part-1)
	})
	if len(chosen) == 0 {
		t.Fatal("no fault is asked for: refserver --list-faults names them")
	}
	// What an interrupted measurement has is then a sample of all kinds.
	slices.SortFunc(chosen, func(a, b faults.Fault) int { return cmp.Compare(hashOf(a.Name), hashOf(b.Name)) })
	return chosen
}

func kindOf(f faults.Fault) string { return cmp.Or(string(f.Kind), matrix.Always) }

// measurement fills in a matrix.
type measurement struct {
	path         string
	seeds        int
	deep         time.Duration
	since, today string
	judges       *judges
	mu           sync.Mutex
	rows         matrix.Matrix
}

// each measures something of all faults, side by side.
func (m *measurement) each(chosen []faults.Fault, measure func(faults.Fault) error) error {
	var group errgroup.Group
	group.SetLimit(cap(m.judges.free))
	for _, fault := range chosen {
		group.Go(func() error {
			if err := measure(fault); err != nil {
				return fmt.Errorf("%s: %w", fault.Name, err)
			}
			return nil
		})
	}
	return group.Wait()
}

// plain measures a fault by one seed, where its row lacks that.
func (m *measurement) plain(fault faults.Fault, seed int64) error {
	row := m.row(fault)
	if row.Has(seed) {
		return nil
	}
	k, err := killOf(m.judges, fault, order{Fault: fault.Name, RateLimits: rates(fault), Seed: seed})
	if err != nil {
		return err
	}
	row.Add(k.cell)
	return m.keep(row)
}

// deeply measures a fault in a deep run, where its row has none as long. Faults of rate limits are
// not judged so.
func (m *measurement) deeply(fault faults.Fault) error {
	row := m.row(fault)
	if m.deep <= row.For || rates(fault) {
		return nil
	}
	k, err := killOf(m.judges, fault, order{Fault: fault.Name, Seed: 1, Deep: m.deep})
	if err != nil {
		return err
	}
	row.Deep, row.For = &k.cell, m.deep
	return m.keep(row)
}

// row is what is known of a fault, without what is too old.
func (m *measurement) row(fault faults.Fault) matrix.Row {
	m.mu.Lock()
	defer m.mu.Unlock()
	row, known := m.rows[fault.Name]
	if !known || row.Since < m.since {
		return matrix.Row{Fault: fault.Name, Kind: kindOf(fault), Since: m.today}
	}
	row.Kind, row.Plain = kindOf(fault), slices.Clone(row.Plain)
	return row
}

func (m *measurement) keep(row matrix.Row) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.rows[row.Fault] = row
	return m.rows.Write(m.path)
}

// summary tells by kind what was found.
func (m *measurement) summary(chosen []faults.Fault) string {
	kinds := map[string]*matrixSum{}
	all := &matrixSum{}
	for _, f := range chosen {
		if kinds[kindOf(f)] == nil {
			kinds[kindOf(f)] = &matrixSum{}
		}
		kinds[kindOf(f)].add(m.rows[f.Name])
		all.add(m.rows[f.Name])
	}
	lines := []string{"", "KIND          FAULTS   RUNS  FOUND %  RIGHTLY %  BY ALL SEEDS  BY NONE  ONE ENDPOINT  DEEP FOUND"}
	for _, kind := range slices.Sorted(maps.Keys(kinds)) {
		lines = append(lines, fmt.Sprintf("%-12s %s", kind, kinds[kind]))
	}
	return strings.Join(append(lines, fmt.Sprintf("%-12s %s", "all", all)), "\n")
}

// matrixSum adds up rows.
type matrixSum struct {
	faults, runs, found, rightly, byAll, byNone, oneEndpoint, deep, deepFound int
}

func (s *matrixSum) add(row matrix.Row) {
	runs, found, rightly := row.Count()
	s.faults++
	s.runs += runs
	s.found += found
	s.rightly += rightly
	if runs > 0 && found == runs {
		s.byAll++
	}
	if runs > 0 && found == 0 {
		s.byNone++
	}
	if row.SameEndpoint() {
		s.oneEndpoint++
	}
	if row.Deep != nil {
		s.deep++
		if row.Deep.Found() {
			s.deepFound++
		}
	}
}

func (s *matrixSum) String() string {
	percent := func(part, of int) float64 { return 100 * float64(part) / float64(max(of, 1)) }
	return fmt.Sprintf("%7d %6d  %7.1f  %9.1f  %12d  %7d  %12d  %d of %d", s.faults, s.runs, percent(s.found, s.runs), percent(s.rightly, s.found), s.byAll, s.byNone, s.oneEndpoint, s.deepFound, s.deep)
}
