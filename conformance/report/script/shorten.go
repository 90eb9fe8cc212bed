package script

import (
	"context"
	"slices"
	"strings"

	"github.com/socialfeed/conform/conformance/result"
)

// Shorten drops the requests and waits from a story that its failure does not need. shows
// reports whether a shorter story still shows the failure; it is called at
// most the given number of times.
func Shorten(ctx context.Context, story result.Reproduction, most int, shows func(context.Context, result.Reproduction) (bool, error)) (result.Reproduction, error) {
	tried := 0
	try := func(shorter result.Reproduction) (bool, error) {
		if tried == most || !coherent(shorter) || ctx.Err() != nil {
			return false, ctx.Err()
		}
		tried++
		return shows(ctx, shorter)
	}
	for size := len(story.Steps) - 1; size > 0; size /= 2 {
		for from := len(story.Steps) - 1 - size; from >= 0; from -= size {
			shorter := without(story, from, from+size)
			good, err := try(shorter)
			if err != nil {
				return story, err
			}
			if good {
				story = shorter
			}
			from = min(from, len(story.Steps)-1)
		}
	}
	for i, step := range story.Steps {
		if step.WaitMS == 0 {
			continue
		}
		shorter := without(story, 0, 0)
		shorter.Steps[i].WaitMS = 0
		good, err := try(shorter)
		if err != nil {
			return story, err
		}
		if good {
			story = shorter
		}
	}
	sent := story.Sent()
	story.Words = slices.DeleteFunc(slices.Clone(story.Words), func(w result.Word) bool {
		return !slices.ContainsFunc(sent, func(p result.Piece) bool { return result.WordOf(p.Var) == w.Var })
	})
	return story, nil
}

// without is a story without some steps. The waits before them move to the following step.
func without(story result.Reproduction, from, to int) result.Reproduction {
	steps := slices.Clone(story.Steps)
	for _, gone := range steps[from:to] {
		steps[to].WaitMS += gone.WaitMS
	}
	if slices.ContainsFunc(steps[from:to], func(gone result.Step) bool { return !gone.AtOnce }) {
		steps[to].AtOnce = false // what it was sent with is gone
	}
	story.Steps = slices.Delete(steps, from, to)
	return story
}

// coherent reports whether the steps of a story use only variables that an earlier answer
// sets.
func coherent(story result.Reproduction) bool {
	given := map[string]bool{}
	uses := func(pieces []result.Piece) bool {
		return !slices.ContainsFunc(pieces, func(p result.Piece) bool {
			ofAnswer := strings.HasPrefix(p.Var, "SESSION_TOKEN") || strings.HasPrefix(p.Var, "USER_ID") || strings.HasPrefix(p.Var, "EVENT_ID") || p.Var == "SINCE" && story.Since == ""
			return ofAnswer && !given[p.Var]
		})
	}
	for _, step := range story.Steps {
		if !uses(step.Sent()) {
			return false
		}
		for _, capture := range step.Captures {
			given[capture.Var] = true
		}
	}
	return uses(story.Answer.Body)
}
