package result

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/socialfeed/conform/conformance/rules"
)

// driftSchema names the format of a FakeDrift. Within it, keys are added but never renamed.
const driftSchema = "conform.drift/v1"

// FakeDrift is where a fake and the real service differ for clients, by two reports.
type FakeDrift struct {
	Schema      string       `json:"schema"`
	Real        Side         `json:"real"`
	Fake        Side         `json:"fake"`
	Differences []Difference `json:"differences"`
	// Untold are the choices that one of the reports does not tell.
	Untold []string `json:"untold"`
	// Shallow reports that a report did not keep its exchanges: statuses beyond the rules, fields, the
	// form of times and the length of lists were not compared.
	Shallow bool `json:"shallow"`
}

// Difference is one thing in which the fake differs.
type Difference struct {
	Kind     DriftKind `json:"kind"`
	Rule     string    `json:"rule,omitempty"`
	Endpoint string    `json:"endpoint,omitempty"`
	What     string    `json:"what,omitempty"` // where no rule says it
	Real     string    `json:"real"`
	Fake     string    `json:"fake"`
}

// DriftKind is what a difference is about.
type DriftKind string

// The kinds, in the order in which they are told.
const (
	DriftRules    DriftKind = "rules" // one of them breaks it
	DriftStatuses DriftKind = "statuses"
	DriftIDs      DriftKind = "ids"
	DriftTimes    DriftKind = "times"
	DriftLists    DriftKind = "lists" // how long they get
	DriftFields   DriftKind = "fields"
	DriftChoices  DriftKind = "choices"
)

// DriftKinds are the kinds, in their order.
func DriftKinds() []DriftKind {
	return []DriftKind{DriftRules, DriftStatuses, DriftIDs, DriftTimes, DriftLists, DriftFields, DriftChoices}
}

// DriftOf compares the report on a real service with that on its fake.
func DriftOf(real, fake *Report) *FakeDrift {
	compared := Compare(real, fake)
	d := &FakeDrift{Schema: driftSchema, Real: compared.Old, Fake: compared.New, Differences: []Difference{}, Untold: []string{}}
	for _, c := range slices.Concat(compared.Broken, compared.Mended) {
		d.add(Difference{Kind: DriftRules, Rule: c.Rule, Endpoint: c.Endpoint, Real: string(c.Old), Fake: string(c.New)})
	}
	for _, c := range compared.Drift {
		d.add(Difference{Kind: kindOfChoice(c.Rule, c.Old, c.New), Rule: c.Rule, Endpoint: c.Endpoint, Real: c.Old, Fake: c.New})
	}
	for _, c := range slices.Concat(compared.Judged, compared.Unjudged) {
		if c.Level == rules.Choice && (c.Old == Observed || c.New == Observed) {
			d.Untold = append(d.Untold, strings.TrimSpace(c.Rule+" "+c.Endpoint))
		}
	}
	if compared.Traffic == nil {
		d.Shallow = true
	} else {
		d.traffic(compared.Traffic)
		d.values(real, fake)
	}
	slices.SortStableFunc(d.Differences, func(a, b Difference) int {
		return slices.Index(DriftKinds(), a.Kind) - slices.Index(DriftKinds(), b.Kind)
	})
	return d
}

func (d *FakeDrift) add(one Difference) { d.Differences = append(d.Differences, one) }

// traffic adds what answers to the same requests differ in.
func (d *FakeDrift) traffic(t *Traffic) {
	for _, o := range t.Outcomes {
		d.add(Difference{Kind: DriftStatuses, Endpoint: o.Endpoint, What: o.Request, Real: o.Old, Fake: o.New})
	}
	for _, f := range t.Fields {
		one := Difference{Kind: DriftFields, Endpoint: f.Endpoint, What: f.Field, Real: "there", Fake: "not there"}
		if f.Added {
			one.Real, one.Fake = one.Fake, one.Real
		}
		d.add(one)
	}
}

// values adds what differs in the form of times and in the length of lists. Lists are compared where
// both runs had the same seed, and so made the same ones.
func (d *FakeDrift) values(real, fake *Report) {
	was, is := valuesOf(real), valuesOf(fake)
	if was.times() != is.times() && was.times() != "" && is.times() != "" {
		d.add(Difference{Kind: DriftTimes, What: "times in answers", Real: was.times(), Fake: is.times()})
	}
	if real.Seed != fake.Seed {
		return
	}
	const shortest, apart = 5, 2 // elements that are no chance of the order of a run
	for _, e := range rules.Endpoints() {
		a, b := was.longest[e.String()], is.longest[e.String()]
		if max(a, b)-min(a, b) > apart && min(a, b) >= shortest {
			d.add(Difference{Kind: DriftLists, Endpoint: e.String(), What: "the longest list", Real: Plural(a, "element"), Fake: Plural(b, "element")})
		}
	}
}

// kindOfChoice is what a choice is about.
func kindOfChoice(rule, a, b string) DriftKind {
	switch {
	case strings.HasSuffix(rule, ".id-type"):
		return DriftIDs
	case statusNumber.MatchString(a) || statusNumber.MatchString(b):
		return DriftStatuses
	}
	return DriftChoices
}

var (
	statusNumber = regexp.MustCompile(`\b[1-5][0-9][0-9]\b`)
	timeText     = regexp.MustCompile(`"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]+)?(Z|[+-][0-9]{2}:[0-9]{2})"`)
)

// answered is what the answers of a run look like.
type answered struct {
	digits  int             // of the finest fraction of a second
	zones   map[string]bool // Z, offset
	longest map[string]int  // list, by endpoint
}

func valuesOf(r *Report) answered {
	v := answered{zones: map[string]bool{}, longest: map[string]int{}}
	for i := range r.Exchanges {
		x := &r.Exchanges[i]
		if x.Response == nil || x.Response.Status/100 != 2 {
			continue
		}
		for _, found := range timeText.FindAllStringSubmatch(x.Response.Body, -1) {
			v.digits = max(v.digits, len(strings.TrimPrefix(found[1], ".")))
			v.zones[map[bool]string{true: "Z", false: "offset"}[found[2] == "Z"]] = true
		}
		var list []json.RawMessage
		if json.Unmarshal([]byte(x.Response.Body), &list) == nil {
			at := endpointOf(x, r.Target.BaseURL).String()
			v.longest[at] = max(v.longest[at], len(list))
		}
	}
	return v
}

// times says in which form times come, "" where none did.
func (v answered) times() string {
	if len(v.zones) == 0 {
		return ""
	}
	return fmt.Sprintf("%d digits of a second, zone %s", v.digits, strings.Join(slices.Sorted(maps.Keys(v.zones)), " or "))
}

// endpointOf is the endpoint of a stored exchange, NoEndpoint for none.
func endpointOf(x *Exchange, baseURL string) rules.Endpoint {
	u, err := url.Parse(x.Request.URL)
	base, wrong := url.Parse(baseURL)
	if err != nil || wrong != nil {
		return rules.NoEndpoint
	}
	return rules.EndpointOf(x.Request.Method, strings.TrimPrefix(u.Path, strings.TrimSuffix(base.Path, "/")))
}
