package model

import (
	"testing"

	"github.com/socialfeed/conform/conformance/rules"
)

// TestEachFieldIsBlamedByItself judges a record of which one field is garbled and the others
// are lost, in whatever order they are looked at.
func TestEachFieldIsBlamedByItself(t *testing.T) {
	w := NewWorld(Choices{})
	who := w.joined(Fields{"user_name": "ada", "first_name": "Zoé", "url": "u", "last_name": "l", "custom_id": "c"}, Fields{"id": "0"})
	for range 50 {
		blamed := map[string]int{}
		for _, d := range w.judgeUser(own(rules.GetMe, who), Response{Status: 200, Body: Fields{"id": "0", "user_name": "ada", "first_name": "Zo?"}}) {
			blamed[d.Rule]++
		}
		if blamed["transport.unicode-roundtrip"] != 1 || blamed["users.me.get"] != 3 {
			t.Fatalf("blamed are %v", blamed)
		}
	}
}
