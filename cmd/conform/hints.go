package main

import (
	"cmp"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/socialfeed/conform/conformance"
	"github.com/socialfeed/conform/conformance/report/plain"
	"github.com/socialfeed/conform/conformance/rules"
	"github.com/socialfeed/conform/conformance/setting"
	"github.com/socialfeed/conform/internal/nearest"
	"github.com/socialfeed/conform/internal/shell"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// flagError says what is wrong with a flag, and what to write instead.
func flagError(cmd *cobra.Command, err error) error {
	if invalid, ok := errors.AsType[*pflag.InvalidValueError](err); ok {
		f := invalid.GetFlag()
		if errors.Is(invalid, errEmpty) {
			return emptyFlag(f)
		}
		article := "a "
		if f.Value.Type() == "bool" {
			article = ""
		}
		return fmt.Errorf("--%s takes %s%s, got %q%s", f.Name, article, kindOf(f), invalid.GetValue(), meant(f, invalid.GetValue()))
	}
	return fmt.Errorf("%w%s see %s --help", err, asked(suggestion(cmd, err)), cmd.CommandPath())
}

// asked ends a hint so that more can follow it: a question by its mark alone.
func asked(hint string) string {
	if strings.HasSuffix(hint, "?") {
		return hint
	}
	return hint + ";"
}

var plainNumber = regexp.MustCompile(`^[0-9]+(\.[0-9]+)?$`)

// meant suggests a flag's value, as the end of an error.
func meant(f *pflag.Flag, value string) string {
	if f.Value.Type() != "duration" {
		return ""
	}
	value = strings.ReplaceAll(value, " ", "")
	if plainNumber.MatchString(value) {
		value += "s"
	}
	if _, err := time.ParseDuration(value); err != nil {
		return ""
	}
	return "; did you mean " + value + "?"
}

// portHint is why a server that was started here may not answer.
func portHint(server string) string {
	return "does " + server + " listen at 127.0.0.1 and the PORT of its environment? --wait 60s gives it longer"
}

// orWait adds to an error that nothing listens at the target which flag waits for it.
func orWait(err error) error {
	refused, ok := errors.AsType[*conformance.UnreachableError](err)
	if !ok || !refused.Refused {
		return err
	}
	hinted := *refused
	hinted.Hint += " --wait 60s waits for it"
	return &hinted
}

// flagNames are the flags of a run, for the messages of the judge.
func flagNames() setting.Names {
	orVariable := func(flag string) string { return variable(flag) + " or --" + flag }
	return setting.Names{
		setting.BaseURL: "--base-url", setting.AppToken: orVariable("app-token"), setting.SecondAppToken: orVariable("second-app-token"),
		setting.CACert: "--ca-cert", setting.Insecure: "--insecure", setting.AllowHTTP: "--allow-http",
		setting.Rules: "--rule", setting.Parts: "--part", setting.Endpoints: "--endpoint", setting.Levels: "--level", setting.Skip: "--skip", setting.Claims: "--claims",
		setting.Rate: "--rate", setting.Timeout: "--timeout", setting.RateLimits: "--rate-limits", setting.Restarts: "--restarts", setting.FailOn: "--fail-on",
		setting.Deep: "--deep", setting.Shard: "--shard", setting.MaxFailures: "--max-failures", setting.SecondApp: "--second-app-token",
		setting.Implementation: "--implementation",
	}
}

// argumentHint suggests what an argument that is not a command was meant to be.
func argumentHint(cmd *cobra.Command, arg string) string {
	catalogue := rules.Load()
	inPart := func(rule rules.Rule) bool { return rule.Part() == arg }
	_, isRule := catalogue.Rule(arg)
	_, isEndpoint := rules.ParseEndpoint(arg)
	switch near := cmd.SuggestionsFor(arg); {
	case slices.Contains([]string{"run", "test", "check"}, arg) || nearest.To(arg, []string{"judge"}) != "":
		return "; judging is what conform does without a command: conform --base-url URL"
	case strings.Contains(arg, "://"):
		return "; the target is given as --base-url URL"
	case strings.HasSuffix(arg, ".json"):
		return "; a report is read by: " + shell.MustLine(shell.Call("conform", shell.Plain("next"), plain.Word(arg))) +
			", or " + shell.MustLine(shell.Call("conform", shell.Plain("report"), shell.Plain("html"), plain.Word(arg)))
	case isRule || strings.Contains(arg, "*"):
		return "; did you mean " + shell.MustLine(shell.Call("--rule", shell.Lit(arg))) + "?"
	case plainNumber.MatchString(arg) && cmd.Flags().Changed("deep"):
		return "; did you mean " + shell.MustLine(shell.Call("--deep", plain.Word(arg+"s"))) + "?"
	case isEndpoint:
		return "; did you mean " + shell.MustLine(shell.Call("--endpoint", plain.Word(arg))) + "?"
	case slices.ContainsFunc(catalogue.Rules(), inPart):
		return "; did you mean " + shell.MustLine(shell.Call("--part", plain.Word(arg))) + "?"
	case len(near) > 0:
		return fmt.Sprintf("; did you mean %s?", cmp.Or(longer(arg, near), nearest.To(arg, near), near[0]))
	}
	return ""
}

// longer is the first of the names that begins with an argument, "" where none does.
func longer(arg string, names []string) string {
	i := slices.IndexFunc(names, func(name string) bool { return strings.HasPrefix(name, arg) })
	if i < 0 {
		return ""
	}
	return names[i]
}

// suggestion names the flag that a mistyped one comes closest to.
func suggestion(cmd *cobra.Command, err error) string {
	var unknown *pflag.NotExistError
	if !errors.As(err, &unknown) {
		return ""
	}
	return didYouMean("--", nearestFlag(cmd.Flags(), unknown.GetSpecifiedName()))
}

// nearestFlag is the flag with the most similar name, "" when none is similar.
func nearestFlag(flags *pflag.FlagSet, name string) string {
	var known []string
	flags.VisitAll(func(f *pflag.Flag) {
		if newName(f) == "" {
			known = append(known, f.Name)
		}
	})
	return nearest.To(name, known)
}

func didYouMean(prefix, near string) string {
	if near == "" {
		return ""
	}
	return "; did you mean " + prefix + near + "?"
}
