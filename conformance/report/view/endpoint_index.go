package view

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/socialfeed/conform/conformance/report/plain"
	"github.com/socialfeed/conform/conformance/result"
)

// EndpointIndex has the numbers of a report's endpoints, by method and path.
type EndpointIndex map[string]int

func newEndpointIndex(r *result.Report) EndpointIndex {
	all := make(EndpointIndex, len(r.Endpoints))
	for _, e := range r.Endpoints {
		all[e.Method+" "+e.Path] = e.Number
	}
	return all
}

// full names an endpoint with its number, "" for none.
func (all EndpointIndex) full(endpoint string) string {
	if n, known := all[endpoint]; known {
		return fmt.Sprintf("#%d %s", n, endpoint)
	}
	return endpoint
}

// Short lists endpoints by their numbers, each once, without "".
func (all EndpointIndex) Short(endpoints []string) string {
	var numbers []int
	var others []string
	for _, endpoint := range endpoints {
		if n, known := all[endpoint]; known {
			numbers = append(numbers, n)
		} else if endpoint != "" && !slices.Contains(others, endpoint) {
			others = append(others, endpoint)
		}
	}
	if len(numbers) > 0 {
		others = slices.Insert(others, 0, Numbered(numbers))
	}
	return plain.Short(strings.Join(others, ", "))
}

// brief replaces the endpoints that a text names by their numbers, longer names first since
// one may be a prefix of another.
func (all EndpointIndex) brief(s string) string {
	names := slices.SortedFunc(maps.Keys(all), func(a, b string) int {
		return cmp.Or(cmp.Compare(len(b), len(a)), cmp.Compare(a, b))
	})
	var pairs []string
	for _, name := range names {
		pairs = append(pairs, name, fmt.Sprintf("#%d", all[name]))
	}
	return strings.NewReplacer(pairs...).Replace(s)
}

// Numbered writes endpoint numbers in order, three and more in a row as a range:
// #1 #5-#9.
func Numbered(numbers []int) string {
	numbers = slices.Compact(slices.Sorted(slices.Values(numbers)))
	var words []string
	for i := 0; i < len(numbers); {
		last := i
		for last+1 < len(numbers) && numbers[last+1] == numbers[last]+1 {
			last++
		}
		if last-i < 2 {
			last = i
			words = append(words, fmt.Sprintf("#%d", numbers[i]))
		} else {
			words = append(words, fmt.Sprintf("#%d-#%d", numbers[i], numbers[last]))
		}
		i = last + 1
	}
	return strings.Join(words, " ")
}
