package main

import (
	"cmp"
	"errors"
	"fmt"
	"go/format"
	"go/token"
	"io"
	"slices"
	"strings"
	"text/template"
	"unicode"

	"github.com/socialfeed/conform/conformance/clean"
	"github.com/socialfeed/conform/conformance/report/view"
	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/conformance/rules"
	"github.com/spf13/cobra"
)

// keepCommand writes a drawn story as a scenario.
func keepCommand(std streams) *cobra.Command {
	var rule, path, pkg string
	cmd := &cobra.Command{
		Use:   "keep REPORT.json --rule RULE",
		Short: "Write the generated story that broke a rule as a Go scenario",
		Long: `keep takes the generated story that broke a rule from a report, and writes it as a Go scenario for a
suite of your own: conformance.New(config, scenarios.Register, yours.KeptFeedPurgeFollowers).`,
		Example: "  conform keep report.json --rule feed.purge.followers -o kept.go",
		Args:    arguments(1, 1, "keep takes one JSON report, such as report.json"),
		RunE: ofReport(std, func(_ *cobra.Command, r *result.Report) error {
			if !token.IsIdentifier(pkg) {
				return fmt.Errorf("--package takes the name of a Go package, got %q", pkg)
			}
			check, err := drawnCheck(r, rule)
			if err != nil {
				return err
			}
			source, err := scenarioOf(pkg, rule, check)
			if err != nil {
				return err
			}
			return writeTo(path, std, func(w io.Writer) error {
				lines := clean.NewWriter(w, clean.JSON)
				_, err := lines.Write(source)
				return cmp.Or(err, lines.Flush())
			})
		}),
	}
	cmd.Flags().StringVar(&rule, "rule", "", "the `RULE` that a drawn story broke")
	cmd.Flags().StringVar(&pkg, "package", "kept", "`NAME` of the Go package")
	cmd.Flags().StringVarP(&path, "output", "o", "-", "`FILE` for the scenario; - is stdout")
	return cmd
}

// drawnCheck is the first check of a rule that a drawn story failed.
func drawnCheck(r *result.Report, id string) (result.Check, error) {
	if id == "" {
		return result.Check{}, errors.New("keep takes the rule that a drawn story broke, such as --rule feed.order")
	}
	if _, known := rules.LoadAll().Rule(id); !known {
		return result.Check{}, unknownRule(rules.LoadAll(), id)
	}
	var others []string
	for _, rule := range r.Rules {
		left := slices.IndexFunc(rule.Checks, func(c result.Check) bool { return c.LeftStory() })
		switch asked := rule.ID == id; {
		case asked && left >= 0:
			return rule.Checks[left], nil
		case asked && rule.ShownInPassing():
			return result.Check{}, fmt.Errorf("there is no story to keep of %s: it was broken beside the scenarios that judge it; %s plays all again", id, view.DrawAgain(r))
		case asked && rule.Status == result.Fail:
			return result.Check{}, fmt.Errorf("there is no story to keep of %s: scenarios found it broken; conform replay plays them again", id)
		case left >= 0:
			others = append(others, rule.ID)
		}
	}
	if len(others) == 0 {
		return result.Check{}, errors.New("the report has no failure that a drawn story showed: conform --deep looks for some")
	}
	return result.Check{}, fmt.Errorf("no drawn story of the report broke %s; there are stories of %s", id, strings.Join(others, ", "))
}

var scenario = template.Must(template.New("").Parse(`package {{.Package}}

import . "github.com/socialfeed/conform/conformance"

// {{.Name}} plays what once broke {{.Rule}} at {{.Endpoint}}:
// {{.Told}}
func {{.Name}}(s *Suite) {
	s.Story({{printf "%q" .Text}}, {{.Story}})
}
`))

// keptName is the name of a drawn story as a scenario.
func keptName(rule string, check result.Check) string {
	return "kept: " + rule + " at " + check.Endpoint
}

// scenarioOf is the source of a scenario.
func scenarioOf(pkg, rule string, check result.Check) ([]byte, error) {
	name := "Kept"
	for _, word := range strings.FieldsFunc(rule, func(r rune) bool { return !unicode.IsLetter(r) }) {
		name += strings.ToUpper(word[:1]) + word[1:]
	}
	story := "`" + string(check.Story) + "`"
	if strings.Contains(story[1:len(story)-1], "`") || clean.JSON(story) != story {
		story = fmt.Sprintf("%q", check.Story)
	}
	var b strings.Builder
	err := scenario.Execute(&b, map[string]string{"Package": pkg, "Name": name, "Rule": rule, "Endpoint": clean.Line(check.Endpoint),
		"Told": clean.Log(clean.Line(check.Scenario)), "Text": keptName(rule, check), "Story": story})
	if err != nil {
		return nil, fmt.Errorf("writing a scenario: %w", err)
	}
	source, err := format.Source([]byte(b.String()))
	if err != nil {
		return nil, fmt.Errorf("--package %s: %w", pkg, err)
	}
	return source, nil
}
