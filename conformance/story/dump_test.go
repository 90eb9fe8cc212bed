package story

import (
	"fmt"
	"testing"
)

func TestDump(t *testing.T) {
	c := Choices{FriendsAtOnce: Yes, KindsStand: Yes, EndsWhole: Yes, Concurrent: Yes, LogoutKeeps: Yes, UpdateKeeps: Yes, KeepsUser: Yes, KeepsEvent: Yes, MergesMetadata: No, NamesRecur: Yes, SocialConnects: Yes, OmitsZeros: No}
	g := NewGenerator(1, []Choices{c}, nil)
	s := g.Story(Shape{Name: "plain", Users: 20, Budget: Cost{172, 256, 93}, Views: 2, Events: 10, Follows: 8, Races: 2, Late: 0.7, Deleted: 1})
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
