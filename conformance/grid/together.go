package grid

import (
	"cmp"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/socialfeed/conform/conformance/rules"
)

// Together returns groups of cases that need not be refused, each to be sent as one request. The first
// ones, one for each endpoint, carry as many different classes as they can, of what most servers take or
// some do: where the request is accepted, each of its cases is tried. The others carry one class of what most
// servers refuse, at many positions: they try it also where the request is refused. The order is drawn from the
// seed.
func Together(seed uint64) [][]Case {
	drawn := slices.DeleteFunc(Draw(seed), func(c Case) bool { return len(c.Refused) > 0 })
	mixed, alike := newGroups(), newGroups()
	once := map[string]bool{} // each doubtful class at each endpoint: of the positions, most are for odd texts
	for _, c := range drawn {
		name := c.Endpoint.String()
		switch place := name + c.Class; {
		case c.Reception == Unwanted:
			alike.add(place, c)
		case c.Reception == Doubtful && !once[place]:
			once[place] = mixed.add(name, c)
		}
	}
	for _, c := range drawn {
		if c.Reception == Taken && c.Class == oddTexts {
			mixed.add(c.Endpoint.String(), c)
		}
	}
	for _, c := range drawn {
		if c.Reception == Taken && c.Class != oddTexts {
			mixed.add(c.Endpoint.String(), c)
		}
	}
	return append(mixed.all(), alike.all()...)
}

// groups are groups by what their cases have in common, in the order in which they came up.
type groups struct {
	named map[string]*group
	names []string
}

func newGroups() *groups { return &groups{named: map[string]*group{}} }

// add adds a case to its group, if it goes together with the others, and reports whether it does.
func (g *groups) add(name string, c Case) bool {
	if g.named[name] == nil {
		g.named[name] = &group{changed: map[string]string{}}
		g.names = append(g.names, name)
	}
	return g.named[name].add(c)
}

// all returns the groups. The cases of each are in the order of the tables, in which the layouts
// go together.
func (g *groups) all() [][]Case {
	var all [][]Case
	for _, name := range g.names {
		cases := g.named[name].cases
		slices.SortStableFunc(cases, func(a, b Case) int { return cmp.Compare(a.row, b.row) })
		all = append(all, cases)
	}
	return all
}

// group is cases that one message can have at once.
type group struct {
	cases   []Case
	changed map[string]string // what the cases change of a message, to what
}

// add adds a case, unless one of the cases would change what another one does.
func (g *group) add(c Case) bool {
	changed := c.changes()
	for name, value := range changed {
		if other, taken := g.changed[name]; taken && other != value {
			return false
		}
	}
	maps.Copy(g.changed, changed)
	g.cases = append(g.cases, c)
	return true
}

// changes is what a case changes of a valid message, by place.
func (c Case) changes() map[string]string {
	m := sample(c.Endpoint)
	before := m.parts()
	c.Apply(m)
	after := m.parts()
	changed := map[string]string{}
	for name, value := range after {
		if was, there := before[name]; !there || was != value {
			changed[name] = value
		}
	}
	for name := range before {
		if _, there := after[name]; !there {
			changed[name] = "" // it is gone
		}
	}
	return changed
}

// ApplyAll gives a message the peculiarities of several cases.
func ApplyAll(m *Message, cases []Case) {
	for _, c := range cases {
		c.Apply(m)
	}
}

// sample is a valid message to an endpoint, with values that stand for real ones.
func sample(at rules.Endpoint) *Message {
	request := at.Request()
	fill := func(source rules.Source) any { return string(source) }
	m := &Message{Endpoint: at, Query: map[string]string{}, Header: http.Header{"Authorization": {"Basic YTpi"}}, Body: request.ValidBody(fill), Further: request.FurtherFields(fill)}
	for range request.Path {
		m.IDs = append(m.IDs, "7")
	}
	return m
}

// parts are what the message says, by place.
func (m *Message) parts() map[string]string {
	parts := map[string]string{"path": m.EscapedPath(), "query": fmt.Sprint(m.Query, m.RawQuery), "chunked": fmt.Sprint(m.Chunked), "raw": string(m.Raw)}
	for name, values := range m.Header {
		parts["header "+name] = strings.Join(values, "\n")
	}
	for _, each := range m.spellings {
		parts["spelling "+each.of] = "another"
	}
	add := func(name string, value any) { parts["field "+name] = fmt.Sprintf("%T %s", value, value) }
	for name, value := range m.Body {
		object, is := value.(map[string]any)
		if !is || !m.holdsFields(name) {
			add(name, value)
			continue
		}
		parts["field "+name] = "an object"
		for inner, value := range object {
			add(name+"."+inner, value)
		}
	}
	return parts
}

// holdsFields reports whether a field is an object whose fields the contract lists.
func (m *Message) holdsFields(name string) bool {
	request := m.Endpoint.Request()
	return slices.ContainsFunc(request.Positions(), func(p rules.Param) bool { return strings.HasPrefix(p.Name, name+".") })
}
