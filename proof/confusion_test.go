package proof_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/refserver/faults"
	"golang.org/x/sync/errgroup"
)

// TestConfusions tells of a part of all faults which rule and endpoint is named first, beside those that are
// broken: CONFUSIONS=i/n takes the i-th of n parts, drawn by the hashes of the faults' names; PROOF_FAULT, a
// pattern over names, narrows it. CONFUSIONS_DIR, a folder, keeps each report.
func TestConfusions(t *testing.T) {
	part, parts := 1, 1
	if n, err := fmt.Sscanf(os.Getenv("CONFUSIONS"), "%d/%d", &part, &parts); n != 2 || err != nil {
		t.Skip("a measurement of minutes: CONFUSIONS=1/10 asks for a part of it")
	}
	judges := startJudges(t, sideBySide)
	var group errgroup.Group
	group.SetLimit(cap(judges.free))
	var mu sync.Mutex
	var lines []string
	for _, f := range everyFault() {
		if hashOf(f.Name)%uint32(parts) != uint32(part-1) || !matches(os.Getenv("PROOF_FAULT"), f.Name) {
			continue
		}
		group.Go(func() error {
			v, err := judges.verdict(order{Fault: f.Name, RateLimits: rates(f), Seed: 1})
			if err != nil {
				return fmt.Errorf("%s: %w", f.Name, err)
			}
			line := confusionLine(f, v)
			mu.Lock()
			lines = append(lines, line)
			mu.Unlock()
			if dir := os.Getenv("CONFUSIONS_DIR"); dir != "" {
				return keepReport(filepath.Join(dir, f.Name+".json"), line, v.Report)
			}
			return nil
		})
	}
	must(t, group.Wait())
	slices.Sort(lines)
	t.Log("\nKIND\tFAULT\tRULE\tACTS AT\tEXIT\tFIRST\tALL\n" + strings.Join(lines, "\n"))
}

// confusionLine is what a run made of a fault: what it is, what is named first, and all that is named.
func confusionLine(f faults.Fault, v verdict) string {
	var all []string
	for rule, check := range v.Report.EachCheck() {
		if check.Status != result.Fail && check.Status != result.Warn && check.Status != result.Unstable && check.Status != result.Error {
			continue
		}
		at, _ := result.EndpointNamed(check.Endpoint)
		all = append(all, fmt.Sprintf("%s@%d(%s)", rule.ID, int(at), check.Status))
	}
	first := "-"
	if next := v.Report.Next(); len(next) > 0 {
		first = fmt.Sprintf("%s@%d", next[0].Rule, int(next[0].Endpoint))
	}
	return strings.Join([]string{kindOf(f), f.Name, f.Rule, fmt.Sprint(v.Acts), string(v.Report.Verdict), first, cmp.Or(strings.Join(slices.Compact(all), " "), "-")}, "\t")
}

func keepReport(path, line string, report *result.Report) error {
	text, err := json.Marshal(struct {
		Line   string
		Report *result.Report
	}{line, report})
	if err != nil {
		return err
	}
	return os.WriteFile(path, text, 0o600)
}
