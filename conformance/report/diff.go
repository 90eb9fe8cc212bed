package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/socialfeed/conform/conformance/clean"
	"github.com/socialfeed/conform/conformance/report/indented"
	"github.com/socialfeed/conform/conformance/report/markdown"
	"github.com/socialfeed/conform/conformance/report/screen"
	"github.com/socialfeed/conform/conformance/result"
)

// DiffFormats are the names of the formats that Diff knows.
func DiffFormats() []string { return []string{"text", "json", "markdown"} }

// Diff writes the differences of two reports in one of DiffFormats; any other format is an
// error. Only text takes the options.
func Diff(w io.Writer, format string, d *result.Diff, l screen.Layout) error {
	var err error
	switch format {
	case "text":
		err = clean.Guarded(w, clean.Screen, func(w io.Writer) error { return screen.WriteDiff(w, d, l) })
	case "json":
		err = clean.Guarded(w, clean.JSON, func(w io.Writer) error { return indented.Write(w, d) })
	case "markdown":
		err = clean.Guarded(w, clean.Defused, func(w io.Writer) error { return markdown.WriteDiff(w, d) })
	default:
		return fmt.Errorf("there is no format %.60q for differences: there are %s", format, strings.Join(DiffFormats(), ", "))
	}
	if err != nil {
		return fmt.Errorf("writing the differences: %w", err)
	}
	return nil
}
