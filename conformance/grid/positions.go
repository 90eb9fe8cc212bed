package grid

import (
	"slices"
	"strings"

	"github.com/socialfeed/conform/conformance/rules"
)

// part is the part of a request that a position lies in.
type part int

const (
	wholeBody  part = iota
	field           // of the body, or of an object in it
	entryKey        // of a map
	entryValue      // of a map
	element         // of a list
	queryParameter
	pathParameter
	wholeRequest // headers, path and framing
)

// position is a place in a request to an endpoint that can hold a value.
type position struct {
	endpoint rules.Endpoint
	part     part
	name     string // of the field or parameter, behind a dot that in an object
	param    rules.Param
	request  *rules.Request
}

// place identifies a position.
type place struct {
	endpoint rules.Endpoint
	part     part
	name     string
}

func (p position) place() place { return place{p.endpoint, p.part, p.name} }

// String names the position in the request.
func (p position) String() string {
	switch p.part {
	case entryKey:
		return p.name + ", a key"
	case entryValue:
		return p.name + ", a value"
	case element:
		return p.name + ", an element"
	case queryParameter:
		return "?" + p.name
	case pathParameter:
		return "the id in the path"
	case wholeRequest:
		return "the request"
	}
	return p.name
}

// takesAnyText reports whether a server may well take any text at the position: not where it stands for
// another value, names what must be there, or is one of a few words.
func (p position) takesAnyText() bool {
	param := p.param
	return p.part != field || len(param.Open) == 0 && param.Invalid == "" && param.Unknown == "" && param.WrongType == ""
}

// documented is the type that the contract documents for what is sent in a field, "" elsewhere.
func (p position) documented() rules.Type {
	if p.part != field {
		return ""
	}
	return p.param.Sent[0]
}

// allows reports whether the contract lets a client send the value at the position, or leaves open
// whether it may.
func (p position) allows(value any) bool {
	switch p.part {
	case entryValue, element:
		_, text := value.(string)
		return text
	case field:
		param := p.param
		for _, typ := range append(param.Sent, param.Open...) {
			if typ.Allows(value) || typ == rules.KindType && rules.TextType.Allows(value) {
				return true // other texts for a type are judged by a rule of its own
			}
		}
	}
	return false
}

// positions lists the positions of all endpoints.
func positions() []position {
	var all []position
	for _, e := range rules.Endpoints() {
		request := e.Request()
		add := func(in part, name string, param rules.Param) {
			all = append(all, position{e, in, name, param, &request})
		}
		add(wholeRequest, "", rules.Param{})
		if len(request.Path) > 0 {
			add(pathParameter, "", rules.Param{})
		}
		for _, parameter := range request.Query {
			add(queryParameter, parameter.Name, rules.Param{})
		}
		if request.Body != nil {
			add(wholeBody, "", rules.Param{})
		}
		for _, param := range request.Positions() {
			add(field, param.Name, param)
			switch param.Sent[0] {
			case rules.TextMapType:
				add(entryKey, param.Name, param)
				add(entryValue, param.Name, param)
			case rules.TextListType:
				add(element, param.Name, param)
			}
		}
	}
	return all
}

// put sets the value at the position in the message's body.
func (p position) put(m *Message, value any) {
	switch p.part {
	case entryKey:
		value = map[string]any{value.(string): "v"}
	case entryValue:
		value = map[string]any{p.key(): value}
	case element:
		value = []any{"a", value}
	}
	object, name := rules.Parent(p.name)
	if object == "" {
		p.alone(m)
		m.Body[name] = value
		return
	}
	inner, _ := m.Body[object].(map[string]any)
	outer := map[string]any{"id": "a picture"}
	for key, each := range inner {
		outer[key] = each
	}
	outer[name] = value
	m.Body[object] = outer
}

// alone leaves of fields of which one is enough the position's own.
func (p position) alone(m *Message) {
	if either := p.request.Either; slices.Contains(either, p.name) {
		for _, other := range either {
			delete(m.Body, other)
		}
	}
}

// remove takes the field out of the message's body.
func (p position) remove(m *Message) {
	object, name := rules.Parent(p.name)
	if object == "" {
		delete(m.Body, name)
		return
	}
	m.Body[object] = map[string]any{"type": "picture"}
}

// key is a key that a map at the position may have.
func (p position) key() string {
	if strings.HasPrefix(p.name, "social_ids") {
		return "facebook"
	}
	return "a"
}
