package conformance

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/socialfeed/conform/conformance/internal/wire"
)

// remarks are what a reader of the report should know besides the checks.
type remarks struct {
	mu             sync.Mutex
	notes          []string
	overshadowedBy map[string]string // rules seen broken outside of the scenarios, with those that may be the cause
}

// note keeps a sentence, once.
func (r *remarks) note(text string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !slices.Contains(r.notes, text) {
		r.notes = append(r.notes, text)
	}
}

// overshadow records that a rule was seen broken, and another one that may be the cause.
func (r *remarks) overshadow(rule, by string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.overshadowedBy == nil {
		r.overshadowedBy = map[string]string{}
	}
	r.overshadowedBy[rule] = by
}

// overshadowedNote returns a note about the overshadowed rules, blank if there are none.
func (r *remarks) overshadowedNote() string {
	const most = 5
	var told []string
	for _, rule := range slices.Sorted(maps.Keys(r.overshadowedBy)) {
		if len(told) == most {
			told = append(told, fmt.Sprintf("%d more", len(r.overshadowedBy)-most))
			break
		}
		told = append(told, rule+" ("+r.overshadowedBy[rule]+")")
	}
	if len(told) == 0 {
		return ""
	}
	return "seen once outside the scenarios, probably caused by the broken rule in brackets: " + strings.Join(told, ", ") + "; fix that rule first and run again"
}

// longListsNote returns a note about lists that are not held whole, blank if there are none.
func longListsNote(lists wire.LongLists) string {
	const most = 1000 // elements that a list of the run's own users may have
	if lists.Elements <= most {
		return ""
	}
	longest := ""
	if lists.Elements > 0 {
		longest = fmt.Sprintf(", of up to %d elements and %d bytes,", lists.Elements, lists.Bytes)
	}
	return fmt.Sprintf("%d answers held long lists%s of which the first elements and those of this run's users were judged", lists.Answers, longest)
}
