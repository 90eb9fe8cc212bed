package rules

import (
	"strings"
	"sync"
	"testing"
)

// loaded spares the tests from reading the catalogue again and again.
var loaded = sync.OnceValue(Load)

func TestEmbeddedCatalogueIsSound(t *testing.T) {
	c := loaded()
	levels := map[Level]int{}
	for _, rule := range c.Rules() {
		levels[rule.Level]++
		if found, ok := c.Rule(rule.ID); !ok || found.Statement != rule.Statement {
			t.Errorf("%s is not found by its id", rule.ID)
		}
	}
	for _, level := range []Level{Must, Should, Choice} {
		if levels[level] == 0 {
			t.Errorf("no rule has the level %s", level)
		}
	}
	if rule, ok := c.Rule("no.such-rule"); ok {
		t.Errorf("an unknown id found %v", rule)
	}
}

// Every home is a rule that books a check at its endpoint: who is blocked by an
// endpoint is blocked by a rule that judges it.
func TestHomesAreRulesOfTheirEndpoints(t *testing.T) {
	c := loaded()
	for _, e := range Endpoints() {
		rule, ok := c.Rule(e.BlockingRule())
		if !ok || rule.Level != Must || !rule.Touches(e) {
			t.Errorf("%s has the home %q, which is no must at that endpoint", e, e.BlockingRule())
		}
	}
}

const soundEntry = `
  - id: part.name
    level: must
    endpoints: [1, 22]
    statement: a statement
    source: a source
    judged: a way
`

func TestSoundEntryIsTaken(t *testing.T) {
	c, err := parse([]byte("rules:" + soundEntry))
	if err != nil || len(c.Rules()) != 1 {
		t.Fatalf("got %v, %v", c, err)
	}
}

func TestMalformedEntriesAreRefused(t *testing.T) {
	for name, tc := range map[string]struct{ old, new, complaint string }{
		"no part":             {"part.name", "name", "part.name"},
		"upper case":          {"part.name", "Part.name", "lower case"},
		"no id":               {"id: part.name", "id: ''", "part.name"},
		"unknown level":       {"must", "may", `unknown level "may"`},
		"no level":            {"level: must", "level: ''", "unknown level"},
		"unknown need":        {"level: must", "level: must\n    needs: luck", `unknown need "luck"`},
		"no statement":        {"statement: a statement", "statement: ''", "required"},
		"no source":           {"source: a source", "source: ''", "required"},
		"no way of judging":   {"judged: a way", "judged: ''", "required"},
		"passive at endpoint": {"level: must", "level: must\n    passive: true", "passive"},
		"endpoint 0":          {"[1, 22]", "[0]", "number 0"},
		"endpoint 23":         {"[1, 22]", "[1, 23]", "number 23"},
		"with endpoint -1":    {"[1, 22]", "[1]\n    with: [-1]", "number -1"},
		"unknown key":         {"level: must", "level: must\n    leveI: must", "leveI"},
		"text as endpoint":    {"[1, 22]", "[one]", "reading"},
		"twice":               {"rules:", "rules:" + soundEntry, "twice"},
		"not a list":          {"rules:", "rules: 7\nx:", "reading"},
		"not YAML":            {"rules:", "\trules", "reading"},
	} {
		t.Run(name, func(t *testing.T) {
			text := strings.Replace("rules:"+soundEntry, tc.old, tc.new, 1)
			_, err := parse([]byte(text))
			if err == nil || !strings.Contains(err.Error(), tc.complaint) {
				t.Errorf("got %v, want a complaint with %q", err, tc.complaint)
			}
		})
	}
}

func TestSuggest(t *testing.T) {
	c := loaded()
	for typed, want := range map[string]string{
		"users.create.statsu": "users.create.status",
		"Feed.Order":          "feed.order",
		"qqqqqqqqqqqqqqqqqq":  "",
		"":                    "",
	} {
		if got := c.Suggest(typed); got != want {
			t.Errorf("Suggest(%q) = %q, want %q", typed, got, want)
		}
	}
}
