package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/socialfeed/conform/conformance"
)

// Formats are the names of the formats that Write knows.
func Formats() []string {
	return []string{"text", "json", "html", "junit", "markdown", "github", "har", "badge"}
}

// Write writes the report in a format. Another format is an error that names all
// of them, and nothing is written then.
func Write(w io.Writer, format string, r *conformance.Report, o TextOptions) error {
	switch format {
	case "text":
		return Text(w, r, o)
	case "json":
		return JSON(w, r)
	case "html":
		return HTML(w, r, o)
	case "junit":
		return JUnit(w, r, o)
	case "markdown":
		return Markdown(w, r, o)
	case "github":
		return GitHub(w, r, o)
	case "har":
		return HAR(w, r)
	case "badge":
		return Badge(w, r)
	}
	hint := ""
	if near := nearestFormat(format); near != "" {
		hint = fmt.Sprintf(" (did you mean %s?)", near)
	}
	return fmt.Errorf("there is no report format %.60q%s: there are %s", format, hint, strings.Join(Formats(), ", "))
}

// nearestFormat is the format that someone may have meant, "" when none is near.
func nearestFormat(name string) string {
	switch strings.ToLower(name) { // how the files end
	case "xml":
		return "junit"
	case "md":
		return "markdown"
	case "svg":
		return "badge"
	case "htm":
		return "html"
	case "txt":
		return "text"
	}
	return conformance.Nearest(name, Formats())
}
