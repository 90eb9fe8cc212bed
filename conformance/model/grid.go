package model

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/socialfeed/conform/conformance/rules"
)

// Case is one input with a single defect, and how a server must take it.
type Case struct {
	Endpoint rules.Endpoint
	Field    string // where the defect is, nested parts after a dot
	Class    string // what the defect is
	Rule     string // the rule that requires the refusal
	// Defect changes the fields of a request that is accepted without it.
	Defect Fields
	Alone  bool // they are all that is sent
	// Missing is a field to leave out of it.
	Missing string
	// Prefix and Suffix are put around the id in a field, which is then nobody's.
	Prefix, Suffix string
	// Raw is the whole body, for what Fields cannot express.
	Raw string
	// ContentType is that of the body, "" for application/json.
	ContentType string
	// Query is the URL's query.
	Query map[string]string
	// Refused lists the statuses that the rule asks for, the first of them without a
	// warning; nil if any answer but a 5xx will do.
	Refused []int
}

// kindOf is a documented JSON type of a field.
type kindOf int

const (
	aText kindOf = iota
	aNumber
	aMap
	anObject
	aList
	anID
	aFlag   // activated: as a text it is documented, as a boolean it is a choice
	socials // social_ids: a map is documented, a list is a choice
)

// gridFields returns the fields of each endpoint with their types.
func gridFields() map[rules.Endpoint]map[string]kindOf {
	user := map[string]kindOf{"user_name": aText, "password": aText, "email": aText, "custom_id": aText, "first_name": aText,
		"last_name": aText, "url": aText, "metadata": aMap, "activated": aFlag, "social_ids": socials}
	event := map[string]kindOf{"verb": aText, "language": aText, "priority": aText, "location": aText, "latitude": aNumber,
		"longitude": aNumber, "metadata": aMap, "object": anObject, "object.id": aText, "object.type": aText, "object.url": aText,
		"object.display_name": aMap}
	return map[rules.Endpoint]map[string]kindOf{
		rules.CreateUser: user, rules.UpdateMe: user, rules.Login: {"user_name": aText, "email": aText, "password": aText}, rules.CreateEvent: event, rules.UpdateEvent: event,
		rules.CreateConnection: {"user_to_id": anID, "type": aText},
		rules.ConnectSocial:    {"platform": aText, "type": aText, "platform_user_id": aText, "connection_ids": aList},
	}
}

func wrongTypeRule(at rules.Endpoint) string {
	return map[rules.Endpoint]string{rules.CreateUser: "users.create.wrong-type", rules.UpdateMe: "users.me.update.wrong-type",
		rules.CreateEvent: "events.create.wrong-type", rules.UpdateEvent: "events.update.wrong-type",
		rules.CreateConnection: "connections.create.wrong-type", rules.ConnectSocial: "social.wrong-type"}[at]
}

// wrongTypeValues returns values of other types than a field has, many of them similar, by class.
func wrongTypeValues(field string, k kindOf) map[string]any {
	usual := usualText(field)
	misses := map[string]any{"true": true, "false": false, "an empty list": []any{}, "a list of texts": []any{usual}, "a list of two": []any{usual, "b"}, "a list of a list": []any{[]any{"a"}}}
	number := map[string]any{"zero": json.Number("0"), "a whole number": json.Number("7"), "a fraction": json.Number("1.5"), "a big number": json.Number("1e300")}
	object := map[string]any{"an empty object": Fields{}, "an object": Fields{"a": "b"},
		"an operator of a query": Fields{"$ne": "x"}, "an object that holds it": Fields{"id": usual, "name": usual, "type": usual, "value": usual}}
	texts := map[string]any{"a digit text": "1", "a text": "a text", "an empty text": ""}
	switch k {
	case aText:
		return merged(misses, number, object)
	case aNumber:
		return merged(misses, texts, object, map[string]any{"a text of a number": "13.25", "a text of nothing like it": "NaN", "a blank text": " ", "a list of numbers": []any{json.Number("1")}})
	case aMap:
		return merged(misses, number, texts, map[string]any{"an object as a text": `{"a":"b"}`, "a list of pairs": []any{[]any{"a", "b"}}, "a list of keys and values": []any{Fields{"key": "a", "value": "b"}},
			"a number in it": Fields{"a": json.Number("1")}, "true in it": Fields{"a": true}, "a list in it": Fields{"a": []any{"b"}},
			"false in it": Fields{"a": false}, "zero in it": Fields{"a": json.Number("0")}, "an empty list in it": Fields{"a": []any{}}, "an empty object in it": Fields{"a": Fields{}},
			"an object in it": Fields{"a": Fields{"b": "c"}}, "one of two in it": Fields{"a": "b", "c": json.Number("1")}})
	case anObject:
		return merged(misses, number, texts, map[string]any{"an object as a text": `{"id":"a"}`})
	case aList:
		for _, list := range []string{"an empty list", "a list of texts", "a list of two"} {
			delete(misses, list)
		}
		return merged(misses, number, texts, object, map[string]any{"an object by position": Fields{"0": "a", "1": "b"}, "a number in it": []any{json.Number("1")}, "true in it": []any{"a", true}, "a number before a text": []any{json.Number("7"), "a"},
			"a list in it": []any{[]any{"a"}, "b"}, "an object in it": []any{Fields{"a": "b"}}, "an object with an id in it": []any{"a", Fields{"id": "b"}}, "objects with ids in it": []any{Fields{"id": "a"}, Fields{"id": "b"}}})
	case aFlag:
		return map[string]any{"a whole number": json.Number("7"), "a list of texts": []any{"true"}, "an object": Fields{"a": "b"}}
	case socials:
		return map[string]any{"true": true, "a whole number": json.Number("7"), "a text": "a text", "an object as a text": `{"facebook":"b"}`,
			"a number in it": Fields{"facebook": json.Number("7")}, "an object in it": Fields{"facebook": Fields{"id": "b"}}, "a list in it": Fields{"facebook": []any{"b"}}}
	}
	return merged(misses, object)
}

// Grid returns every field of every endpoint with every value of a wrong type, and the bodies
// that may make a server fail, in an order drawn from the seed. The order goes round the
// endpoints, so that every endpoint and class comes up early.
func Grid(seed uint64) []Case {
	d := newDrawer(seed, "grid")
	var rounds [][]Case
	for at := rules.CreateUser; at <= rules.UpdateEvent; at++ {
		fields, there := gridFields()[at]
		if !there {
			continue
		}
		var cases []Case
		for _, field := range slices.Sorted(maps.Keys(fields)) {
			misses := wrongTypeValues(field, fields[field])
			for _, class := range slices.Sorted(maps.Keys(misses)) {
				cases = append(cases, wrongType(at, field, class, misses[class]))
			}
		}
		if cases = append(cases, defects(at)...); at == rules.CreateUser {
			cases = append(cases, withLogin(cases)...)
		}
		cases = append(cases, serverErrorCases(at)...)
		slices.SortFunc(cases, func(a, b Case) int { return strings.Compare(a.Rule+a.Field+a.Class, b.Rule+b.Field+b.Class) })
		d.Shuffle(len(cases), func(i, j int) { cases[i], cases[j] = cases[j], cases[i] })
		rounds = append(rounds, cases)
	}
	return inTurns(rounds, func(left [][]Case) {
		d.Shuffle(len(left), func(i, j int) { left[i], left[j] = left[j], left[i] })
	})
}

// withLogin returns creations of users as creations with a login, which servers may check in a
// place of its own.
func withLogin(cases []Case) []Case {
	cases = slices.Clone(cases)
	for i := range cases {
		cases[i].Class += ", with a login"
		cases[i].Query = map[string]string{"withLogin": "true"}
	}
	return cases
}

// usualText returns a text that a field may hold: what a lenient server would take out of a
// list or an object.
func usualText(field string) string {
	switch field {
	case "type":
		return "follow"
	case "platform":
		return "facebook"
	}
	return "a"
}

func wrongType(at rules.Endpoint, field, class string, v any) Case {
	if at == rules.Login {
		return wrongLogin(field, class, v)
	}
	c := Case{Endpoint: at, Field: field, Class: class, Rule: wrongTypeRule(at), Defect: Fields{field: v}, Refused: []int{422, 400}}
	if inner, nested := strings.CutPrefix(field, "object."); nested {
		c.Defect = Fields{"object": merged(Fields{"id": "a picture"}, Fields{inner: v})}
	}
	if _, object := v.(Fields); field == "metadata" && object { // of which a value is no text
		c.Rule = "limits.metadata.strings-only"
	}
	return c
}

// serverErrorCases returns bodies that may make a server fail. Any answer but a 5xx is lawful.
func serverErrorCases(at rules.Endpoint) []Case {
	const deep = 500
	raw := func(class, body string) Case {
		return Case{Endpoint: at, Class: class, Rule: "errors.no-5xx", Raw: body}
	}
	text := map[rules.Endpoint]string{rules.CreateUser: "first_name", rules.UpdateMe: "first_name", rules.CreateEvent: "location", rules.UpdateEvent: "location",
		rules.CreateConnection: "type", rules.ConnectSocial: "platform", rules.Login: "user_name"}[at]
	cases := []Case{
		raw("null as the body", `null`), raw("true as the body", `true`), raw("a text as the body", `"a"`), raw("a number as the body", `7`),
		raw("an empty list as the body", `[]`), raw("a list of an object as the body", `[{}]`), raw("a body cut off", `{"`+text+`":"a`),
		raw("no body", ` `), raw("broken UTF-8", "{\""+text+"\":\"\xff\xfe\"}"), raw("a lone surrogate", `{"`+text+`":"\ud800"}`),
		raw("half of a pair at the end", `{"`+text+`":"a\ud83d"}`), raw("the other half of a pair", `{"`+text+`":"\udc4d a"}`), raw("halves in the wrong order", `{"`+text+`":"\udc4d\ud83d"}`),
		raw("a NUL", `{"`+text+`":"a\u0000b"}`), raw("deep nesting", `{"metadata":`+strings.Repeat("[", deep)+strings.Repeat("]", deep)+`}`),
		raw("a field twice", `{"`+text+`":"a","`+text+`":7}`), raw("two bodies", `{}{}`),
	}
	if at == rules.CreateEvent || at == rules.UpdateEvent {
		cases = append(cases, raw("a number beyond all", `{"verb":"like","latitude":1e400}`), raw("many digits", `{"verb":"like","longitude":`+strings.Repeat("1", 400)+`}`),
			raw("beyond the bounds", `{"verb":"like","latitude":90.0001,"longitude":-180.5}`), raw("null inside", `{"verb":"like","object":{"id":null},"metadata":{"a":null}}`))
	}
	for _, contentType := range []string{"application/json; charset=klingon", "application/json; charset", "application/json;;", "application/json, text/plain", "/"} {
		cases = append(cases, Case{Endpoint: at, Class: "a body labelled " + contentType, Rule: "errors.no-5xx", ContentType: contentType})
	}
	for class, body := range nullInside(at) {
		cases = append(cases, raw(class, body))
	}
	if at == rules.CreateUser {
		for class, v := range map[string]string{"an odd word": "maybe", "nothing": "", "two": "true,false", "a number": "-1", "broken UTF-8": "\xff"} {
			cases = append(cases, Case{Endpoint: at, Field: "withLogin", Class: class, Rule: "errors.no-5xx", Query: map[string]string{"withLogin": v}})
		}
	}
	for _, field := range slices.Sorted(maps.Keys(gridFields()[at])) {
		if !strings.Contains(field, ".") && required(at)[field] == "" {
			cases = append(cases, raw("null for "+field, `{"`+field+`":null}`))
		}
	}
	return cases
}

// nullInside returns bodies with null within what a field holds, by class.
func nullInside(at rules.Endpoint) map[string]string {
	switch at {
	case rules.CreateUser, rules.UpdateMe:
		return map[string]string{"null as a social id": `{"user_name":"a","social_ids":{"facebook":null}}`, "null in the metadata": `{"user_name":"a","metadata":{"a":null}}`}
	case rules.CreateEvent, rules.UpdateEvent:
		return map[string]string{"null as a display name": `{"verb":"like","object":{"id":"a","display_name":{"en":null}}}`}
	case rules.ConnectSocial:
		return map[string]string{"null among the ids": `{"platform":"facebook","type":"follow","platform_user_id":"a","connection_ids":["a",null,"b"]}`,
			"null alone in the list": `{"platform":"facebook","type":"follow","platform_user_id":"a","connection_ids":[null]}`}
	}
	return nil
}

// inTurns takes the first of each list, then the second, and so on. Before each round the
// remaining lists may be reordered.
func inTurns[T any](lists [][]T, order func(left [][]T)) []T {
	var all []T
	for len(lists) > 0 {
		order(lists)
		var left [][]T
		for _, list := range lists {
			all = append(all, list[0])
			if len(list) > 1 {
				left = append(left, list[1:])
			}
		}
		lists = left
	}
	return all
}
