package main

import (
	"fmt"
	"net/url"
	"os"
	"slices"
	"strings"

	"github.com/socialfeed/conform/conformance/clean"
	"github.com/socialfeed/conform/conformance/report/plain"
	"github.com/socialfeed/conform/internal/shell"
)

// checkRecipient makes sure that a token goes only to a host that the person named, on the
// command line or in the environment, and under the trust that the person chose. A report, and a
// configuration file that is merely found in the folder, may come from elsewhere: whatever token
// there is, they choose neither who gets it nor who may listen.
func (s *settings) checkRecipient() error {
	if s.embedded || s.config.Target.BaseURL == "" || !s.hasToken() {
		return nil
	}
	switch flags := s.unnamed(); {
	case len(flags) == 0:
		return nil
	case s.namedBy != "":
		return fmt.Errorf("%s alone names %s: to send it a token, say %s", s.namedBy, clean.Line(s.config.Target.BaseURL), words(flags))
	default:
		return fmt.Errorf("%s alone chooses where a token goes, or by what trust: to send it so, say %s (or %s)", s.configFile, words(flags),
			shell.MustLine(shell.Call("--config", plain.Word(s.configFile))))
	}
}

// words are flags as one line for a shell.
func words(flags []string) string {
	var all []shell.Word
	for _, flag := range flags {
		all = append(all, plain.Word(flag))
	}
	return clean.Line(shell.MustLine(shell.Run(all...)))
}

// unnamed are the flags that choose the host and its trust, and that the person did not give.
func (s *settings) unnamed() (flags []string) {
	target := s.config.Target
	if s.isFound("base-url") || s.namedBy != "" && !sameHost(os.Getenv(variable("base-url")), target.BaseURL) {
		flags = append(flags, "--base-url", target.BaseURL)
	}
	for _, name := range []string{"ca-cert", "insecure", "allow-http"} {
		switch {
		case !s.isFound(name):
		case name == "ca-cert":
			flags = append(flags, "--"+name, s.caCert)
		case name == "insecure" && target.Insecure, name == "allow-http" && target.AllowHTTP:
			flags = append(flags, "--"+name)
		}
	}
	if s.namedBy != "" && len(flags) > 0 && s.trust() == nil {
		flags = append(flags, s.namedTrust...)
	}
	return flags
}

// hasToken reports whether the run has a token that is the person's: one that it made up for a
// server of its own is nobody's.
func (s *settings) hasToken() bool {
	return slices.ContainsFunc(tokenFlags(), func(flag string) bool { return s.from[flag] != fromDefault })
}

// sameHost reports whether two URLs lead to the same scheme, host and port.
func sameHost(a, b string) bool {
	at, aErr := url.Parse(a)
	bt, bErr := url.Parse(b)
	return aErr == nil && bErr == nil && at.Host != "" && at.Scheme == bt.Scheme && strings.EqualFold(at.Host, bt.Host)
}
