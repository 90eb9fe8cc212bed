package main

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	"github.com/socialfeed/conform/conformance/rules"
)

// TestRulesAreListed has every rule in every format.
func TestRulesAreListed(t *testing.T) {
	t.Parallel()
	catalogue := rules.Load()
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

// TestInputsAreListed has, in every format, what each endpoint with a body is sent.
func TestInputsAreListed(t *testing.T) {
	t.Parallel()
	for _, format := range []string{"text", "json", "markdown"} {
		o := conform(t, "rules", "--inputs", "--format", format)
		o.wants(t, exitConformant)
		for _, rule := range []string{"users.create.malformed-json", "sessions.login.unknown-user", "users.me.update.wrong-type",
			"connections.create.unknown-target", "social.wrong-type", "events.create.wrong-type", "limits.metadata.strings-only", "events.update.wrong-type"} {
			if !strings.Contains(o.stdout, rule) {
				t.Errorf("%s lacks %s", format, rule)
			}
		}
	}
	text := conform(t, "rules", "--inputs").stdout
	for _, lines := range []string{
		"#5 PUT /0.2/user: ", "\n  object.display_name\n    has to come back\n", "\n  latitude\n    has to come back\n      below zero · bound · ",
	} {
		if !strings.Contains(text, lines) {
			t.Errorf("the text lacks %q", lines)
		}
	}
}

// TestEveryRuleIsExplained asks for one of each part.
func TestEveryRuleIsExplained(t *testing.T) {
	t.Parallel()
	catalogue := rules.Load()
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
}

// TestOldNamesStillWork gives a renamed flag in each of the ways in which it can be set.
func TestOldNamesStillWork(t *testing.T) {
	t.Parallel()
	const warning = "it is called --jobs now"
	if o := conform(t, "--procs", "2", "--part", "versions"); o.code != exitConformant || !strings.Contains(o.stderr, warning) {
		t.Errorf("as a flag: exit %d, stderr %q", o.code, o.stderr)
	}
	cmd := command(t, "--part", "versions")
	cmd.Env = append(cmd.Env, "CONFORM_PROCS=2")
	if o := finish(t, cmd); o.code != exitConformant || !strings.Contains(o.stderr, "CONFORM_PROCS is deprecated: "+warning) {
		t.Errorf("as a variable: exit %d, stderr %q", o.code, o.stderr)
	}
	if o := conform(t, "--help"); strings.Contains(o.stdout, "--procs") {
		t.Error("the help shows the old name")
	}
}

// TestDeepTakesADurationOrNone has the flag's value in each of the ways in which it can be given.
func TestDeepTakesADurationOrNone(t *testing.T) {
	for given, want := range map[string]string{
		"--deep 20s --quiet": "--deep=20s --quiet", "--deep --quiet": "--deep --quiet", "--deep=1m": "--deep=1m", "--deep": "--deep", "--deep feed": "--deep feed",
	} {
		if got := strings.Join(withOptionalValue(strings.Fields(given), "--deep", isDuration), " "); got != want {
			t.Errorf("%s is taken for %s, want %s", given, got, want)
		}
	}
}

// TestHelpFitsATerminal and shows nothing that the library made up.
func TestHelpFitsATerminal(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{{"--help"}, {"client", "--help"}, {"replay", "--help"}, {"reproduce", "--help"}, {"watch", "--help"}} {
		o := conform(t, args...)
		o.wants(t, exitConformant)
		_, flags, _ := strings.Cut(o.stdout, "Flags:\n")
		for line := range strings.Lines(flags) {
			if len([]rune(line)) > 81 {
				t.Errorf("%q: %d columns: %s", args, len([]rune(line)), line)
			}
		}
		if strings.Contains(o.stdout, "[=") || strings.Contains(o.stdout, "(default [])") {
			t.Errorf("%q: %s", args, o.stdout)
		}
	}
	if o := conform(t, "--help"); !contains(o.stdout, "--last-failed [REPORT]") || !contains(o.stdout, "--deep [duration]") {
		t.Error(o.stdout)
	}
}

// The shell completes what the flags of the commands beside a run take, and the parts of the contract.
func TestShellCompletesFlagsOfCommands(t *testing.T) {
	t.Parallel()
	for want, args := range map[string][]string{
		"hurl":       {"reproduce", "--as", ""},
		"markdown":   {"drift", "--format", ""},
		"drift":      {"diff", "--fail-on", ""},
		"uuid-ids":   {"client", "--dialects", ""},
		"Versioning": {"contract", ""},
	} {
		if o := conform(t, append([]string{"__complete"}, args...)...); !strings.Contains("\n"+o.stdout, "\n"+want+"\n") {
			t.Errorf("%v: %q", args, o.stdout)
		}
	}
}
