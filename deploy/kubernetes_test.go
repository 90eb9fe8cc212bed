package deploy_test

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/socialfeed/conform/conformance"
	"golang.org/x/sync/errgroup"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
)

const (
	shardsFolder = "kubernetes/shards"
	podFolder    = "kubernetes"

	nightlyFolder = "kubernetes/nightly"
	nightlyJob    = "conform-nightly"

	podJob    = "conform"
	shardsJob = "conform-shards"
	mergeJob  = "conform-merge"
)

// TestShardsJob sees that each pod plays another shard, and that there are as many
// pods as shards.
func TestShardsJob(t *testing.T) {
	spec := apply(t, shardsFolder).jobs[shardsJob].Spec
	if spec.CompletionMode == nil || *spec.CompletionMode != batchv1.IndexedCompletion {
		t.Fatal("the shards' pods have no index")
	}
	shard := value(t, spec, "--shard")
	if want := fmt.Sprintf("auto/%d", *spec.Completions); shard != want || *spec.Parallelism != *spec.Completions {
		t.Errorf("--shard=%s, %d completions, %d side by side", shard, *spec.Completions, *spec.Parallelism)
	}
	if !strings.Contains(value(t, spec, "--report"), "$(JOB_COMPLETION_INDEX)") {
		t.Error("the pods write their reports to one file")
	}
}

// TestShardsAreTriedAgain sees what becomes of a pod that failed: what conform found
// out stands, what it did not is tried once more, and an eviction counts for nothing.
func TestShardsAreTriedAgain(t *testing.T) {
	jobs := apply(t, shardsFolder).jobs
	const stopped = 137 // by the node, for its memory
	for code, want := range map[int32]batchv1.PodFailurePolicyAction{
		1: batchv1.PodFailurePolicyActionFailIndex, 2: batchv1.PodFailurePolicyActionFailIndex,
		3: batchv1.PodFailurePolicyActionCount, stopped: batchv1.PodFailurePolicyActionCount,
	} {
		if got := afterExit(jobs[shardsJob].Spec, code); got != want {
			t.Errorf("a shard that exits with %d: %s, want %s", code, got, want)
		}
	}
	if tries := jobs[shardsJob].Spec.BackoffLimitPerIndex; tries == nil || *tries != 1 {
		t.Errorf("a shard is tried again %v times, want once", tries)
	}
	if jobs[shardsJob].Spec.MaxFailedIndexes != nil {
		t.Error("shards are ended because others failed")
	}
	for _, code := range []int32{1, 2, 3} {
		if got := afterExit(jobs[mergeJob].Spec, code); got != batchv1.PodFailurePolicyActionFailJob {
			t.Errorf("a merge that exits with %d: %s, want that to stand", code, got)
		}
	}
	for name, job := range jobs {
		first := job.Spec.PodFailurePolicy.Rules[0]
		if first.Action != batchv1.PodFailurePolicyActionIgnore || len(first.OnPodConditions) != 1 ||
			first.OnPodConditions[0].Type != corev1.DisruptionTarget || first.OnPodConditions[0].Status != corev1.ConditionTrue {
			t.Errorf("%s: a pod that was evicted counts as one that failed", name)
		}
	}
}

// afterExit is what a Job does with a pod whose container ended with a code.
func afterExit(spec batchv1.JobSpec, code int32) batchv1.PodFailurePolicyAction {
	for _, rule := range spec.PodFailurePolicy.Rules {
		on := rule.OnExitCodes
		if on == nil || on.Operator != batchv1.PodFailurePolicyOnExitCodesOpIn || *on.ContainerName != spec.Template.Spec.Containers[0].Name {
			continue
		}
		for _, listed := range on.Values {
			if listed == code {
				return rule.Action
			}
		}
	}
	return batchv1.PodFailurePolicyActionCount
}

// TestTimesFit sees that nobody is ended before whom it waits for.
func TestTimesFit(t *testing.T) {
	jobs := apply(t, shardsFolder).jobs
	shards := time.Duration(*jobs[shardsJob].Spec.ActiveDeadlineSeconds) * time.Second
	merge := time.Duration(*jobs[mergeJob].Spec.ActiveDeadlineSeconds) * time.Second
	wait, err := time.ParseDuration(value(t, jobs[mergeJob].Spec, "--wait"))
	if err != nil {
		t.Fatal(err)
	}
	if tries := 2 * conformance.DefaultTimeout; shards <= tries || wait < shards || merge <= wait {
		t.Errorf("two tries take %s, the shards may take %s, the merge waits %s and may take %s", tries, shards, wait, merge)
	}
	for name, job := range jobs {
		if ttl := job.Spec.TTLSecondsAfterFinished; ttl == nil || *ttl < 3600 {
			t.Errorf("%s is gone %v s after its end", name, ttl)
		}
	}
}

// value is what a flag is set to in the arguments of a Job's container.
func value(t *testing.T, spec batchv1.JobSpec, flag string) string {
	t.Helper()
	for _, arg := range spec.Template.Spec.Containers[0].Args {
		if text, found := strings.CutPrefix(arg, flag+"="); found {
			return text
		}
	}
	t.Fatalf("there is no %s", flag)
	return ""
}

// TestPodsMayDoLittle holds the pods to what the strictest namespaces ask for.
func TestPodsMayDoLittle(t *testing.T) {
	c := apply(t, shardsFolder)
	maps.Copy(c.jobs, apply(t, podFolder).jobs)
	maps.Copy(c.jobs, apply(t, nightlyFolder).jobs)
	for name, job := range c.jobs {
		spec := job.Spec.Template.Spec
		all, own := spec.SecurityContext, spec.Containers[0].SecurityContext
		for what, holds := range map[string]bool{
			"is never restarted in place": spec.RestartPolicy == corev1.RestartPolicyNever,
			"holds no account's token":    spec.AutomountServiceAccountToken != nil && !*spec.AutomountServiceAccountToken,
			"is not root":                 *all.RunAsNonRoot && *all.RunAsUser > 0,
			"has its system calls cut":    all.SeccompProfile.Type == corev1.SeccompProfileTypeRuntimeDefault,
			"cannot become more":          !*own.AllowPrivilegeEscalation && fmt.Sprint(own.Capabilities.Drop) == "[ALL]" && len(own.Capabilities.Add) == 0,
			"cannot write its own files":  *own.ReadOnlyRootFilesystem,
			"says what it needs":          !spec.Containers[0].Resources.Requests.Memory().IsZero() && !spec.Containers[0].Resources.Limits.Memory().IsZero(),
			"has the same image":          spec.Containers[0].Image == c.jobs[shardsJob].Spec.Template.Spec.Containers[0].Image,
		} {
			if !holds {
				t.Errorf("%s: it is not so that the pod %s", name, what)
			}
		}
		for _, v := range spec.Containers[0].Env {
			if strings.Contains(v.Name, "TOKEN") && (v.Value != "" || v.ValueFrom.SecretKeyRef == nil) {
				t.Errorf("%s: %s does not come from a secret", name, v.Name)
			}
		}
	}
	for name, claim := range c.claims {
		if fmt.Sprint(claim.Spec.AccessModes) != "[ReadWriteMany]" {
			t.Errorf("%s cannot be shared: %v", name, claim.Spec.AccessModes)
		}
	}
}

// against sets up a cluster to judge a target.
func against(t *testing.T, judged target, folder, run string) *cluster {
	t.Helper()
	c := apply(t, folder)
	ca, err := os.ReadFile(judged.caFile)
	if err != nil {
		t.Fatal(err)
	}
	c.secrets = map[string]map[string]string{"conform-tokens": {"app-token": appToken, "second-app-token": secondToken}}
	c.configMaps["conform-ca"] = corev1.ConfigMap{Data: map[string]string{"ca.pem": string(ca)}}
	c.configMaps[run].Data["CONFORM_BASE_URL"] = judged.url
	c.configMaps[run].Data["CONFORM_RATE"] = rate
	return c
}

// TestPodsJudgeAsOneRun plays all pods for a target that is broken, so that some of
// them fail: with the merge beside them from the start, and with a first try of the
// first one that is cut off.
func TestPodsJudgeAsOneRun(t *testing.T) {
	t.Parallel()
	judged := serve(t, "transport-null-in-version")
	c := against(t, judged, shardsFolder, "conform-run")
	merging := c.pod(t, mergeJob, 0)
	merged := make(chan outcome, 1)
	go func() { merged <- merging.play(t) }()

	cut := c.pod(t, shardsJob, 0)
	cut.env["CONFORM_TIMEOUT"] = "20ms"
	if o := cut.play(t); o.code != 3 && o.code != 1 { // 1 where the broken rule was met before the time was up
		t.Errorf("a shard without time: exit %d\n%s", o.code, o.output)
	}
	var shards errgroup.Group
	shards.SetLimit(atOnce)
	codes := make([]int, *c.jobs[shardsJob].Spec.Completions)
	for i := range slices.Backward(codes) { // the second try comes last, when there is a report of each shard
		each := c.pod(t, shardsJob, i)
		shards.Go(func() error {
			codes[i] = each.play(t).code
			return nil
		})
	}
	shards.Wait()
	if !slices.Contains(codes, 1) || slices.Max(codes) > 1 {
		t.Errorf("the shards' exit codes are %v", codes)
	}
	o := <-merged
	folder := filepath.Join(c.volumes, "conform-reports", c.configMaps["conform-run"].Data["RUN_ID"])
	o.read(t, filepath.Join(folder, "report.json"))
	o.equals(t, judged.whole(t))
	if !strings.Contains(o.output, "of 8 are there, but shard 1/8 was cut off") || !strings.Contains(o.output, "NOT CONFORMANT") {
		t.Errorf("the log of the merge:\n%s", o.output)
	}
}
