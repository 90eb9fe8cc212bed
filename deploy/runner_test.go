package deploy_test

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// steps are those of a workflow's job or of a composite action.
type steps []step

type step struct {
	Name            string            `json:"name"`
	ID              string            `json:"id"`
	If              string            `json:"if"`
	Uses            string            `json:"uses"`
	With            map[string]any    `json:"with"`
	Shell           string            `json:"shell"`
	Run             string            `json:"run"`
	Env             map[string]string `json:"env"`
	ContinueOnError bool              `json:"continue-on-error"`
}

// action is what action.yml may hold; any other key is an error.
type action struct {
	Name        string            `json:"name"`
	Description string            `json:"description"`
	Branding    map[string]string `json:"branding"`
	Inputs      map[string]struct {
		Description string `json:"description"`
		Default     string `json:"default"`
	} `json:"inputs"`
	Outputs map[string]struct {
		Description string `json:"description"`
		Value       string `json:"value"`
	} `json:"outputs"`
	Runs struct {
		Using string `json:"using"`
		Steps steps  `json:"steps"`
	} `json:"runs"`
}

// runner plays jobs: as much of one as this folder's workflow and action need.
type runner struct {
	ours      action
	dir       string            // the job's working folder
	temp      string            // outlives a job, as a cache does
	artifacts string            // a folder for each
	values    map[string]string // by name, such as matrix.shard
	env       []string
	path      string
	checkout  func(t *testing.T, dir string) // fills the job's folder
}

// job is a runner's next job, in a folder of its own.
func (r runner) job(t *testing.T, values map[string]string) *runner {
	t.Helper()
	r.dir, r.path = t.TempDir(), os.Getenv("PATH")
	r.values = maps.Clone(r.values)
	maps.Copy(r.values, values)
	return &r
}

// play plays steps. It returns the exit code of the first that failed, after which
// only those are played that always are.
func (r *runner) play(t *testing.T, all steps, env []string) int {
	code := 0
	for _, s := range all {
		if !r.holds(t, s.If, code == 0) {
			continue
		}
		own := append([]string{}, env...)
		for name, text := range s.Env {
			own = append(own, name+"="+r.value(t, text))
		}
		if failed := r.step(t, s, own); failed != 0 && code == 0 && !s.ContinueOnError {
			code = failed
		}
	}
	return code
}

func (r *runner) step(t *testing.T, s step, env []string) int {
	with := map[string]string{}
	for name, text := range s.With {
		with[name] = r.value(t, fmt.Sprint(text))
	}
	copied := func(from, to string) int {
		if err := copyFile(from, to); err != nil {
			t.Errorf("%s: %v; until then:\n%s", s.Uses, err, r.values["log"])
			return 1
		}
		return 0
	}
	name, _, _ := strings.Cut(s.Uses, "@")
	code := 0
	switch name {
	case "":
		return r.script(t, s, env)
	case "socialfeed/conform":
		return r.action(t, s.ID, with, env)
	case "actions/cache":
		if _, err := os.Stat(with["path"]); err == nil {
			r.values["steps."+s.ID+".outputs.cache-hit"] = "true"
		}
	case "actions/upload-artifact":
		for file := range strings.FieldsSeq(with["path"]) {
			if strings.HasPrefix(file, ".") && with["include-hidden-files"] != "true" {
				t.Errorf("%s would be left out, as hidden", file)
			}
			code += copied(filepath.Join(r.dir, file), filepath.Join(r.artifacts, with["name"], file))
		}
	case "actions/download-artifact":
		files, err := filepath.Glob(filepath.Join(r.artifacts, with["pattern"], "*"))
		if err != nil || with["merge-multiple"] != "true" {
			t.Errorf("downloading %v: %v", with, err)
		}
		for _, file := range files {
			code += copied(file, filepath.Join(r.dir, with["path"], filepath.Base(file)))
		}
	case "actions/setup-go": // there is one
	case "actions/checkout":
		r.checkout(t, r.dir)
	case "actions/cache/restore":
		if kept := filepath.Join(r.temp, "cached", with["path"]); text(kept) != "" {
			return copied(kept, filepath.Join(r.dir, with["path"]))
		}
	case "actions/cache/save":
		return copied(filepath.Join(r.dir, with["path"]), filepath.Join(r.temp, "cached", with["path"]))
	default:
		t.Errorf("this test does not know %s", s.Uses)
	}
	return code
}

// action plays the steps of our own action with its inputs.
func (r *runner) action(t *testing.T, id string, with map[string]string, env []string) int {
	inner := *r
	inner.values = map[string]string{"runner.os": "Linux", "runner.arch": "X64"}
	for name, input := range r.ours.Inputs {
		inner.values["inputs."+name] = input.Default
	}
	for name, value := range with {
		if _, known := r.ours.Inputs[name]; !known {
			t.Errorf("the action has no input %s", name)
		}
		inner.values["inputs."+name] = value
	}
	code := inner.play(t, r.ours.Runs.Steps, env)
	r.path = inner.path
	r.values["log"] += inner.values["log"]
	r.values["summary"] += inner.values["summary"]
	for name, output := range r.ours.Outputs {
		r.values["steps."+id+".outputs."+name] = inner.value(t, output.Value)
	}
	return code
}

// script runs a step's lines, and takes in what they leave in the runner's files.
func (r *runner) script(t *testing.T, s step, env []string) int {
	files := t.TempDir()
	at := func(name string) string { return filepath.Join(files, name) }
	here, err := filepath.Abs(root)
	if err != nil {
		t.Error(err)
	}
	all := append(os.Environ(), r.env...)
	all = append(all, "PATH="+r.path, "GITHUB_ACTION_PATH="+here, "RUNNER_TEMP="+r.temp, "GITHUB_OUTPUT="+at("output"), "GITHUB_PATH="+at("path"),
		"GITHUB_STEP_SUMMARY="+at("summary"))
	o := script(t, r.dir, append(all, env...), s.Run)
	r.values["log"] += o.output
	for line := range strings.Lines(text(at("output"))) {
		name, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "=")
		r.values["steps."+s.ID+".outputs."+name] = value
	}
	for line := range strings.Lines(text(at("path"))) {
		r.path = strings.TrimSpace(line) + string(os.PathListSeparator) + r.path
	}
	r.values["summary"] += text(at("summary"))
	return o.code
}

// text is what a file holds, nothing where there is none.
func text(path string) string {
	data, _ := os.ReadFile(path)
	return string(data)
}

var (
	expression = regexp.MustCompile(`\$\{\{ ([a-zA-Z_.-]+) \}\}`)
	condition  = regexp.MustCompile(`^([a-z_.-]+) (==|!=) ('[^']*'|[a-z_.-]+)$`)
)

// value puts values in the place of expressions. What a step left out is blank, any
// other name has to be known.
func (r *runner) value(t *testing.T, text string) string {
	done := expression.ReplaceAllStringFunc(text, func(found string) string {
		name := expression.FindStringSubmatch(found)[1]
		value, known := r.values[name]
		if !known && !strings.HasPrefix(name, "steps.") {
			t.Errorf("nothing is known of %s", name)
		}
		return value
	})
	if strings.Contains(done, "${{") {
		t.Errorf("this test does not understand %s", done)
	}
	return done
}

// holds reports whether a step is to be played.
func (r *runner) holds(t *testing.T, text string, good bool) bool {
	all := true
	for part := range strings.SplitSeq(text, " && ") {
		is := condition.FindStringSubmatch(part)
		switch {
		case part == "always()":
			good = true
		case part == "":
		case is != nil:
			other, literal := strings.CutPrefix(is[3], "'")
			if other = strings.TrimSuffix(other, "'"); !literal {
				other = r.values[other]
			}
			all = all && (r.values[is[1]] == other) == (is[2] == "==")
		default:
			t.Errorf("this test does not understand if: %s", text)
			return false
		}
	}
	return good && all
}
