package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/socialfeed/conform/conformance/clients"
	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/conformance/rules"
	"github.com/spf13/cobra"
)

// clientSettings are what the flags of conform client say.
type clientSettings struct {
	settings
	dialects, weather string
	baseline, worlds  string
	timeout           time.Duration
}

// clientCommand judges a client by its own tests.
func clientCommand(std streams) *cobra.Command {
	var s clientSettings
	cmd := &cobra.Command{
		Use:   "client [flags] -- COMMAND [ARGUMENTS]",
		Short: "Judge a client: run its tests against the fake, in every surrounding that the contract allows",
		Long: `client runs a command, most often a client's own tests, against the reference server: once
on its default, and then in each surrounding that the contract allows, each in a fresh world.
It tells what broke the contract, what broke on a lawful service (and the smallest single
choice that breaks it), and what was not exercised.

The command finds the service by its environment: REFSERVER_URL, REFSERVER_APP_TOKEN,
REFSERVER_CA_FILE, and SSL_CERT_FILE, NODE_EXTRA_CA_CERTS and the like.

Exit: 0 conformant · 1 not conformant · 2 usage · 3 no verdict: above all, where the command
fails on the default, or sends nothing`,
		Example: `  conform client -- npm test
  conform client --dialects uuid-ids,lagging --weather none -- go test ./...
  conform client --report html=client.html --baseline last.json -- pytest`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return errors.New("client needs a command: conform client -- COMMAND")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			return judgeClient(cmd.Context(), &s, args, std)
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
	f.StringVar(&s.failOn, "fail-on", "must", "what gates: must, or should as well")
	s.bindOutputs(cmd)
	markFile(f, "baseline", "json")
	return cmd
}

func judgeClient(ctx context.Context, s *clientSettings, command []string, std streams) error {
	surroundings, baseline, outputs, err := s.prepare(std)
	if err != nil {
		return err
	}
	catalogue, err := rules.LoadClient()
	if err != nil {
		return err
	}
	id, err := newIdentity()
	if err != nil {
		return err
	}
	defer id.remove()
	c := &clientRun{
		command: command, timeout: s.timeout, worlds: s.worlds, catalogue: catalogue, identity: id, habits: clients.NewHabits(), std: std,
		line: newProgress(std.screen, s.quiet), requests: map[string]int{}, tolerated: map[string][]verdict{},
	}
	began := time.Now()
	ended, err := c.run(ctx, surroundings)
	if err != nil {
		return err
	}
	report, err := c.report(began, rules.Level(s.failOn), ended)
	if err != nil {
		return err
	}
	if s.waivers != "" {
		s.accepted.Apply(report, catalogue, report.StartedAt)
	}
	if baseline != nil {
		accept(report, baseline, s.baseline)
	}
	unwritten := outputs.write(report, nil)
	if ended != "" {
		fmt.Fprintf(std.err, "conform: no verdict: %s\n", ended)
		return exit(exitNoVerdict)
	}
	return verdictOf(report, unwritten, std)
}

// prepare reads what the flags name.
func (s *clientSettings) prepare(std streams) (surroundings []surrounding, baseline *result.Report, o *outputs, err error) {
	if s.failOn != string(rules.Must) && s.failOn != string(rules.Should) {
		return nil, nil, nil, fmt.Errorf("--fail-on takes must or should, got %q", s.failOn)
	}
	if s.timeout <= 0 {
		return nil, nil, nil, errors.New("--timeout must be above zero")
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

// run runs the tests on the default and in the surroundings, and says what kept it
// from a verdict, "" for nothing.
func (c *clientRun) run(ctx context.Context, surroundings []surrounding) (ended string, err error) {
	plain, err := c.play(ctx, surrounding{name: plainSurrounding})
	switch {
	case err != nil:
		return "", err
	case plain.requests == 0:
		return "the command sent no request: its service is to be the one of REFSERVER_URL, with the app token of REFSERVER_APP_TOKEN", nil
	case plain.red():
		return fmt.Sprintf("the command fails on the default service (exit %d): there is nothing to compare with", plain.code), nil
	}
	for _, s := range surroundings {
		if err := c.tolerate(ctx, s); err != nil {
			return "", err
		}
	}
	return "", nil
}

// report puts together what was seen.
func (c *clientRun) report(began time.Time, failOn rules.Level, ended string) (*result.Report, error) {
	selected, err := (rules.Selection{}).Resolve(c.catalogue, true, true)
	if err != nil {
		return nil, err
	}
	report := &result.Report{
		Tool: result.Tool{Version: version()}, Target: result.Target{BaseURL: "client: " + commandShown(c.command)}, StartedAt: began.UTC(),
		DurationMS: time.Since(began).Milliseconds(), FailOn: failOn, Client: &result.Client{Command: commandShown(c.command)},
	}
	for _, p := range c.plays {
		report.Client.Runs = append(report.Client.Runs, result.ClientRun{
			Surrounding: p.name, Exit: p.code, Requests: p.requests, DurationMS: p.took.Milliseconds()})
	}
	checks := append(c.checks, c.tolerances()...)
	checks = clients.Complete(c.catalogue, checks, c.unmet())
	result.Assemble(report, c.catalogue, selected, result.Outcomes{Checks: checks, Requests: c.requests})
	report.Notes = append(report.Notes, exercised(report))
	if c.ignored > 0 {
		report.Notes = append(report.Notes, fmt.Sprintf("%d requests to paths that are none of such a service were not judged", c.ignored))
	}
	if ended != "" {
		report.EndedBy, report.Verdict = ended, result.Incomplete
	}
	return report, nil
}

// unmet says why a rule of tolerance was not exercised.
func (c *clientRun) unmet() map[string]string {
	why := map[string]string{}
	for _, rule := range c.catalogue.Rules() {
		if strings.HasPrefix(rule.ID, "client.tolerates.") {
			why[rule.ID] = "not run, or nothing that the client asked shows it"
		}
	}
	why[choicesTogether] = "no dialect fails of which each choice alone is fine"
	return why
}

// accept takes what failed in an earlier report as known: it does not gate.
func accept(r, baseline *result.Report, name string) {
	known := map[[2]string]bool{}
	for _, rule := range baseline.Rules {
		for _, check := range rule.Checks {
			if bad := []result.Status{result.Fail, result.Warn}; slices.Contains(bad, check.Status) ||
				check.Waived != nil && slices.Contains(bad, check.Waived.Status) {
				known[[2]string{rule.ID, check.Endpoint}] = true
			}
		}
	}
	for i := range r.Rules {
		for k := range r.Rules[i].Checks {
			check := &r.Rules[i].Checks[k]
			if (check.Status == result.Fail || check.Status == result.Warn) && known[[2]string{r.Rules[i].ID, check.Endpoint}] {
				check.Waived = &result.Accepted{Status: check.Status, Reason: "it failed in the baseline " + name, Expires: "never"}
				check.Status = result.Waived
			}
		}
	}
	r.Summarize()
}

// commandShown is a command as a report shows it: values that look like secrets
// are left out.
func commandShown(command []string) string {
	shown := slices.Clone(command)
	for i, word := range shown {
		name, _, given := strings.Cut(word, "=")
		lower := strings.ToLower(name)
		for _, secret := range []string{"token", "secret", "password", "key"} {
			switch {
			case !strings.Contains(lower, secret):
			case given:
				shown[i] = name + "=…"
			case strings.HasPrefix(word, "-") && i+1 < len(shown):
				shown[i+1] = "…"
			}
		}
	}
	const most = 200
	text := strings.Join(shown, " ")
	if len(text) > most {
		text = strings.ToValidUTF8(text[:most], "") + "…"
	}
	return text
}

// exercised says how much of the contract a client's tests show.
func exercised(r *result.Report) string {
	met, endpoints := 0, 0
	for _, rule := range r.Rules {
		if rule.Status != result.Skipped {
			met++
		}
	}
	for _, e := range r.Endpoints {
		if e.Status != result.Skipped {
			endpoints++
		}
	}
	return fmt.Sprintf("exercised: %d of %d rules, at %d of %d endpoints; the others are neither green nor red", met, len(r.Rules), endpoints, len(r.Endpoints))
}
