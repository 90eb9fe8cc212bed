package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/socialfeed/conform/conformance"
	"github.com/socialfeed/conform/internal/help"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"go.yaml.in/yaml/v3"
)

// draftHead begins every drafted configuration file.
const draftHead = `# Settings of conform %s, drafted on %s.
#
# Every key is also a flag (--jobs 4) and an environment variable (CONFORM_JOBS=4). A flag
# overrides the variable, and the variable overrides this file. Lines that begin with # show the
# default, or what the setting takes. Paths are relative to the folder of this file.
#
# Tokens have no place here: set CONFORM_APP_TOKEN, or name a file that holds it below.
`

// draft is a configuration file for the target: the settings that were given or found out,
// and every other setting as a comment with its default.
func (s *settings) draft(given *pflag.FlagSet, p conformance.Probe, folder string) (string, error) {
	values, notes := s.advice(p)
	given.VisitAll(func(f *pflag.Flag) {
		if s.from[f.Name] != fromDefault && !isSecret(f.Name) {
			values[f.Name] = f.Value.String()
		}
	})
	var all settings
	run := &cobra.Command{}
	all.bind(run)
	var b strings.Builder
	fmt.Fprintf(&b, draftHead, help.Version(), time.Now().UTC().Format(time.DateOnly))
	var problems []error
	run.Flags().VisitAll(func(f *pflag.Flag) {
		if isSecret(f.Name) || !configurable(f) || newName(f) != "" {
			return
		}
		if heading := headings()[f.Name]; heading != "" {
			fmt.Fprintf(&b, "\n# --- %s ---\n", heading)
		}
		kind, usage := pflag.UnquoteUsage(f)
		fmt.Fprintf(&b, "\n# %s\n", usage)
		if notes[f.Name] != "" {
			fmt.Fprintf(&b, "# found: %s\n", notes[f.Name])
		}
		value, chosen := values[f.Name]
		if !chosen {
			fmt.Fprintf(&b, "# %s: %s\n", f.Name, shown(f, kind))
			return
		}
		line, err := yamlLine(f, value, folder)
		problems = append(problems, err)
		b.WriteString(line)
	})
	return b.String(), errors.Join(problems...)
}

// headings divide a configuration file, by the flag that each precedes.
func headings() map[string]string {
	return map[string]string{"base-url": "the target", "rule": "what is judged", "jobs": "how", "waivers": "results"}
}

// shown is a flag's default, or what it takes if it has none.
func shown(f *pflag.Flag, kind string) string {
	switch {
	case takesPairs(f):
		return "{" + strings.Replace(kind, "=", ": ", 1) + "}"
	case takesSeveral(f):
		return "[" + kind + "]"
	case f.DefValue == "":
		return kind
	}
	return f.DefValue
}

// yamlLine is a setting as a line of the file; a path is relative to the file's folder.
func yamlLine(f *pflag.Flag, value, folder string) (string, error) {
	if _, namesFile := f.Annotations[cobra.BashCompFilenameExt]; namesFile && !filepath.IsAbs(value) {
		if relative, err := filepath.Rel(folder, value); err == nil {
			value = filepath.ToSlash(relative)
		}
	}
	line, err := yaml.Marshal(map[string]*yaml.Node{f.Name: {Kind: yaml.ScalarNode, Value: value}})
	if err != nil {
		return "", fmt.Errorf("drafting %s: %w", f.Name, err)
	}
	return string(line), nil
}

// advice is settings that suit a target, each with the observation that suggests it.
func (s *settings) advice(p conformance.Probe) (values, notes map[string]string) {
	trip := inWords(p.RoundTrip)
	values = map[string]string{}
	notes = map[string]string{
		"request-timeout": "a request takes " + trip,
		"settle":          "a feed shows a new event after " + inWords(p.Lag),
	}
	const slow = time.Second
	if p.RoundTrip >= slow {
		values["request-timeout"] = (20 * p.RoundTrip).Round(time.Second).String()
	}
	const several = 4 // times the observed lag
	switch {
	case p.Problem != "":
		notes["settle"] = "how far feeds lag is not known: " + strings.Join(strings.Fields(p.Problem), " ")
	case several*p.Lag > conformance.DefaultSettle:
		values["settle"] = (several * p.Lag).Round(time.Second).String()
	}
	return values, notes
}

func inWords(d time.Duration) string {
	if d < time.Millisecond {
		return "less than 1ms"
	}
	return d.Round(time.Millisecond).String()
}
