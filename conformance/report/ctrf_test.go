package report

import (
	"encoding/json"
	"testing"

	"github.com/socialfeed/conform/conformance/report/pipeline"
	"github.com/socialfeed/conform/conformance/report/view"
	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/internal/testkit"
)

// TestCTRFFollowsItsSchema holds the format against the schema that its project publishes, and its counts
// and verdict against the JUnit report.
func TestCTRFFollowsItsSchema(t *testing.T) {
	schema := testkit.Schema(t, "testdata/ctrf-schema-0.0.json")
	for name, r := range everyReport() {
		text := writtenAs(t, "ctrf", r)
		if err := schema.Validate(testkit.JSON(t, text)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		var got pipeline.CTRF
		if err := json.Unmarshal([]byte(text), &got); err != nil {
			t.Fatal(err)
		}
		n, want := got.Results.Summary, pipeline.JUnitOf(view.New(r, view.Options{}))
		if n.Tests != want.Tests || n.Failed != want.Failures || n.Other != want.Errors || n.Passed+n.Failed+n.Other+n.Skipped != len(got.Results.Tests) {
			t.Errorf("%s: %+v, where JUnit has %d tests, %d failures, %d errors", name, n, want.Tests, want.Failures, want.Errors)
		}
		if green := n.Failed+n.Other == 0; green && r.Verdict != result.Conformant {
			t.Errorf("%s: green, and the verdict is %s", name, r.Verdict)
		}
	}
}
