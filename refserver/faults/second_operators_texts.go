package faults

import (
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// changing changes the texts for which a condition holds.
func changing(is func(text string) bool, change func(string) string) func(string) string {
	return func(text string) string {
		if is(text) {
			return change(text)
		}
		return text
	}
}

// exactly changes one text to another.
func exactly(from, to string) func(string) string {
	return changing(func(text string) bool { return text == from }, func(string) string { return to })
}

// replacing replaces part of a text.
func replacing(from, to string) func(string) string { return strings.NewReplacer(from, to).Replace }

// cutTo keeps the first characters of a text.
func cutTo(most int) func(string) string {
	return changing(func(text string) bool { return utf8.RuneCountInString(text) > most },
		func(text string) string { return string([]rune(text)[:most]) })
}

// cutAt keeps what stands before the first of some characters.
func cutAt(is func(rune) bool) func(string) string {
	return func(text string) string {
		if i := strings.IndexFunc(text, is); i > 0 {
			return text[:i]
		}
		return text
	}
}

// asNumber is a text of digits after its way through a number.
func asNumber(text string) string {
	return changing(isDigits, func(digits string) string {
		if number := strings.TrimLeft(digits, "0"); number != "" {
			return number
		}
		return "0"
	})(text)
}

// throughFloat writes texts of a shape as the number that they are.
func throughFloat(shape *regexp.Regexp) func(string) string {
	return changing(shape.MatchString, func(text string) string {
		number, err := strconv.ParseFloat(text, 64)
		if err != nil {
			return text
		}
		return strconv.FormatFloat(number, 'f', -1, 64)
	})
}

func emailWithoutTag(email string) string {
	name, host, _ := strings.Cut(email, "@")
	return cutAt(func(r rune) bool { return r == '+' })(name) + "@" + host
}

// language is the first part of a language tag.
func language(tag string) string {
	first, _, _ := strings.Cut(tag, "-")
	return first
}

func withoutMarks(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Mn, r) {
			return -1
		}
		return r
	}, norm.NFD.String(text))
}

func isDigits(text string) bool { return text != "" && strings.Trim(text, "0123456789") == "" }

func isAstral(r rune) bool { return withoutAstral(r) < 0 }

// eachText changes the texts in a map that a field holds.
func eachText(field string, change func(string) string) objectEdit {
	return within(field, func(entries map[string]any) {
		for key := range entries {
			mapText(key, change)(entries)
		}
	})
}

// eachKey changes the keys of a map that a field holds.
func eachKey(field string, change func(string) string) objectEdit {
	return mapField(field, func(value any) any {
		entries, ok := value.(map[string]any)
		if !ok {
			return value
		}
		changed := map[string]any{}
		for key, entry := range entries {
			if key = change(key); key != "" {
				changed[key] = entry
			}
		}
		return changed
	})
}

// keysOnceByCase leaves of the keys that differ in case alone the one that sorts first.
func keysOnceByCase(entries map[string]any) {
	seen := map[string]bool{}
	for _, key := range slices.Sorted(maps.Keys(entries)) {
		if seen[folded(key)] {
			delete(entries, key)
		}
		seen[folded(key)] = true
	}
}

// sameKeys reports whether two maps have the same keys, and any at all.
func sameKeys(a, b map[string]string) bool {
	for key := range a {
		if _, there := b[key]; !there {
			return false
		}
	}
	return len(a) > 0 && len(a) == len(b)
}

var uuid = regexp.MustCompile(`(?i)^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$`)

// uuidLowered puts a text that is a UUID into lower case.
func uuidLowered(text string) string { return changing(uuid.MatchString, strings.ToLower)(text) }
