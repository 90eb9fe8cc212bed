package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// site is a folder with a configuration file for a reference server, its
// certificate authority and its token beside it.
type site struct{ folder, baseURL string }

func newSite(t *testing.T, settings string) site {
	t.Helper()
	flags := serve(t, reference(t, nil)) // --base-url URL --app-token TOKEN --ca-cert FILE
	s := site{t.TempDir(), flags[1]}
	s.write(t, "ca.pem", read(t, flags[5]))
	s.write(t, "token", appToken+"\n")
	s.write(t, "conform.yaml", strings.ReplaceAll(settings, "URL", s.baseURL))
	return s
}

func (s site) write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(s.folder, name), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// conform runs the command in the folder, with further environment variables.
func (s site) conform(t *testing.T, environment []string, args ...string) outcome {
	t.Helper()
	cmd := command(t, args...)
	cmd.Dir = s.folder
	cmd.Env = append(cmd.Env, environment...)
	return finish(t, cmd)
}

const sound = `
base-url: URL
ca-cert: ca.pem
app-token-file: token
rule: [versions.*]
jobs: 1
`

// TestConfigFileIsFound runs with the file of the working folder, which names everything but
// where the token goes.
func TestConfigFileIsFound(t *testing.T) {
	t.Parallel()
	s := newSite(t, "app-token-file: token\nrule: [versions.*]\njobs: 1\n")
	o := s.conform(t, nil, "--base-url", s.baseURL, "--ca-cert", "ca.pem")
	o.says(t, exitConformant, "settings from conform.yaml", s.baseURL)
	if strings.Contains(o.stdout+o.stderr, appToken) {
		t.Error("the token is told")
	}
}

// TestPathsOfTheConfigFile are told from its folder, wherever the command runs.
func TestPathsOfTheConfigFile(t *testing.T) {
	t.Parallel()
	s := newSite(t, sound+"report: [json=out.json, badge=out.svg]\nwaivers: accepted.yaml\nquiet: true\n")
	s.write(t, "accepted.yaml", "[]\n")
	elsewhere := site{folder: t.TempDir()}
	o := elsewhere.conform(t, nil, "--config", filepath.Join(s.folder, "conform.yaml"))
	o.says(t, exitConformant)
	if o.stdout+o.stderr != "" {
		t.Errorf("quiet says %q %q", o.stdout, o.stderr)
	}
	o.read(t, filepath.Join(s.folder, "out.json"))
	if !strings.Contains(read(t, filepath.Join(s.folder, "out.svg")), "<svg") {
		t.Error("there is no badge")
	}
	s.write(t, "accepted.yaml", "nonsense\n")
	elsewhere.conform(t, []string{"CONFORM_CONFIG=" + filepath.Join(s.folder, "conform.yaml")}).
		says(t, exitUsage, "reading the waivers")
}

// TestPrecedence sees each source override the ones below it.
func TestPrecedence(t *testing.T) {
	t.Parallel()
	s := newSite(t, sound+"seed: 11\n")
	for _, c := range []struct {
		name        string
		environment []string
		args        []string
		seed        string
	}{
		{"the file", nil, nil, "11"},
		{"the environment over the file", []string{"CONFORM_SEED=22"}, nil, "22"},
		{"the flag over both", []string{"CONFORM_SEED=22"}, []string{"--seed", "33"}, "33"},
		{"an empty variable is none", []string{"CONFORM_SEED="}, nil, "11"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s.conform(t, c.environment, append(c.args, "--config", defaultConfigFile)...).says(t, exitConformant, "seed "+c.seed+" ")
		})
	}
}

// TestPrecedenceOfTokens sees a token override a file that holds one only where
// it comes from a stronger source.
func TestPrecedenceOfTokens(t *testing.T) {
	t.Parallel()
	s := newSite(t, sound)
	s.write(t, "wrong", "hunter2")
	for _, c := range []struct {
		name        string
		environment []string
		args        []string
		code        int
		says        string
	}{
		{"variable over the file's file", []string{"CONFORM_APP_TOKEN=hunter2"}, []string{"--config", "conform.yaml"}, exitUsage, "refuses the app token"},
		{"flag over the variable", []string{"CONFORM_APP_TOKEN=hunter2"}, []string{"--app-token-file", "token", "--config", "conform.yaml"}, exitConformant, ""},
		{"flag over the file's file", nil, []string{"--app-token-file", "wrong", "--config", "conform.yaml"}, exitUsage, "refuses the app token"},
		{"file by a variable", []string{"CONFORM_APP_TOKEN_FILE=wrong"}, []string{"--config", "conform.yaml"}, exitUsage, "refuses the app token"},
		{"both in the environment", []string{"CONFORM_APP_TOKEN=hunter2", "CONFORM_APP_TOKEN_FILE=token"}, nil, exitUsage, "leave one out"},
		{"both as flags", nil, []string{"--app-token", "hunter2", "--app-token-file", "token"}, exitUsage, "leave one out"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			o := s.conform(t, c.environment, c.args...)
			o.says(t, c.code, c.says)
			if strings.Contains(o.stdout+o.stderr, "hunter") {
				t.Errorf("a secret is echoed: %s%s", o.stdout, o.stderr)
			}
		})
	}
}

// TestListsInTheEnvironment are divided by commas.
func TestListsInTheEnvironment(t *testing.T) {
	t.Parallel()
	s := newSite(t, sound)
	o := s.conform(t, []string{"CONFORM_RULE=versions.status,versions.shape", "CONFORM_REPORT=json=a.json,badge=b.svg"}, "--config", defaultConfigFile)
	o.read(t, filepath.Join(s.folder, "a.json"))
	var judged []string
	for _, rule := range o.report.Rules {
		if len(rule.Checks) > 0 && strings.HasPrefix(rule.ID, "versions.") {
			judged = append(judged, rule.ID)
		}
	}
	if got := fmt.Sprint(judged); got != "[versions.status versions.shape]" {
		t.Errorf("judged are %s", got)
	}
	if _, err := os.Stat(filepath.Join(s.folder, "b.svg")); err != nil {
		t.Error(err)
	}
}

// TestWrongSettings are told with their place, and nothing is judged.
func TestWrongSettings(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		settings    string
		environment []string
		args        []string
		says        string
	}{
		"mistyped key":            {"job: 4", nil, nil, "conform.yaml, line 1: job: there is no such key; did you mean jobs?"},
		"underscored key":         {"\nbase_url: x", nil, nil, "line 2: base_url: there is no such key; did you mean base-url?"},
		"key of no flag":          {"help: true", nil, nil, "help: there is no such key"},
		"file within a file":      {"config: other.yaml", nil, nil, "config: there is no such key"},
		"token":                   {"app-token: hunter2", nil, nil, "set CONFORM_APP_TOKEN, or name a file with app-token-file"},
		"second token":            {"second-app-token: hunter2", nil, nil, "CONFORM_SECOND_APP_TOKEN"},
		"key given twice":         {"jobs: 2\njobs: 4", nil, nil, "line 2: jobs: given twice"},
		"no value":                {"settle:", nil, nil, "the value is missing"},
		"list for one value":      {"settle: [1s, 2s]", nil, nil, "one value is wanted"},
		"map for a list":          {"rule: [{a: b}]", nil, nil, "one value is wanted"},
		"duration without a unit": {"settle: 10", nil, nil, `settle: "10" is no duration, such as 10s or 2m`},
		"word for a number":       {"rate: many", nil, nil, `rate: "many" is no whole number`},
		"word for a switch":       {"insecure: perhaps", nil, nil, `insecure: "perhaps" is no true or false`},
		"no YAML":                 {"a: b: c", nil, nil, "conform.yaml: yaml: "},
		"a token for a file":      {"hunter2", nil, nil, "settings are wanted"},
		"two documents":           {"jobs: 1\n---\njobs: 2", nil, nil, "something follows the settings"},
		"pattern without a match": {"rule: feed.ordr", nil, nil, "feed.ordr"},
		"trust without a target":  {"insecure: true", nil, nil, "insecure in conform.yaml needs a target"},
		"mistyped variable":       {"", []string{"CONFORM_BASEURL=https://127.0.0.1:1"}, nil, "did you mean CONFORM_BASE_URL?"},
		"variable of no number":   {"", []string{"CONFORM_PROCS=x"}, nil, `CONFORM_PROCS: "x" is no whole number`},
		"variable without target": {"", []string{"CONFORM_WAIT=1s"}, nil, "CONFORM_WAIT needs a target"},
		"file that is not there":  {"", nil, []string{"--config", "nowhere.yaml"}, "the configuration file: open nowhere.yaml"},
		"file without an end":     {"", nil, []string{"--config", "/dev/zero"}, "longer than"},
		"token file of two lines": {"base-url: https://127.0.0.1:1\napp-token-file: conform.yaml", nil, nil, "must hold one line"},
		"missing token file":      {"base-url: https://127.0.0.1:1\napp-token-file: nowhere", nil, nil, "app-token-file in conform.yaml: open nowhere"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := site{folder: t.TempDir()}
			s.write(t, "conform.yaml", c.settings)
			o := s.conform(t, c.environment, c.args...)
			o.says(t, exitUsage, c.says)
			const most = 3
			o.fewLines(t, most)
			if strings.Contains(o.stdout+o.stderr, "hunter") {
				t.Errorf("a secret is echoed: %s%s", o.stdout, o.stderr)
			}
		})
	}
}

// TestVariablesOfOthers are left alone: a cluster sets some for every service.
func TestVariablesOfOthers(t *testing.T) {
	t.Parallel()
	s := newSite(t, sound)
	s.conform(t, []string{"CONFORM_PORT=tcp://10.0.0.1:80", "CONFORM_SERVICE_HOST=10.0.0.1", "CONFORM_UNRELATED=x"}, "--config", defaultConfigFile).says(t, exitConformant)
}

// TestReplayTakesTheTargetsSettings from the file, and what it plays from the report.
func TestReplayTakesTheTargetsSettings(t *testing.T) {
	t.Parallel()
	s := newSite(t, sound+"seed: 11\nreport: [json=out.json]\n")
	s.conform(t, nil, "--config", defaultConfigFile).says(t, exitConformant)
	s.write(t, "conform.yaml", "ca-cert: ca.pem\napp-token-file: token\nrule: [feed.*]\npart: [feed]\nbase-url: https://127.0.0.1:1\nseed: 12\n")
	s.conform(t, nil, "replay", "out.json", "--rule", "versions.status", "--base-url", s.baseURL, "--config", defaultConfigFile).says(t, exitConformant, s.baseURL, "seed 11 ")
}
