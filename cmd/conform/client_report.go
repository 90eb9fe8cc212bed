package main

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/socialfeed/conform/conformance/clients"
	"github.com/socialfeed/conform/conformance/report/plain"
	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/conformance/rules"
	"github.com/socialfeed/conform/internal/shell"
)

// report makes the report of the run.
func (c *clientRun) report(s *settings, began time.Time, ended string) (*result.Report, error) {
	selected, err := (rules.Selection{}).Resolve(c.catalogue, rules.Given{SecondApp: true, RateLimits: true}, nil)
	if err != nil {
		return nil, err
	}
	report := s.reportOf(result.Target{BaseURL: "client: " + commandShown(c.command)}, began)
	report.Client = &result.Client{Command: commandShown(c.command), Flags: c.flags}
	for _, p := range c.plays {
		report.Client.Runs = append(report.Client.Runs, result.ClientRun{
			Surrounding: p.name, Flags: p.flags(), Exit: p.code, Requests: p.requests, DurationMS: p.took.Milliseconds()})
	}
	checks := append(c.checks, c.tolerances()...)
	checks = clients.Complete(c.catalogue, checks, c.unmet())
	result.Assemble(report, c.catalogue, selected, result.Outcomes{Checks: checks, Requests: c.requests})
	report.Notes = append(report.Notes, exercised(report))
	if c.ignored > 0 {
		report.Notes = append(report.Notes, fmt.Sprintf("%d requests to paths that are none of such a service were not judged", c.ignored))
	}
	if len(c.disturbed) > 0 {
		report.Notes = append(report.Notes, fmt.Sprintf("in %s the tests failed beside other runs and passed alone: they share something, such as a port or a file; --jobs 1 runs one at a time", strings.Join(c.disturbed, ", ")))
	}
	if ended != "" {
		report.End(ended, result.EndedEarly)
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

// accept waives what failed in an earlier report, so that it does not gate.
func accept(r, baseline *result.Report, name string) {
	known := map[[2]string]bool{}
	for rule, check := range baseline.EachCheck() {
		if bad := []result.Status{result.Fail, result.Warn}; slices.Contains(bad, check.Status) ||
			check.Waived != nil && slices.Contains(bad, check.Waived.Status) {
			known[[2]string{rule.ID, check.Endpoint}] = true
		}
	}
	for rule, check := range r.EachCheck() {
		if check.FoundBroken() && known[[2]string{rule.ID, check.Endpoint}] {
			check.Waived = &result.Accepted{Status: check.Status, Reason: "it failed in the baseline " + name, Expires: "never"}
			check.Status = result.Waived
		}
	}
	r.Summarize()
}

// commandShown is a command as a report shows it and a shell reads it, without values that look like secrets.
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
	const most = 200 // bytes
	var words []shell.Word
	length := 0
	for _, word := range shown {
		if length += len(word) + 1; length > most && len(words) > 0 {
			words = append(words, shell.Plain("…"))
			break
		}
		words = append(words, plain.Word(word))
	}
	return shell.MustLine(shell.Run(words...))
}

// exercised says how much of the contract a client's tests exercise.
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
