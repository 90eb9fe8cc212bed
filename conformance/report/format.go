package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/socialfeed/conform/conformance/clean"
	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/conformance/rules"
)

// Formats are the names of the formats that Write knows.
func Formats() []string {
	return []string{"text", "json", "html", "junit", "markdown", "github", "har", "badge", "next"}
}

// Write writes the report in a format. Another format is an error that names all
// of them, and nothing is written then.
func Write(w io.Writer, format string, r *result.Report, o TextOptions) error {
	guarded := clean.NewWriter(w, guard(format))
	if err := write(guarded, format, r, o); err != nil {
		return err
	}
	if err := guarded.Flush(); err != nil {
		return fmt.Errorf("writing the report: %w", err)
	}
	return nil
}

// guard is what the lines of a format pass through last: a report is often printed
// into the log of a pipeline, whose runner looks for commands in it.
func guard(format string) func(line string) string {
	switch format {
	case "json", "har":
		return clean.JSON
	case "html", "junit", "badge":
		return clean.Markup
	case "github": // which is commands, made of cleaned texts
		return func(line string) string { return line }
	case "markdown":
		return clean.Defused
	}
	return clean.Screen
}

func write(w io.Writer, format string, r *result.Report, o TextOptions) error {
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
	case "next":
		return Next(w, r, o)
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
	return rules.Nearest(name, Formats())
}
