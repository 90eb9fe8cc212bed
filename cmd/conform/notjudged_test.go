package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestWhatWasNotJudgedStandsInTheVerdict judges a target without what some rules take: every report says
// so beside the verdict, and the JSON report as data. Restarts are named only where conform starts the target.
func TestWhatWasNotJudgedStandsInTheVerdict(t *testing.T) {
	t.Parallel()
	const sentence = "not judged: HTTPS, a second application, rate limits"
	dir := t.TempDir()
	args := servePlain(t, reference(t, nil))
	for _, rule := range []string{"versions.status", "transport.https-only", "auth.app-isolation", "limits.rate.get", "restarts.order"} {
		args = append(args, "--rule", rule)
	}
	formats := []string{"text", "markdown", "html", "github"}
	for _, format := range append(formats, "junit") {
		args = append(args, "--report", format+"="+filepath.Join(dir, format))
	}
	o := judged(t, args...)
	o.wants(t, exitConformant)
	if len(o.report.NotJudged) != 3 || o.report.NotJudged[1].Needs != "--second-app-token" {
		t.Errorf("in the JSON report: %+v", o.report.NotJudged)
	}
	for _, format := range formats {
		text, err := os.ReadFile(filepath.Join(dir, format))
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(strings.Join(strings.Fields(string(text)), " "), sentence) {
			t.Errorf("the report as %s does not say %q", format, sentence)
		}
	}
	junit, err := os.ReadFile(filepath.Join(dir, "junit"))
	if err != nil || !strings.Contains(string(junit), `<property name="not judged" value="a second application">`) {
		t.Errorf("the report as junit does not say what was not judged: %v", err)
	}
	if complete := judged(t, append(serve(t, reference(t, nil)), "--rule", "versions.status", "--rule", "transport.https-only")...); len(complete.report.NotJudged) > 0 {
		t.Errorf("of a run that judged what was selected: %+v", complete.report.NotJudged)
	}
	started := judged(t, "--exec", fakeCommand(""), "--rule", "versions.status", "--rule", "restarts.order")
	if all := started.report.NotJudged; len(all) != 1 || all[0].Needs != "--restarts" {
		t.Errorf("of a target that conform starts: %+v", all)
	}
}
