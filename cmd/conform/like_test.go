package main

import (
	"bufio"
	"maps"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/refserver"
)

// startRefserver starts the fake over HTTP up to the end of the test, and returns its URL.
func startRefserver(t *testing.T, flags ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), program("refserver"),
		append([]string{"--http", "--control", "off", "--log", "off", "--rate-limit", "0", "--addr", "127.0.0.1:0", "--print", "text"}, flags...)...)
	cmd.Stderr = t.Output()
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	launch(t, cmd)
	lines := bufio.NewScanner(stdout)
	for lines.Scan() {
		if _, url, found := strings.Cut(lines.Text(), "base URL:"); found {
			return strings.TrimSpace(url)
		}
	}
	t.Fatalf("the fake ended without its URL: %v", lines.Err())
	return ""
}

// The fake is like the server of a report: a run says the same of it. An ordinary run tries some
// dialects; LIKE_EVERY_DIALECT=1 tries all.
func TestTheFakeIsLikeTheServerOfAReport(t *testing.T) {
	t.Parallel()
	every := os.Getenv("LIKE_EVERY_DIALECT") != ""
	for _, dialect := range refserver.Dialects() {
		if some := "terse strict-input aliases"; !every && !strings.Contains(some, dialect.Name) {
			continue
		}
		t.Run(dialect.Name, func(t *testing.T) {
			t.Parallel()
			flags := []string{"--app-token", appToken, "--allow-http", "--level", "choice", "--base-url"}
			real := judged(t, append(flags, startRefserver(t, "--app-token", appToken, "--dialect", dialect.Name))...)
			report := file(t, []byte(real.written))
			fake := judged(t, append(flags, startRefserver(t, "--app-token", appToken, "--like", report))...)
			if got, want := choicesOf(fake.report), choicesOf(real.report); !maps.Equal(got, want) || len(want) < 29 {
				t.Errorf("choices %v\nwant %v", got, want)
			}
		})
	}
}

// choicesOf are the answers to each rule at each endpoint. Where ids of a form were seen depends on what a
// run had to ask.
func choicesOf(r *result.Report) map[result.Choice]bool {
	all := map[result.Choice]bool{}
	for _, choice := range r.Choices {
		if strings.HasSuffix(choice.Rule, ".id-type") && strings.Contains(choice.Answer, " at ") {
			choice.Answer = "mixed"
		}
		all[choice] = true
	}
	return all
}

// What is not a report on a server is no server to be like.
func TestUsageOfLike(t *testing.T) {
	t.Parallel()
	for text, says := range map[string]string{"": "not the JSON report", `{"schema":"conform.report/v1"}`: "records no choice"} {
		out, err := exec.CommandContext(t.Context(), program("refserver"), "--addr", "127.0.0.1:0", "--like", file(t, []byte(text))).CombinedOutput()
		if err == nil || !strings.Contains(string(out), says) {
			t.Errorf("%q: %v: %s", text, err, out)
		}
	}
}
