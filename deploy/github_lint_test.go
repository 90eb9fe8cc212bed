package deploy_test

import (
	"io"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rhysd/actionlint"
)

// TestWorkflowIsSound lints the workflow with the action as a part of its own
// repository, so that the inputs that it gives are held against those that there are.
func TestWorkflowIsSound(t *testing.T) {
	for _, file := range []string{oneJobFile, shardsFile, nightFile} {
		t.Run(file, func(t *testing.T) { isSound(t, file) })
	}
}

func isSound(t *testing.T, file string) {
	t.Helper()
	_, workflow := readWorkflow(t, file)
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
	all := a.Runs.Steps
	for _, file := range []string{oneJobFile, shardsFile, nightFile} {
		w, _ := readWorkflow(t, file)
		for _, job := range w.Jobs {
			all = append(all, job.Steps...)
		}
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
