// Package report writes the outcome of a run for people and for pipelines, and reads it again. Its formats are
// packages below it: writers over one view of the report.
package report

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/socialfeed/conform/conformance/clean"
	"github.com/socialfeed/conform/conformance/report/har"
	"github.com/socialfeed/conform/conformance/report/html"
	"github.com/socialfeed/conform/conformance/report/markdown"
	"github.com/socialfeed/conform/conformance/report/pipeline"
	"github.com/socialfeed/conform/conformance/report/screen"
	"github.com/socialfeed/conform/conformance/report/view"
	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/internal/nearest"
)

// format is a format of reports.
type format struct {
	name   string
	title  string // in errors
	ending string // of its files' names; "": the same as the format's name
	write  func(io.Writer, *view.View, screen.Layout) error

	// guard makes a line harmless: the log of a pipeline takes some lines for commands.
	guard func(line string) string
}

func formats() []format {
	always := func(write func(io.Writer, *view.View) error) func(io.Writer, *view.View, screen.Layout) error {
		return func(w io.Writer, v *view.View, _ screen.Layout) error { return write(w, v) }
	}
	asItIs := func(line string) string { return line } // workflow commands, made of cleaned texts
	return []format{
		{"text", "text", "txt", screen.Write, clean.Screen},
		{"json", "JSON", "", always(writeJSONReport), clean.JSON},
		{"html", "HTML", "htm", always(html.Write), clean.Markup},
		{"junit", "JUnit XML", "xml", always(pipeline.WriteJUnit), clean.Markup},
		{"ctrf", "CTRF", "", always(pipeline.WriteCTRF), clean.JSON},
		{"markdown", "Markdown", "md", always(markdown.Write), clean.Defused},
		{"github", "GitHub annotations", "", always(pipeline.WriteGitHub), asItIs},
		{"har", "an HTTP archive", "", always(har.Write), clean.JSON},
		{"badge", "a badge", "svg", always(pipeline.WriteBadge), clean.Markup},
		{"next", "the next step", "", screen.WriteNext, clean.Screen},
	}
}

// Formats are the names of the formats that Write knows.
func Formats() []string {
	var names []string
	for _, f := range formats() {
		names = append(names, f.name)
	}
	return names
}

// Document is a report that is written in several formats: what they have in common is made once.
type Document struct{ view *view.View }

// New makes the document of a report.
func New(r *result.Report, o view.Options) *Document { return &Document{view.New(r, o)} }

// Write writes the report in a format. Another format is an error that names all
// of them, and nothing is written then.
func (d *Document) Write(w io.Writer, name string, l screen.Layout) error {
	all := formats()
	i := slices.IndexFunc(all, func(f format) bool { return f.name == name })
	if i < 0 {
		hint := ""
		if near := nearestFormat(name); near != "" {
			hint = fmt.Sprintf(" (did you mean %s?)", near)
		}
		return fmt.Errorf("there is no report format %.60q%s: there are %s", name, hint, strings.Join(Formats(), ", "))
	}
	out := bufio.NewWriterSize(w, 64<<10)
	err := clean.Guarded(out, all[i].guard, func(w io.Writer) error { return all[i].write(w, d.view, l) })
	if err = cmp.Or(err, out.Flush()); err != nil {
		return fmt.Errorf("writing the report as %s: %w", all[i].title, err)
	}
	return nil
}

// nearestFormat is the format that someone may have meant, "" when none is near.
func nearestFormat(name string) string {
	for _, f := range formats() {
		if f.ending != "" && strings.EqualFold(f.ending, name) {
			return f.name
		}
	}
	return nearest.To(name, Formats())
}

// FolderFormat is the format of several files, which WriteFolder writes.
const FolderFormat = "allure"

// WriteFolder writes the report in the format of several files. It has put write each under its name.
func (d *Document) WriteFolder(put func(name string, write func(io.Writer) error) error) error {
	return pipeline.WriteAllure(put, d.view)
}
