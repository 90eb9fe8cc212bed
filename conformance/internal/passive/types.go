package passive

import (
	"fmt"

	"github.com/socialfeed/conform/conformance/internal/jsonvalue"
	"github.com/socialfeed/conform/conformance/rules"
)

// fields are the documented fields of a kind of resource, by name. Image has a passive rule of
// its own; so have timestamps, of which only the JSON type counts here.
type fields struct {
	types    map[string]rules.Type
	sent     map[string]rules.Type // that the contract documents for requests
	required []string              // in each answer
}

func documented(k rules.Resource) fields {
	all := fields{types: map[string]rules.Type{}, sent: map[string]rules.Type{}}
	for _, field := range k.Fields() {
		if field.Identifies {
			all.required = append(all.required, field.Name)
		}
		if field.Type != "" && field.Type != rules.ImagesType {
			all.types[field.Name] = field.Type
		}
		if field.Sent != nil {
			all.sent[field.Name] = field.Sent[0]
		}
	}
	return all
}

// mistyped names the first field of a resource that has another type than
// documented, "" when all have theirs. Null is judged by a rule of its own.
func mistyped(r resource, documented fields, exempt func(field string) bool) string {
	for _, name := range documented.required {
		if !r.record.Has(name) {
			return fmt.Sprintf("%s%s without %s", r.kind, r.where, name)
		}
	}
	for _, name := range jsonvalue.SortedKeys(r.record) {
		want, known := documented.types[name]
		value := r.record[name]
		if !known || value == nil || want.Allows(withoutNulls(value)) || exempt(name) {
			continue
		}
		return fmt.Sprintf("%s%s.%s = %s, which is not %s", r.kind, r.where, name, jsonvalue.Show(value), want)
	}
	return ""
}

// withoutNulls returns a map without the entries that are null.
func withoutNulls(value any) any {
	entries, is := value.(map[string]any)
	if !is {
		return value
	}
	kept := map[string]any{}
	for name, entry := range entries {
		if entry != nil {
			kept[name] = entry
		}
	}
	return kept
}
