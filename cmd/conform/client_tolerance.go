package main

import (
	"context"
	"fmt"
	"slices"

	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/conformance/rules"
)

const choicesTogether = "client.tolerates.choices-together"

// tolerate runs the client's tests in a surrounding. If they fail, each of its parts
// is tried alone, to find the smallest one that breaks them.
func (c *surroundingRun) tolerate(ctx context.Context, s surrounding) error {
	p, err := c.play(ctx, s)
	if err != nil {
		return err
	}
	if p.red() && !c.alone { // tests may disturb one another
		c.alone = true
		if p, err = c.play(ctx, s); err != nil {
			return err
		}
		if !p.red() {
			c.disturbed = append(c.disturbed, s.name)
		}
	}
	if !p.red() {
		c.tolerates(p)
		return nil
	}
	if len(s.parts) == 1 {
		return c.confirm(ctx, s.parts[0], p)
	}
	alone := false
	for _, part := range s.parts {
		choice := part.alone()
		choice.dialect = s.name
		single, err := c.play(ctx, choice)
		if err != nil {
			return err
		}
		if !single.red() {
			c.tolerates(single)
			continue
		}
		alone = true
		if err := c.confirm(ctx, part, single); err != nil {
			return err
		}
	}
	if !alone {
		return c.confirm(ctx, part{name: s.name, rule: choicesTogether}, p)
	}
	return nil
}

// tolerates records a pass for the parts that the client met.
func (c *surroundingRun) tolerates(p play) {
	for _, part := range p.met {
		c.tolerated[part.rule] = append(c.tolerated[part.rule], verdict{part, result.Pass, "", nil})
	}
}

// confirm runs failed tests once more: tests that then pass are unstable, and the part is not
// blamed.
func (c *surroundingRun) confirm(ctx context.Context, p part, red play) error {
	again, err := c.play(ctx, red.surrounding)
	if err != nil {
		return err
	}
	v := verdict{part: p, status: result.Fail, evidence: again.evidence,
		message: fmt.Sprintf("the client's tests pass on the default and fail with %s (exit %d); the exchanges shown are the client's last", p.name, again.code)}
	if rule, _ := c.catalogue.Rule(p.rule); rule.Level != rules.Must {
		v.status = result.Warn
	}
	if !again.red() {
		v.status, v.evidence = result.Unstable, red.evidence
		v.message = fmt.Sprintf("with %s the client's tests failed (exit %d), and passed when they were run again", p.name, red.code)
	}
	c.tolerated[p.rule] = append(c.tolerated[p.rule], v)
	return nil
}

// tolerances are the checks of the rules of tolerance, with the worst outcome of each.
func (c *clientRun) tolerances() []result.CheckResult {
	var checks []result.CheckResult
	for _, rule := range c.catalogue.Rules() {
		verdicts := c.tolerated[rule.ID]
		if len(verdicts) == 0 {
			continue
		}
		var statuses []result.Status
		for _, v := range verdicts {
			statuses = append(statuses, v.status)
		}
		worst := result.Worst(statuses)
		told := map[string]bool{}
		for _, v := range verdicts {
			if v.status != worst || told[v.part.name] || worst == result.Pass && len(told) > 0 {
				continue
			}
			told[v.part.name] = true
			check := result.Check{Scenario: v.part.name, Status: v.status, Message: v.message, Exchanges: slices.Clone(v.evidence)}
			if check.Exchanges == nil {
				check.Exchanges = []result.Exchange{}
			}
			if worst != result.Pass {
				check.Expected, check.Actual = "green tests, as on the default", v.message
			}
			checks = append(checks, result.CheckResult{Rule: rule.ID, Check: check})
		}
	}
	return checks
}
