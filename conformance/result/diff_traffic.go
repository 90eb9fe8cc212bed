package result

import (
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/socialfeed/conform/conformance/rules"
)

// Traffic is what became different between the exchanges of two reports, where both kept all of
// theirs: what no rule judges, and a client may notice.
type Traffic struct {
	Outcomes []OutcomeChange `json:"outcomes"`
	Fields   []FieldChange   `json:"fields"`
	Slower   []Slowdown      `json:"slower"`
}

// OutcomeChange is a request, in its form, that is answered with another status.
type OutcomeChange struct {
	Endpoint string `json:"endpoint"`
	Request  string `json:"request"` // its form: values that differ from run to run are left out
	Old      string `json:"old"`     // statuses
	New      string `json:"new"`
}

// FieldChange is a field of successful answers that is in one of the reports alone.
type FieldChange struct {
	Endpoint string `json:"endpoint"`
	Field    string `json:"field"` // a path such as $[].verb
	Added    bool   `json:"added"` // it is new, which the contract allows (Versioning, item 4)
}

// Slowdown is an endpoint whose answers take longer by more than they vary.
type Slowdown struct {
	Endpoint string  `json:"endpoint"`
	OldMS    float64 `json:"old_ms"` // the median, in milliseconds
	NewMS    float64 `json:"new_ms"`
}

// Noticeable reports whether clients that worked may not any more.
func (t *Traffic) Noticeable() bool {
	return t != nil && (len(t.Outcomes) > 0 || slices.ContainsFunc(t.Fields, func(f FieldChange) bool { return !f.Added }))
}

// Empty reports that there is no difference.
func (t *Traffic) Empty() bool {
	return t == nil || len(t.Outcomes)+len(t.Fields)+len(t.Slower) == 0
}

// Confirm keeps what a second comparison shows as well: what a run asks depends on time to some extent.
func (t *Traffic) Confirm(again *Traffic) {
	if t == nil || again == nil {
		return
	}
	t.Outcomes = slices.DeleteFunc(t.Outcomes, func(o OutcomeChange) bool { return !slices.Contains(again.Outcomes, o) })
	t.Fields = slices.DeleteFunc(t.Fields, func(f FieldChange) bool { return !slices.Contains(again.Fields, f) })
	t.Slower = slices.DeleteFunc(t.Slower, func(s Slowdown) bool {
		return !slices.ContainsFunc(again.Slower, func(o Slowdown) bool { return o.Endpoint == s.Endpoint })
	})
}

// compareTraffic is nil where a report did not keep its exchanges.
func compareTraffic(old, now *Report) *Traffic {
	if len(old.Exchanges) == 0 || len(now.Exchanges) == 0 {
		return nil
	}
	before, after := observedOf(old), observedOf(now)
	t := &Traffic{Outcomes: []OutcomeChange{}, Fields: []FieldChange{}, Slower: []Slowdown{}}
	for _, form := range slices.SortedFunc(maps.Keys(before.statuses), requestForm.compare) {
		was, is := before.statuses[form], after.statuses[form]
		if change, differs := outcomesApart(was, is); differs {
			change.Endpoint, change.Request = form.endpoint.String(), form.text
			t.Outcomes = append(t.Outcomes, change)
		}
	}
	for _, e := range rules.Endpoints() {
		if before.successes[e] < fewest || after.successes[e] < fewest {
			continue
		}
		for _, field := range slices.Sorted(maps.Keys(union(before.fields[e], after.fields[e]))) {
			if was, is := before.fields[e][field], after.fields[e][field]; min(was, is) == 0 && max(was, is) >= often {
				t.Fields = append(t.Fields, FieldChange{e.String(), field, is > 0})
			}
		}
		if s, slower := slowdown(before.took[e], after.took[e]); slower {
			s.Endpoint = e.String()
			t.Slower = append(t.Slower, s)
		}
	}
	return t
}

const (
	fewest = 5 // answers that it takes to say what an endpoint does
	often  = 3 // answers that have a field which is no chance of what a run asked
)

// outcomesApart compares the statuses of a request's form. A form stands for several requests, some of which
// a target may answer later or elsewhere than another: only outcomes that have nothing in common
// differ.
func outcomesApart(was, is map[int]bool) (OutcomeChange, bool) {
	split := func(all map[int]bool) (taken, refused []int) {
		for _, status := range slices.Sorted(maps.Keys(all)) {
			switch {
			case status/100 == 2:
				taken = append(taken, status)
			case status/100 == 4 && status != 429:
				refused = append(refused, status)
			}
		}
		return taken, refused
	}
	wasTaken, wasRefused := split(was)
	isTaken, isRefused := split(is)
	apart := func(a, b []int) bool {
		return len(a) > 0 && len(b) > 0 && !slices.ContainsFunc(a, func(n int) bool { return slices.Contains(b, n) })
	}
	change := OutcomeChange{Old: listed(append(wasTaken, wasRefused...)), New: listed(append(isTaken, isRefused...))}
	onlyTaken, onlyRefused := len(wasRefused) == 0 && len(isTaken) == 0, len(wasTaken) == 0 && len(isRefused) == 0
	switch {
	case apart(wasRefused, isRefused), apart(wasTaken, isTaken):
		return change, true
	case onlyTaken && len(wasTaken) > 0 && len(isRefused) > 0, onlyRefused && len(wasRefused) > 0 && len(isTaken) > 0:
		return change, true
	}
	return change, false
}

func listed(statuses []int) string {
	var texts []string
	for _, status := range statuses {
		texts = append(texts, fmt.Sprint(status))
	}
	return strings.Join(texts, ", ")
}

// observed is what the exchanges of a report show.
type observed struct {
	statuses  map[requestForm]map[int]bool
	successes map[rules.Endpoint]int
	fields    map[rules.Endpoint]map[string]int // how many answers have each
	took      map[rules.Endpoint][]float64      // milliseconds
}

func observedOf(r *Report) observed {
	o := observed{map[requestForm]map[int]bool{}, map[rules.Endpoint]int{}, map[rules.Endpoint]map[string]int{}, map[rules.Endpoint][]float64{}}
	base, _ := url.Parse(r.Target.BaseURL)
	for _, x := range r.Exchanges {
		u, err := url.Parse(x.Request.URL)
		if err != nil || base == nil || x.Response == nil {
			continue
		}
		path := strings.TrimPrefix(u.Path, strings.TrimSuffix(base.Path, "/"))
		e := rules.EndpointOf(x.Request.Method, path)
		if e == rules.NoEndpoint {
			continue
		}
		form := formOf(e, path, u.Query(), x.Request)
		if o.statuses[form] == nil {
			o.statuses[form] = map[int]bool{}
		}
		o.statuses[form][x.Response.Status] = true
		if x.Response.Status/100 != 2 {
			continue
		}
		o.successes[e]++
		o.took[e] = append(o.took[e], x.DurationMS)
		if o.fields[e] == nil {
			o.fields[e] = map[string]int{}
		}
		if body, ok := decoded(x.Response.Body); ok {
			found := map[string]bool{}
			fieldsOf(body, "$", found)
			for field := range found {
				o.fields[e][field]++
			}
		}
	}
	return o
}

// fieldsOf collects the paths of a value's fields. What is below a map of the client's own keys is the
// client's.
func fieldsOf(value any, at string, found map[string]bool) {
	switch v := value.(type) {
	case []any:
		for _, item := range v {
			fieldsOf(item, at+"[]", found)
		}
	case map[string]any:
		for name, inner := range v {
			found[at+"."+name] = true
			if !slices.Contains([]string{"metadata", "social_ids", "display_name"}, name) {
				fieldsOf(inner, at+"."+name, found)
			}
		}
	}
}

// slowdown compares times by their quartiles: what varies from answer to answer is none.
func slowdown(was, is []float64) (Slowdown, bool) {
	const least = 50 * time.Millisecond
	if len(was) < fewest || len(is) < fewest {
		return Slowdown{}, false
	}
	slices.Sort(was)
	slices.Sort(is)
	s := Slowdown{OldMS: was[len(was)/2], NewMS: is[len(is)/2]}
	return s, is[len(is)/4] > was[len(was)*3/4] && s.NewMS-s.OldMS > float64(least.Milliseconds())
}
