package grid

import "slices"

// class is a class of values: a row of one of the tables.
type class struct {
	name    string
	fits    func(position) bool
	change  func(*Message, position)
	verdict func(position) Verdict
}

// classes lists the rows of all tables.
func classes() []class {
	return slices.Concat(wrongTypes(), missing(), limits(), texts(), numbers(), bodies(), layouts(), parameters(), spellings(), furtherHeaders())
}

// in fits positions of some parts.
func in(parts ...part) func(position) bool {
	return func(p position) bool { return slices.Contains(parts, p.part) }
}

// both fits what both fit.
func both(a, b func(position) bool) func(position) bool {
	return func(p position) bool { return a(p) && b(p) }
}

// putting sets a value at the position.
func putting(value any) func(*Message, position) {
	return func(m *Message, p position) { p.put(m, value) }
}

// survives asks for any answer but a 5xx.
func survives(position) Verdict { return Verdict{Rule: "errors.no-5xx"} }

// received asks the same of a request that servers do not all take.
func received(as Reception) func(position) Verdict {
	return func(position) Verdict { return Verdict{Rule: "errors.no-5xx", Reception: as} }
}

// unwanted asks the same of a request that most servers refuse.
func unwanted(p position) Verdict { return received(Unwanted)(p) }

// refusedFor is a refusal by a rule with the statuses of a wrong value.
func refusedFor(p position, rule string) Verdict {
	return Verdict{Rule: rule, Refused: p.request.Refused}
}

// wrongType is the refusal of a value of another type.
func wrongType(p position) Verdict {
	param := p.param
	switch {
	case p.part == entryValue && param.Limited:
		return refusedFor(p, "limits.metadata.strings-only")
	case param.WrongType != "":
		return refusedFor(p, param.WrongType)
	}
	return refusedFor(p, p.request.WrongType)
}

// requiredBy is the rule that requires the field at the position, "" where none does.
func requiredBy(p position) string {
	if p.part != field {
		return ""
	}
	if len(p.request.Either) > 0 && p.request.Either[0] == p.name { // of which the valid request has the first
		return p.request.EitherRule
	}
	return p.param.Required
}
