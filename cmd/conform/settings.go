package main

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/socialfeed/conform/conformance"
	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/conformance/rules"
	"github.com/socialfeed/conform/conformance/setting"
	"github.com/socialfeed/conform/internal/help"
	"github.com/socialfeed/conform/internal/nearest"
	"github.com/spf13/pflag"
)

// settings are the flags, the environment and the configuration file together.
type settings struct {
	config   conformance.Config
	caCert   string
	shard    string
	failOn   string
	wait     time.Duration
	repeat   int
	waivers  string // path of the file
	corpus   string // path of the file
	accepted result.Waivers
	embedded bool // the target is the embedded server
	reports  []string
	failFast bool
	stories  []keptStory // to be replayed
	named    pairs       // of the implementation
	claims   pairs
	again    *again // of an earlier report, nil where none says what is played

	lastFailed lastFailed
	replayed   string // path of the report that they are in, "" for stdin
	quiet      bool
	self       bool          // the embedded server is asked for by name
	required   bool          // without a target the run fails
	exec       string        // the command that starts the target
	serverName string        // what messages call what it starts, "" for what is said of --exec
	data       string        // the folder that the command finds as DATA, "" for none
	restarts   time.Duration // for which stories with restarts are drawn, 0 for none
	watch      []string      // files and folders; a change there starts a new run
	next       bool          // print what to do next instead of the report
	noColor    bool
	choices    bool

	appTokenFile, secondAppTokenFile string

	configFile  string
	configFound bool     // it was found in the folder, not named
	namedBy     string   // what else names the target, such as a report
	namedTrust  []string // the flags under which it trusted the target
	from        map[string]source
	told        map[string]string // for the reports: what differs from the defaults, by flag
	warnings    []string          // deprecated names that were used
	fixed       []string          // the flags that only the command line can set
}

// complete adds what the environment and the configuration file say, and reads
// the files that settings name.
func (s *settings) complete(flags *pflag.FlagSet) error {
	gather := func() error { return s.gather(flags) }
	for _, step := range []func() error{gather, s.readTokens, s.completeExec, s.completeRestarts, s.chooseTarget, s.checkRecipient, s.checkWatched, s.checkAmounts,
		s.checkFailOn, s.completeStops, s.completeImplementation, s.completeClaims, s.readWaivers, s.readCorpus, s.readShard, s.readCA} {
		if err := step(); err != nil {
			return err
		}
	}
	if s.from["rate"] == fromDefault {
		s.config.Rate = 0 // left to the judge
	}
	s.config.FailOn = rules.Level(s.failOn)
	s.config.Version = help.Version()
	s.config.Names = flagNames()
	s.config.Names[setting.Stories] = "--corpus " + s.corpus
	s.config.KeepEvidence = s.repeat > 1
	s.config.KeepExchanges = slices.ContainsFunc(s.reports, func(r string) bool { return strings.HasPrefix(r, "har=") })
	return nil
}

// readCA reads the certificates to trust.
func (s *settings) readCA() error {
	if s.caCert == "" {
		return nil
	}
	pem, err := readBounded(s.reach("ca-cert"), s.caCert)
	if err != nil {
		return fmt.Errorf("--ca-cert: %w", err)
	}
	if len(pem) == 0 {
		return fmt.Errorf("--ca-cert: the CA file %s is empty", s.caCert)
	}
	s.config.Target.CACert, s.config.Target.CACertFile = pem, s.caCert
	if _, err := s.config.Target.TLS(); err != nil {
		return fmt.Errorf("--ca-cert %s: %w", s.caCert, err)
	}
	return nil
}

// completeImplementation reads what the server is called.
func (s *settings) completeImplementation() error {
	if len(s.named) == 0 {
		return nil
	}
	s.config.Implementation = &result.Implementation{}
	if err := s.named.each(s.config.Implementation.Set); err != nil {
		return fmt.Errorf("%s: %w", s.origin("implementation"), err)
	}
	return nil
}

// completeClaims reads what the server claims to implement.
func (s *settings) completeClaims() error {
	claims := &s.config.Selection.Claims
	err := s.claims.each(func(key, value string) error {
		switch {
		case value == "":
			return fmt.Errorf("%s is empty", key)
		case key == "endpoints":
			claims.Endpoints = append(claims.Endpoints, value)
		case key == "parts":
			claims.Parts = append(claims.Parts, value)
		default:
			keys := []string{"endpoints", "parts"}
			return fmt.Errorf("there is no %.40q%s; there are %s", key, nearest.Hint(key, keys), strings.Join(keys, " and "))
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("%s: %w", s.origin("claims"), err)
	}
	return nil
}

// trust are the flags under which the target's certificate is trusted.
func (s *settings) trust() []string {
	switch {
	case s.config.Target.Insecure:
		return []string{"--insecure"}
	case s.caCert != "":
		return []string{"--ca-cert", s.caCert}
	}
	return nil
}

// chooseTarget decides which server is judged: the embedded one only where nothing names
// another, since a pipeline that forgot to set its variable must not be green. A token in the
// environment does not name a target: it is often set permanently.
func (s *settings) chooseTarget() error {
	if err := s.checkGate(); err != nil {
		return err
	}
	if s.config.Target.BaseURL != "" || s.embedded {
		return nil
	}
	if s.next {
		return errors.New("next needs a target to judge, or a report: name --base-url, --exec or a REPORT.json; --self judges the embedded reference server")
	}
	if s.from["base-url"] == fromFlag {
		return errors.New("--base-url is empty: leave it out to judge the embedded reference server")
	}
	if _, set := os.LookupEnv(variable("base-url")); set {
		return errors.New("CONFORM_BASE_URL is set but empty: unset it to judge the embedded reference server")
	}
	for _, name := range append(tokenFlags(), "ca-cert", "insecure", "allow-http", "wait") {
		if from := s.from[name]; from == fromDefault || from == fromEnvironment && slices.Contains(tokenFlags(), name) {
			continue
		}
		return fmt.Errorf("%s needs a target: set --base-url", s.origin(name))
	}
	return nil
}

func tokenFlags() []string {
	return []string{"app-token", "app-token-file", "second-app-token", "second-app-token-file"}
}

const maxRepeats = 100

// checkAmounts refuses numbers and durations out of range.
func (s *settings) checkAmounts() error {
	c := s.config
	for _, amount := range []struct {
		flag  string
		value int64
	}{
		{"rate", int64(c.Rate)}, {"rate-limit-of", int64(c.RateLimitOf)}, {"settle", int64(c.Settle)}, {"hold", int64(c.Hold)},
		{"request-timeout", int64(c.RequestTimeout)}, {"timeout", int64(c.Timeout)},
	} {
		if amount.value <= 0 {
			return fmt.Errorf("--%s must be above zero", amount.flag)
		}
	}
	switch {
	case c.Deep < 0:
		return errors.New("--deep must not be below zero")
	case s.wait < 0:
		return errors.New("--wait must not be below zero")
	case s.repeat < 1 || s.repeat > maxRepeats:
		return fmt.Errorf("--repeat takes 1 to %d, got %d", maxRepeats, s.repeat)
	}
	return nil
}
