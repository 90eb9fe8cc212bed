package wire

import (
	"reflect"
	"regexp"
	"slices"

	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/conformance/rules"
	"github.com/socialfeed/conform/internal/redact"
)

// Sweep hides the known secrets in every text that a value holds, whoever wrote it: results pass here when
// they leave the judge, so that a field that is new cannot tell one. Exchanges and reproductions are left
// as they are: the redactor made them.
//
// Names that the judge gives, of rules, of their parts and of endpoints, stay in any field: an app token may be a part of one.
func (r *Redactor) Sweep(value any) { sweeper{r, namesOfContract()}.sweep(reflect.ValueOf(value)) }

// sweeper hides secrets in the texts of values.
type sweeper struct {
	*Redactor
	names map[string]bool // texts that stay
}

// namesOfContract are the names of rules, of their parts and of endpoints.
func namesOfContract() map[string]bool {
	names := map[string]bool{}
	for _, rule := range rules.LoadAll().Rules() {
		names[rule.ID], names[rule.Part()] = true, true
	}
	for _, endpoint := range rules.Endpoints() {
		names[endpoint.String()] = true
	}
	return names
}

func (r sweeper) sweep(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			r.sweep(v.Elem())
		}
	case reflect.Struct:
		switch v.Interface().(type) {
		case result.Exchange, result.Reproduction:
			return
		}
		for i := range v.NumField() {
			if field := v.Type().Field(i); field.IsExported() {
				r.sweep(v.Field(i))
			}
		}
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			r.sweep(v.Index(i))
		}
	case reflect.Map:
		r.sweepMap(v)
	case reflect.String:
		if shown := r.swept(v.String()); shown != v.String() {
			v.SetString(shown)
		}
	}
}

// placeholder matches what stands for a secret in a text.
var placeholder = regexp.MustCompile(`\$[A-Z][A-Z0-9_]*`)

// sweepMap sweeps the values of a map, and its keys where they are texts.
func (r sweeper) sweepMap(v reflect.Value) {
	for _, key := range v.MapKeys() {
		held := reflect.New(v.Type().Elem()).Elem()
		held.Set(v.MapIndex(key))
		r.sweep(held)
		shown := key
		if key.Kind() == reflect.String {
			if text := r.swept(key.String()); text != key.String() {
				v.SetMapIndex(key, reflect.Value{})
				shown = reflect.ValueOf(text).Convert(key.Type())
			}
		}
		v.SetMapIndex(shown, held)
	}
}

// swept is a text without the known secrets that are no short words. Names tell nothing here: the text may
// have been redacted before. So may the name of a variable, which can look like a secret.
func (r sweeper) swept(text string) string {
	if r.names[text] {
		return text
	}
	variables := placeholder.FindAllStringIndex(text, -1)
	matches := slices.DeleteFunc(r.secrets.Matches(text), func(m redact.Match) bool {
		return m.To-m.From < MinSecretEcho || slices.ContainsFunc(variables, func(span []int) bool { return span[0] <= m.From && m.To <= span[1] })
	})
	if len(matches) == 0 {
		return text
	}
	return result.Shown(r.cutUp(text, matches))
}
