package deploy_test

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/sync/errgroup"
	"sigs.k8s.io/yaml"
)

const (
	oneJobFile = "github/conformance.yml"
	shardsFile = "github/shards.yml"
	nightFile  = "github/nightly.yml"
)

// workflow is what is played of one; the linter sees to the rest.
type workflow struct {
	Jobs map[string]struct {
		If       string `json:"if"`
		Needs    string `json:"needs"`
		Steps    steps  `json:"steps"`
		Strategy struct {
			Matrix map[string][]int `json:"matrix"`
		} `json:"strategy"`
	} `json:"jobs"`
}

func readWorkflow(t *testing.T, file string) (w workflow, text []byte) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := yaml.Unmarshal(text, &w); err != nil {
		t.Fatal(err)
	}
	return w, text
}

func readAction(t *testing.T) action {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, "action.yml"))
	if err != nil {
		t.Fatal(err)
	}
	var a action
	if err := strictly(text, &a); err != nil {
		t.Fatal(err)
	}
	return a
}

// against is a runner in a repository whose variables and secrets name a target.
func (s target) runner(t *testing.T) runner {
	t.Helper()
	return runner{ours: readAction(t), temp: t.TempDir(), artifacts: t.TempDir(),
		env:    []string{"CONFORM_CA_CERT=" + s.caFile, "CONFORM_RATE=" + rate},
		values: map[string]string{"vars.CONFORM_BASE_URL": s.url, "secrets.CONFORM_APP_TOKEN": appToken, "secrets.CONFORM_SECOND_APP_TOKEN": secondToken}}
}

// TestWorkflowJudgesAsOneRun plays the jobs of the workflow, the action included.
func TestWorkflowJudgesAsOneRun(t *testing.T) {
	t.Parallel()
	w, _ := readWorkflow(t, shardsFile)
	judged := serve(t, "")
	runner := judged.runner(t)
	shard, report := w.Jobs["shard"], w.Jobs["report"]
	if report.Needs != "shard" || report.If != "always()" {
		t.Errorf("the report is made after %q, if %s", report.Needs, report.If)
	}
	var playing errgroup.Group
	playing.SetLimit(1) // until the first has built what the others then find
	for _, index := range shard.Strategy.Matrix["shard"] {
		job := runner.job(t, map[string]string{"matrix.shard": strconv.Itoa(index)})
		playing.Go(func() error {
			if code := job.play(t, shard.Steps, nil); code != 0 {
				t.Errorf("shard %d: exit %d\n%s", index, code, job.values["log"])
			}
			return nil
		})
		if index == 1 {
			playing.Wait()
			playing.SetLimit(atOnce)
		}
	}
	playing.Wait()

	job := runner.job(t, nil)
	o := outcome{code: job.play(t, report.Steps, nil), output: job.values["log"]}
	o.read(t, filepath.Join(runner.artifacts, "conform-report", "conform.json"))
	o.equals(t, judged.whole(t))
	if !strings.Contains(o.output, "::notice title=") {
		t.Errorf("there are no annotations:\n%s", o.output)
	}
	if !strings.Contains(job.values["summary"], "Conformant") {
		t.Errorf("the summary reads\n%s", job.values["summary"])
	}
}

// TestWorkflowStartsTheServer plays the one job of the template: on the main branch,
// whose report is kept, and then for a pull request that breaks something and is told so.
func TestWorkflowStartsTheServer(t *testing.T) {
	t.Parallel()
	w, _ := readWorkflow(t, oneJobFile)
	all := w.Jobs["conformance"].Steps
	tools := t.TempDir()
	told := filepath.Join(tools, "told")
	comments := filepath.Join(tools, "comments") // ids of those that begin with the mark
	gh := "#!/bin/sh\ncase $* in *--jq*) cat " + comments + " 2>/dev/null; exit 0 ;; esac\n" +
		"echo \"$*\" > " + told + "\ncat comment.md >> " + told + "\necho 77 > " + comments + "\n"
	if err := os.WriteFile(filepath.Join(tools, "gh"), []byte(gh), 0o755); err != nil {
		t.Fatal(err)
	}
	r := runner{ours: readAction(t), temp: t.TempDir(), artifacts: t.TempDir(), checkout: serverOfTheTests,
		env:    []string{"CI=true", "CONFORM_RATE=" + rate},
		values: map[string]string{"github.repository": "ours/server", "github.run_id": "7", "github.token": "t", "github.event.pull_request.number": "1"}}
	play := func(event, head string, env ...string) (*runner, int) {
		job := r.job(t, map[string]string{"github.event_name": event, "github.event.pull_request.head.repo.full_name": head})
		job.path = tools + string(os.PathListSeparator) + job.path
		return job, job.play(t, all, env)
	}
	if job, code := play("push", ""); code != 0 || !strings.Contains(job.values["summary"], "Conformant") || strings.Contains(job.values["summary"], "became different") {
		t.Fatalf("on the main branch: exit %d\n%s", code, job.values["log"])
	}
	for _, name := range []string{"conform.json", "conform.html", "conform.xml"} {
		if _, err := os.Stat(filepath.Join(r.artifacts, "conform-report", name)); err != nil {
			t.Error(err)
		}
	}
	if _, err := os.Stat(told); err == nil {
		t.Error("a pull request is told of a push")
	}
	if job, code := play("pull_request", "theirs/fork"); code != 0 || text(told) != "" {
		t.Errorf("for a fork: exit %d, told %q\n%s", code, text(told), job.values["log"])
	}
	job, code := play("pull_request", "ours/server", "SERVER_FLAGS=--fault transport-null-in-version")
	if code != 1 || !strings.Contains(job.values["log"], "::error") {
		t.Errorf("for what is broken: exit %d\n%s", code, job.values["log"])
	}
	comment := text(told)
	if !strings.Contains(comment, "--method POST repos/ours/server/issues/1/comments") || !strings.Contains(comment, "\n<!-- conform -->\n") || !strings.Contains(comment, "transport.no-null") || strings.Contains(comment, "different targets") {
		t.Errorf("the pull request is told\n%s", comment)
	}
	play("pull_request", "ours/server", "SERVER_FLAGS=--fault transport-null-in-version")
	if again := text(told); !strings.Contains(again, "--method PATCH repos/ours/server/issues/comments/77") {
		t.Errorf("the second time the pull request is told\n%s", again)
	}
}

// TestActionJudges uses the action by itself: with arguments of its own, without a
// target, and with one that would be a command if it were put into a script.
func TestActionJudges(t *testing.T) {
	t.Parallel()
	judged := serve(t, "")
	runner := judged.runner(t)
	touched := filepath.Join(t.TempDir(), "touched")
	for name, use := range map[string]struct {
		with          map[string]any
		code          int
		verdict, says string
		reason, retry string
	}{
		"a part":      {map[string]any{"base-url": judged.url, "args": "--part\nversions\n--fail-on\nshould", "report": "a report.json"}, 0, "conformant", "::notice title=", "", "false"},
		"a shard":     {map[string]any{"base-url": judged.url, "args": "--part\nversions", "shard": "2/3"}, 0, "conformant", "CONFORMANT", "", "false"},
		"no time":     {map[string]any{"base-url": judged.url, "args": "--timeout=1ms", "retries": "1"}, 3, "incomplete", "no verdict (time-up): try 1 of 1 again", "time-up", "true"},
		"no trust":    {map[string]any{"base-url": judged.url, "retries": "2"}, 2, "", "--ca-cert", "untrusted", "false"},
		"no target":   {nil, 2, "", "no target, and --require-target wants one", "", "false"},
		"an intruder": {map[string]any{"base-url": "https://x\"; touch " + touched + "; $(touch " + touched + ") #"}, 2, "", "not a valid URL", "", "false"},
	} {
		t.Run(name, func(t *testing.T) {
			job := runner.job(t, nil)
			if name == "no trust" {
				job.env = []string{"CONFORM_CA_CERT=" + serve(t, "").caFile} // of another authority
			}
			code := job.play(t, steps{{ID: "it", Uses: "socialfeed/conform@v1", With: use.with}}, []string{"CONFORM_APP_TOKEN=" + appToken})
			if code != use.code || job.values["steps.it.outputs.verdict"] != use.verdict || !strings.Contains(job.values["log"], use.says) {
				t.Errorf("exit %d, verdict %q\n%s", code, job.values["steps.it.outputs.verdict"], job.values["log"])
			}
			if reason, retry := job.values["steps.it.outputs.reason"], job.values["steps.it.outputs.retry"]; reason != use.reason || retry != use.retry {
				t.Errorf("the reason is %q, retry %q", reason, retry)
			}
			if report := job.values["steps.it.outputs.report"]; use.verdict != "" {
				(&outcome{}).read(t, filepath.Join(job.dir, report))
			}
			if told := job.values["summary"] != ""; told != (use.reason != "" || use.verdict != "" && use.with["shard"] == nil) {
				t.Errorf("the summary reads %q", job.values["summary"])
			}
			if _, err := os.Stat(touched); err == nil {
				t.Error("an input has been run")
			}
		})
	}
}
