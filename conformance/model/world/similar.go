package world

import (
	"encoding/json"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/socialfeed/conform/conformance/model/value"
	"golang.org/x/text/unicode/norm"
)

// A server that skips updates without changes may mistake a similar value
// for the same one.

// SlightChange returns fields of a user that differ little from the current ones, in the n-th way.
func (u *User) SlightChange(n int) value.Fields {
	ways := []func() value.Fields{u.similarNames, u.swappedNames, u.metadataAlone, u.anotherTag, u.anotherQuery}
	return ways[n%len(ways)]()
}

// metadataAlone returns metadata of which one value is another one: what compares texts sees no change.
func (u *User) metadataAlone() value.Fields {
	entries, _ := u.Fields["metadata"].First().(map[string]any)
	if len(entries) == 0 || len(u.Fields["metadata"]) != 1 {
		return value.Fields{"metadata": value.Fields{"mood": "other"}}
	}
	last := slices.Max(slices.Collect(maps.Keys(entries)))
	return value.Fields{"metadata": value.Merge(entries, value.Fields{last: "other"})}
}

// anotherQuery returns the url of another page at the same place, nil where there is none.
func (u *User) anotherQuery() value.Fields {
	url, known := u.Fields["url"].First().(string)
	if !known || len(u.Fields["url"]) != 1 || strings.Contains(url, "#") {
		return nil
	}
	if strings.Contains(url, "?") {
		return value.Fields{"url": url + "&z=1"}
	}
	return value.Fields{"url": url + "?z=1"}
}

// anotherTag returns the email with a tag that it did not have: mail to either goes to one mailbox.
func (u *User) anotherTag() value.Fields {
	local, domain, there := strings.Cut(u.Email, "@")
	if name, tag, tagged := strings.Cut(local, "+"); tagged {
		return value.Fields{"email": name + "+" + tag + "2@" + domain}
	}
	if !there {
		return nil
	}
	return value.Fields{"email": local + "+a@" + domain}
}

// similarNames returns the first and the last name, each with a value that resembles the current one.
func (u *User) similarNames() value.Fields {
	fields := value.Fields{}
	for _, name := range []string{"first_name", "last_name"} {
		if text, ok := u.Fields[name].First().(string); ok && len(u.Fields[name]) == 1 {
			fields[name] = similarText(text)
		}
	}
	return fields
}

// swappedNames returns the first and the last name, each with the value of the other, nil if they are not known.
func (u *User) swappedNames() value.Fields {
	first, last := u.Fields["first_name"], u.Fields["last_name"]
	if len(first) != 1 || len(last) != 1 || value.Same(first[0], value.Absent{}) || value.Same(last[0], value.Absent{}) {
		return nil
	}
	return value.Fields{"first_name": last[0], "last_name": first[0]}
}

// SimilarFields returns fields of an event, each with a value that resembles the current one.
func (e *Event) SimilarFields() value.Fields {
	fields := value.Fields{}
	for _, name := range []string{"verb", "location", "priority", "latitude", "longitude", "language"} {
		if len(e.Fields[name]) != 1 {
			continue
		}
		switch v := e.Fields[name][0].(type) {
		case string:
			if fields[name] = similarText(v); name == "language" {
				fields[name] = anotherRegion(v)
			}
		case json.Number:
			fields[name] = similarNumber(name, v)
		}
	}
	return fields
}

// anotherRegion returns a language as it is in another region, the language itself where it has none: a
// target need not know of regions.
func anotherRegion(language string) string {
	name, region, there := strings.Cut(language, "-")
	switch {
	case !there || len(region) != len("US"):
		return language
	case region == "GB":
		return name + "-US"
	}
	return name + "-GB"
}

// similarNumber returns zero for a longitude, and for a latitude one a few meters away.
func similarNumber(name string, n json.Number) json.Number {
	const near = 0.00003
	degrees, err := n.Float64()
	if name == "longitude" || err != nil || math.Abs(degrees) < 1 || math.Abs(degrees) > 89 {
		return "0"
	}
	return json.Number(strconv.FormatFloat(degrees+near, 'f', -1, 64))
}

// similarText returns a text without its accents or, if it has none, in other case.
func similarText(text string) string {
	bare := norm.NFC.String(strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Mn, r) {
			return -1
		}
		return r
	}, norm.NFD.String(text)))
	if bare != text {
		return bare
	}
	return strings.Map(func(r rune) rune {
		switch {
		case r > unicode.MaxASCII:
			return r
		case unicode.IsUpper(r):
			return unicode.ToLower(r)
		}
		return unicode.ToUpper(r)
	}, text)
}
