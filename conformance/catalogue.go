package conformance

import (
	"bytes"
	_ "embed"
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

//go:embed rules.yaml
var rulesYAML []byte

// Level says how much a rule binds a target.
type Level string

// The levels: a must is stated by the contract, a should is recommended or
// implied by it, a choice is left open.
const (
	Must   Level = "must"
	Should Level = "should"
	Choice Level = "choice"
)

// What a rule may need beyond the target's base URL and app token.
const (
	needsSecondApp  = "second-app-token"
	needsRateLimits = "rate-limits"
)

// Rule is one judgeable statement of the contract.
type Rule struct {
	ID    string `yaml:"id" json:"id"`
	Level Level  `yaml:"level" json:"level"`
	// Endpoints are those at each of which a check is booked.
	Endpoints []Endpoint `yaml:"endpoints" json:"endpoints"`
	// With are further endpoints that the rule's story needs.
	With []Endpoint `yaml:"with" json:"with,omitempty"`
	// Passive rules are judged on every exchange of the run.
	Passive bool `yaml:"passive" json:"passive,omitempty"`
	// Needs names the option without which the rule is skipped.
	Needs     string `yaml:"needs" json:"needs,omitempty"`
	Statement string `yaml:"statement" json:"statement"`
	Source    string `yaml:"source" json:"source"`
	Judged    string `yaml:"judged" json:"judged"`
	Example   string `yaml:"example" json:"example,omitempty"`
}

// Part is the part of the contract that the rule belongs to: its id up to the first dot.
func (r Rule) Part() string {
	part, _, _ := strings.Cut(r.ID, ".")
	return part
}

// at lists where the rule's checks are booked; NoEndpoint for a rule tied to none.
func (r Rule) at() []Endpoint {
	if len(r.Endpoints) == 0 {
		return []Endpoint{NoEndpoint}
	}
	return r.Endpoints
}

// touches tells whether the rule involves the endpoint, as a place of judgement or as a means.
func (r Rule) touches(e Endpoint) bool {
	return slices.Contains(r.Endpoints, e) || slices.Contains(r.With, e)
}

// Catalogue is the list of all rules, in the contract's order.
type Catalogue struct {
	rules []Rule
	byID  map[string]int
}

// LoadCatalogue reads the embedded catalogue and checks that it is sound.
func LoadCatalogue() (*Catalogue, error) {
	return parseCatalogue(rulesYAML)
}

func parseCatalogue(data []byte) (*Catalogue, error) {
	var file struct {
		Rules []Rule `yaml:"rules"`
	}
	decoder := yaml.NewDecoder(bytes.NewReader(data))
	decoder.KnownFields(true)
	if err := decoder.Decode(&file); err != nil {
		return nil, fmt.Errorf("reading the rule catalogue: %w", err)
	}
	c := &Catalogue{rules: file.Rules, byID: make(map[string]int, len(file.Rules))}
	for i, rule := range file.Rules {
		if err := rule.validate(); err != nil {
			return nil, fmt.Errorf("rule %q of the catalogue: %w", rule.ID, err)
		}
		if _, twice := c.byID[rule.ID]; twice {
			return nil, fmt.Errorf("rule %q stands twice in the catalogue", rule.ID)
		}
		c.byID[rule.ID] = i
	}
	return c, nil
}

func (r Rule) validate() error {
	switch {
	case r.Part() == r.ID || r.ID != strings.ToLower(r.ID):
		return fmt.Errorf("an id is lower case and reads part.name")
	case r.Level != Must && r.Level != Should && r.Level != Choice:
		return fmt.Errorf("unknown level %q", r.Level)
	case r.Needs != "" && r.Needs != needsSecondApp && r.Needs != needsRateLimits:
		return fmt.Errorf("unknown need %q", r.Needs)
	case r.Statement == "" || r.Source == "" || r.Judged == "":
		return fmt.Errorf("statement, source and judged are all required")
	case r.Passive && len(r.Endpoints) > 0:
		return fmt.Errorf("a passive rule is booked where it is seen and names no endpoints")
	}
	for _, e := range slices.Concat(r.Endpoints, r.With) {
		if e < CreateUser || e > Versions {
			return fmt.Errorf("no endpoint has the number %d", int(e))
		}
	}
	return nil
}

// Rules lists every rule, in the contract's order.
func (c *Catalogue) Rules() []Rule { return slices.Clone(c.rules) }

// Rule finds a rule by its id.
func (c *Catalogue) Rule(id string) (Rule, bool) {
	i, ok := c.byID[id]
	if !ok {
		return Rule{}, false
	}
	return c.rules[i], true
}

// Suggest names the rule whose id comes closest to a mistyped one, "" when none is near.
func (c *Catalogue) Suggest(id string) string {
	ids := make([]string, len(c.rules))
	for i, rule := range c.rules {
		ids[i] = rule.ID
	}
	return Nearest(id, ids)
}
