package story

import (
	"encoding/json"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// A server that skips updates without changes may mistake a similar value
// for the same one.

// Ways in which an update of a user may be similar to what it was.
const (
	similarNames  = "names"
	swappedNames  = "swapped names"
	metadataAlone = "metadata"
	anotherTag    = "tag"
	anotherQuery  = "query"
)

// waysToBeSimilar returns them all.
func waysToBeSimilar() []string {
	return []string{similarNames, swappedNames, metadataAlone, anotherTag, anotherQuery}
}

// similar returns fields of a user that differ little from the current ones, in a way.
func (u *user) similar(way string) Fields {
	switch way {
	case swappedNames:
		return u.swappedNames()
	case metadataAlone:
		return u.metadataAlone()
	case anotherTag:
		return u.anotherTag()
	case anotherQuery:
		return u.anotherQuery()
	}
	return u.similarNames()
}

// metadataAlone returns metadata of which one value is another one: what compares texts sees no change.
func (u *user) metadataAlone() Fields {
	entries, _ := u.fields["metadata"].first().(map[string]any)
	if len(entries) == 0 || len(u.fields["metadata"]) != 1 {
		return Fields{"metadata": Fields{"mood": "other"}}
	}
	last := slices.Max(slices.Collect(maps.Keys(entries)))
	return Fields{"metadata": merged(entries, Fields{last: "other"})}
}

// anotherQuery returns the url of another page at the same place, nil where there is none.
func (u *user) anotherQuery() Fields {
	url, known := u.fields["url"].first().(string)
	if !known || len(u.fields["url"]) != 1 || strings.Contains(url, "#") {
		return nil
	}
	if strings.Contains(url, "?") {
		return Fields{"url": url + "&z=1"}
	}
	return Fields{"url": url + "?z=1"}
}

// anotherTag returns the email with a tag that it did not have: mail to either goes to one mailbox.
func (u *user) anotherTag() Fields {
	local, domain, there := strings.Cut(u.email, "@")
	if name, tag, tagged := strings.Cut(local, "+"); tagged {
		return Fields{"email": name + "+" + tag + "2@" + domain}
	}
	if !there {
		return nil
	}
	return Fields{"email": local + "+a@" + domain}
}

// similarNames returns the first and the last name, each with a value that resembles the current one.
func (u *user) similarNames() Fields {
	fields := Fields{}
	for _, name := range []string{"first_name", "last_name"} {
		if text, ok := u.fields[name].first().(string); ok && len(u.fields[name]) == 1 {
			fields[name] = similarText(text)
		}
	}
	return fields
}

// swappedNames returns the first and the last name, each with the value of the other, nil if they are not known.
func (u *user) swappedNames() Fields {
	first, last := u.fields["first_name"], u.fields["last_name"]
	if len(first) != 1 || len(last) != 1 || same(first[0], absent{}) || same(last[0], absent{}) {
		return nil
	}
	return Fields{"first_name": last[0], "last_name": first[0]}
}

// similarFields returns fields of an event, each with a value that resembles the current one.
func (e *event) similarFields() Fields {
	fields := Fields{}
	for _, name := range []string{"verb", "location", "priority", "latitude", "longitude", "language"} {
		if len(e.fields[name]) != 1 {
			continue
		}
		switch v := e.fields[name][0].(type) {
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
