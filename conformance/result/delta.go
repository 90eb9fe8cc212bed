package result

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"time"
)

// Delta is a place in which two answers to the same request differ. Want and Got are JSON, or text as it
// stands in a header; they are "" where the answer has nothing there.
type Delta struct {
	At        string // status, header NAME, body, or a path into the body such as $[0].verb
	Want, Got string
}

// mostDeltas bounds how many places are told of two answers.
const mostDeltas = 20

// Deltas are the places in which a response differs from the one that is wanted, what says most first: the
// status, which explains all others; then the body, its times last; then the headers. The date and
// the length of a response are none.
func Deltas(want, got *Response) []Delta {
	w, g := cmp.Or(want, &Response{}), cmp.Or(got, &Response{})
	var d, headers deltas
	if d.add("status", statusText(w.Status), statusText(g.Status)); len(d) > 0 {
		return d
	}
	if w.Body != g.Body {
		d.bodies(w.Body, g.Body)
	}
	for _, name := range slices.Sorted(maps.Keys(union(w.Headers, g.Headers))) {
		if name != "Date" && name != "Content-Length" {
			headers.add("header "+name, headerText(w.Headers, name), headerText(g.Headers, name))
		}
	}
	slices.SortStableFunc(d, func(a, b Delta) int { return cmp.Compare(a.weight(), b.weight()) })
	d = append(d, headers...)
	return d[:min(len(d), mostDeltas)]
}

// weight puts times behind what does not differ from one run to the next.
func (d Delta) weight() int {
	if _, err := time.Parse(`"`+time.RFC3339+`"`, cmp.Or(d.Want, d.Got)); err == nil {
		return 1
	}
	return 0
}

// Assertion is what a test asserts that tells both answers apart.
func (d Delta) Assertion() string {
	switch {
	case d.Want == "":
		return d.At + " is absent"
	case d.Got == "":
		return d.At + " is there: " + d.Want
	}
	return d.At + " is " + d.Want
}

// String is the delta in a line.
func (d Delta) String() string {
	return fmt.Sprintf("%s: %s, not %s", d.At, cmp.Or(d.Want, "absent"), cmp.Or(d.Got, "absent"))
}

type deltas []Delta

func (d *deltas) add(at, want, got string) {
	if want != got {
		*d = append(*d, Delta{at, want, got})
	}
}

func (d *deltas) bodies(want, got string) {
	left, ok := decoded(want)
	right, also := decoded(got)
	if !ok || !also {
		d.add("body", want, got)
		return
	}
	d.values("$", left, right)
}

func (d *deltas) values(at string, want, got any) {
	if reflect.DeepEqual(want, got) {
		return
	}
	switch w := want.(type) {
	case map[string]any:
		if g, ok := got.(map[string]any); ok {
			for _, name := range slices.Sorted(maps.Keys(union(w, g))) {
				left, inWant := w[name]
				right, inGot := g[name]
				if inWant && inGot {
					d.values(at+"."+name, left, right)
				} else {
					d.add(at+"."+name, shownIf(left, inWant), shownIf(right, inGot))
				}
			}
			return
		}
	case []any:
		if g, ok := got.([]any); ok {
			d.lists(at, w, g)
			return
		}
	}
	d.add(at, shown(want), shown(got))
}

// lists compares by position where nothing came or went, and says so where something did.
func (d *deltas) lists(at string, want, got []any) {
	if len(want) != len(got) {
		d.add("the length of "+at, fmt.Sprint(len(want)), fmt.Sprint(len(got)))
		return
	}
	if left, right := idsOf(want), idsOf(got); left != right && left != "" && sorted(left) == sorted(right) {
		d.add("the order of "+at, left, right)
		return
	}
	for i := range want {
		d.values(fmt.Sprintf("%s[%d]", at, i), want[i], got[i])
	}
}

// idsOf are the ids of the objects of a list, "" where one has none.
func idsOf(list []any) string {
	var ids []string
	for _, item := range list {
		object, _ := item.(map[string]any)
		id, there := object["id"]
		if !there {
			return ""
		}
		ids = append(ids, shown(id))
	}
	return strings.Join(ids, ", ")
}

func sorted(ids string) string {
	return strings.Join(slices.Sorted(slices.Values(strings.Split(ids, ", "))), ", ")
}

func decoded(body string) (value any, ok bool) {
	decoder := json.NewDecoder(strings.NewReader(body))
	decoder.UseNumber()
	if decoder.Decode(&value) != nil {
		return nil, false
	}
	_, err := decoder.Token()
	return value, err == io.EOF
}

func shownIf(value any, there bool) string {
	if !there {
		return ""
	}
	return shown(value)
}

// shown is a value as JSON, cut where it is long.
func shown(value any) string {
	const most = 120 // bytes
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	_ = encoder.Encode(value) // what was decoded can be encoded
	text := strings.TrimSpace(b.String())
	if len(text) > most {
		text = strings.ToValidUTF8(text[:most], "") + "…"
	}
	return text
}

func statusText(status int) string {
	if status == 0 {
		return "no answer"
	}
	return strings.TrimSpace(fmt.Sprint(status, " ", http.StatusText(status)))
}

func headerText(h http.Header, name string) string { return strings.Join(h[name], ", ") }

func union[K comparable, V any](a, b map[K]V) map[K]bool {
	all := map[K]bool{}
	for key := range a {
		all[key] = true
	}
	for key := range b {
		all[key] = true
	}
	return all
}

// Opposite is what the assertion finds instead.
func (d Delta) Opposite() string {
	if d.Got == "" {
		return d.At + " is absent"
	}
	return d.At + " is " + d.Got
}
