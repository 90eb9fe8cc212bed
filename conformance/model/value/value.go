package value

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/socialfeed/conform/conformance/internal/jsonvalue"
	"golang.org/x/text/unicode/norm"
)

// Absent stands for a missing field.
type Absent struct{}

// Set is the set of lawful values of a field.
type Set []any

// Allows reports whether the set has a value.
func (l Set) Allows(v any) bool {
	return slices.ContainsFunc(l, func(each any) bool { return Same(each, v) })
}

// Only keeps the values that equal the one seen: the target's own answer resolves what the
// contract left open. If none does, all are kept.
func (l Set) Only(v any) Set {
	kept := slices.DeleteFunc(slices.Clone(l), func(each any) bool { return !Same(each, v) })
	if len(kept) == 0 {
		return l
	}
	return kept
}

// Or adds lawful values.
func (l Set) Or(values ...any) Set {
	all := slices.Clone(l)
	for _, v := range values {
		if !all.Allows(v) {
			all = append(all, v)
		}
	}
	return all
}

// Show returns the values in words.
func (l Set) Show() string {
	var each []string
	for _, v := range l {
		each = append(each, Show(v))
	}
	return strings.Join(each, " or ")
}

// Of returns a field's value, or absent. An empty collection, which a target may or may
// not send, and a blank text, which another rule judges, count as absent. Of an object only
// documented fields count: a server may add others.
func Of(o Fields, name string) any {
	v, there := o[name]
	if !there || v == nil || Blank(v) {
		return Absent{}
	}
	if inner, ok := v.(map[string]any); ok && name == "object" {
		v = maps.Clone(inner)
		maps.DeleteFunc(v.(map[string]any), func(field string, each any) bool {
			return Blank(each) || !slices.Contains(objectFields(), field)
		})
	}
	return v
}

// Blank reports whether a value is an empty text or collection.
func Blank(v any) bool {
	switch t := v.(type) {
	case string:
		return t == ""
	case map[string]any:
		return len(t) == 0
	case []any:
		return len(t) == 0
	}
	return false
}

// Same reports whether two JSON values are equal in meaning.
func Same(a, b any) bool {
	switch x := a.(type) {
	case Absent, string, bool:
		return a == b
	case json.Number:
		y, ok := b.(json.Number)
		return ok && sameNumber(x, y)
	case map[string]any:
		y, ok := b.(map[string]any)
		return ok && maps.EqualFunc(x, y, Same)
	case []any:
		y, ok := b.([]any)
		return ok && slices.EqualFunc(x, y, Same)
	}
	return false
}

func sameNumber(a, b json.Number) bool {
	x, errX := strconv.ParseFloat(string(a), 64)
	y, errY := strconv.ParseFloat(string(b), 64)
	if errX != nil || errY != nil {
		return a == b
	}
	const precision = 1e-12 // a float may be written with fewer digits than it was sent with
	return x == y || math.Abs(x-y) <= precision*math.Max(math.Abs(x), math.Abs(y))
}

// Instant parses a timestamp of an answer; the second result reports whether it is one.
func Instant(v any) (time.Time, bool) {
	text, _ := v.(string)
	return jsonvalue.ParseTimestamp(text)
}

// SameInstant reports whether two timestamps of answers are equal, as far as both are timestamps.
func SameInstant(a, b any) bool {
	order, ok := Order(a, b)
	return !ok || order == 0 // whether it is a timestamp is judged elsewhere
}

// Order compares two timestamps of answers; the second result is false if one of them is no
// timestamp.
func Order(a, b any) (int, bool) {
	x, _ := a.(string)
	y, _ := b.(string)
	return jsonvalue.CompareTimestamps(x, y)
}

// WentBack reports whether a timestamp of an answer is before an earlier one.
func WentBack(earlier, later any) bool {
	x, _ := earlier.(string)
	y, _ := later.(string)
	return jsonvalue.WentBack(x, y)
}

// Show returns a value as JSON. A long one is cut in the middle and tells its length, so that two that
// begin alike look different. Characters that are invisible or easily confused
// are escaped.
func Show(v any) string {
	const most, tail = 160, 40
	if _, ok := v.(Absent); ok {
		return "none"
	}
	encoded, err := jsonvalue.Encode(v)
	if err != nil {
		return "a value that is not JSON"
	}
	var text strings.Builder
	before := rune(0)
	for _, r := range string(encoded) {
		unseen := !unicode.IsPrint(r) || unicode.Is(unicode.Mn, r)
		if further := r == ' ' && before == ' '; further || unseen && !joinsEmoji(r) && r <= 0xffff {
			fmt.Fprintf(&text, `\u%04x`, r)
		} else {
			text.WriteRune(r)
		}
		before = r
	}
	if s := []rune(text.String()); len(s) > most {
		return fmt.Sprintf("%s…%s (%d characters)", string(s[:most-tail]), string(s[len(s)-tail:]), len(s))
	}
	return text.String()
}

// joinsEmoji reports whether an invisible character joins emoji or selects their appearance.
func joinsEmoji(r rune) bool { return r == 0x200d || r == 0xfe0f }

// Merge returns the union of maps, of which later ones override earlier ones.
func Merge(each ...map[string]any) map[string]any {
	all := map[string]any{}
	for _, m := range each {
		maps.Copy(all, m)
	}
	return all
}

// MergeDeep returns the union of two maps and of the maps inside them.
func MergeDeep(older, newer map[string]any) map[string]any {
	all := Merge(older, newer)
	for name, v := range newer {
		was, okWas := older[name].(map[string]any)
		now, okNow := v.(map[string]any)
		if okWas && okNow {
			all[name] = Merge(was, now)
		}
	}
	return all
}

// First returns the first value, nil if there is none.
func (l Set) First() any {
	if len(l) == 0 {
		return nil
	}
	return l[0]
}

// Text returns a text, or the JSON of a map, whose keys are in the order of their composed
// forms.
func Text(v any) string {
	if s, ok := v.(string); ok {
		return s
	}
	entries, ok := v.(map[string]any)
	if !ok {
		return ""
	}
	var b strings.Builder
	for _, key := range slices.SortedFunc(maps.Keys(entries), func(a, b string) int { return cmp.Compare(norm.NFC.String(a), norm.NFC.String(b)) }) {
		text, _ := jsonvalue.Encode(map[string]any{key: entries[key]}) // what came as JSON, or was sent as such
		b.Write(text)
	}
	return b.String()
}

// IsASCII reports whether a text is of ASCII characters alone.
func IsASCII(s string) bool { return ASCII(s) == s }

// ASCII returns the ASCII characters of a text.
func ASCII(s string) string {
	return strings.Map(func(r rune) rune {
		if r > unicode.MaxASCII {
			return -1
		}
		return r
	}, s)
}

// Fields is a JSON object.
type Fields = map[string]any

// ID returns an id as text, whatever its JSON type: ids are opaque.
func ID(v any) string {
	switch id := v.(type) {
	case string:
		return id
	case json.Number:
		return id.String()
	}
	return ""
}
