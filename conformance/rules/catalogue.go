// Package rules is the catalogue: every rule of the contract with its level and its
// endpoints, the endpoints themselves, and selections of both.
package rules

import (
	"bytes"
	_ "embed"
	"fmt"
	"slices"
	"strings"

	"github.com/socialfeed/conform/internal/nearest"
	"go.yaml.in/yaml/v3"
)

//go:embed rules.yaml
var rulesYAML []byte

//go:embed client.yaml
var clientYAML []byte

// Level says how much a rule binds a target.
type Level string

// The levels: a must is stated by the contract, a should is recommended or
// implied by it, a choice is left open.
const (
	Must   Level = "must"
	Should Level = "should"
	Choice Level = "choice"
)

// The needs of a rule beyond the target's base URL and app token.
const (
	needsSecondApp  = "second-app-token"
	needsRateLimits = "rate-limits"
	needsRestarts   = "restarts"
)

// Rule is one judgeable statement of the contract.
type Rule struct {
	ID    string `yaml:"id" json:"id"`
	Level Level  `yaml:"level" json:"level"`
	// Endpoints are those at which the rule is judged, by one check at each.
	Endpoints []Endpoint `yaml:"endpoints" json:"endpoints"`
	// With are further endpoints that the rule's story needs.
	With []Endpoint `yaml:"with" json:"with,omitempty"`
	// Passive rules are judged on every exchange of the run.
	Passive bool `yaml:"passive" json:"passive,omitempty"`
	// ShownBy is the rule of the step whose responses a passive rule judges: without such a
	// response it blocks the passive rule. It is "" for a passive rule that then passes.
	ShownBy string `yaml:"shown_by" json:"shown_by,omitempty"`
	// Needs names the option without which the rule is skipped.
	Needs string `yaml:"needs" json:"needs,omitempty"`
	// Aside reports that no drawn story depends on the rule: they are played even if it is
	// broken.
	Aside     bool   `yaml:"aside" json:"-"`
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

// Places lists the endpoints at which the rule is judged; NoEndpoint for a rule tied to none.
func (r Rule) Places() []Endpoint {
	if len(r.Endpoints) == 0 {
		return []Endpoint{NoEndpoint}
	}
	return r.Endpoints
}

// Touches reports whether the rule involves the endpoint, as a place of judgement or as a means.
func (r Rule) Touches(e Endpoint) bool {
	return slices.Contains(r.Endpoints, e) || slices.Contains(r.With, e)
}

// Catalogue is the list of all rules, in the contract's order.
type Catalogue struct {
	rules []Rule
	byID  map[string]int
}

// Load reads the embedded catalogue of rules for a service.
func Load() *Catalogue { return sound(parse(rulesYAML)) }

// LoadClient reads the embedded catalogue of rules for a client.
func LoadClient() *Catalogue { return sound(parse(clientYAML)) }

// LoadAll reads both catalogues as one, the service's rules first.
func LoadAll() *Catalogue {
	return sound(catalogueOf(append(Load().rules, LoadClient().rules...)))
}

// sound is an embedded catalogue, in which any error is one of this package.
func sound(c *Catalogue, err error) *Catalogue {
	if err != nil {
		panic(err)
	}
	return c
}

// RestartsPart is the part of the rules about restarts of a target.
const RestartsPart = "restarts"

// ClientPart is the part that a client's rules belong to.
const ClientPart = "client"

func parse(data []byte) (*Catalogue, error) {
	var file struct {
		Rules []Rule `yaml:"rules"`
	}
	decoder := yaml.NewDecoder(bytes.NewReader(data))
	decoder.KnownFields(true)
	if err := decoder.Decode(&file); err != nil {
		return nil, fmt.Errorf("reading the rule catalogue: %w", err)
	}
	return catalogueOf(file.Rules)
}

func catalogueOf(rules []Rule) (*Catalogue, error) {
	c := &Catalogue{rules: rules, byID: make(map[string]int, len(rules))}
	for i, rule := range rules {
		if err := rule.validate(); err != nil {
			return nil, fmt.Errorf("rule %q of the catalogue: %w", rule.ID, err)
		}
		if _, twice := c.byID[rule.ID]; twice {
			return nil, fmt.Errorf("rule %q stands twice in the catalogue", rule.ID)
		}
		c.byID[rule.ID] = i
	}
	for _, rule := range rules {
		if _, known := c.byID[rule.ShownBy]; rule.ShownBy != "" && (!known || !rule.Passive) {
			return nil, fmt.Errorf("rule %q of the catalogue: shown_by %q takes another rule, for a passive one", rule.ID, rule.ShownBy)
		}
	}
	return c, nil
}

func (r Rule) validate() error {
	switch {
	case r.Part() == r.ID || r.ID != strings.ToLower(r.ID):
		return fmt.Errorf("an id is lower case and reads part.name")
	case r.Level != Must && r.Level != Should && r.Level != Choice:
		return fmt.Errorf("unknown level %q", r.Level)
	case r.Needs != "" && r.Needed() == "":
		return fmt.Errorf("unknown need %q", r.Needs)
	case r.Statement == "" || r.Source == "" || r.Judged == "":
		return fmt.Errorf("statement, source and judged are all required")
	case r.Passive && len(r.Endpoints) > 0:
		return fmt.Errorf("a passive rule is judged wherever it shows and names no endpoints")
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

// Only is the catalogue of the rules that are wanted.
func (c *Catalogue) Only(wanted func(Rule) bool) *Catalogue {
	kept := &Catalogue{byID: map[string]int{}}
	for _, rule := range c.rules {
		if wanted(rule) {
			kept.byID[rule.ID] = len(kept.rules)
			kept.rules = append(kept.rules, rule)
		}
	}
	return kept
}

// Observed is the catalogue of the rules that are wanted, each judged wherever an exchange shows it.
func (c *Catalogue) Observed(wanted func(Rule) bool) *Catalogue {
	kept := c.Only(wanted)
	for i := range kept.rules {
		kept.rules[i].Passive, kept.rules[i].Endpoints, kept.rules[i].Needs = true, nil, ""
	}
	return kept
}

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
		if id != "" && strings.HasPrefix(rule.ID, id) {
			return rule.ID
		}
	}
	return nearest.To(id, ids)
}

// Unknown is the error that no rule has an id, with the one that was probably meant.
func (c *Catalogue) Unknown(id string) error {
	hint := ""
	if near := c.Suggest(id); near != "" {
		hint = "; did you mean " + near + "?"
	}
	return fmt.Errorf("there is no rule %q%s", id, hint)
}

// Place is a rule at an endpoint, as a place of judgement.
type Place struct {
	Rule string
	At   Endpoint
}

// HTTPSOnly is the rule that a target given as http:// cannot show.
const HTTPSOnly = "transport.https-only"

// Needed names, in words, the settings that the rule needs; "" for none.
func (r Rule) Needed() string {
	return map[string]string{needsSecondApp: "a second application", needsRateLimits: "rate limits", needsRestarts: "restarts"}[r.Needs]
}
