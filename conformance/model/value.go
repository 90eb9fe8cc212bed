package model

import (
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
)

// absent stands for a field that is not there.
type absent struct{}

// lawful is the set of lawful values of a field.
type lawful []any

func (l lawful) allows(v any) bool {
	return slices.ContainsFunc(l, func(each any) bool { return same(each, v) })
}

// only keeps the values that are like the one seen, so that what the contract
// left open is settled by the target's own answer.
func (l lawful) only(v any) lawful {
	kept := slices.DeleteFunc(slices.Clone(l), func(each any) bool { return !same(each, v) })
	if len(kept) == 0 {
		return l
	}
	return kept
}

// or adds further lawful values.
func (l lawful) or(values ...any) lawful {
	all := slices.Clone(l)
	for _, v := range values {
		if !all.allows(v) {
			all = append(all, v)
		}
	}
	return all
}

func (l lawful) show() string {
	var each []string
	for _, v := range l {
		each = append(each, showValue(v))
	}
	return strings.Join(each, " or ")
}

// valueOf is a field's value, absent where it is not there. An empty collection, which is a
// choice to send, and a blank text, which another rule judges, count as not there. Of an object
// only what the contract lists counts: a server may add to it.
func valueOf(o Fields, name string) any {
	v, there := o[name]
	if !there || v == nil || blank(v) {
		return absent{}
	}
	if inner, ok := v.(map[string]any); ok && name == "object" {
		v = maps.Clone(inner)
		maps.DeleteFunc(v.(map[string]any), func(field string, each any) bool {
			return blank(each) || !slices.Contains(objectFields(), field)
		})
	}
	return v
}

// objectFields are the fields of an event's object.
func objectFields() []string { return []string{"id", "type", "url", "display_name"} }

func blank(v any) bool {
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

// same reports whether two JSON values mean the same.
func same(a, b any) bool {
	switch x := a.(type) {
	case absent:
		_, ok := b.(absent)
		return ok
	case string:
		y, ok := b.(string)
		return ok && x == y
	case bool:
		y, ok := b.(bool)
		return ok && x == y
	case json.Number:
		y, ok := b.(json.Number)
		return ok && sameNumber(x, y)
	case map[string]any:
		y, ok := b.(map[string]any)
		return ok && maps.EqualFunc(x, y, same)
	case []any:
		y, ok := b.([]any)
		return ok && slices.EqualFunc(x, y, same)
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

// instant is a time in an answer; the second result reports whether it is one.
func instant(v any) (time.Time, bool) {
	text, _ := v.(string)
	return jsonvalue.ParseTimestamp(text)
}

func sameInstant(a, b any) bool {
	order, ok := orderOf(a, b)
	return !ok || order == 0 // whether it is a time at all is judged elsewhere
}

// orderOf tells which of two times in answers is earlier; false where one is no time.
func orderOf(a, b any) (int, bool) {
	x, _ := a.(string)
	y, _ := b.(string)
	return jsonvalue.CompareTimestamps(x, y)
}

// showValue is a value as JSON, in which what cannot be told from another character by the
// eye stands as an escape.
func showValue(v any) string {
	const most = 160
	if _, ok := v.(absent); ok {
		return "none"
	}
	encoded, err := jsonvalue.Encode(v)
	if err != nil {
		return "a value that is no JSON"
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
		return string(s[:most]) + "…"
	}
	return text.String()
}

// joinsEmoji reports whether a character that is not seen makes one emoji of several, or
// chooses how one looks.
func joinsEmoji(r rune) bool { return r == 0x200d || r == 0xfe0f }

// merged is maps in one, of which later ones override earlier ones.
func merged(each ...map[string]any) map[string]any {
	all := map[string]any{}
	for _, m := range each {
		maps.Copy(all, m)
	}
	return all
}

// mergedDeep adds to maps inside of maps, too.
func mergedDeep(older, newer map[string]any) map[string]any {
	all := merged(older, newer)
	for name, v := range newer {
		was, okWas := older[name].(map[string]any)
		now, okNow := v.(map[string]any)
		if okWas && okNow {
			all[name] = merged(was, now)
		}
	}
	return all
}
