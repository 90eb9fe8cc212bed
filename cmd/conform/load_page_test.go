package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// loadPage tells what a run does to a target.
const loadPage = "../../docs/judge-a-server.md"

// The page on what a run does to a target has the numbers of a run: those that one of another seed
// could exceed by a fifth are wrong. Nothing of the run stays on the target.
func TestPageTellsWhatARunSends(t *testing.T) {
	t.Parallel()
	target := reference(t, nil)
	path := filepath.Join(t.TempDir(), "run.har")
	conform(t, append(serve(t, target), "--seed", "1", "--rate", "950", "--quiet", "--report", "har="+path)...).wants(t, exitConformant)
	empty(t, target)
	sent := sentIn(t, path)
	page := read(t, loadPage)
	for what, n := range sent {
		told := rowOf(t, page, what)
		if least, most := told*4/5, told*6/5; n < least || n > most {
			t.Errorf("%s: the page says %d, and it were %d", what, told, n)
		}
	}
	busiest := max(sent["in the category writing (POST, PUT, PATCH)"], sent["in the category querying (GET)"], sent["in the category deleting (DELETE)"])
	for _, rate := range []int{1000, 500, 200, 100, 50} {
		told, minutes := rowOf(t, page, strconv.Itoa(rate)), max(0, busiest-1)/rate
		if told < minutes-1-minutes/5 || told > minutes+1+minutes/5 {
			t.Errorf("at %d a minute: the page says %d minutes, and it takes %d", rate, told, minutes)
		}
	}
}

// sentIn counts, by the page's names, what an archive of a run holds.
func sentIn(t *testing.T, path string) map[string]int {
	t.Helper()
	var archive struct {
		Log struct {
			Entries []struct {
				Request  struct{ Method, URL string }
				Response struct{ Status int }
			}
		}
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, &archive); err != nil {
		t.Fatal(err)
	}
	sent := map[string]int{"requests": len(archive.Log.Entries)}
	made := map[string]string{"/0.2/users": "users created", "/0.2/user/connections": "connections created", "/0.2/user/events": "events created"}
	categories := map[string]string{"POST": "in the category writing (POST, PUT, PATCH)", "PUT": "in the category writing (POST, PUT, PATCH)",
		"PATCH": "in the category writing (POST, PUT, PATCH)", "GET": "in the category querying (GET)", "DELETE": "in the category deleting (DELETE)"}
	for _, e := range archive.Log.Entries {
		if category := categories[e.Request.Method]; category != "" {
			sent[category]++
		}
		resource, _, _ := strings.Cut(e.Request.URL, "?")
		for suffix, what := range made {
			if e.Request.Method == "POST" && e.Response.Status == 201 && strings.HasSuffix(resource, suffix) {
				sent[what]++
			}
		}
	}
	return sent
}

// rowOf is the number in a row of a page's table.
func rowOf(t *testing.T, page, name string) int {
	t.Helper()
	row := regexp.MustCompile(`(?m)^\| ` + regexp.QuoteMeta(name) + ` \| ([0-9,]+) \|$`).FindStringSubmatch(page)
	if row == nil {
		t.Fatalf("the page has no row for %s", name)
	}
	n, err := strconv.Atoi(strings.ReplaceAll(row[1], ",", ""))
	if err != nil {
		t.Fatal(err)
	}
	return n
}
