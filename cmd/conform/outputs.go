package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/socialfeed/conform/conformance/report"
	"github.com/socialfeed/conform/conformance/report/screen"
	"github.com/socialfeed/conform/conformance/report/view"
	"github.com/socialfeed/conform/conformance/result"
	"golang.org/x/term"
)

// output is one report to be written.
type output struct {
	format string
	path   string // "-" for stdout
}

// outputs are all reports of a run. Their paths are checked before the run, so that no run is
// lost to a mistyped path.
type outputs struct {
	all      []output
	std      streams
	settings settings
	asked    bool           // for the text on stdout, which then has everything
	last     *result.Report // the JSON report that the run overwrites; nil for none
}

func openOutputs(s settings, std streams) (*outputs, error) {
	o := &outputs{std: std, settings: s}
	in := s.reach("report")
	onStdout := false
	for _, text := range s.reports {
		format, path, found := strings.Cut(text, "=")
		if !found || path == "" {
			return nil, fmt.Errorf("--report takes FORMAT=PATH, such as html=conform.html, got %q", text)
		}
		switch known := append(report.Formats(), report.FolderFormat); {
		case !slices.Contains(known, format):
			return nil, fmt.Errorf("--report %s: unknown format; there are %s", format, strings.Join(known, ", "))
		case format == report.FolderFormat:
			if err := takesFolder(in, path); err != nil {
				return nil, fmt.Errorf("--report %s: %w", text, err)
			}
		case path != "-":
			if err := takesReport(in, path); err != nil {
				return nil, fmt.Errorf("--report %s: %w", text, err)
			}
		case onStdout:
			return nil, errors.New("--report: only one report can go to stdout")
		}
		if slices.ContainsFunc(o.all, func(other output) bool { return path != "-" && filepath.Clean(other.path) == filepath.Clean(path) }) {
			return nil, fmt.Errorf("--report: two reports would go to %s", path)
		}
		onStdout = onStdout || path == "-"
		o.asked = onStdout
		o.all = append(o.all, output{format, path})
	}
	switch {
	case s.next && onStdout:
		return nil, errors.New("--report: next writes to stdout, where no other report can go")
	case s.next:
		o.all = append(o.all, output{nextFormat, "-"})
	case !onStdout && !s.quiet:
		o.all = append(o.all, output{"text", "-"})
	}
	o.last = lastReport(in, o.json())
	return o, nil
}

// takesReport checks that a report can be written to a path.
func takesReport(in reach, path string) error {
	folder, err := in.Stat(filepath.Dir(path))
	if err != nil && !ofSystem(err) {
		return err
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return in.MkdirAll(filepath.Dir(path), 0o755)
	case err != nil || !folder.IsDir():
		return fmt.Errorf("%s is not a folder", filepath.Dir(path))
	}
	switch info, err := in.Stat(path); {
	case err != nil && !ofSystem(err):
		return err
	case err == nil && info.IsDir():
		return fmt.Errorf("%s is a folder", path)
	}
	return mayWrite(in, path)
}

// lastReport is the JSON report in a file, without the exchanges of its run; nil for none.
func lastReport(in reach, path string) *result.Report {
	if info, err := in.Stat(path); err != nil || !info.Mode().IsRegular() {
		return nil
	}
	r, err := readFrom(in, path, streams{}, report.ReadOutcome)
	if err != nil {
		return nil
	}
	return r
}

// write writes every report, stdout first; a report that fails does not stop the others. Of a
// run that could not begin, only the reason is written. A closed pipe on stdout is not an error.
func (o *outputs) write(r *result.Report, ended error) error {
	var troubles []error
	document := report.New(r, view.Options{Report: o.json(), Replayed: o.settings.replayed, Last: o.last, Program: o.std.program})
	for _, onStdout := range []bool{true, false} {
		for _, each := range o.all {
			if (each.path == "-") != onStdout || onStdout && each.format == "text" && ended != nil {
				continue
			}
			if each.path == "-" && each.format == nextFormat && ended != nil && r.Summary.Endpoints == nil {
				continue // nothing is known of the target; the error says why
			}
			if err := o.writeOne(each, document); err != nil && !readerGone(err) {
				troubles = append(troubles, fmt.Errorf("writing the %s report to %s: %w", each.format, each.path, err))
			}
		}
	}
	return errors.Join(troubles...)
}

func (o *outputs) writeOne(each output, d *report.Document) error {
	switch {
	case each.format == report.FolderFormat:
		return writeFolder(o.settings.reach("report"), each.path, d)
	case each.path == "-":
		return d.Write(o.std.out, each.format, o.layoutFor(o.std.out))
	}
	return writeFile(o.settings.reach("report"), each.path, func(w io.Writer) error { return d.Write(w, each.format, o.layoutFor(w)) })
}

func (o *outputs) layoutFor(w io.Writer) screen.Layout {
	layout := o.settings.layout(w)
	layout.Choices, layout.Brief = o.settings.choices, w == o.std.out && !o.asked
	return layout
}

// nextFormat is the format of conform next on stdout, in place of the text report.
const nextFormat = "next"

// quietly leaves out the text report from now on: what changed is printed instead.
func (o *outputs) quietly() {
	o.all = slices.DeleteFunc(o.all, func(each output) bool { return each.path == "-" && each.format == "text" })
}

// json is the path of the JSON report, "" if there is no such file.
func (o *outputs) json() string {
	for _, each := range o.all {
		if each.format == "json" && each.path != "-" {
			return each.path
		}
	}
	return ""
}

// layout is the layout of text for a writer: in colour on a terminal, unless that is turned off.
func (s settings) layout(w io.Writer) screen.Layout {
	file, ok := w.(*os.File)
	if !ok || !term.IsTerminal(int(file.Fd())) {
		return screen.Layout{}
	}
	width, _, err := term.GetSize(int(file.Fd()))
	if err != nil {
		width = 0
	}
	return screen.Layout{Color: !s.noColor && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb", Width: width}
}

// optionsFor are the names in commands about a report that was read from a path.
func optionsFor(path string, std streams) view.Options {
	if path == "-" {
		path = ""
	}
	return view.Options{Program: std.program, Report: path}
}
