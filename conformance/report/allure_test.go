package report

import (
	"bytes"
	"encoding/json"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/socialfeed/conform/conformance/report/pipeline"
	"github.com/socialfeed/conform/conformance/report/view"
	"github.com/socialfeed/conform/conformance/result"
)

// allureModel is what Allure's reader knows of a test result (@allurereport/reader, allure2/model.d.ts), as far
// as the writer may use it.
type allureModel struct {
	UUID, HistoryID, TestCaseID, FullName, Name, Description, Status, Stage string
	Start, Stop                                                             int64
	StatusDetails                                                           struct {
		Message, Trace string
		Known, Flaky   bool
	}
	Labels []struct{ Name, Value string }
}

func allureFiles(t *testing.T, r *result.Report) map[string]allureModel {
	t.Helper()
	files := map[string]allureModel{}
	err := New(r, view.Options{}).WriteFolder(func(name string, write func(io.Writer) error) error {
		var b bytes.Buffer
		if err := write(&b); err != nil {
			return err
		}
		var one allureModel
		reader := json.NewDecoder(&b)
		reader.DisallowUnknownFields()
		if err := reader.Decode(&one); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if _, twice := files[name]; twice || !pipeline.OwnFile(name) {
			t.Errorf("the name %s: twice %t", name, twice)
		}
		files[name] = one
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// TestAllureFollowsItsModel holds each file against what Allure's reader knows, and the statuses against those of
// the JUnit report.
func TestAllureFollowsItsModel(t *testing.T) {
	for name, r := range everyReport() {
		n, ids := map[string]int{}, map[string]bool{}
		files := allureFiles(t, r)
		for file, one := range files {
			n[one.Status]++
			if one.UUID == "" || ids[one.UUID] || one.HistoryID == "" || one.Name == "" || one.FullName == "" || one.Stage != "finished" || one.Start < 0 || one.Stop < one.Start {
				t.Errorf("%s: %s: %+v", name, file, one)
			}
			ids[one.UUID] = true
			if !slices.Contains([]string{"failed", "broken", "passed", "skipped"}, one.Status) {
				t.Errorf("%s: %s has the status %q", name, file, one.Status)
			}
			for _, label := range one.Labels {
				if label.Name == "" || label.Value == "" && label.Name != "host" {
					t.Errorf("%s: %s has the label %+v", name, file, label)
				}
			}
		}
		if want := pipeline.JUnitOf(view.New(r, view.Options{})); n["failed"] != want.Failures || n["broken"] != want.Errors || len(files) != want.Tests {
			t.Errorf("%s: %v in %d files, where JUnit has %d failures and %d errors of %d", name, n, len(files), want.Failures, want.Errors, want.Tests)
		}
	}
}

// TestAllureKnowsACaseAgain has a case keep its identity from one run to the next, under which Allure shows its
// history; the result is another.
func TestAllureKnowsACaseAgain(t *testing.T) {
	first, later := passing(), passing()
	later.StartedAt = later.StartedAt.Add(1)
	later.Implementation = anImplementation()
	a, b := allureFiles(t, first), allureFiles(t, later)
	for name, one := range a {
		other, there := b[name]
		if !there || other.HistoryID != one.HistoryID || other.UUID == one.UUID {
			t.Fatalf("%s: %+v, and then %+v", name, one, other)
		}
		if told := strings.Contains(asJSON(t, later), "Acme"); !told || !slices.Contains(other.Labels, struct{ Name, Value string }{"implementation.name", later.Implementation.Name}) {
			t.Fatalf("it does not say what was judged: %+v", other.Labels)
		}
	}
}
