package story

import (
	"fmt"

	"github.com/socialfeed/conform/conformance/model/value"
)

// storyV1 is a story of a corpus entry without a version: what an argument of an operation meant depended on the
// operation.
type storyV1 struct {
	Story
	Ops         []opV1               `json:"ops"`
	Compare     int                  `json:"looks"`
	SharedNames int                  `json:"kin"`
	ShortAudit  bool                 `json:"brief"`
	DeferChecks bool                 `json:"late"`
	Stagger     int                  `json:"apart"`
	Users       map[int]value.Fields `json:"cast"`
	Order       []int                `json:"order"`
}

type opV1 struct {
	Kind   string `json:"kind"`
	A      int    `json:"a"`
	B      int    `json:"b"`
	C      int    `json:"c"`
	V      int    `json:"v"`
	AtOnce bool   `json:"at_once"`
}

// story returns the story as it is written down now.
func (old storyV1) story() (*Story, error) {
	s := old.Story
	s.SharedNames, s.ShortAudit, s.DeferChecks, s.Stagger = old.SharedNames, old.ShortAudit, old.DeferChecks, old.Stagger
	s.Users, s.CreationOrder, s.Ops = old.Users, old.Order, nil
	if old.Compare < 0 || old.Compare >= len(compareTimes()) {
		return nil, fmt.Errorf("there is no time to compare %d", old.Compare)
	}
	s.Compare = CompareWhen(old.Compare)
	for _, o := range old.Ops {
		kind, known := kindsV1()[o.Kind]
		if !known {
			return nil, fmt.Errorf("there is no operation %q", o.Kind)
		}
		if min(o.A, o.B, o.C, o.V) < 0 || max(o.A, o.B, o.C, o.V) > largestNumber {
			return nil, errNumbers
		}
		op := NewOp(kind, o.A, o.B, o.C, o.V)
		op.AtOnce = o.AtOnce
		s.Ops = append(s.Ops, op)
	}
	return &s, nil
}

// kindsV1 are the operations by their former names.
func kindsV1() map[string]Kind {
	return map[string]Kind{"join": Join, "return": Recreate, "log in": LogIn, "log out": LogOut, "leave": DeleteUser, "edit": Edit, "rename": Rename, "repassword": ChangePassword,
		"follow": Follow, "ask": RequestFriend, "befriend": RequestMutually, "end": End, "part": DisconnectBoth, "social": ConnectBySocialID, "post": Post, "change": Change,
		"change back": ChangeBack, "remove": Remove, "trespass": WriteForeign, "use ended session": UseEnded, "revert": Revert, "tweak": UpdateSimilar, "gather": ConnectAllBySocialID,
		"audit": Audit, "rest": Wait, "take the names of": TakeNames, "look for": LookFor, "use elsewhere": UseElsewhere, "log in elsewhere": LogInElsewhere,
		"use deleted event": UseDeleted, "send a defect": SendDefect}
}
