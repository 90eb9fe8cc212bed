package report

import (
	"encoding/json"
	"io"

	"github.com/socialfeed/conform/conformance/result"
)

// writeJSONReport writes the report in the format result.Schema: indented, in
// UTF-8, with a newline at the end.
func writeJSONReport(w io.Writer, r *result.Report, _ Options) error { return writeJSON(w, r) }

func writeJSON(w io.Writer, value any) error {
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	return encoder.Encode(value)
}
