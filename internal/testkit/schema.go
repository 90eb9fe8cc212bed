package testkit

import (
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// Schema is the JSON Schema in a file, which must follow the schema of schemas itself.
func Schema(t testing.TB, path string) *jsonschema.Schema {
	t.Helper()
	compiler := jsonschema.NewCompiler()
	compiler.AssertFormat()
	schema, err := compiler.Compile(path)
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

// JSON decodes a text, for a schema to look at.
func JSON(t testing.TB, text string) any {
	t.Helper()
	value, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
	if err != nil {
		t.Fatalf("this is no JSON: %.200q: %v", text, err)
	}
	return value
}
