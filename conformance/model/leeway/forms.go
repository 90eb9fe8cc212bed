package leeway

import (
	"maps"
	"slices"
	"strings"

	"github.com/socialfeed/conform/conformance/model/value"
)

// Form is another form in which a target may keep what a client sent: the contract promises no
// spelling of an email, nor the blanks around a text, and blank fields are left out. A target does so
// everywhere or nowhere: what it shows once as it was sent it must show so always.
type Form string

const (
	omittedZeros    Form = "coordinates of 0 are left out"
	lowerCaseEmails Form = "emails in lower case"
	trimmedTexts    Form = "texts without the blanks around them"
)

// Forms returns all forms.
func Forms() []Form { return []Form{omittedZeros, lowerCaseEmails, trimmedTexts} }

// Of returns a field's value in the form, and whether that is another value.
func (f Form) Of(name string, v any) (any, bool) {
	text, isText := v.(string)
	inner, isMap := v.(map[string]any)
	switch {
	case f == omittedZeros && zeroCoordinate(name, v):
		return value.Absent{}, true
	case f == lowerCaseEmails && isText && name == "email":
		text = strings.ToLower(text)
	case f == trimmedTexts && isMap && name == "object":
		trimmed := maps.Clone(inner)
		for field, each := range inner {
			trimmed[field], _ = f.Of(field, each)
		}
		return trimmed, !value.Same(v, trimmed)
	case f == trimmedTexts && isText:
		text = strings.TrimSpace(text)
	default:
		return v, false
	}
	return text, !value.Same(v, text)
}

// FormOf returns the form in which a value is a lawful one.
func FormOf(name string, want value.Set, got any) (Form, bool) {
	for _, f := range Forms() {
		if slices.ContainsFunc(want, func(v any) bool { kept, other := f.Of(name, v); return other && Sent(name, kept).Allows(got) }) {
			return f, true
		}
	}
	return "", false
}

// WithoutForms returns the choices with the forms ruled out that are reported.
func (c Choices) WithoutForms(ruledOut func(Form) bool) Choices {
	for f, keeps := range map[Form]*Tri{omittedZeros: &c.OmitsZeros, lowerCaseEmails: &c.LowersEmails, trimmedTexts: &c.TrimsTexts} {
		if ruledOut(f) {
			keeps.Resolve(No)
		}
	}
	return c
}

// OrFormed adds to the lawful values of a field that was sent the forms that the target may keep it in.
func (c Choices) OrFormed(name string, sent any, values value.Set) value.Set {
	for f, keeps := range map[Form]Tri{omittedZeros: c.OmitsZeros, lowerCaseEmails: c.LowersEmails, trimmedTexts: c.TrimsTexts} {
		if kept, other := f.Of(name, sent); other && keeps != No {
			values = values.Or(Sent(name, kept)...)
		}
	}
	return values
}
