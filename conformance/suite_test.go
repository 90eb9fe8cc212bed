package conformance

import (
	"strings"
	"testing"

	"github.com/socialfeed/conform/conformance/rules"
)

// A selection of passive rules alone is judged by all that needs no option; any
// other draws its own scenarios.
func TestOnlyPassiveSelectionDrawsEverything(t *testing.T) {
	suite := &Suite{catalogue: wholeCatalogue(t)}
	nothing := func(*T) {}
	suite.Scenario("a", Covers("users.me.get"), nothing)
	suite.Scenario("b", Covers("versions.status"), nothing)
	suite.Scenario("c", Covers("auth.app-isolation"), nothing)
	suite.ScenarioAlone("d", Covers("limits.rate.get"), nothing)
	if len(suite.errors) > 0 {
		t.Fatal(suite.errors)
	}
	for _, tc := range []struct {
		rules []string
		want  string
	}{
		{[]string{"transport.utf8"}, "ab"},
		{[]string{"*.types", "users.id-type"}, "ab"},
		{[]string{"transport.utf8", "versions.status"}, "b"},
		{[]string{"users.me.get"}, "a"},
	} {
		var drawn strings.Builder
		for _, sc := range suite.pick(chosenFrom(t, tc.rules), Shard{}) {
			drawn.WriteString(sc.text)
		}
		if drawn.String() != tc.want {
			t.Errorf("%v draws %q, want %q", tc.rules, drawn.String(), tc.want)
		}
	}
}

func wholeCatalogue(t *testing.T) *rules.Catalogue {
	t.Helper()
	c := rules.Load()
	return c
}

func chosenFrom(t *testing.T, rs []string) *rules.Selected {
	t.Helper()
	sel, err := rules.Selection{Rules: rs}.Resolve(wholeCatalogue(t), rules.Given{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return sel
}
