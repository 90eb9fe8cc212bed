package explore

import (
	"testing"

	"github.com/socialfeed/conform/conformance/model/body"
	"github.com/socialfeed/conform/conformance/model/draw"
	"github.com/socialfeed/conform/conformance/model/leeway"
	"github.com/socialfeed/conform/conformance/model/story"
)

// TestAPlanTakesNoMoreThanIsLeft plans the stories of a plain run twice: what did not fit is what is planned
// next, and no plan takes more than there is.
func TestAPlanTakesNoMoreThanIsLeft(t *testing.T) {
	whole := story.Cost{Writes: 300, Reads: 600, Deletes: 600}
	candidates := Candidates(draw.Plain(1, leeway.Choices{}))
	first := &Plan{Payloads: body.NewPayloads(), Left: whole, Free: 6}
	fit, others := first.Choose(candidates)
	if len(fit) == 0 || len(others) == 0 || len(fit)+len(others) != len(candidates) {
		t.Fatalf("of %d stories %d fit, and %d do not", len(candidates), len(fit), len(others))
	}
	var cost story.Cost
	for _, j := range fit {
		each, _ := j.Cost()
		cost = cost.Plus(each)
	}
	if cost.Writes -= 6; !cost.Within(whole) || first.Left != whole.Minus(cost) && first.Free == 0 {
		t.Errorf("stories of %+v were planned where %+v was left, and %+v is left", cost, whole, first.Left)
	}
	again, _ := (&Plan{Payloads: body.NewPayloads(), Left: whole, Free: 6}).Choose(others)
	if len(again) == 0 || again[0].Name() == fit[0].Name() && again[0].Story.String() == fit[0].Story.String() {
		t.Errorf("with as much left again, %d stories are planned", len(again))
	}
}
