package main

import (
	"strings"
	"testing"
)

// TestNoTargetInAPipeline is never green for our own server, unless that is what is asked for.
func TestNoTargetInAPipeline(t *testing.T) {
	t.Parallel()
	for name, run := range map[string]struct {
		env  []string
		args []string
		code int
		says string
	}{
		"CI":                          {[]string{"CI=true"}, nil, exitUsage, "no target, and CI is set"},
		"CI that is off":              {[]string{"CI=false"}, nil, exitConformant, ""},
		"--require-target":            {nil, []string{"--require-target"}, exitUsage, "no target, and --require-target wants one"},
		"CONFORM_REQUIRE_TARGET":      {[]string{"CONFORM_REQUIRE_TARGET=true"}, nil, exitUsage, "CONFORM_REQUIRE_TARGET wants one"},
		"--self in CI":                {[]string{"CI=true"}, []string{"--self"}, exitConformant, ""},
		"a shard in CI":               {[]string{"CI=true"}, []string{"--shard", "1/8"}, exitUsage, "--exec 'CMD'"},
		"next in CI":                  {[]string{"CI=1"}, []string{"next"}, exitUsage, "CONFORM_BASE_URL"},
		"--self beside a target":      {[]string{"CONFORM_BASE_URL=https://x"}, []string{"--self"}, exitUsage, "CONFORM_BASE_URL names another"},
		"--self beside --exec":        {nil, []string{"--self", "--exec", "true"}, exitUsage, "--exec starts another"},
		"--self and --require-target": {nil, []string{"--self", "--require-target"}, exitUsage, "leave one out"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			args := run.args
			if len(args) == 0 || args[0] != "next" {
				args = append(args, "--rule", "versions.status")
			}
			cmd := command(t, args...)
			cmd.Env = append(cmd.Env, run.env...)
			o := finish(t, cmd)
			o.wants(t, run.code)
			if !strings.Contains(o.stderr, run.says) {
				t.Errorf("stderr %q does not say %q", o.stderr, run.says)
			}
		})
	}
}
