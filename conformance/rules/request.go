package rules

import (
	"slices"
	"strings"
)

// Param is a field of a request's body.
type Param struct {
	Field
	// Required is the rule that a server breaks which accepts the request without the field, ""
	// where the field is optional.
	Required string
	// WrongType is the rule about values of another type, if it is not that of the whole request.
	WrongType string
	// Invalid is the rule about values of the right type that the contract does not list, "" where
	// it lists none.
	Invalid string
	// Unknown is the rule about an unknown id, "" for a part that is not an id.
	Unknown string
	// Identified is the rule that requires the nested object's id, "" for none.
	Identified string
	// Sample is the field's value in a valid request with no more than that needs: a Source, a list
	// with one, or the value itself; nil where the field is left out.
	Sample any
	// Further is a value that the request may have as well; nil for none.
	Further any
}

// Source is the origin of a value of a valid request that differs from run to run.
type Source string

// The sources of values.
const (
	NewText     Source = "a text that nothing else has"
	NewName     Source = "a user name that nobody has"
	NewEmail    Source = "an email that nobody has"
	NewPassword Source = "a password"
	OwnName     Source = "the sender's user name" // at a login, of who logs in
	OwnEmail    Source = "the sender's email"
	OwnPassword Source = "the sender's password"
	OwnID       Source = "the sender's id"
	OtherID     Source = "another user's id"
	OwnEventID  Source = "the id of an event of the sender's"
)

// Request describes an endpoint's valid requests, and the rules about those that it must refuse.
type Request struct {
	Path  []PathParam
	Query []QueryParam
	Body  []Param // nil if there is none
	// Refused are the statuses that refuse a wrong value, the one that the contract asks for first.
	Refused []int
	// Either are alternative fields: a request needs one of them. Rule is about their absence.
	Either     []string
	EitherRule string
	// The rules that are broken by a server that accepts the named defect, "" for none.
	WrongType, Malformed, NotAnObject string
}

// PathParam is a parameter of a path: an id.
type PathParam struct {
	Sample Source
	// Unknown is the rule about an id that nobody has, and UnknownRefused the statuses that it allows.
	Unknown        string
	UnknownRefused []int
}

// QueryParam is a parameter of a URL's query.
type QueryParam struct {
	Name   string
	Sample Source // of a valid request, "" if it has none
	Flag   bool   // true or false
}

// Positions lists the places of the body that have a documented type: its fields and, behind a
// dot, those of the objects in them.
func (r Request) Positions() []Param {
	var all []Param
	for _, param := range r.Body {
		all = append(all, param)
		for _, inner := range param.Of.Fields() {
			position := Param{Field: inner}
			position.Name = param.Name + "." + inner.Name
			if inner.Identifies {
				position.Required = param.Identified
			}
			all = append(all, position)
		}
	}
	return all
}

// Param returns the parameter of a name, behind a dot that of an object in the body.
func (r Request) Param(name string) (Param, bool) {
	for _, param := range r.Positions() {
		if param.Name == name {
			return param, true
		}
	}
	return Param{}, false
}

// Required maps the required fields of the body to the rules about them.
func (r Request) Required() map[string]string {
	required := map[string]string{}
	for _, param := range r.Body {
		if param.Required != "" {
			required[param.Name] = param.Required
		}
	}
	return required
}

// ValidBody returns the body of a valid request with no more than it needs, nil for an endpoint
// without a body. fill gives the values of the sources.
func (r Request) ValidBody(fill func(Source) any) map[string]any {
	if r.Body == nil {
		return nil
	}
	return r.values(fill, func(p Param) any { return p.Sample })
}

// Sources lists the origins of the values in a minimal valid request.
func (r Request) Sources() []Source {
	var all []Source
	for _, p := range r.Path {
		all = append(all, p.Sample)
	}
	for _, p := range r.Query {
		if p.Sample != "" {
			all = append(all, p.Sample)
		}
	}
	r.ValidBody(func(s Source) any {
		all = append(all, s)
		return nil
	})
	return all
}

// HasFurther reports whether a valid body may hold more than it needs.
func (r Request) HasFurther() bool {
	return slices.ContainsFunc(r.Body, func(p Param) bool { return p.Further != nil })
}

// FurtherFields returns the optional fields of a valid body, nil for none.
func (r Request) FurtherFields(fill func(Source) any) map[string]any {
	all := r.values(fill, func(p Param) any { return p.Further })
	if len(all) == 0 {
		return nil
	}
	return all
}

func (r Request) values(fill func(Source) any, of func(Param) any) map[string]any {
	all := map[string]any{}
	for _, param := range r.Body {
		if value := of(param); value != nil {
			all[param.Name] = filled(value, fill)
		}
	}
	return all
}

// filled replaces a source by its value, also in a list.
func filled(value any, fill func(Source) any) any {
	switch v := value.(type) {
	case Source:
		return fill(v)
	case []any:
		list := make([]any, len(v))
		for i, item := range v {
			list[i] = filled(item, fill)
		}
		return list
	}
	return value
}

// Parent splits the name of a position into its object and its own name; the object is "" for a
// field of the body itself.
func Parent(position string) (object, name string) {
	if object, name, nested := strings.Cut(position, "."); nested {
		return object, name
	}
	return "", position
}
