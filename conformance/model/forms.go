package model

import (
	"maps"
	"slices"
	"strings"
)

// form is another form in which a target may keep what a client sent: the contract promises no
// spelling of an email, nor the blanks around a text, and blank fields are left out. A target does so
// everywhere or nowhere: what it shows once as it was sent it must show so always.
type form string

const (
	omittedZeros    form = "coordinates of 0 are left out"
	lowerCaseEmails form = "emails in lower case"
	trimmedTexts    form = "texts without the blanks around them"
)

func forms() []form { return []form{omittedZeros, lowerCaseEmails, trimmedTexts} }

// of returns a field's value in the form, and whether that is another value.
func (f form) of(name string, v any) (any, bool) {
	text, isText := v.(string)
	inner, isMap := v.(map[string]any)
	switch {
	case f == omittedZeros && zeroCoordinate(name, v):
		return absent{}, true
	case f == lowerCaseEmails && isText && name == "email":
		text = strings.ToLower(text)
	case f == trimmedTexts && isMap && name == "object":
		trimmed := maps.Clone(inner)
		for field, each := range inner {
			trimmed[field], _ = f.of(field, each)
		}
		return trimmed, !same(v, trimmed)
	case f == trimmedTexts && isText:
		text = strings.TrimSpace(text)
	default:
		return v, false
	}
	return text, !same(v, text)
}

// formOf returns the form in which a value is a lawful one.
func formOf(name string, want lawful, got any) (form, bool) {
	for _, f := range forms() {
		if slices.ContainsFunc(want, func(v any) bool { kept, other := f.of(name, v); return other && lawfulSent(name, kept).allows(got) }) {
			return f, true
		}
	}
	return "", false
}

// withoutForms returns the choices with the forms ruled out that are reported.
func (c Choices) withoutForms(ruledOut func(form) bool) Choices {
	for f, keeps := range map[form]*Tri{omittedZeros: &c.OmitsZeros, lowerCaseEmails: &c.LowersEmails, trimmedTexts: &c.TrimsTexts} {
		if ruledOut(f) {
			keeps.resolve(No)
		}
	}
	return c
}

// orFormed adds to the lawful values of a field that was sent the forms that the target may keep it in.
func (c Choices) orFormed(name string, sent any, values lawful) lawful {
	for f, keeps := range map[form]Tri{omittedZeros: c.OmitsZeros, lowerCaseEmails: c.LowersEmails, trimmedTexts: c.TrimsTexts} {
		if kept, other := f.of(name, sent); other && keeps != No {
			values = values.or(lawfulSent(name, kept)...)
		}
	}
	return values
}
