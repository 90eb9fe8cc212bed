package conformance

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
	candidates := candidatesOf(draw.Plain(1, leeway.Choices{}))
	first := &plan{payloads: body.NewPayloads(), left: whole, free: 6}
	fit, others := first.choose(candidates)
	if len(fit) == 0 || len(others) == 0 || len(fit)+len(others) != len(candidates) {
		t.Fatalf("of %d stories %d fit, and %d do not", len(candidates), len(fit), len(others))
	}
	var cost story.Cost
	for _, j := range fit {
		each, _ := j.cost()
		cost = cost.Plus(each)
	}
	if cost.Writes -= 6; !cost.Within(whole) || first.left != whole.Minus(cost) && first.free == 0 {
		t.Errorf("stories of %+v were planned where %+v was left, and %+v is left", cost, whole, first.left)
	}
	again, _ := (&plan{payloads: body.NewPayloads(), left: whole, free: 6}).choose(others)
	if len(again) == 0 || again[0].name() == fit[0].name() && again[0].story.String() == fit[0].story.String() {
		t.Errorf("with as much left again, %d stories are planned", len(again))
	}
}
