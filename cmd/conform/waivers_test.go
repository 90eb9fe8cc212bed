//go:build unix

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/socialfeed/conform/conformance/result"
)

// A waiver of a failure that comes and goes holds in both runs, and one that ends soon says so in the
// text and in JSON. The waiver names the rule by a pattern.
func TestIntermittentFailureIsWaived(t *testing.T) {
	t.Parallel()
	ends := time.Now().UTC().AddDate(0, 0, 3).Format(time.DateOnly)
	file := filepath.Join(t.TempDir(), "waivers.yaml")
	waiver := fmt.Sprintf("- rule: transport.no-*\n  endpoint: GET *\n  intermittent: true\n  reason: the cache\n  expires: %s\n", ends)
	if err := os.WriteFile(file, []byte(waiver), 0o600); err != nil {
		t.Fatal(err)
	}
	for flags, state := range map[string]result.WaiverState{"": result.WaiverQuiet, "--fault transport-null-in-version": result.WaiverUsed} {
		path := filepath.Join(t.TempDir(), "report.json")
		o := conform(t, "--rule", "transport.no-*", "--rule", "versions.*", "--exec", refserverByExec(flags), "--allow-http", "--waivers", file, "--report", "json="+path, "--report", "text=-")
		o.wants(t, exitConformant)
		o.read(t, path)
		w := o.report.Waivers[0]
		if w.State != state || w.EndsInDays == nil || *w.EndsInDays != 3 || !w.Intermittent {
			t.Errorf("with %q: %+v", flags, w)
		}
		for _, said := range []string{"1 waiver ends within two weeks", "its last day is in 3 days"} {
			if !strings.Contains(strings.Join(strings.Fields(o.stdout), " "), said) {
				t.Errorf("with %q the report does not say %q:\n%s", flags, said, o.stdout)
			}
		}
	}
}
