package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/socialfeed/conform/conformance"
	"github.com/socialfeed/conform/conformance/report"
	"github.com/socialfeed/conform/conformance/rules"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// bind declares the flags of a run. Each but --config is also a key of the
// configuration file and an environment variable; a flag that names a file is
// marked as such.
func (s *settings) bind(cmd *cobra.Command) {
	f := cmd.Flags()
	f.SortFlags = false
	s.bindTarget(cmd)
	f.Var(&s.named, "implementation", "name, version, commit and contact of the server, for the reports, as `KEY=VALUE`,KEY=VALUE…")
	f.Lookup("base-url").Usage += "; without one, an embedded reference server"
	s.bindGate(f)
	c := &s.config
	f.StringSliceVar(&c.Selection.Rules, "rule", nil, "judge only the rules that match `GLOB` (repeatable)")
	f.StringSliceVar(&c.Selection.Parts, "part", nil, "judge only this part of the contract, by `NAME` (repeatable)")
	f.StringSliceVar(&c.Selection.Endpoints, "endpoint", nil, "judge only this endpoint, by its number `N` (repeatable)")
	f.StringSliceVar(&c.Selection.Levels, "level", nil, "judge only rules of level `L`: must, should or choice (repeatable)")
	f.Var(&s.claims, "claims", "judge by what the server claims, as `KEY=VALUE`,…: endpoints=1-11,14 and parts=users,feed; a claimed endpoint that is missing fails, the rest is not judged")
	f.StringSliceVar(&c.Selection.Skip, "skip", nil, "leave out the rules that match `GLOB` (repeatable)")

	f.Var((*jobs)(&c.Jobs), "jobs", fmt.Sprintf("`N` scenarios played at the same time; auto: %d, and up to %d while a distant target answers no slower for it", conformance.DefaultJobs, conformance.MostJobs))
	f.Var((*jobs)(&c.Jobs), "procs", "")
	deprecate(f, "procs", "jobs")
	f.StringVar(&s.shard, "shard", "", "play only shard I of N, as `I/N`")
	f.Int64Var(&c.Seed, "seed", 0, "seed of the scenarios' order and of what is drawn; 0 picks one")
	f.DurationVar(&c.Deep, "deep", 0, "also play generated stories, for this long (5m without a value)")
	f.Lookup("deep").NoOptDefVal = "5m"
	f.StringVar(&s.corpus, "corpus", defaultCorpus, "`FILE` with generated stories that failed before: they are played first, and --deep adds to it; '' for none")
	markFile(f, "corpus")
	mark(f, "corpus", mayBeEmpty)
	f.IntVar(&c.Rate, "rate", conformance.DefaultRate, "most requests a minute in each category: writing, querying, deleting; a target on this machine is sent more, if it serves it, unless a rate is set")
	f.DurationVar(&c.Settle, "settle", conformance.DefaultSettle, "how long feeds, lists and search may lag")
	f.DurationVar(&c.Hold, "hold", conformance.DefaultHold, "deletions are re-checked after this time at least")
	f.DurationVar(&c.RequestTimeout, "request-timeout", conformance.DefaultRequestTimeout, "bound on one request with its response")
	f.DurationVar(&c.Timeout, "timeout", conformance.DefaultTimeout, "bound on the run")
	f.DurationVar(&s.wait, "wait", 0, "how long to wait for the target to come up")
	f.BoolVar(&c.RateLimits, "rate-limits", false, "also judge the rate limits, which takes a minute more")
	f.IntVar(&c.RateLimitOf, "rate-limit-of", 1000, "the rate limits of this target, in requests a minute")
	s.bindStops(f)
	f.StringVar(&s.exec, "exec", "", "start the target by this `COMMAND`, which finds PORT, BASE_URL and APP_TOKEN in its environment; stop it at the end")
	f.DurationVar(&s.restarts, "restarts", 0, "with --exec, also stop, kill, pause and start the target inside generated stories, for this long (1m without a value)")
	f.Lookup("restarts").NoOptDefVal = "1m"
	f.StringArrayVar(&s.watch, "watch", nil, "judge again when the file or folder at `PATH` changes (repeatable)")
	markFile(f, "watch")
	s.bindFailOn(f)
	f.IntVar(&s.repeat, "repeat", 1, "run this many times: what comes out differently is unstable")
	s.bindOutputs(cmd)
	f.StringVar(&s.configFile, "config", "", "`FILE` with settings; default: "+defaultConfigFile+" if there is one")
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
	f.StringVar(&s.caCert, "ca-cert", "", "`FILE` with the certificate of an authority to trust in addition to the system's")
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

// mark annotates a flag.
func mark(f *pflag.FlagSet, flag, annotation string, values ...string) {
	if err := f.SetAnnotation(flag, annotation, values); err != nil {
		panic(err) // the flag is not declared: a mistake of ours
	}
}

// newName is the present name of a renamed flag, "" for other flags.
func newName(f *pflag.Flag) string { return strings.Join(f.Annotations[renamedTo], "") }

// markFile marks a flag as one that names a file, with the endings it may have.
func markFile(f *pflag.FlagSet, flag string, endings ...string) {
	mark(f, flag, cobra.BashCompFilenameExt, endings...)
}

// bindOutputs declares the flags of whatever ends in a report.
func (s *settings) bindOutputs(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&s.waivers, "waivers", "", "`FILE` of known deviations that are accepted for now (conform waive drafts one)")
	f.StringArrayVar(&s.reports, "report", nil, "also write a report, as `FORMAT=PATH`; formats: "+strings.Join(report.Formats(), ", ")+", and allure into a folder; - is stdout (repeatable)")
	f.BoolVarP(&s.quiet, "quiet", "q", false, "no progress, and no report on stdout unless asked for")
	f.BoolVar(&s.choices, "choices", false, "also list on the screen what the target does if the contract leaves it open")
	s.bindColor(f)
	markFile(f, "waivers", "yaml", "yml")
}

func (s *settings) bindColor(f *pflag.FlagSet) {
	f.BoolVar(&s.noColor, "no-color", false, "no colours (NO_COLOR)")
}

func (s *settings) bindFailOn(f *pflag.FlagSet) {
	f.StringVar(&s.failOn, "fail-on", "must", "what gates: must, or should as well")
}

// checkFailOn refuses any other value of --fail-on.
func (s *settings) checkFailOn() error {
	if s.failOn != string(rules.Must) && s.failOn != string(rules.Should) {
		return fmt.Errorf("--fail-on takes must or should, got %q", s.failOn)
	}
	return nil
}
