package model

import (
	"encoding/json"
	"math"
	"strconv"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// A server that skips updates without changes may mistake a similar value
// for the same one.

// similarFields returns fields of a user, each with a value that resembles the current one.
func (u *user) similarFields() Fields {
	fields := Fields{}
	for _, name := range []string{"first_name", "last_name"} {
		if text, ok := u.fields[name].first().(string); ok && len(u.fields[name]) == 1 {
			fields[name] = similarText(text)
		}
	}
	return fields
}

// swappedFields returns the names of a user, each with the value of the other, nil if they are not known.
func (u *user) swappedFields() Fields {
	first, last := u.fields["first_name"], u.fields["last_name"]
	if len(first) != 1 || len(last) != 1 || same(first[0], absent{}) || same(last[0], absent{}) {
		return nil
	}
	return Fields{"first_name": last[0], "last_name": first[0]}
}

// similarFields returns fields of an event, each with a value that resembles the current one.
func (e *event) similarFields() Fields {
	fields := Fields{}
	for _, name := range []string{"verb", "location", "priority", "latitude", "longitude"} {
		if len(e.fields[name]) != 1 {
			continue
		}
		switch v := e.fields[name][0].(type) {
		case string:
			fields[name] = similarText(v)
		case json.Number:
			fields[name] = similarNumber(name, v)
		}
	}
	return fields
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
