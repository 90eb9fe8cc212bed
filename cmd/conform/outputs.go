package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/term"

	"github.com/socialfeed/conform/conformance"
	"github.com/socialfeed/conform/conformance/report"
)

// output is one report to be written.
type output struct {
	format string
	path   string // "-" for stdout
}

// outputs are all reports of a run. Their places are checked before the run, so
// that no run is lost to a mistyped path.
type outputs struct {
	all      []output
	std      streams
	settings settings
}

func openOutputs(s settings, std streams) (*outputs, error) {
	o := &outputs{std: std, settings: s}
	onStdout := false
	for _, text := range s.reports {
		format, path, found := strings.Cut(text, "=")
		if !found || path == "" {
			return nil, fmt.Errorf("--report takes FORMAT=PATH, got %q", text)
		}
		if !slices.Contains(report.Formats(), format) {
			return nil, fmt.Errorf("--report %s: unknown format; there are %s", format, strings.Join(report.Formats(), ", "))
		}
		if path != "-" {
			if info, err := os.Stat(filepath.Dir(path)); err != nil || !info.IsDir() {
				return nil, fmt.Errorf("--report %s: there is no folder %s", text, filepath.Dir(path))
			}
			if info, err := os.Stat(path); err == nil && info.IsDir() {
				return nil, fmt.Errorf("--report %s: %s is a folder", text, path)
			}
			if err := mayWrite(path); err != nil {
				return nil, fmt.Errorf("--report %s: %w", text, err)
			}
		} else if onStdout {
			return nil, errors.New("--report: only one report can go to stdout")
		}
		if slices.ContainsFunc(o.all, func(other output) bool { return path != "-" && filepath.Clean(other.path) == filepath.Clean(path) }) {
			return nil, fmt.Errorf("--report: two reports would go to %s", path)
		}
		onStdout = onStdout || path == "-"
		o.all = append(o.all, output{format, path})
	}
	if !onStdout && !s.quiet {
		o.all = append(o.all, output{"text", "-"})
	}
	return o, nil
}

// write writes every report; nothing but the reason is told of a run that could
// not even begin.
func (o *outputs) write(r *conformance.Report, ended error) error {
	for _, each := range o.all {
		if each.path == "-" && each.format == "text" && ended != nil {
			continue
		}
		if err := o.writeOne(each, r); err != nil {
			return fmt.Errorf("writing the %s report to %s: %w", each.format, each.path, err)
		}
	}
	return nil
}

func (o *outputs) writeOne(each output, r *conformance.Report) error {
	if each.path == "-" {
		return o.format(o.std.out, each.format, r)
	}
	return writeFile(each.path, func(w io.Writer) error { return o.format(w, each.format, r) })
}

func (o *outputs) format(w io.Writer, format string, r *conformance.Report) error {
	look := o.settings.look(w)
	look.Report = o.json()
	return report.Write(w, format, r, look)
}

// json is where the JSON report goes, "" where there is none to come back to.
func (o *outputs) json() string {
	for _, each := range o.all {
		if each.format == "json" && each.path != "-" {
			return each.path
		}
	}
	return ""
}

// look is how text is laid out on a writer: in colours on a terminal that wants them.
func (s settings) look(w io.Writer) report.TextOptions {
	file, ok := w.(*os.File)
	if !ok || !term.IsTerminal(int(file.Fd())) {
		return report.TextOptions{}
	}
	width, _, err := term.GetSize(int(file.Fd()))
	if err != nil {
		width = 0
	}
	return report.TextOptions{Color: !s.noColor && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb", Width: width}
}
