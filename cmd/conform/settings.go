package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/agnivade/levenshtein"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/socialfeed/conform/conformance"
	"github.com/socialfeed/conform/conformance/report"
)

// settings are what the flags and the environment say.
type settings struct {
	config   conformance.Config
	caCert   string
	shard    string
	failOn   string
	procs    int
	wait     time.Duration
	repeat   int
	waivers  string // the file
	accepted conformance.Waivers
	embedded bool // the target is an embedded server, whatever the environment says
	reports  []string
	quiet    bool
	noColor  bool
}

// bind declares the flags. Tokens and the base URL have an environment variable
// each, which a flag overrides.
func (s *settings) bind(cmd *cobra.Command) {
	f := cmd.Flags()
	f.SortFlags = false
	c := &s.config
	f.StringVar(&c.Target.BaseURL, "base-url", "", "the target, https://host[:port][/prefix] (CONFORM_BASE_URL); without one, an embedded reference server")
	f.StringVar(&c.Target.AppToken, "app-token", "", "the target's app token (CONFORM_APP_TOKEN)")
	f.StringVar(&c.Target.SecondAppToken, "second-app-token", "", "another application's token on the target (CONFORM_SECOND_APP_TOKEN)")
	f.StringVar(&s.caCert, "ca-cert", "", "`FILE` with the certificate of the authority to trust beside the system's")
	f.BoolVar(&c.Target.Insecure, "insecure", false, "do not verify the target's certificate")
	f.BoolVar(&c.Target.AllowHTTP, "allow-http", false, "accept a target given as http://")

	f.StringSliceVar(&c.Selection.Rules, "rule", nil, "judge only the rules that match `GLOB` (repeatable)")
	f.StringSliceVar(&c.Selection.Parts, "part", nil, "judge only this part of the contract, by `NAME` (repeatable)")
	f.StringSliceVar(&c.Selection.Endpoints, "endpoint", nil, "judge only this endpoint, by its number `N` (repeatable)")
	f.StringSliceVar(&c.Selection.Levels, "level", nil, "judge only rules of level `L`: must, should or choice (repeatable)")
	f.StringSliceVar(&c.Selection.Skip, "skip", nil, "leave out the rules that match `GLOB` (repeatable)")

	f.IntVar(&s.procs, "procs", defaultProcs(), "processes to spread the scenarios over")
	f.StringVar(&s.shard, "shard", "", "play only shard I of N, as `I/N`")
	f.Int64Var(&c.Seed, "seed", 0, "order of the scenarios; 0 picks one")
	f.IntVar(&c.Rate, "rate", conformance.DefaultRate, "most requests a minute in each category: writing, querying, deleting")
	f.DurationVar(&c.Settle, "settle", conformance.DefaultSettle, "how long feeds, lists and search may lag")
	f.DurationVar(&c.RequestTimeout, "request-timeout", conformance.DefaultRequestTimeout, "bound on one request with its response")
	f.DurationVar(&c.Timeout, "timeout", conformance.DefaultTimeout, "bound on the run")
	f.DurationVar(&s.wait, "wait", 0, "how long to wait for the target to come up")
	f.BoolVar(&c.RateLimits, "rate-limits", false, "also judge the rate limits, which takes a minute more")
	f.IntVar(&c.RateLimitOf, "rate-limit-of", 1000, "what the rate limits are on this target, a minute")
	f.StringVar(&s.failOn, "fail-on", "must", "what gates: must, or should as well")
	f.IntVar(&s.repeat, "repeat", 1, "run so many times: what comes out differently is unstable")
	s.bindOutputs(cmd)
}

// bindOutputs declares the flags of whatever ends in a report.
func (s *settings) bindOutputs(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&s.waivers, "waivers", "", "`FILE` of known deviations that are accepted for now (conform waive drafts one)")
	f.StringArrayVar(&s.reports, "report", nil, "also write a report, as `FORMAT=PATH`; formats: "+strings.Join(report.Formats(), ", ")+"; - is stdout (repeatable)")
	f.BoolVarP(&s.quiet, "quiet", "q", false, "no progress, and no report on stdout unless asked for")
	f.BoolVar(&s.noColor, "no-color", false, "no colours (NO_COLOR)")
}

// defaultProcs is bounded, since each process holds leave for a few requests that
// it may never send: with many, the rest of the minute's would not do for a run.
func defaultProcs() int { return min(max(4, 2*runtime.NumCPU()), 8) }

// complete adds what the environment says, and reads the files that flags name.
func (s *settings) complete(flags *pflag.FlagSet) error {
	t := &s.config.Target
	for _, from := range []struct {
		into     *string
		variable string
	}{
		{&t.AppToken, "CONFORM_APP_TOKEN"},
		{&t.SecondAppToken, "CONFORM_SECOND_APP_TOKEN"},
	} {
		if *from.into == "" {
			*from.into = os.Getenv(from.variable)
		}
	}
	if err := s.chooseTarget(flags); err != nil {
		return err
	}
	if err := s.checkAmounts(); err != nil {
		return err
	}
	s.config.FailOn = conformance.Level(s.failOn)
	s.config.Version = version()
	if s.procs < 1 || s.procs > maxProcs {
		return fmt.Errorf("--procs takes 1 to %d, got %d", maxProcs, s.procs)
	}
	if s.repeat < 1 || s.repeat > maxRepeats {
		return fmt.Errorf("--repeat takes 1 to %d, got %d", maxRepeats, s.repeat)
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
	if s.caCert != "" {
		pem, err := readBounded(s.caCert)
		if err != nil {
			return fmt.Errorf("--ca-cert: %w", err)
		}
		if len(pem) == 0 {
			return fmt.Errorf("--ca-cert: the CA file %s is empty", s.caCert)
		}
		t.CACert = pem
	}
	return nil
}

// chooseTarget settles which server is judged. The embedded one is judged only
// where nothing speaks of another: a pipeline whose variable was never set must
// not be green for it.
func (s *settings) chooseTarget(flags *pflag.FlagSet) error {
	url := &s.config.Target.BaseURL
	if *url != "" || s.embedded {
		return nil
	}
	if flags.Changed("base-url") {
		return errors.New("--base-url is empty: leave it out to judge the embedded reference server")
	}
	fromEnvironment, set := os.LookupEnv("CONFORM_BASE_URL")
	if set && fromEnvironment == "" {
		return errors.New("CONFORM_BASE_URL is set but empty: unset it to judge the embedded reference server")
	}
	if *url = fromEnvironment; *url != "" {
		return nil
	}
	for _, name := range []string{"app-token", "second-app-token", "ca-cert", "insecure", "allow-http", "wait"} {
		if flags.Changed(name) {
			return fmt.Errorf("--%s says something of a target, and there is none: give --base-url", name)
		}
	}
	return nil
}

// checkAmounts refuses numbers and times that mean nothing.
func (s *settings) checkAmounts() error {
	c := s.config
	for _, amount := range []struct {
		flag  string
		value int64
	}{
		{"rate", int64(c.Rate)}, {"rate-limit-of", int64(c.RateLimitOf)}, {"settle", int64(c.Settle)},
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
	maxProcs   = 64
	maxRepeats = 100
	maxFile    = 1 << 20 // bytes of a file that a flag names
)

func readBounded(path string) ([]byte, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	data, err := io.ReadAll(io.LimitReader(file, maxFile+1))
	if err == nil && len(data) > maxFile {
		err = fmt.Errorf("%s is longer than %d bytes", path, maxFile)
	}
	return data, err
}

func parseShard(text string) (conformance.Shard, error) {
	index, of, found := strings.Cut(text, "/")
	i, errI := strconv.Atoi(index)
	n, errN := strconv.Atoi(of)
	if !found || errI != nil || errN != nil || i < 1 || n < i {
		return conformance.Shard{}, fmt.Errorf("--shard takes I/N with 1 ≤ I ≤ N, got %q", text)
	}
	return conformance.Shard{Index: i, Of: n}, nil
}

// suggestion names the flag that a mistyped one comes closest to.
func suggestion(cmd *cobra.Command, err error) string {
	var unknown *pflag.NotExistError
	if !errors.As(err, &unknown) {
		return ""
	}
	best, distance := "", 4
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if d := levenshtein.ComputeDistance(f.Name, unknown.GetSpecifiedName()); d < distance {
			best, distance = f.Name, d
		}
	})
	if best == "" {
		return ""
	}
	return "; did you mean --" + best + "?"
}
