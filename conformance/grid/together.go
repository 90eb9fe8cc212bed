package grid

import (
	"cmp"
	"fmt"
	"iter"
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
func Together(seed uint64) iter.Seq[[]Case] {
	return func(yield func([]Case) bool) {
		mixed, alike := &candidates{}, &candidates{}
		for _, c := range Draw(seed) {
			switch {
			case len(c.Refused) > 0:
			case c.Reception == Unwanted:
				alike.add(c.Endpoint.String()+c.Class, c)
			default:
				mixed.add(c.Endpoint.String(), c)
			}
		}
		for _, all := range []*candidates{mixed, alike} {
			for _, name := range all.names {
				if !yield(together(all.named[name])) {
					return
				}
			}
		}
	}
}

// candidates are cases for one group each, by what they have in common, in the order in which they came up.
type candidates struct {
	named map[string][]Case
	names []string
}

func (all *candidates) add(name string, c Case) {
	if all.named == nil {
		all.named = map[string][]Case{}
	}
	if all.named[name] == nil {
		all.names = append(all.names, name)
	}
	all.named[name] = append(all.named[name], c)
}

// together returns the cases of one endpoint that one message can have at once: each class that servers do not
// all take once, texts that try many classes in one wherever they fit, and what fits beside them. They
// are in the order of the tables, in which the layouts go together.
func together(candidates []Case) []Case {
	g := newGroup(candidates[0].Endpoint)
	once := map[string]bool{}
	for _, c := range candidates {
		if c.Reception == Doubtful && !once[c.Class] {
			once[c.Class] = g.add(c)
		}
	}
	for _, odd := range []bool{true, false} {
		for _, c := range candidates {
			if c.Reception != Doubtful && odd == (c.Class == oddTexts) {
				g.add(c)
			}
		}
	}
	slices.SortStableFunc(g.cases, func(a, b Case) int { return cmp.Compare(a.row, b.row) })
	return g.cases
}

// group is cases that one message can have at once.
type group struct {
	request rules.Request // what the endpoint takes
	cases   []Case
	plain   map[string]string // the parts of a message without them
	changed map[string]string // what the cases change of it, to what
}

func newGroup(at rules.Endpoint) *group {
	request := at.Request()
	return &group{request: request, plain: sample(at, request).parts(request), changed: map[string]string{}}
}

// add adds a case, unless one of the cases would change what another one does, and reports whether it does.
func (g *group) add(c Case) bool {
	changed := g.changes(c)
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
func (g *group) changes(c Case) map[string]string {
	m := sample(c.Endpoint, g.request)
	c.Apply(m)
	after := m.parts(g.request)
	changed := map[string]string{}
	for name, value := range after {
		if was, there := g.plain[name]; !there || was != value {
			changed[name] = value
		}
	}
	for name := range g.plain {
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
func sample(at rules.Endpoint, request rules.Request) *Message {
	fill := func(source rules.Source) any { return string(source) }
	m := &Message{Endpoint: at, Query: map[string]string{}, Header: http.Header{"Authorization": {"Basic YTpi"}}, Body: request.ValidBody(fill), Further: request.FurtherFields(fill)}
	for range request.Path {
		m.IDs = append(m.IDs, "7")
	}
	return m
}

// parts are what the message says, by place.
func (m *Message) parts(request rules.Request) map[string]string {
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
		if !is || !holdsFields(request, name) {
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

// holdsFields reports whether a field of a request is an object whose fields the contract lists.
func holdsFields(request rules.Request, name string) bool {
	return slices.ContainsFunc(request.Positions(), func(p rules.Param) bool { return strings.HasPrefix(p.Name, name+".") })
}
