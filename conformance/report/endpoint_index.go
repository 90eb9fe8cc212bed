package report

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/socialfeed/conform/conformance/result"
)

// endpointIndex has the numbers of a report's endpoints, by method and path.
type endpointIndex map[string]int

func newEndpointIndex(r *result.Report) endpointIndex {
	all := make(endpointIndex, len(r.Endpoints))
	for _, e := range r.Endpoints {
		all[e.Method+" "+e.Path] = e.Number
	}
	return all
}

// full names an endpoint with its number, "" for none.
func (all endpointIndex) full(endpoint string) string {
	if n, known := all[endpoint]; known {
		return fmt.Sprintf("#%d %s", n, endpoint)
	}
	return endpoint
}

// short lists endpoints by their numbers, each once, without "".
func (all endpointIndex) short(endpoints []string) string {
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
		others = slices.Insert(others, 0, numbered(numbers))
	}
	return short(strings.Join(others, ", "))
}

// brief replaces the endpoints that a text names by their numbers, longer names first since
// one may be a prefix of another.
func (all endpointIndex) brief(s string) string {
	names := slices.SortedFunc(maps.Keys(all), func(a, b string) int {
		return cmp.Or(cmp.Compare(len(b), len(a)), cmp.Compare(a, b))
	})
	var pairs []string
	for _, name := range names {
		pairs = append(pairs, name, fmt.Sprintf("#%d", all[name]))
	}
	return strings.NewReplacer(pairs...).Replace(s)
}

// numbered writes endpoint numbers in order, three and more in a row as a range:
// #1 #5-#9.
func numbered(numbers []int) string {
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
