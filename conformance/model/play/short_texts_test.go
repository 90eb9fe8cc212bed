package play

import (
	"context"
	"testing"

	"github.com/socialfeed/conform/conformance/model/body"
	"github.com/socialfeed/conform/conformance/model/draw"
	"github.com/socialfeed/conform/conformance/model/exchange"
	"github.com/socialfeed/conform/conformance/model/value"
	"github.com/socialfeed/conform/conformance/rules"
)

// shortTexts is a target that takes no text of more than twenty characters outside of metadata and passwords.
type shortTexts struct{ *fake }

func (s shortTexts) Do(ctx context.Context, r exchange.Request) (exchange.Response, error) {
	fields, _ := r.Body.(value.Fields)
	for name, value := range fields {
		if body.TooLong(name, value) && r.Endpoint != rules.Login && r.Endpoint != rules.ConnectSocial {
			return refuse(422), nil
		}
	}
	return s.fake.Do(ctx, r)
}

// TestNoStoryNeedsLongTexts plays the stories of deep runs on a target that takes short texts alone: the
// contract promises no more.
func TestNoStoryNeedsLongTexts(t *testing.T) {
	if testing.Short() {
		t.Skip("one goroutine, and slow with the race detector: it runs without it")
	}
	choices := dialect{}.choices()
	for seed := range uint64(2) {
		for _, s := range draw.Deep(seed) {
			outcome, err := NewPlayer(shortTexts{newFake(dialect{}, "")}, Options{Choices: choices, Pause: noPause}).Play(t.Context(), s)
			if err != nil || len(outcome.Differences) > 0 {
				t.Errorf("seed %d, %s: %v (%v)", seed, s.Name, outcome.Differences, err)
			}
		}
	}
}
