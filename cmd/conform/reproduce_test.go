//go:build unix

package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/socialfeed/conform/internal/testkit"
	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/faults"
	"mvdan.cc/sh/v3/syntax"
)

// TestReproductionsTellFaultsFromNone runs the scripts for faults of many kinds:
// each shows the failure where the fault is, and none where it is not.
func TestReproductionsTellFaultsFromNone(t *testing.T) {
	t.Parallel()
	testkit.Needs(t, "curl", "jq")
	sound := reference(t, nil)
	good := serve(t, sound)
	t.Cleanup(func() { empty(t, sound) })
	for _, name := range reproduced() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			fault := faultOf(t, name)
			rule := fault.Rule
			server := reference(t, func(options *refserver.Options) { fault.Apply(options) })
			bad := serve(t, server)
			report := filepath.Join(t.TempDir(), "report.json")
			conform(t, append(slices.Clone(bad), fast("--rule", rule, "--report", "json="+report, "-q")...)...)
			script := strings.TrimSuffix(report, "json") + "sh"
			conform(t, "reproduce", report, "--rule", rule, "-o", script).wants(t, exitConformant)
			text := read(t, script)
			if _, err := syntax.NewParser(syntax.Variant(syntax.LangPOSIX)).Parse(strings.NewReader(text), script); err != nil {
				t.Errorf("%v\n%s", err, text)
			}
			if strings.Contains(text, appToken) {
				t.Error("the script holds the token")
			}
			if code, out := scripted(t, script, bad); code != exitNonConformant {
				t.Errorf("%s: exit %d where the fault is: %s\n%s", fault.Name, code, out, text)
			}
			if code, out := scripted(t, script, good); code != exitConformant {
				t.Errorf("%s: exit %d where it is not: %s", fault.Name, code, out)
			}
			refused := slices.Clone(bad)
			refused[3] = "unknown-application-token"
			if code, out := scripted(t, script, refused); code == exitConformant {
				t.Errorf("%s: exit %d where the app token is unknown: %s", fault.Name, code, out)
			}
		})
	}
}

// faultOf is the fault of a name, or the first that breaks the rule of that name.
func faultOf(t *testing.T, name string) faults.Fault {
	t.Helper()
	i := slices.IndexFunc(faults.All(), func(f faults.Fault) bool { return f.Rule == name || f.Name == name })
	if i < 0 {
		t.Fatal("no fault breaks it")
	}
	return faults.All()[i]
}

// reproduced are rules that are broken in different ways, and faults whose stories
// hang on a password made of another one, or on ids that jq rounds.
func reproduced() []string {
	return []string{"users.create.status", "users.create.body", "users.get.other", "sessions.logout.destroys", "sessions.login.wrong-password",
		"connections.create.follow", "connections.lists.follows", "search.exact", "events.create.echo", "events.update.others",
		"feed.follow.new-events", "feed.purge.followers", "versions.current", "errors.unknown-path", "transport.user-agent-required", "limits.metadata.keys",
		"sessions-password-may-go-on", "sessions-password-case-ignored", "sessions-password-cut-at-72-bytes", "connections-friends-of-user-ids-rounded"}
}

// scripted runs a script against a target, and tells its exit code.
func scripted(t *testing.T, script string, target []string) (code int, out string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "sh", script)
	cmd.Env = append(os.Environ(), "BASE_URL="+target[1], "APP_TOKEN="+target[3], "SECOND_APP_TOKEN="+secondAppToken, "CA_CERT="+target[5], "CURL_CA_BUNDLE="+os.DevNull)
	said, err := cmd.CombinedOutput()
	var exited *exec.ExitError
	if err != nil && !errors.As(err, &exited) {
		t.Fatal(err)
	}
	return cmd.ProcessState.ExitCode(), string(said)
}
