package deploy_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/conformance/rules"
)

const (
	jobToken  = "the-job's"
	noteToken = "may-write-notes"
)

// gitlabAPI is as much of GitLab's API as the job with the note calls: the report of the main
// branch, for the job's own token, and the notes of a merge request, for one that may write them.
type gitlabAPI struct {
	before []byte // the report, nil for none
	notes  []gitlabNote
}

type gitlabNote struct {
	ID   int    `json:"id"`
	Body string `json:"body"`
}

func (g *gitlabAPI) serve(t *testing.T) *httptest.Server {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /api/v4/projects/7/jobs/artifacts/main/raw/conform-files/report.json", func(w http.ResponseWriter, r *http.Request) {
		if g.before == nil || r.Header.Get("JOB-TOKEN") != jobToken || r.URL.Query().Get("job") != "conform" {
			http.Error(w, `{"message":"404 Not Found"}`, http.StatusNotFound)
			return
		}
		w.Write(g.before)
	})
	notes := func(change func(w http.ResponseWriter, r *http.Request)) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			if r.Header.Get("PRIVATE-TOKEN") != noteToken {
				http.Error(w, `{"message":"401 Unauthorized"}`, http.StatusUnauthorized)
				return
			}
			change(w, r)
		}
	}
	const path = "/api/v4/projects/8/merge_requests/3/notes"
	mux.HandleFunc("GET "+path, notes(func(w http.ResponseWriter, _ *http.Request) { json.NewEncoder(w).Encode(g.notes) }))
	mux.HandleFunc("POST "+path, notes(func(w http.ResponseWriter, r *http.Request) {
		g.notes = append(g.notes, gitlabNote{len(g.notes) + 301, r.FormValue("body")})
		w.WriteHeader(http.StatusCreated)
	}))
	mux.HandleFunc("PUT "+path+"/{id}", notes(func(_ http.ResponseWriter, r *http.Request) {
		id, err := strconv.Atoi(r.PathValue("id"))
		if err != nil || id < 301 || id > 300+len(g.notes) {
			t.Errorf("there is no note %s", r.PathValue("id"))
			return
		}
		g.notes[id-301].Body = r.FormValue("body")
	}))
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	return server
}

// reportOf is a JSON report in which one rule came out as told.
func reportOf(t *testing.T, status result.Status) []byte {
	t.Helper()
	report := result.Report{Schema: result.Schema, FailOn: rules.Must, Target: result.Target{BaseURL: "http://127.0.0.1:80"},
		Rules: []result.Rule{{ID: "feed.order", Level: rules.Must, Checks: []result.Check{
			{Endpoint: rules.Feed.String(), Status: status, Exchanges: []result.Exchange{}}}}}}
	report.Summary.Requests = map[string]int{}
	report.Summarize()
	data, err := json.Marshal(report)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// TestGitLabNote plays the job that tells a merge request what it broke and mended: one note,
// which is kept up to date, among those of others.
func TestGitLabNote(t *testing.T) {
	for _, tool := range []string{"curl", "jq"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("the job takes %s, which is not here", tool)
		}
	}
	job := gitlabJobs(t, "conformance.gitlab-ci.yml")["conform:note"]
	if rule := fmt.Sprint(job.Rules); job.AllowFailure != true || !strings.Contains(rule, "merge_request_event") || !strings.Contains(rule, "when:always") {
		t.Errorf("it may fail: %v; it is run by %s", job.AllowFailure, rule)
	}
	api := &gitlabAPI{notes: []gitlabNote{{301, `Fine. "id":9,` + "\n<!-- conform -->"}}}
	env := []string{"CI_API_V4_URL=" + api.serve(t).URL + "/api/v4", "CI_PROJECT_ID=7", "CI_MERGE_REQUEST_PROJECT_ID=8", "CI_MERGE_REQUEST_IID=3",
		"CI_DEFAULT_BRANCH=main", "CI_JOB_TOKEN=" + jobToken, "CONFORM_NOTE_TOKEN=" + noteToken}
	play := func(status result.Status) outcome {
		dir := t.TempDir()
		write(t, filepath.Join(dir, "conform-files", "report.json"), reportOf(t, status))
		if err := copyFile(program("conform"), filepath.Join(dir, "conform-files", "conform")); err != nil {
			t.Fatal(err)
		}
		return script(t, dir, env, strings.Join(job.Script, "\n"))
	}
	if o := play(result.Fail); o.code != 0 || !strings.Contains(o.output, "main has no report to compare with yet") || len(api.notes) != 1 {
		t.Errorf("before the main branch was judged: exit %d, %d notes\n%s", o.code, len(api.notes), o.output)
	}
	api.before = reportOf(t, result.Pass)
	for status, says := range map[result.Status]string{result.Fail: "### Newly broken: 1", result.Pass: "Nothing became different"} {
		o := play(status)
		if o.code != 0 || len(api.notes) != 2 || !strings.Contains(api.notes[1].Body, says) || !strings.HasPrefix(api.notes[0].Body, "Fine.") {
			t.Errorf("%s: exit %d, the notes are %+v\n%s", status, o.code, api.notes, o.output)
		}
		if strings.Contains(o.output, noteToken) || strings.Contains(o.output, jobToken) {
			t.Errorf("a token is in the log:\n%s", o.output)
		}
	}
	env = append(env, "CONFORM_NOTE_TOKEN=wrong")
	if o := play(result.Fail); o.code == 0 || !strings.Contains(o.output, "401") {
		t.Errorf("with a token that may not: exit %d\n%s", o.code, o.output)
	}
}
