package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"testing"

	"github.com/socialfeed/conform/conformance/report"
	"github.com/socialfeed/conform/conformance/result"
)

// reportOfNothing is the least report that follows its schema.
const (
	reportOfNothing = `{"schema":"conform.report/v1","tool":{"version":"dev"},"target":{"base_url":"https://127.0.0.1:1"},"started_at":"2026-01-02T03:04:05Z",` +
		`"duration_ms":1,"seed":7,"fail_on":"must","verdict":"conformant","summary":{"rules":` + nothing + `,"checks":` + nothing + `,"requests":{}},"rules":[],"endpoints":[],"choices":[]}`
	nothing = `{"fail":0,"error":0,"unstable":0,"blocked":0,"warn":0,"waived":0,"pass":0,"observed":0,"skipped":0}`
)

// handmade is a report as a file has it: what a test leaves out is as in reportOfNothing.
func handmade(t *testing.T, r *result.Report) []byte {
	t.Helper()
	var nothing result.Report
	if err := json.Unmarshal([]byte(reportOfNothing), &nothing); err != nil {
		t.Fatal(err)
	}
	whole := *r
	whole.Schema, whole.Summary = nothing.Schema, nothing.Summary
	whole.FailOn, whole.Verdict = cmp.Or(r.FailOn, nothing.FailOn), cmp.Or(r.Verdict, nothing.Verdict)
	whole.Endpoints, whole.Choices = append(nothing.Endpoints, r.Endpoints...), append(nothing.Choices, r.Choices...)
	for i := range whole.Rules {
		rule := &whole.Rules[i]
		rule.Level, rule.Status = cmp.Or(rule.Level, "must"), cmp.Or(rule.Status, result.Fail)
		for k := range rule.Checks {
			check := &rule.Checks[k]
			check.Exchanges = append([]result.Exchange{}, check.Exchanges...)
			if check.Reproduction == nil {
				continue
			}
			for n := range check.Reproduction.Steps {
				step := &check.Reproduction.Steps[n]
				step.Path, step.Headers = append([]result.Piece{}, step.Path...), append([]result.Field{}, step.Headers...)
			}
		}
	}
	data, err := json.Marshal(whole)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := report.ReadJSON(bytes.NewReader(data)); err != nil {
		t.Fatalf("the test's own report: %v", err)
	}
	return data
}
