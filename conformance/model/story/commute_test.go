package story

import "testing"

func TestCommute(t *testing.T) {
	for _, c := range []struct {
		ops  []Op
		want bool
	}{
		{[]Op{{Kind: Post}, {Kind: Post}}, true},
		{[]Op{{Kind: Post}, {Kind: LogIn}, {Kind: Follow, Other: 1}, {Kind: DeleteUser}}, true},
		{[]Op{{Kind: RequestFriend, Other: 1}, {Kind: RequestFriend, Actor: 1}}, true},
		{[]Op{{Kind: Change}, {Kind: Remove}}, true},
		{[]Op{{Kind: Change}, {Kind: Change}}, false},
		{[]Op{{Kind: Edit}, {Kind: Post}, {Kind: Edit}}, false},
		{[]Op{{Kind: Follow, Other: 1}, {Kind: End, Other: 1}}, false},
		{[]Op{{Kind: End, Other: 1}, {Kind: RequestFriend, Other: 1}}, false},
		{[]Op{{Kind: Follow, Other: 1}, {Kind: RequestFriend, Other: 1}}, false},
	} {
		if got := Commute(c.ops); got != c.want {
			t.Errorf("%v commute: %v, want %v", c.ops, got, c.want)
		}
	}
}
