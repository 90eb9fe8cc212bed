package main

import (
	"slices"
	"strings"

	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/internal/help"
	"github.com/spf13/pflag"
)

// tool says which judge makes the reports, and with which settings.
func (s *settings) tool() result.Tool {
	t := result.Tool{Version: help.Version(), Commit: help.Commit()}
	for name, value := range s.told {
		if t.Settings == nil {
			t.Settings = map[string]string{}
		}
		t.Settings[name] = s.withoutSecrets(name, value)
	}
	return t
}

// withoutSecrets is the value of a setting as reports may have it.
func (s *settings) withoutSecrets(name, value string) string {
	for _, token := range []string{s.config.Target.AppToken, s.config.Target.SecondAppToken} {
		if token != "" && strings.Contains(value, token) {
			return "…"
		}
	}
	if name == "exec" {
		value = secretLike.ReplaceAllStringFunc(value, hideSecret)
	}
	const longest = 400 // bytes
	if len(value) > longest {
		value = strings.ToValidUTF8(value[:longest], "") + "…"
	}
	return value
}

// tell records the settings that differ from the defaults, for the reports. Left out are secrets, where
// the reports and the progress go, and what reports tell at another place.
func (s *settings) tell(flags *pflag.FlagSet) {
	elsewhere := append(tokenFlags(), "base-url", "implementation", "claims", "self", "require-target", "watch",
		"report", "quiet", "choices", "no-color", "config", "help", newAppToken)
	s.told = map[string]string{}
	flags.VisitAll(func(f *pflag.Flag) {
		if s.from[f.Name] != fromDefault && newName(f) == "" && !slices.Contains(elsewhere, f.Name) {
			s.told[f.Name] = strings.Trim(f.Value.String(), "[]")
		}
	})
}
