package result_test

import (
	"context"
	"errors"
	"testing"

	"github.com/socialfeed/conform/conformance/result"
)

func TestOneRunIsLeftAsItIs(t *testing.T) {
	made := &result.Report{Verdict: result.Conformant}
	if r, err := result.Repeat(t.Context(), 1, func(context.Context) (*result.Report, error) { return made, nil }); r != made || err != nil || r.Repeats != 0 {
		t.Errorf("%+v, %v", r, err)
	}
}

func TestRepeatingEndsWithAnError(t *testing.T) {
	runs := 0
	r, err := result.Repeat(t.Context(), 5, func(context.Context) (*result.Report, error) {
		if runs++; runs == 2 {
			return reported("a error cut off"), errors.New("the target is gone")
		}
		return reported("a pass"), nil
	})
	if err == nil || runs != 2 || r.Rules[0].Status != result.Error || r.Rules[0].Checks[0].Message != "in number 2 of 2 repeats: cut off" {
		t.Errorf("%d runs, %v, %+v", runs, err, r.Rules)
	}
}

func TestInterruptEndsTheRepeats(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	runs := 0
	_, err := result.Repeat(ctx, 5, func(context.Context) (*result.Report, error) {
		runs++
		cancel()
		return reported("a pass"), nil
	})
	if runs != 1 || err != nil {
		t.Errorf("%d runs, %v", runs, err)
	}
}
