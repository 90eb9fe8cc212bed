package report

import _ "embed"

//go:embed schema.json
var schema string

// Schema is the JSON Schema (draft 2020-12) of the JSON report, conform.report/v1. It allows
// unknown keys.
func Schema() []byte { return []byte(schema) }

//go:embed diff.schema.json
var diffSchema string

// DiffSchema is the JSON Schema (draft 2020-12) of the differences between two reports as
// JSON, conform.diff/v1. It allows unknown keys.
func DiffSchema() []byte { return []byte(diffSchema) }
