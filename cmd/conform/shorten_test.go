//go:build unix

package main

import (
	"fmt"
	"strings"
	"testing"

	"github.com/socialfeed/conform/internal/testkit"
	"github.com/socialfeed/conform/refserver"
)

// What a failure does without is left out, as tried; what it takes is not, though the
// answer would look the same.
func TestReproductionsAreShortened(t *testing.T) {
	t.Parallel()
	testkit.Needs(t, "curl", "jq")
	sound := reference(t, nil)
	good := serve(t, sound)
	t.Cleanup(func() { empty(t, sound) })
	for name, requests := range map[string]int{"sessions-password-may-go-on": 2, "search.exact": 3} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			fault := faultOf(t, name)
			bad := serve(t, reference(t, func(options *refserver.Options) { fault.Apply(options) }))
			report := reportOf(t, bad, fault.Rule)
			shorten := func(target []string) outcome {
				cmd := command(t, "reproduce", report, "--rule", fault.Rule, "--shorten", target[1], "-o", report+".sh")
				cmd.Env = append(cmd.Env, "APP_TOKEN="+target[3], "SECOND_APP_TOKEN="+secondAppToken)
				return finish(t, cmd)
			}
			o := shorten(bad)
			o.wants(t, exitConformant)
			if want := fmt.Sprintf("\n%d requests of ", requests); !strings.HasPrefix(o.stderr, "leaving out requests of ") || !strings.Contains(o.stderr, want) {
				t.Errorf("%q, want %q, and before it how long that may take", o.stderr, want)
			}
			if code, out := scripted(t, report+".sh", bad); code != exitNonConformant {
				t.Errorf("exit %d where the fault is: %s", code, out)
			}
			if code, out := scripted(t, report+".sh", good); code != exitConformant {
				t.Errorf("exit %d where it is not: %s", code, out)
			}
			bad[1] = good[1] // whose authority it trusts: both are of httptest's
			if o := shorten(bad); o.code != exitUsage || !strings.Contains(o.stderr, "nothing is left out") {
				t.Errorf("exit %d: %s", o.code, o.stderr)
			}
		})
	}
}
