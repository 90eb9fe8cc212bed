package deploy_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/socialfeed/conform/conformance"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
)

// TestPodJudges plays the one pod of a run: its log is the report, its last words are
// what matters of it, short enough to be kept, and its code is the gate.
func TestPodJudges(t *testing.T) {
	t.Parallel()
	for fault, want := range map[string]struct {
		code int
		says string
	}{"": {0, "✓ CONFORMANT"}, "transport-null-in-version": {1, "Fix transport.no-null"}} {
		judged := serve(t, fault)
		p := against(t, judged, podFolder, "conform-target").pod(t, podJob, 0)
		message := filepath.Join(t.TempDir(), "termination-log")
		if err := os.WriteFile(message, nil, 0o666); err != nil {
			t.Fatal(err)
		}
		for i := range p.args {
			p.args[i] = strings.ReplaceAll(p.args[i], "/dev/termination-log", message)
		}
		o := p.play(t)
		last, err := os.ReadFile(message)
		if err != nil {
			t.Fatal(err)
		}
		const mostKept = 4096 // bytes of a termination message
		if o.code != want.code || !strings.Contains(o.output, "CONFORMANT") || !strings.Contains(string(last), want.says) || len(last) > mostKept {
			t.Errorf("exit %d, %d bytes of last words:\n%s\n%s", o.code, len(last), last, o.output)
		}
	}
}

// TestPodEnds sees that a verdict stands, and that the run is not ended before it ends itself.
func TestPodEnds(t *testing.T) {
	c := apply(t, podFolder)
	job := c.jobs[podJob]
	for code := range int32(4) {
		if got := afterExit(job.Spec, code); code > 0 && got != batchv1.PodFailurePolicyActionFailJob {
			t.Errorf("a pod that exits with %d: %s", code, got)
		}
	}
	wait, err := time.ParseDuration(c.configMaps["conform-target"].Data["CONFORM_WAIT"])
	if most := time.Duration(*job.Spec.ActiveDeadlineSeconds) * time.Second; err != nil || most <= conformance.DefaultTimeout+wait {
		t.Errorf("the pod may take %s, the run %s, waiting %s (%v)", most, conformance.DefaultTimeout, wait, err)
	}
	container := job.Spec.Template.Spec.Containers[0]
	if container.TerminationMessagePath != "/dev/termination-log" || container.TerminationMessagePolicy != corev1.TerminationMessageFallbackToLogsOnError {
		t.Errorf("its last words are kept from %s, %s", container.TerminationMessagePath, container.TerminationMessagePolicy)
	}
	if len(c.claims) > 0 {
		t.Error("it needs a volume that lasts")
	}
}

// TestWaitSeesFailure plays the waiter against a stand-in for the cluster.
func TestWaitSeesFailure(t *testing.T) {
	wait, err := filepath.Abs("kubernetes/wait.sh")
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		conditions string
		code       int
	}{"complete": {"SuccessCriteriaMet Complete ", 0}, "failed": {"FailureTarget Failed ", 1}, "neither": {"FailureTarget ", 3}} {
		t.Run(name, func(t *testing.T) {
			bin := t.TempDir()
			kubectl := "#!/bin/sh\ncase $* in\n'get job conform '*) printf '%s' '" + c.conditions + "' ;;\n*) echo 'the last words' ;;\nesac\n"
			if err := os.WriteFile(filepath.Join(bin, "kubectl"), []byte(kubectl), 0o755); err != nil {
				t.Fatal(err)
			}
			o := run(t, bin, []string{"PATH=" + bin + ":" + os.Getenv("PATH")}, "sh", wait, "conform", "0")
			if o.code != c.code || !strings.Contains(o.output, "the last words") {
				t.Errorf("exit %d: %s", o.code, o.output)
			}
		})
	}
}
