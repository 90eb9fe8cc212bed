package play

import (
	"context"
	"strings"
	"testing"

	"github.com/socialfeed/conform/conformance/model/exchange"
	"github.com/socialfeed/conform/conformance/model/story"
	"github.com/socialfeed/conform/conformance/model/value"
	"github.com/socialfeed/conform/conformance/rules"
)

// tardy answers requests to connect by social ids with a success before it connects.
type tardy struct{ *fake }

func (l tardy) Do(ctx context.Context, r exchange.Request) (exchange.Response, error) {
	if r.Endpoint == rules.ConnectSocial {
		return exchange.Response{Status: 201, Body: value.Fields{}}, nil
	}
	return l.fake.Do(ctx, r)
}

// TestWhatSocialIDsAreToMakeMayNotBeThereYet ends a friend connection that social ids were to
// make, on a target where both sides have to ask: no list can show whether it exists.
func TestWhatSocialIDsAreToMakeMayNotBeThereYet(t *testing.T) {
	d := dialect{mutual: true}
	for _, kind := range []story.Kind{story.End, story.DisconnectBoth} {
		story := story.Story{Name: "tardy", Slots: 2, Plain: true, Ops: []story.Op{{Kind: story.LogIn, Actor: 0}, {Kind: story.ConnectBySocialID, Actor: 1, Other: 0, AsFriend: true}, {Kind: kind, Actor: 1, Other: 0}}}
		o, err := NewPlayer(tardy{newFake(d, "")}, Options{Choices: d.choices(), Pause: noPause}).Play(t.Context(), story)
		if err != nil {
			t.Fatal(err)
		}
		for _, difference := range o.Differences {
			t.Errorf("blamed: %s\n%s", difference, strings.Join(o.Log, "\n"))
		}
		if len(o.Log) < 4 {
			t.Errorf("told: %v", o.Log)
		}
	}
}
