package deploy_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// template is a pipeline that is copied: its scripts in their order, the shell that its server runs them with, and the
// paths that it keeps after a failure too.
type template struct {
	shell         []string
	scripts, kept []string
}

func templates(t *testing.T) map[string]template {
	t.Helper()
	return map[string]template{"Jenkins": jenkinsTemplate(t), "CircleCI": circleTemplate(t), "Azure": azureTemplate(t)}
}

// jenkinsTemplate reads a Jenkinsfile, whose scripts are texts of Groovy.
func jenkinsTemplate(t *testing.T) template {
	t.Helper()
	file, read := text("jenkins/Jenkinsfile"), template{shell: []string{"sh", "-xe", "-c"}}
	if file == "" || strings.Count(file, "{") != strings.Count(file, "}") {
		t.Errorf("the braces do not match in\n%s", file)
	}
	for _, match := range regexp.MustCompile(`(?ms)^ *sh (?:'''(.*?)'''|'([^\n]*)')$`).FindAllStringSubmatch(file, -1) {
		// Groovy joins lines at a backslash.
		read.scripts = append(read.scripts, strings.ReplaceAll(match[1], "\\\n", "")+match[2])
	}
	_, always, _ := strings.Cut(file, "always {")
	for _, match := range regexp.MustCompile(`(?:artifacts|testResults): '([^']+)', allowEmpty`).FindAllStringSubmatch(always, -1) {
		read.kept = append(read.kept, match[1])
	}
	return read
}

func circleTemplate(t *testing.T) template {
	t.Helper()
	var config struct {
		Version float64 `json:"version"`
		Jobs    map[string]struct {
			Docker []map[string]string `json:"docker"`
			Steps  []any               `json:"steps"`
		} `json:"jobs"`
		Workflows map[string]struct {
			Jobs []string `json:"jobs"`
		} `json:"workflows"`
	}
	if err := strictly([]byte(text("circleci/config.yml")), &config); err != nil {
		t.Fatal(err)
	}
	if jobs := config.Workflows["conformance"].Jobs; !slices.Equal(jobs, []string{"conformance"}) {
		t.Errorf("the workflow has the jobs %v", jobs)
	}
	read := template{shell: []string{"bash", "-eo", "pipefail", "-c"}}
	for _, step := range config.Jobs["conformance"].Steps {
		kinds, _ := step.(map[string]any)
		for kind, of := range kinds {
			of := of.(map[string]any)
			switch kind {
			case "run":
				read.scripts = append(read.scripts, of["command"].(string))
			case "store_test_results", "store_artifacts":
				read.kept = append(read.kept, of["path"].(string))
			default:
				t.Errorf("what is the step %s?", kind)
			}
		}
	}
	return read
}

func azureTemplate(t *testing.T) template {
	t.Helper()
	var pipeline struct {
		Trigger []string          `json:"trigger"`
		PR      []string          `json:"pr"`
		Pool    map[string]string `json:"pool"`
		Jobs    []struct {
			Job       string `json:"job"`
			Container string `json:"container"`
			Timeout   int    `json:"timeoutInMinutes"`
			Steps     []struct {
				Bash      string            `json:"bash"`
				Task      string            `json:"task"`
				Inputs    map[string]string `json:"inputs"`
				Publish   string            `json:"publish"`
				Artifact  string            `json:"artifact"`
				Name      string            `json:"displayName"`
				Condition string            `json:"condition"`
			} `json:"steps"`
		} `json:"jobs"`
	}
	if err := strictly([]byte(text("azure/azure-pipelines.yml")), &pipeline); err != nil {
		t.Fatal(err)
	}
	read := template{shell: []string{"bash", "--noprofile", "--norc", "-c"}} // goes on after a command that fails
	for _, job := range pipeline.Jobs {
		for _, step := range job.Steps {
			if step.Bash != "" {
				read.scripts = append(read.scripts, step.Bash)
			} else if step.Condition == "succeededOrFailed()" {
				read.kept = append(read.kept, step.Publish+step.Inputs["testResultsFiles"])
			}
		}
	}
	return read
}

// play runs a script of the template.
func (p template) play(t *testing.T, dir, script string, env ...string) outcome {
	t.Helper()
	return run(t, dir, append(env, "PATH="+os.Getenv("PATH")), p.shell[0], append(slices.Clone(p.shell[1:]), script)...)
}

// TestTemplatesStartTheServer plays the scripts of each template, the installation excepted, for a server that is
// conformant and for one that is not.
func TestTemplatesStartTheServer(t *testing.T) {
	t.Parallel()
	for name, template := range templates(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if len(template.scripts) != 3 || !strings.Contains(ofThisTree(t, template.scripts[:1]), `GOBIN="$PWD/conform-bin" `) {
				t.Fatalf("the scripts are %q", template.scripts)
			}
			dir := t.TempDir()
			serverOfTheTests(t, dir)
			if err := os.Symlink(programs(), filepath.Join(dir, "conform-bin")); err != nil {
				t.Fatal(err)
			}
			if o := template.play(t, dir, template.scripts[1]); o.code != 0 {
				t.Fatalf("building the server: exit %d\n%s", o.code, o.output)
			}
			for flags, want := range map[string]int{"": 0, "--fault versions-current-says-supported": 1} {
				o := template.play(t, dir, template.scripts[2], "CONFORM_PART=versions", "SERVER_FLAGS="+flags)
				if o.code != want {
					t.Errorf("with %q: exit %d, want %d\n%s", flags, o.code, want, o.output)
				}
			}
			if len(template.kept) != 2 {
				t.Errorf("after a failure it keeps %v", template.kept)
			}
			for _, path := range template.kept {
				if kept, err := filepath.Glob(filepath.Join(dir, path)); err != nil || len(kept) == 0 {
					t.Errorf("nothing is at %s (%v)", path, err)
				}
			}
		})
	}
}

// TestTemplatesTryOnceMoreWithoutAVerdict holds the templates to the exit codes on the page: no verdict is tried once more,
// everything else ends the job as it is.
func TestTemplatesTryOnceMoreWithoutAVerdict(t *testing.T) {
	t.Parallel()
	for name, template := range templates(t) {
		for codes, want := range map[string]struct{ code, runs string }{
			"0": {"0", "1"}, "1": {"1", "1"}, "2": {"2", "1"}, "3 0": {"0", "2"}, "3 1": {"1", "2"}, "3 3": {"3", "2"},
		} {
			dir := t.TempDir()
			write(t, filepath.Join(dir, "codes"), []byte(strings.ReplaceAll(codes, " ", "\n")+"\n"))
			judge := "#!/bin/sh\necho >> runs\nexit $(sed -n \"$(wc -l < runs)p\" codes)\n"
			write(t, filepath.Join(dir, "conform-bin", "conform"), []byte(judge))
			if err := os.Chmod(filepath.Join(dir, "conform-bin", "conform"), 0o700); err != nil {
				t.Fatal(err)
			}
			o := template.play(t, dir, template.scripts[len(template.scripts)-1]+"\n")
			if runs := strings.Count(text(filepath.Join(dir, "runs")), "\n"); o.code != int(want.code[0]-'0') || runs != int(want.runs[0]-'0') {
				t.Errorf("%s, where conform exits with %s: exit %d after %d runs, want %s after %s\n%s", name, codes, o.code, runs, want.code, want.runs, o.output)
			}
		}
	}
}
