package deploy_test

import (
	"encoding/xml"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/sync/errgroup"
)

// gitlabJob is what is used here of a job's keywords; any other is an error.
type gitlabJob struct {
	Extends   string            `json:"extends"`
	Image     string            `json:"image"`
	Variables map[string]string `json:"variables"`
	Needs     []string          `json:"needs"`
	Parallel  int               `json:"parallel"`
	When      string            `json:"when"`
	Before    []string          `json:"before_script"`
	Script    []string          `json:"script"`
	Rules     []map[string]any  `json:"rules"`
	Cache     struct {
		Key   string   `json:"key"`
		Paths []string `json:"paths"`
		When  string   `json:"when"`
	} `json:"cache"`
	Retry struct {
		Max       int   `json:"max"`
		ExitCodes []int `json:"exit_codes"`
	} `json:"retry"`
	AllowFailure any `json:"allow_failure"`
	Artifacts    struct {
		When     string            `json:"when"`
		Paths    []string          `json:"paths"`
		ExpireIn string            `json:"expire_in"`
		Reports  map[string]string `json:"reports"`
	} `json:"artifacts"`
}

func gitlabJobs(t *testing.T, file string) map[string]gitlabJob {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("gitlab", file))
	if err != nil {
		t.Fatal(err)
	}
	var jobs map[string]gitlabJob
	if err := strictly(text, &jobs); err != nil {
		t.Fatal(err)
	}
	for name, job := range jobs {
		if base, there := jobs[job.Extends]; there {
			job.Image, job.Needs, job.Script, job.Artifacts.When, job.Artifacts.Reports = base.Image, base.Needs, base.Script, base.Artifacts.When, base.Artifacts.Reports
			jobs[name] = job
		} else if job.Extends != "" {
			t.Errorf("%s extends %s, which is not there", name, job.Extends)
		}
		for _, needed := range job.Needs {
			if _, there := jobs[needed]; !there {
				t.Errorf("%s needs %s, which is not there", name, needed)
			}
		}
	}
	return jobs
}

// keep copies a job's artifacts to the folder of a job that needs them.
func (j gitlabJob) keep(t *testing.T, from, to string) {
	t.Helper()
	patterns := slices.Clone(j.Artifacts.Paths)
	for _, report := range j.Artifacts.Reports {
		patterns = append(patterns, report)
	}
	for _, pattern := range patterns {
		paths, err := filepath.Glob(filepath.Join(from, pattern))
		if err != nil || len(paths) == 0 {
			t.Errorf("no artifact matches %s (%v)", pattern, err)
		}
		for _, path := range paths {
			name, err := filepath.Rel(from, path)
			if err != nil {
				t.Fatal(err)
			}
			if err := copyFile(path, filepath.Join(to, name)); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// TestGitLabJobsJudgeAsOneRun plays the lines of all jobs, for a target that is broken.
func TestGitLabJobsJudgeAsOneRun(t *testing.T) {
	t.Parallel()
	jobs := gitlabJobs(t, "shards.gitlab-ci.yml")
	build, shard, merge := jobs["conform:build"], jobs["conform:shard"], jobs["conform:merge"]
	judged := serve(t, "transport-null-in-version")
	// GitLab keeps the authority in a variable of the type File.
	env := append(judged.environment(), "CONFORM_CA_CERT="+judged.caFile)

	built := t.TempDir()
	if o := script(t, root, append(os.Environ(), "CI_PROJECT_DIR="+built), ofThisTree(t, build.Script)); o.code != 0 {
		t.Fatalf("building: exit %d\n%s", o.code, o.output)
	}
	gate := t.TempDir()
	build.keep(t, built, gate)

	var playing errgroup.Group
	playing.SetLimit(atOnce)
	codes, folders := make([]int, shard.Parallel), make([]string, shard.Parallel)
	for i := range codes {
		folders[i] = t.TempDir()
		build.keep(t, built, folders[i])
		node := []string{"CI_NODE_INDEX=" + strconv.Itoa(i+1), "CI_NODE_TOTAL=" + strconv.Itoa(shard.Parallel)}
		playing.Go(func() error {
			codes[i] = script(t, folders[i], append(node, env...), strings.Join(shard.Script, "\n")).code
			return nil
		})
	}
	playing.Wait()
	for _, folder := range folders {
		shard.keep(t, folder, gate)
	}
	if !slices.Contains(codes, 1) || slices.Max(codes) > 1 {
		t.Errorf("the shards' exit codes are %v", codes)
	}

	o := script(t, gate, nil, strings.Join(merge.Script, "\n"))
	kept := t.TempDir()
	merge.keep(t, gate, kept)
	o.read(t, filepath.Join(kept, "conform-files", "report.json"))
	o.equals(t, judged.whole(t))
	junit, err := os.ReadFile(filepath.Join(kept, merge.Artifacts.Reports["junit"]))
	if err != nil {
		t.Fatal(err)
	}
	var suites struct {
		Failures int `xml:"failures,attr"`
	}
	if err := xml.Unmarshal(junit, &suites); err != nil || suites.Failures == 0 {
		t.Errorf("the JUnit report tells of %d failures (%v)", suites.Failures, err)
	}
}

// serverOfTheTests makes the lines of a template that are to be changed work: a server that
// is built, and started by the command that the template names.
func serverOfTheTests(t *testing.T, dir string) {
	t.Helper()
	server := "#!/bin/sh\nexec " + program("refserver") + ` --http --control off --log off --rate-limit 0 --addr "127.0.0.1:$2" --app-token "$4" $SERVER_FLAGS` + "\n"
	for name, lines := range map[string]string{"build.sh": "#!/bin/sh\nchmod +x prepared && mv prepared server\n", "prepared": server} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(lines), 0o755); err != nil {
			t.Fatal(err)
		}
	}
}

// TestGitLabJobStartsTheServer plays the one job of the template.
func TestGitLabJobStartsTheServer(t *testing.T) {
	t.Parallel()
	jobs := gitlabJobs(t, "conformance.gitlab-ci.yml")
	judge := jobs["conform"]
	if len(jobs) != 4 || len(judge.Rules) != 2 || judge.AllowFailure != nil || judge.Artifacts.When != "always" {
		t.Errorf("%d jobs; the one that judges: %+v", len(jobs), judge)
	}
	dir := t.TempDir()
	serverOfTheTests(t, dir)
	if err := copyFile(program("conform"), filepath.Join(dir, "conform-files", "conform")); err != nil {
		t.Fatal(err)
	}
	o := script(t, dir, []string{"CI=true", "CONFORM_RATE=" + rate}, strings.Join(judge.Script, "\n"))
	kept := t.TempDir()
	judge.keep(t, dir, kept)
	o.read(t, filepath.Join(kept, "conform-files", "report.json"))
	if o.code != 0 || o.report.Verdict != "conformant" || o.report.Target.Embedded {
		t.Errorf("exit %d\n%s", o.code, o.output)
	}
}

// ofThisTree makes lines that install a published version install this one.
func ofThisTree(t *testing.T, lines []string) string {
	t.Helper()
	text := strings.Join(lines, "\n")
	published := "github.com/socialfeed/conform/cmd/conform@latest"
	if strings.Count(text, published) != 1 {
		t.Fatalf("%s is not installed once:\n%s", published, text)
	}
	list := exec.CommandContext(t.Context(), "go", "list", "-m")
	list.Dir = root // the folder of this test is a module of its own
	module, err := list.Output()
	if err != nil || !strings.HasPrefix(published, strings.TrimSpace(string(module))+"/") {
		t.Fatalf("%s is not of the module %s (%v)", published, module, err)
	}
	return strings.ReplaceAll(text, "@latest", "")
}

// TestGitLabGate sees that the job that gates is the merge, whatever became of the shards.
func TestGitLabGate(t *testing.T) {
	jobs := gitlabJobs(t, "shards.gitlab-ci.yml")
	shard, merge := jobs["conform:shard"], jobs["conform:merge"]
	if fmt.Sprint(shard.AllowFailure) != "map[exit_codes:[1 3]]" || merge.AllowFailure != nil {
		t.Errorf("shards may exit with %v, the merge with %v", shard.AllowFailure, merge.AllowFailure)
	}
	if merge.When != "always" || shard.Artifacts.When != "always" || merge.Artifacts.When != "always" {
		t.Errorf("the merge runs %s; reports are kept %s and %s", merge.When, shard.Artifacts.When, merge.Artifacts.When)
	}
}
