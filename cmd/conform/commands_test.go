package main

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	"github.com/socialfeed/conform/conformance"
)

// TestRulesAreListed has every rule in every format.
func TestRulesAreListed(t *testing.T) {
	t.Parallel()
	catalogue, err := conformance.LoadCatalogue()
	if err != nil {
		t.Fatal(err)
	}
	for _, format := range []string{"text", "json", "markdown"} {
		o := conform(t, "rules", "--format", format)
		o.wants(t, exitConformant)
		for _, rule := range catalogue.Rules() {
			if !strings.Contains(o.stdout, rule.ID) {
				t.Errorf("%s lacks %s", format, rule.ID)
			}
		}
		if format == "json" {
			var listed []map[string]any
			if err := json.Unmarshal([]byte(o.stdout), &listed); err != nil || len(listed) != len(catalogue.Rules()) {
				t.Errorf("%d rules as JSON: %v", len(listed), err)
			}
		}
	}
	if o := conform(t, "rules"); !strings.Contains(o.stdout, "feed.purge.followers") {
		t.Errorf("without a format: %.100q", o.stdout)
	}
}

// TestEveryRuleIsExplained asks for one of each part.
func TestEveryRuleIsExplained(t *testing.T) {
	t.Parallel()
	catalogue, err := conformance.LoadCatalogue()
	if err != nil {
		t.Fatal(err)
	}
	parts := map[string]bool{}
	for _, rule := range catalogue.Rules() {
		if parts[rule.Part()] {
			continue
		}
		parts[rule.Part()] = true
		o := conform(t, "explain", rule.ID)
		o.wants(t, exitConformant)
		spaces := regexp.MustCompile(`\s+`) // lines may be wrapped
		told := spaces.ReplaceAllString(o.stdout, " ")
		for _, word := range []string{rule.ID, string(rule.Level), spaces.ReplaceAllString(rule.Statement, " "), rule.Source} {
			if !strings.Contains(told, word) {
				t.Errorf("the explanation of %s does not have %q:\n%s", rule.ID, word, o.stdout)
			}
		}
	}
}

// TestSmallCommands are those that every command has.
func TestSmallCommands(t *testing.T) {
	t.Parallel()
	for name, small := range map[string]struct {
		args []string
		says string
	}{
		"version":              {[]string{"--version"}, "conform version "},
		"help":                 {[]string{"--help"}, "--base-url"},
		"help names the codes": {[]string{"--help"}, "3 no verdict"},
		"completion of bash":   {[]string{"completion", "bash"}, "complete"},
		"completion of zsh":    {[]string{"completion", "zsh"}, "#compdef conform"},
		"completion of fish":   {[]string{"completion", "fish"}, "complete -c conform"},
		"completed rule":       {[]string{"__complete", "explain", ""}, "feed.purge.followers"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := conform(t, small.args...)
			o.wants(t, exitConformant)
			if !strings.Contains(o.stdout, small.says) {
				t.Errorf("stdout %.200q does not say %q", o.stdout, small.says)
			}
		})
	}
	if o := conform(t, "--help"); strings.Contains(o.stdout, playCommandName) {
		t.Error("the help names the command of child processes")
	}
}
