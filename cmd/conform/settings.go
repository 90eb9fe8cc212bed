package main

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/socialfeed/conform/conformance"
	"github.com/socialfeed/conform/conformance/report"
	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/conformance/rules"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// settings are what the flags, the environment and the configuration file say.
type settings struct {
	config   conformance.Config
	caCert   string
	shard    string
	failOn   string
	wait     time.Duration
	repeat   int
	waivers  string // the file
	accepted result.Waivers
	embedded bool // the target is an embedded server, whatever the environment says
	reports  []string
	failFast bool
	again    lastFailed
	quiet    bool
	self     bool     // the embedded server is asked for by name
	required bool     // that there is a target
	exec     string   // the command that starts the target
	watch    []string // the files and folders on whose change it is judged again
	next     bool     // what to do next is told instead of the report
	noColor  bool
	choices  bool

	appTokenFile, secondAppTokenFile string

	configFile  string
	configFound bool   // it was found in the folder, not named
	namedBy     string // what names the target, where neither a flag nor the settings do
	from        map[string]source
	warnings    []string // deprecated names that were used
	fixed       []string // the flags that only the command line can set
}

// bind declares the flags of a run. Each but --config is also a key of the
// configuration file and an environment variable; a flag that names a file is
// marked as such.
func (s *settings) bind(cmd *cobra.Command) {
	f := cmd.Flags()
	f.SortFlags = false
	s.bindTarget(cmd)
	f.Lookup("base-url").Usage += "; without one, an embedded reference server"
	s.bindGate(f)
	c := &s.config
	f.StringSliceVar(&c.Selection.Rules, "rule", nil, "judge only the rules that match `GLOB` (repeatable)")
	f.StringSliceVar(&c.Selection.Parts, "part", nil, "judge only this part of the contract, by `NAME` (repeatable)")
	f.StringSliceVar(&c.Selection.Endpoints, "endpoint", nil, "judge only this endpoint, by its number `N` (repeatable)")
	f.StringSliceVar(&c.Selection.Levels, "level", nil, "judge only rules of level `L`: must, should or choice (repeatable)")
	f.StringSliceVar(&c.Selection.Skip, "skip", nil, "leave out the rules that match `GLOB` (repeatable)")

	f.IntVar(&c.Jobs, "jobs", conformance.DefaultJobs, "scenarios played at the same time")
	f.IntVar(&c.Jobs, "procs", conformance.DefaultJobs, "")
	deprecate(f, "procs", "jobs")
	f.StringVar(&s.shard, "shard", "", "play only shard I of N, as `I/N`")
	f.Int64Var(&c.Seed, "seed", 0, "order of the scenarios and what is drawn; 0 picks one")
	f.DurationVar(&c.Deep, "deep", 0, "also play drawn stories, for so long at most")
	f.Lookup("deep").NoOptDefVal = "5m"
	f.IntVar(&c.Rate, "rate", conformance.DefaultRate, "most requests a minute in each category: writing, querying, deleting")
	f.DurationVar(&c.Settle, "settle", conformance.DefaultSettle, "how long feeds, lists and search may lag")
	f.DurationVar(&c.Hold, "hold", conformance.DefaultHold, "how long what is gone is watched to stay gone, at the least")
	f.DurationVar(&c.RequestTimeout, "request-timeout", conformance.DefaultRequestTimeout, "bound on one request with its response")
	f.DurationVar(&c.Timeout, "timeout", conformance.DefaultTimeout, "bound on the run")
	f.DurationVar(&s.wait, "wait", 0, "how long to wait for the target to come up")
	f.BoolVar(&c.RateLimits, "rate-limits", false, "also judge the rate limits, which takes a minute more")
	f.IntVar(&c.RateLimitOf, "rate-limit-of", 1000, "what the rate limits are on this target, a minute")
	s.bindStops(f)
	f.StringVar(&s.exec, "exec", "", "start the target by this `COMMAND`, which finds PORT, BASE_URL and APP_TOKEN in its environment; stop it at the end")
	f.StringArrayVar(&s.watch, "watch", nil, "judge again when this file or folder changes, by `PATH` (repeatable)")
	markFile(f, "watch")
	f.StringVar(&s.failOn, "fail-on", "must", "what gates: must, or should as well")
	f.IntVar(&s.repeat, "repeat", 1, "run so many times: what comes out differently is unstable")
	s.bindOutputs(cmd)
	f.StringVar(&s.configFile, "config", "", "`FILE` with settings; default: "+defaultConfigFile+" where there is one")
	markFile(f, "config", "yaml", "yml")
	completeFlags(cmd)
}

// bindTarget declares the flags that say which server is meant.
func (s *settings) bindTarget(cmd *cobra.Command) {
	f, t := cmd.Flags(), &s.config.Target
	f.StringVar(&t.BaseURL, "base-url", "", "`URL` of the target, https://host[:port][/prefix]")
	f.StringVar(&t.AppToken, "app-token", "", "`TOKEN` of an application of the target; better in CONFORM_APP_TOKEN")
	f.StringVar(&s.appTokenFile, "app-token-file", "", "`FILE` that holds the app token")
	f.StringVar(&t.SecondAppToken, "second-app-token", "", "`TOKEN` of another application; better in CONFORM_SECOND_APP_TOKEN")
	f.StringVar(&s.secondAppTokenFile, "second-app-token-file", "", "`FILE` that holds the other application's token")
	f.StringVar(&s.caCert, "ca-cert", "", "`FILE` with the certificate of the authority to trust beside the system's")
	f.BoolVar(&t.Insecure, "insecure", false, "do not verify the target's certificate")
	f.BoolVar(&t.AllowHTTP, "allow-http", false, "accept a target given as http://")
	for _, name := range []string{"app-token-file", "second-app-token-file", "ca-cert"} {
		markFile(f, name)
	}
}

// renamedTo is the annotation of a flag that stands for another under its old name.
const renamedTo = "renamed-to"

// deprecate keeps the old name of a flag working, with a warning that names the new one.
func deprecate(f *pflag.FlagSet, old, name string) {
	if err := errors.Join(f.SetAnnotation(old, renamedTo, []string{name}), f.MarkHidden(old)); err != nil {
		panic(err) // the flag is not declared: a mistake of ours
	}
}

// newName is what a flag is called now, "" where it has the name it always had.
func newName(f *pflag.Flag) string { return strings.Join(f.Annotations[renamedTo], "") }

// markFile marks a flag as one that names a file, with the endings it may have.
func markFile(f *pflag.FlagSet, flag string, endings ...string) {
	if err := f.SetAnnotation(flag, cobra.BashCompFilenameExt, endings); err != nil {
		panic(err) // the flag is not declared: a mistake of ours
	}
}

// bindOutputs declares the flags of whatever ends in a report.
func (s *settings) bindOutputs(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&s.waivers, "waivers", "", "`FILE` of known deviations that are accepted for now (conform waive drafts one)")
	f.StringArrayVar(&s.reports, "report", nil, "also write a report, as `FORMAT=PATH`; formats: "+strings.Join(report.Formats(), ", ")+"; - is stdout (repeatable)")
	f.BoolVarP(&s.quiet, "quiet", "q", false, "no progress, and no report on stdout unless asked for")
	f.BoolVar(&s.choices, "choices", false, "also list on the screen what the target does where the contract is silent")
	f.BoolVar(&s.noColor, "no-color", false, "no colours (NO_COLOR)")
	markFile(f, "waivers", "yaml", "yml")
}

// complete adds what the environment and the configuration file say, and reads
// the files that settings name.
func (s *settings) complete(flags *pflag.FlagSet) error {
	if err := s.gather(flags); err != nil {
		return err
	}
	if err := s.readTokens(); err != nil {
		return err
	}
	if err := s.completeExec(); err != nil {
		return err
	}
	if err := s.chooseTarget(); err != nil {
		return err
	}
	if err := s.checkRecipient(); err != nil {
		return err
	}
	if err := s.checkAmounts(); err != nil {
		return err
	}
	s.config.FailOn = rules.Level(s.failOn)
	s.config.Version = version()
	if s.config.Jobs < 1 || s.config.Jobs > maxJobs {
		return fmt.Errorf("--jobs takes 1 to %d, got %d", maxJobs, s.config.Jobs)
	}
	if s.repeat < 1 || s.repeat > maxRepeats {
		return fmt.Errorf("--repeat takes 1 to %d, got %d", maxRepeats, s.repeat)
	}
	if err := s.completeStops(); err != nil {
		return err
	}
	s.config.KeepEvidence = s.repeat > 1
	s.config.KeepExchanges = slices.ContainsFunc(s.reports, func(r string) bool { return strings.HasPrefix(r, "har=") })
	if err := s.readWaivers(); err != nil {
		return err
	}
	if s.shard != "" {
		shard, err := parseShard(s.shard)
		if err != nil {
			return err
		}
		s.config.Shard = shard
	}
	return s.readCA()
}

// readCA reads the certificates to trust.
func (s *settings) readCA() error {
	if s.caCert == "" {
		return nil
	}
	pem, err := readBounded(s.caCert)
	if err != nil {
		return fmt.Errorf("--ca-cert: %w", err)
	}
	if len(pem) == 0 {
		return fmt.Errorf("--ca-cert: the CA file %s is empty", s.caCert)
	}
	s.config.Target.CACert, s.config.Target.CACertFile = pem, s.caCert
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

// chooseTarget decides which server is judged. The embedded one is judged only where
// nothing names another: a pipeline that forgot to set its variable must not be green.
// A token in the environment names none: it is often set permanently.
func (s *settings) chooseTarget() error {
	if err := s.checkGate(); err != nil {
		return err
	}
	if s.config.Target.BaseURL != "" || s.embedded {
		return nil
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
		return fmt.Errorf("%s says something of a target, and there is none: give --base-url", s.origin(name))
	}
	return nil
}

func tokenFlags() []string {
	return []string{"app-token", "app-token-file", "second-app-token", "second-app-token-file"}
}

// checkAmounts refuses numbers and durations that make no sense.
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
	if s.wait < 0 {
		return errors.New("--wait must not be below zero")
	}
	return nil
}

const (
	maxJobs    = 64
	maxRepeats = 100
)

// suggestion names the flag that a mistyped one comes closest to.
func suggestion(cmd *cobra.Command, err error) string {
	var unknown *pflag.NotExistError
	if !errors.As(err, &unknown) {
		return ""
	}
	return didYouMean("--", nearestFlag(cmd.Flags(), unknown.GetSpecifiedName()))
}

// nearestFlag is the flag that someone may have meant, "" when none is near.
func nearestFlag(flags *pflag.FlagSet, name string) string {
	var known []string
	flags.VisitAll(func(f *pflag.Flag) {
		if newName(f) == "" {
			known = append(known, f.Name)
		}
	})
	return rules.Nearest(name, known)
}

func didYouMean(prefix, near string) string {
	if near == "" {
		return ""
	}
	return "; did you mean " + prefix + near + "?"
}
