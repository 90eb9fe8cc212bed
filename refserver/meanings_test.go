package refserver_test

import (
	"testing"

	"github.com/socialfeed/conform/refserver"
)

func TestEveryChoiceHasAMeaning(t *testing.T) {
	meanings, err := refserver.ChoiceMeanings()
	if err != nil {
		t.Fatal(err)
	}
	for _, choice := range (refserver.Choices{}).Settings() {
		if meanings[choice.Name] == "" {
			t.Errorf("%s has no comment beside its field", choice.Name)
		}
	}
}
