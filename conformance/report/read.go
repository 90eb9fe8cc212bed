package report

import (
	"bufio"
	"bytes"

	"github.com/socialfeed/conform/conformance/report/plain"

	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/socialfeed/conform/conformance/clean"
	"github.com/socialfeed/conform/conformance/internal/jsonvalue"
	"github.com/socialfeed/conform/conformance/result"
	"golang.org/x/text/language"
	"golang.org/x/text/message"
)

// What a report may be at the most. A run writes far less.
const (
	maxJSON   = 64 << 20  // bytes
	maxCount  = 2_000_000 // values and keys
	maxLevels = 100       // of values in one another
)

//go:embed schema.json
var schemaText string

// ReadJSON reads a JSON report that may come from anywhere: at most 64 MiB, 2 million values and
// 100 levels, by the schema of the format, and nothing after it. Other keys than those of the
// schema are ignored. An error has one line.
func ReadJSON(from io.Reader) (*result.Report, error) {
	r, err := readJSON(from, maxJSON)
	if err != nil {
		return nil, fmt.Errorf("reading a JSON report: %w", err)
	}
	return r, nil
}

// ReadOutcome reads a JSON report as ReadJSON does, but for the exchanges of its run: of a run that kept
// them, they are most of the report.
func ReadOutcome(from io.Reader) (*result.Report, error) {
	outcome, err := withoutExchanges(io.LimitReader(from, maxJSON))
	if err != nil {
		return nil, fmt.Errorf("reading a JSON report: %w", err)
	}
	r, err := ReadJSON(bytes.NewReader(outcome))
	if err == nil {
		r.Exchanges = nil
	}
	return r, err
}

// withoutExchanges leaves out the lines of the list in which a report has the exchanges of its run, as Write
// lays it out. A report in another layout stays whole.
func withoutExchanges(from io.Reader) ([]byte, error) {
	in := bufio.NewReaderSize(from, 64<<10)
	var kept bytes.Buffer
	inList, begins := false, true // begins: the next piece begins a line
	for {
		piece, err := in.ReadSlice('\n')
		inList = inList && !(begins && bytes.HasPrefix(piece, []byte("  ]")))
		if !inList {
			kept.Write(piece)
		}
		inList = inList || begins && string(piece) == "  \"exchanges\": [\n"
		begins = bytes.HasSuffix(piece, []byte("\n"))
		switch {
		case errors.Is(err, io.EOF):
			return kept.Bytes(), nil
		case err != nil && !errors.Is(err, bufio.ErrBufferFull):
			return nil, err
		}
	}
}

func readJSON(from io.Reader, most int64) (*result.Report, error) {
	data, err := io.ReadAll(io.LimitReader(from, most+1))
	switch {
	case err != nil:
		return nil, err
	case int64(len(data)) > most:
		return nil, fmt.Errorf("it is larger than %d bytes", most)
	case len(bytes.TrimSpace(data)) == 0:
		return nil, errors.New("it is empty")
	}
	document, err := jsonvalue.DecodeStrictly(data, jsonvalue.Bounds{Values: maxCount, Levels: maxLevels})
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF):
		return nil, errors.New("it is cut off: was the run that wrote it ended, or the disk full?")
	case errors.As(err, new(*json.SyntaxError)):
		return nil, fmt.Errorf("it is no JSON: %w", err)
	case err != nil:
		return nil, err
	}
	if err := checkFormat(document); err != nil {
		return nil, err
	}
	document = nil // the memory may serve the next step
	var r result.Report
	if err := json.Unmarshal(data, &r); err != nil {
		if mistyped, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
			return nil, fmt.Errorf("the field %s holds a %s", mistyped.Field, mistyped.Value)
		}
		return nil, err
	}
	checkCommands(&r)
	return &r, nil
}

// checkFormat checks that a document is a report of the version that is read here.
func checkFormat(document any) error {
	var name string
	if object, ok := document.(map[string]any); ok {
		name, _ = object["schema"].(string)
	}
	switch {
	case newer(name):
		return fmt.Errorf("its schema %.60s is newer than this version of conform, which reads %s: read it with a newer one", name, result.Schema)
	case name != result.Schema:
		return fmt.Errorf("it is no report of conform: its schema is %.60q, not %q", name, result.Schema)
	}
	schema, err := compileSchema()
	if err != nil {
		return fmt.Errorf("compiling the schema of reports: %w", err)
	}
	if err := schema.Validate(document); err != nil {
		return breach(err)
	}
	return nil
}

func compileSchema() (*jsonschema.Schema, error) {
	const name = "report.json"
	document, err := jsonschema.UnmarshalJSON(strings.NewReader(schemaText))
	if err != nil {
		return nil, err
	}
	compiler := jsonschema.NewCompiler()
	compiler.AssertFormat()
	if err := compiler.AddResource(name, document); err != nil {
		return nil, err
	}
	return compiler.Compile(name)
}

// breach is the first reason why a document does not follow the schema, in one line.
func breach(err error) error {
	at, ok := errors.AsType[*jsonschema.ValidationError](err)
	if !ok {
		return err
	}
	for len(at.Causes) > 0 {
		at = at.Causes[0]
	}
	why := at.ErrorKind.LocalizedString(message.NewPrinter(language.English))
	const most = 120 // bytes of either text
	return fmt.Errorf("it does not follow the schema %s: at /%s: %s", result.Schema,
		plain.Cut(clean.Line(strings.Join(at.InstanceLocation, "/")), most), plain.Cut(clean.Line(why), most))
}

// newer reports whether a schema is a later version of ours.
func newer(schema string) bool {
	at := strings.LastIndex(result.Schema, "/v")
	theirs, isOurs := strings.CutPrefix(schema, result.Schema[:at+2])
	version, err := strconv.Atoi(theirs)
	own, _ := strconv.Atoi(result.Schema[at+2:])
	return isOurs && err == nil && version > own
}
