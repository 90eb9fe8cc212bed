package report

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/socialfeed/conform/conformance/result"
)

// maxJSON is the largest report that is read, in bytes.
const maxJSON = 256 << 20

// writeJSONReport writes the report in the format result.Schema: indented, in
// UTF-8, with a newline at the end.
func writeJSONReport(w io.Writer, r *result.Report, _ Options) error { return writeJSON(w, r) }

func writeJSON(w io.Writer, value any) error {
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	return encoder.Encode(value)
}

// ReadJSON reads a JSON report of at most 256 MiB. Unknown keys are ignored. Another schema,
// anything but a report, and anything after it are errors of one line.
func ReadJSON(from io.Reader) (*result.Report, error) {
	r, err := readJSON(from, maxJSON)
	if err != nil {
		return nil, fmt.Errorf("reading a JSON report: %w", err)
	}
	return r, nil
}

func readJSON(from io.Reader, most int64) (*result.Report, error) {
	bounded := &io.LimitedReader{R: from, N: most + 1}
	decoder := json.NewDecoder(bounded)
	var r result.Report
	err := decoder.Decode(&r)
	var mistyped *json.UnmarshalTypeError
	switch {
	case bounded.N <= 0:
		return nil, fmt.Errorf("it is larger than %d bytes", most)
	case errors.Is(err, io.EOF):
		return nil, errors.New("it is empty")
	case errors.Is(err, io.ErrUnexpectedEOF):
		return nil, errors.New("it is cut off: was the run that wrote it ended, or the disk full?")
	// A field of another type does not stop the decoder: the schema is known
	// then, and a foreign one explains more than the field does.
	case errors.As(err, new(*json.SyntaxError)):
		return nil, fmt.Errorf("it is no JSON: %w", err)
	case err != nil && !errors.As(err, &mistyped):
		return nil, err
	case newer(r.Schema):
		return nil, fmt.Errorf("its schema %.60s is newer than this version of conform, which reads %s: read it with a newer one", r.Schema, result.Schema)
	case r.Schema != result.Schema:
		return nil, fmt.Errorf("it is no report of conform: its schema is %.60q, not %q", r.Schema, result.Schema)
	case err != nil:
		return nil, fmt.Errorf("the field %s holds a %s", mistyped.Field, mistyped.Value)
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		if bounded.N <= 0 {
			return nil, fmt.Errorf("it is larger than %d bytes", most)
		}
		return nil, errors.New("something follows the report")
	}
	checkCommands(&r)
	return &r, nil
}

// newer reports whether a schema is a later version of ours.
func newer(schema string) bool {
	at := strings.LastIndex(result.Schema, "/v")
	theirs, isOurs := strings.CutPrefix(schema, result.Schema[:at+2])
	version, err := strconv.Atoi(theirs)
	own, _ := strconv.Atoi(result.Schema[at+2:])
	return isOurs && err == nil && version > own
}
