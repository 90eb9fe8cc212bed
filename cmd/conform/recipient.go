package main

import (
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"github.com/socialfeed/conform/conformance/report"
	"github.com/socialfeed/conform/internal/shell"
)

// checkRecipient makes sure that a token goes only to a target that the user chose. A report,
// or a configuration file found in the folder, may come from elsewhere: it cannot choose the
// target that gets a token of the environment.
func (s *settings) checkRecipient() error {
	target := s.config.Target
	if s.embedded || target.BaseURL == "" {
		return nil
	}
	named, hint := s.namedBy, ""
	if named == "" && s.from["base-url"] == fromFile && s.configFound {
		named, hint = s.configFile, " (or "+shell.MustLine(shell.Call("--config", report.Word(s.configFile)))+")"
	}
	if named == "" || !s.tokensUnasked() || sameHost(os.Getenv(variable("base-url")), target.BaseURL) {
		return nil
	}
	trust := s.trust()
	if len(trust) == 0 {
		trust = s.namedTrust
	}
	var flags []shell.Word
	for _, word := range trust {
		flags = append(flags, report.Word(word))
	}
	say := shell.MustLine(shell.Call("--base-url", append([]shell.Word{report.Word(target.BaseURL)}, flags...)...))
	return fmt.Errorf("%s alone names %s: to send it the token of the environment, say %s%s", named, target.BaseURL, say, hint)
}

// tokensUnasked reports whether a token was not given on this command line. A token in a file
// that a configuration file names in its own folder may go where that file says.
func (s *settings) tokensUnasked() bool {
	for _, token := range []struct{ flag, file string }{
		{"app-token", s.appTokenFile},
		{"second-app-token", s.secondAppTokenFile},
	} {
		switch max(s.from[token.flag], s.from[token.flag+"-file"]) {
		case fromEnvironment:
			return true
		case fromFile:
			if s.namedBy != "" || !filepath.IsLocal(token.file) {
				return true
			}
		}
	}
	return false
}

// sameHost reports whether two URLs lead to the same scheme, host and port.
func sameHost(a, b string) bool {
	at, aErr := url.Parse(a)
	bt, bErr := url.Parse(b)
	return aErr == nil && bErr == nil && at.Host != "" && at.Scheme == bt.Scheme && strings.EqualFold(at.Host, bt.Host)
}
