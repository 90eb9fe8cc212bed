package report

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/socialfeed/conform/conformance/clean"
	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/internal/nearest"
)

// format is a format of reports.
type format struct {
	name   string
	title  string // in errors
	ending string // of its files' names; "": the same as the format's name
	write  func(io.Writer, *view, Layout) error

	// guard makes a line harmless: the log of a pipeline takes some lines for commands.
	guard func(line string) string
}

func formats() []format {
	always := func(write func(io.Writer, *view) error) func(io.Writer, *view, Layout) error {
		return func(w io.Writer, v *view, _ Layout) error { return write(w, v) }
	}
	asItIs := func(line string) string { return line } // workflow commands, made of cleaned texts
	return []format{
		{"text", "text", "txt", writeText, clean.Screen},
		{"json", "JSON", "", always(writeJSONReport), clean.JSON},
		{"html", "HTML", "htm", always(writeHTML), clean.Markup},
		{"junit", "JUnit XML", "xml", always(writeJUnit), clean.Markup},
		{"ctrf", "CTRF", "", always(writeCTRF), clean.JSON},
		{"markdown", "Markdown", "md", always(writeMarkdown), clean.Defused},
		{"github", "GitHub annotations", "", always(writeGitHub), asItIs},
		{"har", "an HTTP archive", "", always(writeHAR), clean.JSON},
		{"badge", "a badge", "svg", always(writeBadge), clean.Markup},
		{"next", "the next step", "", writeNext, clean.Screen},
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
type Document struct{ view *view }

// New makes the document of a report.
func New(r *result.Report, o Options) *Document { return &Document{newView(r, o)} }

// Write writes the report in a format. Another format is an error that names all
// of them, and nothing is written then.
func (d *Document) Write(w io.Writer, name string, l Layout) error {
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
	return writeAllure(put, d.view)
}
