package main

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"time"

	"github.com/socialfeed/conform/conformance/clients"
	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/conformance/rules"
	"github.com/socialfeed/conform/refserver"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"golang.org/x/sync/errgroup"
)

// clientSettings are the flags of conform client.
type clientSettings struct {
	settings
	dialects, weather string
	baseline, worlds  string
	timeout           time.Duration
	jobs              int
	breaches          breachSettings
}

// clientCommand judges a client while it runs its own tests.
func clientCommand(std streams) *cobra.Command {
	var s clientSettings
	cmd := &cobra.Command{
		Use:   "client [flags] -- COMMAND [ARGUMENTS]",
		Short: "Run a client's own tests against every valid variant of the service",
		Long: `client runs a command, usually the tests of a client, against the reference server: once with its
defaults, and then once in each variant that the contract allows, each time with fresh data. The
report lists the requests that broke the contract, the variants in which the tests failed (with the
single choice that breaks them), and the rules that no request exercised.

The command finds the service by its environment: REFSERVER_URL, REFSERVER_APP_TOKEN,
REFSERVER_CA_FILE, and SSL_CERT_FILE, NODE_EXTRA_CA_CERTS and the like.

--faults asks another question: would your tests notice a broken server? The command runs once
against a sound server, and then again while one rule at a time is broken, of the rules that the
first run can reach. A broken rule is unseen if it changed an answer and the tests stayed green: the
report names the answer, and an assertion that would notice.

Exit: 0 conformant · 1 not conformant · 2 usage · 3 no verdict: above all, the command failed with
the defaults, or sent nothing`,
		Example: `  conform client -- npm test
  conform client --dialects uuid-ids,lagging --weather none -- go test ./...
  conform client --report html=client.html --baseline last.json -- pytest
  conform client --faults --min-score 80 -- npm test`,
		Args: arguments(1, many, "client needs a command: conform client -- COMMAND"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := s.breaches.check(cmd.Flags()); err != nil {
				return err
			}
			return judgeClient(cmd.Context(), &s, cmd.Flags(), args, std)
		},
	}
	f := cmd.Flags()
	f.SortFlags = false
	f.SetInterspersed(false)
	f.StringVar(&s.dialects, "dialects", "all", "the dialects and manners to run in: all, none, or `NAME,…`")
	f.StringVar(&s.weather, "weather", "all", "the weather to run in: all, none, or `NAME,…`")
	f.StringVar(&s.worlds, "worlds", "", "`PREFIX` of app tokens that each open a world of their own, as with refserver --worlds")
	f.StringVar(&s.baseline, "baseline", "", "`FILE` with an earlier JSON report: what failed there does not gate")
	f.DurationVar(&s.timeout, "timeout", 10*time.Minute, "bound on each run of the command")
	f.IntVar(&s.jobs, "jobs", min(4, runtime.NumCPU()), "surroundings to run in at the same time, each on ports of its own; tests that fail are run again alone")
	s.breaches.bind(f)
	s.bindFailOn(f)
	s.bindOutputs(cmd)
	markFile(f, "baseline", "json")
	known := []string{"all", "none"}
	for _, d := range refserver.Dialects() {
		known = append(known, d.Name)
	}
	completeFixed(cmd, "dialects", known...)
	return cmd
}

// flagsAgain are the flags of a run that one like it has as well: not those that choose
// surroundings, of which a part is enough, nor those of the reports.
func flagsAgain(flags *pflag.FlagSet) (words []string) {
	flags.Visit(func(f *pflag.Flag) {
		if !slices.Contains([]string{"dialects", "weather", "faults", "report", "quiet", "choices", "no-color"}, f.Name) {
			words = append(words, "--"+f.Name, f.Value.String())
		}
	})
	return words
}

func judgeClient(ctx context.Context, s *clientSettings, flags *pflag.FlagSet, command []string, std streams) error {
	if s.timeout <= 0 {
		return errors.New("--timeout must be above zero")
	}
	if s.jobs < 1 {
		return errors.New("--jobs must be above zero")
	}
	surroundings, baseline, outputs, err := s.prepare(std)
	if err != nil {
		return err
	}
	catalogue := rules.LoadClient()
	id, err := newIdentity()
	if err != nil {
		return err
	}
	defer id.remove()
	c := &clientRun{
		command: command, timeout: s.timeout, worlds: s.worlds, catalogue: catalogue, identity: id, habits: clients.NewHabits(), flags: flagsAgain(flags), std: std,
		line: newProgress(std.screen, s.quiet), jobs: s.jobs, clientResults: newClientResults(),
	}
	began := time.Now()
	if s.breaches.names != "" {
		return judgeTests(ctx, c, s, began, baseline, outputs)
	}
	ended, err := c.run(ctx, surroundings)
	if err != nil {
		return err
	}
	report, err := c.report(&s.settings, began, ended)
	if err != nil {
		return err
	}
	s.apply(report, catalogue)
	if baseline != nil {
		accept(report, baseline, s.baseline)
	}
	return conclude(report, outputs, std)
}

// prepare reads the files that the flags name.
func (s *clientSettings) prepare(std streams) (surroundings []surrounding, baseline *result.Report, o *outputs, err error) {
	if err := s.checkFailOn(); err != nil {
		return nil, nil, nil, err
	}
	known, err := dialects()
	if err != nil {
		return nil, nil, nil, err
	}
	if surroundings, err = chosen("dialects", s.dialects, known); err != nil {
		return nil, nil, nil, err
	}
	weather, err := chosen("weather", s.weather, climates())
	if err != nil {
		return nil, nil, nil, err
	}
	if s.baseline != "" {
		if baseline, err = readReport(s.baseline, std); err != nil {
			return nil, nil, nil, fmt.Errorf("--baseline: %w", err)
		}
	}
	if err = s.readWaivers(); err != nil {
		return nil, nil, nil, err
	}
	o, err = openOutputs(s.settings, std)
	return append(surroundings, weather...), baseline, o, err
}

// run runs the tests on the default and in the surroundings. It returns why there is no
// verdict, "" if there is one.
func (c *clientRun) run(ctx context.Context, surroundings []surrounding) (ended string, err error) {
	c.of = 1 + len(surroundings)
	if _, ended, err = c.first(ctx); ended != "" || err != nil {
		return ended, err
	}
	return c.tolerateEach(ctx, surroundings)
}

// first runs the tests on the default service. It returns why there is nothing to compare with, "" if
// there is something.
func (c *clientRun) first(ctx context.Context) (plain play, ended string, err error) {
	first := c.in()
	plain, err = first.play(ctx, surrounding{name: plainSurrounding})
	c.add(first.clientResults)
	switch {
	case errors.Is(err, errInterrupted):
		return plain, "interrupted in the first run of the command, on the default service", nil
	case err != nil:
		return plain, "", err
	case plain.requests == 0:
		return plain, "the command sent no request: its service is to be the one of REFSERVER_URL, with the app token of REFSERVER_APP_TOKEN", nil
	case plain.red():
		return plain, fmt.Sprintf("the command fails on the default service (exit %d): there is nothing to compare with", plain.code), nil
	}
	c.ended.Add(1)
	return plain, "", nil
}

// tolerateEach runs the tests in the surroundings, some at the same time.
func (c *clientRun) tolerateEach(ctx context.Context, surroundings []surrounding) (ended string, err error) {
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(c.jobs)
	runs := make([]*surroundingRun, len(surroundings))
	for i, s := range surroundings {
		runs[i] = c.in()
		group.Go(func() error {
			err := runs[i].tolerate(ctx, s)
			if err == nil {
				c.ended.Add(1)
			}
			return err
		})
	}
	err = group.Wait()
	for _, r := range runs {
		c.add(r.clientResults)
	}
	if errors.Is(err, errInterrupted) {
		return fmt.Sprintf("interrupted after %d of %d surroundings", c.ended.Load(), c.of), nil
	}
	return "", err
}
