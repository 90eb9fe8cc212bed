package story

import (
	"fmt"
	"testing"
)

func TestDump(t *testing.T) {
	c := Choices{FriendsAtOnce: Yes, KindsStand: Yes, EndsWhole: Yes, Concurrent: Yes, LogoutKeeps: Yes, UpdateKeeps: Yes, KeepsUser: Yes, KeepsEvent: Yes, MergesMetadata: No, NamesRecur: Yes, SocialConnects: Yes, OmitsZeros: No}
	g := NewGenerator(1, []Choices{c}, nil)
	s := g.Story(Shape{Name: "plain", Users: 20, Budget: Cost{172, 256, 93}, Views: 2, Events: 10, Follows: 8, Races: 2, Late: 0.7, Deleted: 1})
	if g.dry.lost {
		t.Error("lost")
	}
	for seed := range uint64(20) {
		for _, shape := range []Shape{{Name: "pairs", Users: 4, Budget: Cost{90, 160, 40}, Views: 6, Races: 3}, {Name: "two applications", Users: 6, Apps: 2, Budget: Cost{90, 160, 40}, Views: 6, Races: 1}} {
			g := NewGenerator(seed, []Choices{c, c}, nil)
			s := g.Story(shape)
			if g.dry.lost || g.dry.err != nil {
				t.Errorf("seed %d lost at %d of %d: %+v %v", seed, g.dry.index, len(s.Steps), s.Steps[max(0, g.dry.index-1):g.dry.index+1], g.dry.outcome.Differences)
			}
		}
	}
	n := map[string]int{}
	for i, st := range s.Steps {
		n[g.label(st)]++
		text := fmt.Sprintf("%d u%d o%d %v %s ev%d s%d w%s in%d", i, st.User, st.Other, st.Others, g.label(st), st.Event, st.Session, st.Without, st.In)
		if st.Beside {
			text += " |"
		}
		fmt.Println(text)
	}
	fmt.Println(n)
}
