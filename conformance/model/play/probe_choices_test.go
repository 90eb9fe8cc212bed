package play

import (
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/socialfeed/conform/conformance/model/leeway"
)

// TestProbeChoices probes the choices of many dialects. What is found must be right; of a plain
// target all must be found.
func TestProbeChoices(t *testing.T) {
	for seed := range uint64(200) {
		d := dialect{}
		if seed > 0 {
			d = randomDialect(rand.New(rand.NewPCG(seed, 2)))
		}
		f := newFake(d, "")
		got, _, err := NewPlayer(f, Options{Pause: noPause}).ProbeChoices(t.Context(), leeway.Choices{})
		if err != nil {
			t.Fatal(err)
		}
		want := d.choices()
		if d.conflict && !d.mutual { // a second half never stands
			want.EndsWhole = leeway.Yes
		}
		if seed == 0 && !reflect.DeepEqual(got, want) {
			t.Errorf("the plain fake is taken for %+v, and is %+v, in %d requests", got, want, f.sent)
		}
		for name, pair := range map[string][2]leeway.Tri{
			"FriendsAtOnce": {got.FriendsAtOnce, want.FriendsAtOnce}, "KindsStand": {got.KindsStand, want.KindsStand},
			"EndsWhole": {got.EndsWhole, want.EndsWhole}, "Concurrent": {got.Concurrent, want.Concurrent}, "LogoutKeeps": {got.LogoutKeeps, want.LogoutKeeps},
			"UpdateKeeps": {got.UpdateKeeps, want.UpdateKeeps}, "KeepsUser": {got.KeepsUser, want.KeepsUser}, "KeepsEvent": {got.KeepsEvent, want.KeepsEvent},
			"MergesMetadata": {got.MergesMetadata, want.MergesMetadata}, "NamesRecur": {got.NamesRecur, want.NamesRecur}, "SocialConnects": {got.SocialConnects, want.SocialConnects},
			"OmitsZeros": {got.OmitsZeros, want.OmitsZeros},
		} {
			if pair[0] != leeway.Unknown && pair[0] != pair[1] {
				t.Errorf("seed %d: %s is told as %d and was set to %d: %+v", seed, name, pair[0], pair[1], d)
			}
		}
		if !reflect.DeepEqual(got.Defaults, want.Defaults) {
			t.Errorf("seed %d: events are told to have %v in fields that were not set, and have %v", seed, got.Defaults, want.Defaults)
		}
		if seed == 0 {
			t.Logf("%d requests", f.sent)
		}
	}
}
