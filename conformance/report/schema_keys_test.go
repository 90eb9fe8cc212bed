package report

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/conformance/rules"
)

// requiredKeys finds the keys that a type always writes.
func requiredKeys(of reflect.Type, place string, found map[string]bool) {
	fieldsOf(of, func(name string, optional bool, field reflect.Type) {
		at := place + "/" + name
		if !optional {
			found[at] = true
		}
		for field.Kind() == reflect.Pointer || field.Kind() == reflect.Slice {
			if field.Kind() == reflect.Slice {
				at += "/*"
			}
			field = field.Elem()
		}
		if field.Kind() == reflect.Struct && !opaque(field) {
			requiredKeys(field, at, found)
		}
	})
}

// opaque tells the types whose shape the format does not promise.
func opaque(of reflect.Type) bool {
	return of == reflect.TypeFor[time.Time]() || of == reflect.TypeFor[rules.Selection]() || of == reflect.TypeFor[result.ObservedChoices]()
}

// fieldsOf visits the keys that a struct has in JSON.
func fieldsOf(of reflect.Type, visit func(name string, optional bool, field reflect.Type)) {
	for i := range of.NumField() {
		field := of.Field(i)
		if field.Anonymous {
			fieldsOf(field.Type, visit)
			continue
		}
		name, options, _ := strings.Cut(field.Tag.Get("json"), ",")
		if name == "-" {
			continue
		}
		visit(name, strings.Contains(options, "omitempty"), field.Type)
	}
}

func compare(t *testing.T, root, schema map[string]any, of reflect.Type, place string) {
	t.Helper()
	if ref, ok := schema["$ref"].(string); ok {
		schema = root["$defs"].(map[string]any)[strings.TrimPrefix(ref, "#/$defs/")].(map[string]any)
	}
	switch of.Kind() {
	case reflect.Pointer:
		compare(t, root, schema, of.Elem(), place)
	case reflect.Slice:
		if of == reflect.TypeFor[json.RawMessage]() { // any JSON
			return
		}
		items, ok := schema["items"].(map[string]any)
		if !ok {
			t.Errorf("%s is a list, which the schema does not know", place)
			return
		}
		compare(t, root, items, of.Elem(), place+"[]")
	case reflect.Struct:
		if opaque(of) {
			return
		}
		properties, _ := schema["properties"].(map[string]any)
		known := map[string]bool{}
		fieldsOf(of, func(name string, optional bool, field reflect.Type) {
			known[name] = true
			property, ok := properties[name].(map[string]any)
			if !ok {
				t.Errorf("%s.%s is missing in the schema", place, name)
				return
			}
			if required := slices.Contains(schema["required"].([]any), any(name)); required == optional {
				t.Errorf("%s.%s: optional in the model: %t, required in the schema: %t", place, name, optional, required)
			}
			compare(t, root, property, field, place+"."+name)
		})
		for name := range properties {
			if !known[name] {
				t.Errorf("%s.%s is no key of the model", place, name)
			}
		}
	}
}
