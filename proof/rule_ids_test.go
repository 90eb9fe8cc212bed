package proof_test

import (
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/socialfeed/conform/conformance/rules"
)

// TestRuleIDsAreThoseOfTheCatalogue finds every text in the code of judge, scenarios, faults and
// commands that looks like a rule's id, also where only a failure leads.
func TestRuleIDsAreThoseOfTheCatalogue(t *testing.T) {
	all := rules.LoadAll().Rules()
	seen := 0
	for _, folder := range []string{"cmd", "conformance", "refserver", "scenarios"} {
		err := filepath.WalkDir(filepath.Join("..", folder), func(path string, _ fs.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return err
			}
			literals(t, path, func(at token.Position, text string) {
				if likeRuleID(all, text) {
					seen++
					if !namesRule(all, text) {
						t.Errorf("%s: %v", at, rules.LoadAll().Unknown(text))
					}
				}
			})
			return nil
		})
		must(t, err)
	}
	if seen < len(all) {
		t.Errorf("only %d ids were seen", seen)
	}
}

// likeRuleID reports whether a text is a part of the contract and words behind it, with dots
// between them: an id, or the beginning of several, which ends in a dot.
func likeRuleID(all []rules.Rule, text string) bool {
	match := regexp.MustCompile(`^([a-z]+)\.([a-z0-9-]+\.)*[a-z0-9-]*$`).FindStringSubmatch(text)
	return match != nil && slices.ContainsFunc(all, func(r rules.Rule) bool { return r.Part() == match[1] })
}

// namesRule reports whether a text is the id of a rule, or the beginning of several.
func namesRule(all []rules.Rule, text string) bool {
	beginning := strings.HasSuffix(text, ".") || text == "users.me.delete" // which the model has for all of that name
	return slices.ContainsFunc(all, func(r rules.Rule) bool { return r.ID == text || beginning && strings.HasPrefix(r.ID, text) })
}

func TestMistypedRuleIDsAreSeen(t *testing.T) {
	all := rules.LoadAll().Rules()
	for text, want := range map[string]struct{ like, names bool }{
		"feed.friends":       {true, true},
		"feed.friend":        {true, false},
		"feed.purge.":        {true, true},
		"feed.purg.":         {true, false},
		"client.https":       {true, true},
		"client.tolerates.x": {true, false},
		"users.json":         {true, false},
		"report.json":        {false, false},
	} {
		if like, names := likeRuleID(all, text), namesRule(all, text); like != want.like || names != want.names {
			t.Errorf("%s: like an id %v, names a rule %v", text, like, names)
		}
	}
}
