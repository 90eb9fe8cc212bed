// Package program has what the programs of reproductions are made of, whatever their language: texts and
// variables. The packages beneath it write them, one language each.
package program

import (
	"regexp"
	"strings"

	"github.com/socialfeed/conform/conformance/result"
)

// Value is a text of a program, with variables in it. A text never is syntax.
type Value []Part

// Part is a text, or a variable where it has a name.
type Part struct{ Text, Variable string }

// Header is a field of a request's header.
type Header struct {
	Name  string
	Value Value
}

// Capture takes a field of an answer's JSON object into a variable.
type Capture struct{ Variable, Field string }

// Request is one request of a program. Its credentials are nil where it has none.
type Request struct {
	Method         string
	Path           Value // behind the base URL
	Name, Password Value // of Basic authentication
	Credentials    bool
	Headers        []Header
	Body           Value
	WaitMS         int64 // before the request
	Captures       []Capture
}

// Of is the pieces of a reproduction as a value, with texts that follow one another as one.
func Of(pieces []result.Piece) Value {
	var v Value
	for _, p := range result.Joined(pieces) {
		v = append(v, Part{p.Text, p.Var})
	}
	return v
}

// Text is a value without variables.
func Text(text string) Value { return Value{{Text: text}} }

// Texts are the value's texts, each with whether a variable follows.
func (v Value) Texts(each func(text string, before bool) bool) bool {
	for i, p := range v {
		if p.Variable == "" && !each(p.Text, i+1 < len(v)) {
			return false
		}
	}
	return true
}

// The alphabets of the parts of a request.
var (
	variable  = regexp.MustCompile(`^[A-Z][A-Z0-9_]{0,60}$`)
	field     = regexp.MustCompile(`^[a-z_]{1,40}$`)
	fieldName = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9-]{0,100}$`)
	methods   = regexp.MustCompile(`^(GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS|TRACE)$`)
)

// Misfit is why a request is none that a file of lines can hold, "" where it is one: what is no syntax in a
// shell, which quotes, might be there.
func (r Request) Misfit() string {
	values := []Value{r.Path, r.Name, r.Password, r.Body}
	switch {
	case !methods.MatchString(r.Method):
		return "has a method that is none of HTTP's"
	case len(r.Path) == 0 || !strings.HasPrefix(r.Path[0].Text, "/"):
		return "has a path that does not begin with /"
	}
	for _, h := range r.Headers {
		if !fieldName.MatchString(h.Name) {
			return "has a header name with other characters than letters, digits and hyphens"
		}
		values = append(values, h.Value)
	}
	for _, c := range r.Captures {
		if !variable.MatchString(c.Variable) || !field.MatchString(c.Field) {
			return "takes what no answer gives"
		}
	}
	for _, v := range values {
		for _, p := range v {
			if p.Variable != "" && !variable.MatchString(p.Variable) {
				return "has a variable whose name is none"
			}
			if strings.ContainsFunc(p.Text, func(r rune) bool { return r < ' ' || r == 0x7f || r == '\u2028' || r == '\u2029' || r == 0x85 }) {
				return "has characters that end a line"
			}
		}
	}
	return ""
}
