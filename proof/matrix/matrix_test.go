package matrix_test

import (
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/socialfeed/conform/proof/matrix"
)

func rowOf(results ...string) matrix.Row {
	row := matrix.Row{Fault: "f", Kind: "data", Since: "2026-11-27"}
	for i, result := range results {
		row.Add(matrix.Cell{Seed: int64(i + 1), Result: result, Endpoint: 21, Requests: 100})
	}
	return row
}

// TestWhatIsLost: a fault is lost when it is missed as often as it was surely found.
func TestWhatIsLost(t *testing.T) {
	right, other, missed := matrix.Right, "feed.merge", matrix.Missed
	for name, test := range map[string]struct {
		results []string
		tries   int
	}{
		"five of five":                      {[]string{right, right, other, right, right}, 2},
		"four of five":                      {[]string{right, right, missed, right, right}, 0},
		"two of two need more":              {[]string{right, right}, 5},
		"nine of nine still need a second":  {slices.Repeat([]string{right}, 9), 2},
		"one run says nothing":              {[]string{right}, 0},
		"a fault that was not measured yet": {nil, 0},
	} {
		if got := rowOf(test.results...).Tries(); got != test.tries {
			t.Errorf("%s: lost after %d misses, want %d", name, got, test.tries)
		}
	}
}

func TestRowsCount(t *testing.T) {
	row := rowOf(matrix.Right, "feed.merge", matrix.Missed, matrix.Unstable)
	if runs, found, rightly := row.Count(); runs != 4 || found != 3 || rightly != 2 {
		t.Errorf("%d runs, %d found, %d rightly", runs, found, rightly)
	}
	if !row.SameEndpoint() {
		t.Error("one endpoint is told as several")
	}
	row.Add(matrix.Cell{Seed: 9, Result: matrix.Right, Endpoint: 4})
	if row.SameEndpoint() {
		t.Error("two endpoints are told as one")
	}
}

// TestFilesMerge: a file is read as it was written, in the order of the names, one line a fault.
func TestFilesMerge(t *testing.T) {
	path := filepath.Join(t.TempDir(), "matrix.tsv")
	deep := rowOf(matrix.Right, matrix.Missed)
	deep.Fault, deep.Deep, deep.For = "b", &matrix.Cell{Seed: 1, Result: "feed.merge", Requests: 5234}, 5*time.Minute
	plain := rowOf(matrix.Right)
	bare := matrix.Row{Fault: "a", Kind: matrix.Always, Since: "2026-11-27"}
	want := matrix.Matrix{"b": deep, "f": plain, "a": bare}
	if err := want.Write(path); err != nil {
		t.Fatal(err)
	}
	got, err := matrix.Read(path)
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, %v", got, err)
	}
	text, err := os.ReadFile(path)
	if lines := strings.Split(string(text), "\n"); err != nil || len(lines) != 6 || !strings.HasPrefix(lines[2], "a\t") || !strings.HasPrefix(lines[4], "f\t") {
		t.Errorf("%q", text)
	}
	if gone := got.Gone([]string{"f", "new"}); !slices.Equal(gone, []string{"a", "b"}) {
		t.Errorf("gone are %v", gone)
	}
}

func TestFilesThatCannotBeRead(t *testing.T) {
	for name, test := range map[string]struct{ text, says string }{
		"a column is missing": {"f\tdata\t2026-11-27\t-\n", "matrix.tsv:1: 4 columns"},
		"a fault twice":       {"f\tdata\td\t-\t-\nf\tdata\td\t-\t-\n", "matrix.tsv:2: the fault has two lines"},
		"a cell without end":  {"f\tdata\td\t1=right\t-\n", `"1=right" is no cell`},
		"a conflict":          {"<<<<<<< HEAD\n", "matrix.tsv:1"},
	} {
		path := filepath.Join(t.TempDir(), "matrix.tsv")
		if err := os.WriteFile(path, []byte(test.text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := matrix.Read(path); err == nil || !strings.Contains(err.Error(), test.says) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if m, err := matrix.Read(filepath.Join(t.TempDir(), "none")); err != nil || len(m) > 0 {
		t.Errorf("of no file %v, %v", m, err)
	}
}
