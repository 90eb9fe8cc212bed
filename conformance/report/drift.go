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

// Drift writes where a fake differs from the real service in one of DiffFormats; any other format is
// an error. Only text takes the options.
func Drift(w io.Writer, format string, d *result.FakeDrift, l screen.Layout) error {
	var err error
	switch format {
	case "text":
		err = clean.Guarded(w, clean.Screen, func(w io.Writer) error { return screen.WriteDrift(w, d, l) })
	case "json":
		err = clean.Guarded(w, clean.JSON, func(w io.Writer) error { return indented.Write(w, d) })
	case "markdown":
		err = clean.Guarded(w, clean.Defused, func(w io.Writer) error { return markdown.WriteDrift(w, d) })
	default:
		return fmt.Errorf("there is no format %.60q for drift: there are %s", format, strings.Join(DiffFormats(), ", "))
	}
	if err != nil {
		return fmt.Errorf("writing the drift: %w", err)
	}
	return nil
}
