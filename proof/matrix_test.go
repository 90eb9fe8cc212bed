package proof_test

import (
	"cmp"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/socialfeed/conform/proof/matrix"
	"github.com/socialfeed/conform/refserver/faults"
	"golang.org/x/sync/errgroup"
)

// matrixFile has what was measured of each fault.
const matrixFile = "matrix/matrix.tsv"

// TestMatrixHolds judges the reference server with faults that show under a condition, one in
// MATRIX_SHARES of them, those whose turn PROOF_TURN says, and tells by kind how many are found.
// A fault that all measured seeds found and that is missed by one seed after the other, as often as
// its row demands, is lost: the test fails and names it. PROOF_FAULT, a pattern over names, narrows the
// share; MATRIX_SEED is the first seed, another one each turn unless it is given. Of one in MATRIX_SCRIPTS
// the script of its report is run, and its stories are played where there is no fault.
//
// Faults that need no condition are held by TestEveryFaultIsBlamed.
func TestMatrixHolds(t *testing.T) {
	t.Parallel()
	rows, err := matrix.Read(matrixFile)
	must(t, err)
	turn := fromEnvironment(t, "PROOF_TURN", 0)
	seed := int64(fromEnvironment(t, "MATRIX_SEED", 1000+turn))
	scripts := fromEnvironment(t, "MATRIX_SCRIPTS", 4)
	judges := startJudges(t, fromEnvironment(t, "MATRIX_AT_ONCE", sideBySide))
	var mu sync.Mutex
	var found []kill
	var group errgroup.Group
	for i, fault := range conditional(fromEnvironment(t, "MATRIX_SHARES", 32), turn) {
		o := order{Fault: fault.Name, Seed: seed}
		if i%scripts == 0 {
			o.Reproduce = fault.Rule
		}
		group.Go(func() error {
			k, lost, err := holds(rows[fault.Name], o, func(o order) (kill, error) { return killOf(judges, fault, o) })
			if err != nil {
				return err
			}
			mu.Lock()
			defer mu.Unlock()
			if found = append(found, k); lost != "" {
				t.Errorf("%s: %s", fault.Name, lost)
			}
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		t.Error(err)
	}
	tell(t, found)
	if os.Getenv("PROOF_FAULT") == "" {
		for _, shortfall := range shortfalls(found, rows) {
			t.Error(shortfall)
		}
	}
}

// shortfalls says where a share as a whole is found worse than it was measured, though no fault of it is
// surely lost: most rows may have one seed alone.
func shortfalls(found []kill, rows matrix.Matrix) (all []string) {
	expected, again, killed, rightly := 0, 0, 0, 0
	for _, k := range found {
		if runs, before, _ := rows[k.fault.Name].Count(); runs > 0 && before == runs {
			if expected++; k.cell.Found() {
				again++
			}
		}
		if k.cell.Found() {
			killed++
		}
		if k.rightly {
			rightly++
		}
	}
	const fewestAgain, fewestRightly = 65, 75 // in a hundred
	if again*100 < expected*fewestAgain {
		all = append(all, fmt.Sprintf("of %d faults that were found when they were measured %d are found", expected, again))
	}
	if rightly*100 < killed*fewestRightly {
		all = append(all, fmt.Sprintf("of %d faults that are found %d are blamed on their rule", killed, rightly))
	}
	return all
}

// TestAShareMayNotFallShort: many misses in one share are no bad luck.
func TestAShareMayNotFallShort(t *testing.T) {
	share := func(right, wrong, missed int) (found []kill, rows matrix.Matrix) {
		rows = matrix.Matrix{}
		for i, result := range slices.Concat(slices.Repeat([]string{matrix.Right}, right), slices.Repeat([]string{"feed.merge"}, wrong), slices.Repeat([]string{matrix.Missed}, missed)) {
			name := fmt.Sprint(i)
			rows[name] = matrix.Row{Fault: name, Plain: []matrix.Cell{{Seed: 1, Result: matrix.Right}}}
			found = append(found, kill{fault: faults.Fault{Name: name}, rightly: result == matrix.Right, cell: matrix.Cell{Result: result}})
		}
		return found, rows
	}
	for name, test := range map[string]struct{ right, wrong, missed, want int }{
		"all are found": {10, 0, 0, 0}, "a few are missed": {8, 0, 2, 0}, "half are missed": {5, 0, 5, 1}, "half are blamed wrongly": {5, 5, 0, 1}, "both": {1, 3, 9, 2}, "none is tried": {},
	} {
		if got := shortfalls(share(test.right, test.wrong, test.missed)); len(got) != test.want {
			t.Errorf("%s: %q", name, got)
		}
	}
	found, _ := share(0, 0, 9)
	if got := shortfalls(found, matrix.Matrix{}); len(got) != 0 {
		t.Errorf("faults that were never measured: %q", got)
	}
}

// holds judges the server of an order, and again by further seeds where its fault is missed that should not
// be. It returns the first run, and how the fault was lost; blank where it was not.
func holds(row matrix.Row, o order, judge func(order) (kill, error)) (first kill, lost string, err error) {
	if first, err = judge(o); err != nil || first.cell.Found() {
		return first, "", err
	}
	tried := []string{fmt.Sprint(o.Seed)}
	for len(tried) < row.Tries() {
		o.Seed, o.Reproduce = o.Seed+1, ""
		tried = append(tried, fmt.Sprint(o.Seed))
		again, err := judge(o)
		if err != nil || again.cell.Found() {
			return first, "", err
		}
	}
	if row.Tries() == 0 {
		return first, "", nil
	}
	runs, _, _ := row.Count()
	return first, fmt.Sprintf("it is lost: %d of %d seeds found it, and the seeds %s do not", runs, runs, strings.Join(tried, ", ")), nil
}

// TestALostFaultIsNamed: one miss is bad luck, and as many as the row demands are a loss.
func TestALostFaultIsNamed(t *testing.T) {
	found := func(results ...string) matrix.Row {
		row := matrix.Row{Fault: "f"}
		for i, each := range results {
			row.Add(matrix.Cell{Seed: int64(i + 1), Result: each})
		}
		return row
	}
	five := slices.Repeat([]string{matrix.Right}, 5)
	for name, test := range map[string]struct {
		row    matrix.Row
		misses int // before it is found
		runs   int
		lost   string
	}{
		"found at once":              {found(five...), 0, 1, ""},
		"found by the second seed":   {found(five...), 1, 2, ""},
		"missed twice":               {found(five...), 9, 2, "it is lost: 5 of 5 seeds found it, and the seeds 7, 8 do not"},
		"two seeds prove less":       {found(five[:2]...), 4, 5, ""},
		"two seeds, and five misses": {found(five[:2]...), 9, 5, "it is lost: 2 of 2 seeds found it, and the seeds 7, 8, 9, 10, 11 do not"},
		"missed before":              {found(matrix.Right, matrix.Missed, matrix.Right), 9, 1, ""},
		"not measured":               {matrix.Row{}, 9, 1, ""},
	} {
		runs := 0
		_, lost, err := holds(test.row, order{Seed: 7}, func(order) (kill, error) {
			if runs++; runs <= test.misses {
				return kill{cell: matrix.Cell{Result: matrix.Missed}}, nil
			}
			return kill{cell: matrix.Cell{Result: matrix.Right}}, nil
		})
		if err != nil || lost != test.lost || runs != test.runs {
			t.Errorf("%s: %q after %d runs, %v", name, lost, runs, err)
		}
	}
}

// conditional are the faults that show under a condition whose turn it is. Which turn that is depends on
// the name alone.
func conditional(shares, turn int) []faults.Fault {
	return slices.DeleteFunc(faults.SecondOrder(), func(f faults.Fault) bool {
		return (hashOf(f.Name)+uint32(turn))%uint32(shares) != 0 || !matches(os.Getenv("PROOF_FAULT"), f.Name)
	})
}

// tell prints what was found, by kind, and fails where a script or a story blames a server without faults.
func tell(t *testing.T, found []kill) {
	t.Helper()
	tables, all := map[faults.Kind]*kills{}, &kills{}
	slices.SortFunc(found, func(a, b kill) int { return cmp.Compare(a.fault.Name, b.fault.Name) })
	for _, k := range found {
		if tables[k.fault.Kind] == nil {
			tables[k.fault.Kind] = &kills{}
		}
		tables[k.fault.Kind].add(k)
		all.add(k)
		if !k.alone {
			t.Logf("%-56s %-34s %s", k.fault.Name, k.fault.Rule, cmp.Or(k.others(), "slips through"))
		}
		if k.endpoint == atAnother {
			t.Logf("%-56s %-34s is told at endpoint %d, and acts elsewhere", k.fault.Name, k.fault.Rule, k.cell.Endpoint)
		}
		if k.rightly && k.script.Tried && !k.script.tells() {
			t.Logf("%-56s %s", k.fault.Name, k.script.problems(k.fault))
		}
		for _, each := range k.script.accusations() {
			t.Errorf("%s: %s", k.fault.Name, each)
		}
	}
	t.Logf("%-12s %s", "KIND", all.header())
	for _, kind := range []faults.Kind{faults.Data, faults.Endpoint, faults.Input, faults.Sequence, faults.Scale, faults.Repetition, faults.Concurrency, faults.Time} {
		if tables[kind] != nil {
			t.Logf("%-12s %s", kind, tables[kind])
		}
	}
	if len(found) > 0 {
		t.Logf("%-12s %s", "all", all)
	}
}

// TestMatrixNamesFaults sees that the matrix has no row of a fault that is gone; MATRIX_PRUNE=1 takes
// those out. A fault without a row is told.
func TestMatrixNamesFaults(t *testing.T) {
	rows, err := matrix.Read(matrixFile)
	must(t, err)
	var names, unmeasured []string
	for _, f := range everyFault() {
		names = append(names, f.Name)
		if runs, _, _ := rows[f.Name].Count(); runs == 0 {
			unmeasured = append(unmeasured, f.Name)
		}
	}
	gone := rows.Gone(names)
	if len(unmeasured) > 0 {
		t.Logf("%d of %d faults are not measured, and so not held (make matrix): %s", len(unmeasured), len(names), strings.Join(unmeasured[:min(10, len(unmeasured))], " "))
	}
	if os.Getenv("MATRIX_PRUNE") == "" {
		if len(gone) > 0 {
			t.Errorf("%s has rows of %d faults that are gone; take them out with make matrix-prune: %s", matrixFile, len(gone), strings.Join(gone, " "))
		}
		return
	}
	for _, name := range gone {
		delete(rows, name)
		t.Logf("taken out: %s", name)
	}
	must(t, rows.Write(matrixFile))
}

// everyFault is both orders.
func everyFault() []faults.Fault { return slices.Concat(faults.All(), faults.SecondOrder()) }
