package deploy_test

import (
	"maps"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
)

const (
	corpusFile = ".conform/corpus"
	// keptStory is what an earlier night kept.
	keptStory = `{"rule":"feed.unfollow","endpoint":10,"story":{"name":"kept","slots":2,"ops":[{"kind":"post","a":1},{"kind":"follow","a":0,"b":1},{"kind":"end","a":0,"b":1}]}}` + "\n"
	// night is as short as the tests have time for.
	night = "1s"
)

// drew sees that drawn stories were played, and that those of earlier nights are kept.
func (o outcome) drew(t *testing.T, report, corpus string) {
	t.Helper()
	o.read(t, report)
	if o.code != 0 || o.report.Stories == nil || o.report.Stories.Requests == 0 {
		t.Errorf("exit %d, drawn: %+v\n%s", o.code, o.report.Stories, o.output)
	}
	if kept := text(corpus); !strings.HasPrefix(kept, keptStory) {
		t.Errorf("%s holds %q", corpus, kept)
	}
}

// TestWorkflowOfTheNight plays the nightly job of the GitHub workflow.
func TestWorkflowOfTheNight(t *testing.T) {
	w, _ := readWorkflow(t, nightFile)
	all := slices.Clone(w.Jobs["deep"].Steps)
	for i, s := range all {
		if s.With["deep"] == "5m" {
			all[i].With = maps.Clone(s.With)
			all[i].With["deep"] = night
		}
	}
	r := runner{ours: readAction(t), temp: t.TempDir(), artifacts: t.TempDir(), checkout: serverOfTheTests, env: []string{"CI=true"},
		values: map[string]string{"github.run_id": "7"}}
	write(t, filepath.Join(r.temp, "cached", corpusFile), []byte(keptStory))
	job := r.job(t, nil)
	o := outcome{code: job.play(t, all, nil), output: job.values["log"]}
	o.drew(t, filepath.Join(r.artifacts, "conform-nightly", "conform.json"), filepath.Join(r.artifacts, "conform-nightly", corpusFile))
	if text(filepath.Join(r.temp, "cached", corpusFile)) == "" {
		t.Error("the next night does not know of this one")
	}
}

// TestGitLabJobOfTheNight plays the job of a scheduled pipeline.
func TestGitLabJobOfTheNight(t *testing.T) {
	job := gitlabJobs(t, "conformance.gitlab-ci.yml")["conform:nightly"]
	if job.Variables["CONFORM_DEEP"] != "5m" || !slices.Equal(job.Cache.Paths, []string{corpusFile}) || job.Cache.When != "always" || len(job.Rules) != 1 {
		t.Errorf("the job of the night: %+v", job)
	}
	dir, kept := t.TempDir(), t.TempDir()
	serverOfTheTests(t, dir)
	write(t, filepath.Join(dir, corpusFile), []byte(keptStory))
	if err := copyFile(program("conform"), filepath.Join(dir, "conform-files", "conform")); err != nil {
		t.Fatal(err)
	}
	o := script(t, dir, []string{"CI=true", "CONFORM_DEEP=" + night, "CONFORM_RATE=" + job.Variables["CONFORM_RATE"]}, strings.Join(job.Script, "\n"))
	job.keep(t, dir, kept)
	o.drew(t, filepath.Join(kept, "conform-files", "report.json"), filepath.Join(kept, corpusFile))
}

// TestPodOfTheNight plays the pod of the CronJob, with the volume that holds the stories.
func TestPodOfTheNight(t *testing.T) {
	judged := serve(t, "")
	c := against(t, judged, podFolder, "conform-target")
	nightly := apply(t, nightlyFolder)
	c.jobs, c.claims = nightly.jobs, nightly.claims
	corpus := filepath.Join(c.volumes, "conform-corpus", "stories")
	write(t, corpus, []byte(keptStory))
	p := c.pod(t, nightlyJob, 0)
	p.env["CONFORM_DEEP"] = night
	report := filepath.Join(t.TempDir(), "report.json")
	p.args = append(slices.DeleteFunc(p.args, func(arg string) bool { return strings.HasPrefix(arg, "--report=next") }), "--report=json="+report)
	p.play(t).drew(t, report, corpus)
}

// TestNightAndDayAreAlike sees that the pod of the night is that of the Job, but for what the
// night is about.
func TestNightAndDayAreAlike(t *testing.T) {
	nightly := apply(t, nightlyFolder)
	cron := nightly.crons[nightlyJob]
	if cron.Spec.ConcurrencyPolicy != batchv1.ForbidConcurrent || cron.Spec.Schedule == "" {
		t.Errorf("it runs at %q, beside another: %s", cron.Spec.Schedule, cron.Spec.ConcurrencyPolicy)
	}
	spec := cron.Spec.JobTemplate.Spec
	pod := &spec.Template.Spec
	container := &pod.Containers[0]
	container.Args = slices.DeleteFunc(container.Args, func(arg string) bool { return arg == "--corpus=/corpus/stories" })
	container.Env = slices.DeleteFunc(container.Env, func(v corev1.EnvVar) bool { return v.Name == "CONFORM_DEEP" && v.Value == "5m" })
	container.VolumeMounts = slices.DeleteFunc(container.VolumeMounts, func(m corev1.VolumeMount) bool { return m.Name == "corpus" && m.MountPath == "/corpus" })
	pod.Volumes = slices.DeleteFunc(pod.Volumes, func(v corev1.Volume) bool { return v.Name == "corpus" })
	if day := apply(t, podFolder).jobs[podJob].Spec; !reflect.DeepEqual(spec, day) {
		t.Errorf("by night\n%+v\nby day\n%+v", spec, day)
	}
}
