package deploy_test

import (
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/rhysd/actionlint"
	"golang.org/x/sync/errgroup"
	"sigs.k8s.io/yaml"
)

const workflowFile = "github/conformance.yml"

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

func readWorkflow(t *testing.T) (w workflow, text []byte) {
	t.Helper()
	text, err := os.ReadFile(workflowFile)
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

// TestWorkflowIsSound lints the workflow with the action as a part of its own
// repository, so that the inputs that it gives are held against those that there are.
func TestWorkflowIsSound(t *testing.T) {
	_, workflow := readWorkflow(t)
	project := t.TempDir()
	if err := copyFile(filepath.Join(root, "action.yml"), filepath.Join(project, "action.yml")); err != nil {
		t.Fatal(err)
	}
	local := strings.ReplaceAll(string(workflow), "uses: socialfeed/conform@v1", "uses: ./")
	if local == string(workflow) {
		t.Error("the workflow does not use the action")
	}
	path := filepath.Join(project, ".github", "workflows", "conformance.yml")
	linter, err := actionlint.NewLinter(io.Discard, &actionlint.LinterOptions{WorkingDir: project})
	if err != nil {
		t.Fatal(err)
	}
	of, err := actionlint.NewProject(project)
	if err != nil {
		t.Fatal(err)
	}
	mistakes, err := linter.Lint(path, []byte(local), of)
	if err != nil {
		t.Fatal(err)
	}
	for _, mistake := range mistakes {
		t.Error(mistake)
	}
}

// TestNothingIsPutIntoScripts keeps inputs out of the text of scripts, where they
// would be run; and sees that every input gets to the step that needs it.
func TestNothingIsPutIntoScripts(t *testing.T) {
	a := readAction(t)
	w, _ := readWorkflow(t)
	all := a.Runs.Steps
	for _, job := range w.Jobs {
		all = append(all, job.Steps...)
	}
	for _, s := range all {
		if strings.Contains(s.Run, "${{") {
			t.Errorf("an expression is put into a script:\n%s", s.Run)
		}
	}
	var used strings.Builder
	for _, s := range a.Runs.Steps {
		if s.Run != "" && s.Shell != "bash" {
			t.Errorf("the step %q has the shell %q", s.Name, s.Shell)
		}
		used.WriteString(s.If + "\n")
		for _, value := range s.Env {
			used.WriteString(value + "\n")
		}
	}
	for name := range a.Inputs {
		if !strings.Contains(used.String(), "inputs."+name) {
			t.Errorf("no step takes the input %s", name)
		}
	}
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
	w, _ := readWorkflow(t)
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
	o.equals(t, judged.whole)
	if !strings.Contains(o.output, "::notice title=") {
		t.Errorf("there are no annotations:\n%s", o.output)
	}
	if !strings.Contains(job.values["summary"], "Conformant") {
		t.Errorf("the summary reads\n%s", job.values["summary"])
	}
}

// TestActionJudges uses the action by itself: with arguments of its own, without a
// target, and with one that would be a command if it were put into a script.
func TestActionJudges(t *testing.T) {
	judged := serve(t, "")
	runner := judged.runner(t)
	touched := filepath.Join(t.TempDir(), "touched")
	for name, use := range map[string]struct {
		with          map[string]any
		code          int
		verdict, says string
	}{
		"a part":      {map[string]any{"base-url": judged.url, "args": "--part\nversions\n--fail-on\nshould", "report": "a report.json"}, 0, "conformant", "::notice title="},
		"a shard":     {map[string]any{"base-url": judged.url, "args": "--part\nversions", "shard": "2/3"}, 0, "conformant", "CONFORMANT"},
		"no time":     {map[string]any{"base-url": judged.url, "args": "--timeout=1ms"}, 3, "incomplete", "::error title="},
		"no target":   {nil, 2, "", "--base-url is empty"},
		"an intruder": {map[string]any{"base-url": "https://x\"; touch " + touched + "; $(touch " + touched + ") #"}, 2, "", "not a valid URL"},
	} {
		t.Run(name, func(t *testing.T) {
			job := runner.job(t, nil)
			code := job.play(t, steps{{ID: "it", Uses: "socialfeed/conform@v1", With: use.with}}, []string{"CONFORM_APP_TOKEN=" + appToken})
			if code != use.code || job.values["steps.it.outputs.verdict"] != use.verdict || !strings.Contains(job.values["log"], use.says) {
				t.Errorf("exit %d, verdict %q\n%s", code, job.values["steps.it.outputs.verdict"], job.values["log"])
			}
			if report := job.values["steps.it.outputs.report"]; use.verdict != "" {
				(&outcome{}).read(t, filepath.Join(job.dir, report))
			}
			if told := job.values["summary"] != ""; told != (use.verdict != "" && use.with["shard"] == nil) {
				t.Errorf("the summary reads %q", job.values["summary"])
			}
			if _, err := os.Stat(touched); err == nil {
				t.Error("an input has been run")
			}
		})
	}
}
