package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/conformance/rules"
	"github.com/socialfeed/conform/internal/testkit"
)

// judgedClient judges a command as a client, and reads the report.
func judgedClient(t *testing.T, flags []string, environment []string, commandLine ...string) outcome {
	t.Helper()
	path := filepath.Join(t.TempDir(), "report.json")
	cmd := command(t, slices.Concat([]string{"client", "--report", "json=" + path}, flags, []string{"--"}, commandLine)...)
	cmd.Env = append(cmd.Env, environment...)
	o := finish(t, cmd)
	o.read(t, path)
	return o
}

// judgedWay judges this test's binary as a client.
func judgedWay(t *testing.T, way string, flags ...string) outcome {
	t.Helper()
	return judgedClient(t, flags, []string{clientVariable + "=" + way}, os.Args[0])
}

func (o outcome) status(id string) result.Status {
	i := slices.IndexFunc(o.report.Rules, func(r result.Rule) bool { return r.ID == id })
	if i < 0 {
		return "no rule"
	}
	return o.report.Rules[i].Status
}

// The project's own client lives in every surrounding, blamed for nothing.
func TestTheTypedClientLivesInEverySurrounding(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		flags   []string
		met     []string
		nothing string // which this client never asks for, or did not meet there
	}{
		"dialects": {flags: []string{"--weather", "none"}, met: []string{"client.tolerates.ids-uuid", "client.tolerates.lag", "client.tolerates.chunking"},
			nothing: "client.tolerates.versions"},
		"weather": {flags: []string{"--dialects", "none"}, met: []string{"client.tolerates.weather-503", "client.waits-503", "client.checks-504"},
			nothing: "client.tolerates.ids-uuid"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := judgedWay(t, lawfulClient, tc.flags...)
			o.wants(t, exitConformant)
			if blamed := o.blamed(); len(blamed) > 0 {
				t.Errorf("blamed is %v:\n%s\n%s", blamed, strings.Join(o.troubles(), "\n"), o.stderr)
			}
			for _, met := range tc.met {
				if got := o.status(met); got != result.Pass {
					t.Errorf("%s is %s", met, got)
				}
			}
			if got := o.status(tc.nothing); got != result.Skipped {
				t.Errorf("what was never met is %s", got)
			}
		})
	}
}

func TestTheSmallestChoiceThatBreaksAClientIsNamed(t *testing.T) {
	t.Parallel()
	o := judgedWay(t, numericClient, "--dialects", "uuid-ids", "--weather", "none")
	o.wants(t, exitNonConformant)
	if blamed := o.blamed(); !slices.Equal(blamed, []string{"client.tolerates.ids-uuid"}) {
		t.Errorf("blamed is %v", blamed)
	}
	if trouble := strings.Join(o.troubles(), "\n"); !strings.Contains(trouble, "user-ids=uuid") || strings.Contains(trouble, "event-ids") {
		t.Errorf("not the smallest choice: %s", trouble)
	}
}

// The line to run again repeats the flags, in the surrounding that broke alone: pasted, it
// comes to the same.
func TestAgainRepeatsTheFlagsOfTheRun(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		way, again string
		flags      []string
	}{
		"a choice of a dialect": {numericClient, "client --worlds test- --dialects uuid-ids --weather none -- ", []string{"--worlds", "test-", "--weather", "none", "--dialects", "strict-unique,uuid-ids"}},
		"the contract":          {sloppyClient, "client --timeout 1m0s --dialects none --weather none -- ", []string{"--timeout", "1m", "--weather", "none", "--dialects", "uuid-ids"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := judgedWay(t, tc.way, tc.flags...)
			o.wants(t, exitNonConformant)
			if !contains(strings.ReplaceAll(o.stdout, "\\\n", ""), tc.again) {
				t.Errorf("the report does not say %q:\n%s", tc.again, o.stdout)
			}
			if !strings.Contains(o.stderr, "1 of ") || !strings.Contains(o.stderr, "2 of ") {
				t.Errorf("progress does not count:\n%s", o.stderr)
			}
		})
	}
}

// Tests that share a file fail beside one another. They are run again alone, and nothing is blamed.
func TestClientsThatDisturbOneAnotherAreRunAlone(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "shared")
	o := judgedClient(t, []string{"--jobs", "4", "--weather", "none", "--dialects", "uuid-ids,lagging,strict-unique,chunking"},
		[]string{clientVariable + "=" + clumsyClient, reachedVariable + "=" + file}, os.Args[0])
	o.wants(t, exitConformant)
	if runs := o.report.Client.Runs; len(runs) <= 5 || !strings.Contains(strings.Join(o.report.Notes, "\n"), "passed alone") {
		t.Errorf("%d runs, notes %q", len(runs), o.report.Notes)
	}
}

func TestWhatBreaksTheContractIsNamedWithItsRequest(t *testing.T) {
	t.Parallel()
	flags := []string{"--dialects", "none", "--weather", "none"}
	o := judgedWay(t, sloppyClient, flags...)
	o.wants(t, exitNonConformant)
	if blamed := o.blamed(); !slices.Equal(blamed, []string{"client.accept"}) {
		t.Errorf("blamed is %v", blamed)
	}
	baseline := filepath.Join(t.TempDir(), "baseline.json")
	if err := os.WriteFile(baseline, []byte(o.written), 0o600); err != nil {
		t.Fatal(err)
	}
	judgedWay(t, sloppyClient, append(flags, "--baseline", baseline)...).wants(t, exitConformant)
	waivers := filepath.Join(t.TempDir(), "waivers.yaml")
	if err := os.WriteFile(waivers, []byte("- {rule: client.accept, reason: known, expires: 2999-01-01}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	judgedWay(t, sloppyClient, append(flags, "--waivers", waivers)...).wants(t, exitConformant)
	for _, text := range []string{o.stdout, conform(t, "diff", baseline, baseline).stdout, conform(t, "report", "html", baseline).stdout} {
		if text == "" {
			t.Error("nothing was written")
		}
	}
}

func TestNoVerdictOnAClient(t *testing.T) {
	t.Parallel()
	for way, says := range map[string]string{failingClient: "fails on the default", idleClient: "sent no request"} {
		o := judgedWay(t, way)
		o.wants(t, exitNoVerdict)
		if !strings.Contains(o.stderr, says) || o.report.Verdict != result.Incomplete {
			t.Errorf("%s: %s, and on stderr: %s", way, o.report.Verdict, o.stderr)
		}
	}
	for name, args := range map[string][]string{
		"no command": {"client"}, "no program": {"client", "--", "no-such-program-here"}, "no dialect": {"client", "--dialects", "klingon", "--", "true"},
		"no baseline": {"client", "--baseline", "no-such-file", "--", "true"}, "no level": {"client", "--fail-on", "may", "--", "true"},
	} {
		if o := conform(t, args...); o.code != exitUsage {
			t.Errorf("%s: exit %d: %s", name, o.code, o.stderr)
		}
	}
}

// Clients that nobody here wrote the HTTP of, in what an HTTP library can stumble on.
func TestClientsOfOtherLanguages(t *testing.T) {
	t.Parallel()
	for name, script := range map[string][]string{
		"curl": {"sh", "testdata/client.sh"}, "python3": {"python3", "testdata/client.py"}, "node": {"node", "testdata/client.mjs"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			testkit.Needs(t, name)
			o := judgedClient(t, []string{"--dialects", "uuid-ids,compression,chunking,keep-alive", "--weather", "none"}, nil, script...)
			o.wants(t, exitConformant)
			if blamed := o.blamed(); len(blamed) > 0 {
				t.Errorf("blamed is %v\n%s", blamed, o.stderr)
			}
		})
	}
}

// Tests of a client, each of which takes a world of its own.
func TestClientWithWorldsOfItsOwn(t *testing.T) {
	t.Parallel()
	testkit.Needs(t, "python3")
	tests := []string{"python3", "-B", "-m", "unittest", "discover", "testdata/worlds"}
	flags := []string{"--dialects", "strict-unique,uuid-ids", "--weather", "none"}
	judgedClient(t, flags, nil, tests...).wants(t, exitNoVerdict)
	o := judgedClient(t, append(flags, "--worlds", "test-"), nil, tests...)
	o.wants(t, exitConformant)
	if blamed := o.blamed(); len(blamed) > 0 || o.status("client.tolerates.ids-uuid") != result.Pass {
		t.Errorf("blamed is %v, ids-uuid is %s", blamed, o.status("client.tolerates.ids-uuid"))
	}
}

// Every choice of every dialect is one that a rule of tolerance is about, and can be
// had alone.
func TestEveryChoiceHasARuleOfTolerance(t *testing.T) {
	t.Parallel()
	all, err := dialects()
	if err != nil {
		t.Fatal(err)
	}
	known := map[string]bool{choicesTogether: false}
	for _, rule := range clientCatalogue(t).Rules() {
		known[rule.ID] = false
	}
	for _, s := range append(all, climates()...) {
		if err := s.settings.Validate(); err != nil {
			t.Errorf("%s: %v", s.name, err)
		}
		for _, p := range s.parts {
			if _, ok := known[p.rule]; !ok {
				t.Errorf("%s leads to %s, which is no rule", p.name, p.rule)
			}
			known[p.rule] = true
			if strings.Contains(p.name, "=") {
				if err := p.alone().settings.Validate(); err != nil {
					t.Errorf("%s cannot be had alone: %v", p.name, err)
				}
			}
		}
	}
	for id, used := range known {
		if strings.HasPrefix(id, "client.tolerates.") && !used && id != choicesTogether {
			t.Errorf("no surrounding shows %s", id)
		}
	}
}

func clientCatalogue(t *testing.T) *rules.Catalogue {
	t.Helper()
	c := rules.LoadClient()
	return c
}

func TestCommandShownIsOneForAShell(t *testing.T) {
	t.Parallel()
	for want, words := range map[string][]string{
		"npm test":            {"npm", "test"},
		"sh -c 'npm test; x'": {"sh", "-c", "npm test; x"},
		"run --api-token … x": {"run", "--api-token", "hunter2", "x"},
		"'TOKEN=…' run":       {"TOKEN=hunter2", "run"},
	} {
		if got := commandShown(words); got != want {
			t.Errorf("%q is shown as %s, want %s", words, got, want)
		}
	}
}
