package main

import (
	"bufio"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// shardsOf plays the shards of a small run, and returns their reports by number.
func shardsOf(t *testing.T, shards ...string) []string {
	t.Helper()
	var reports []string
	for _, shard := range shards {
		reports = append(reports, judged(t, quickly("--shard", shard)...).written)
	}
	return reports
}

// put writes files into a folder, each there as a whole or not at all.
func put(t *testing.T, folder string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		written := file(t, []byte(text))
		if err := os.Rename(written, filepath.Join(folder, name)); err != nil {
			t.Fatal(err)
		}
	}
}

// TestMergeTakesFoldersAndPatterns names the same reports in all ways; what no
// shell has expanded is expanded here.
func TestMergeTakesFoldersAndPatterns(t *testing.T) {
	t.Parallel()
	shards := shardsOf(t, "1/3", "2/3", "3/3")
	whole := judged(t, quickly("--seed", "1")...)
	folder := filepath.Join(t.TempDir(), "[odd]*name")
	if err := os.MkdirAll(filepath.Join(folder, "folder.json"), 0o755); err != nil {
		t.Fatal(err)
	}
	put(t, folder, map[string]string{"a.json": shards[0], "b.json": shards[1], "c.json": shards[2], ".c.json.x.tmp": "{", "notes.txt": "x"})
	plain := t.TempDir()
	put(t, plain, map[string]string{"shard-1.json": shards[0], "shard-2.json": shards[1], "shard-3.json": shards[2], "report.json": "{}"})
	for _, named := range [][]string{
		{folder},
		{filepath.Join(plain, "shard-*.json")},
		{filepath.Join(plain, "shard-[12].json"), filepath.Join(folder, "c.json")},
		{filepath.Join(plain, "shard-?.json"), "--wait", "1h"},
		{folder, "--wait", "1h"},
	} {
		o := judged(t, append([]string{"merge"}, named...)...)
		o.wants(t, exitConformant)
		if o.stderr != "" || !slices.Equal(outcomes(o.report), outcomes(whole.report)) {
			t.Errorf("merge %v says %q, and is not the whole run", named, o.stderr)
		}
	}
}

// TestMergeRefuses says in one line what is not to be merged, by the names of the files.
func TestMergeRefuses(t *testing.T) {
	t.Parallel()
	shards := shardsOf(t, "1/3", "2/3", "3/3", "1/2")
	whole := judged(t, quickly()...).written
	for name, wrong := range map[string]struct {
		files map[string]string
		args  []string // beside the folder
		says  []string
	}{
		"an empty folder":           {nil, nil, []string{"no report in"}},
		"a file that is not there":  {map[string]string{"a.json": shards[0]}, []string{"none.json"}, []string{"none.json"}},
		"a pattern without a match": {map[string]string{"a.json": shards[0]}, []string{"none-*.json"}, []string{"no report in none-*.json"}},
		"a pattern that is none":    {map[string]string{"a.json": shards[0]}, []string{"[.json"}, []string{`"[.json" is neither a file nor a pattern`}},
		"a foreign file":            {map[string]string{"a.json": shards[0], "package.json": `{"name":"x"}`}, nil, []string{"package.json", "schema"}},
		"half a report":             {map[string]string{"a.json": shards[0][:500]}, nil, []string{"a.json", "it is cut off"}},
		"a whole run":               {map[string]string{"a.json": shards[0], "old.json": whole}, []string{"--wait", "1h"}, []string{"old.json is of no shard"}},
		"an earlier run's report":   {map[string]string{"a.json": shards[0], "old.json": shards[0]}, []string{"--wait", "1h"}, []string{"shard 1/3", "a.json", "old.json"}},
		"other shards":              {map[string]string{"a.json": shards[1], "old.json": shards[3]}, []string{"--wait", "1h"}, []string{"a.json is of shard 2/3", "old.json of shard 1/2"}},
		"another seed":              {map[string]string{"a.json": shards[0], "b.json": strings.Replace(shards[1], `"seed": 1`, `"seed": 2`, 1)}, []string{"--wait", "1h"}, []string{"differ in the seed"}},
		"a wait for stdin":          {map[string]string{"a.json": shards[0]}, []string{"-", "--wait", "1s"}, []string{"stdin cannot be waited for"}},
		"a wait below zero":         {map[string]string{"a.json": shards[0]}, []string{"--wait", "-1s"}, []string{"below zero"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			folder := t.TempDir()
			put(t, folder, wrong.files)
			o := conform(t, append([]string{"merge", folder}, wrong.args...)...)
			o.says(t, exitUsage, wrong.says...)
			o.fewLines(t, 1)
		})
	}
}

// merging is a merge that waits, line by line of what it says.
type merging struct {
	cmd   *exec.Cmd
	lines *bufio.Scanner
	out   io.Reader
}

func mergeLater(t *testing.T, args ...string) *merging {
	t.Helper()
	m := &merging{cmd: command(t, append([]string{"merge", "--report", "text=-"}, args...)...)}
	said, err := m.cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if m.out, err = m.cmd.StdoutPipe(); err != nil {
		t.Fatal(err)
	}
	m.lines = bufio.NewScanner(said)
	launch(t, m.cmd)
	return m
}

// says waits for the next line, which is to hold some words.
func (m *merging) says(t *testing.T, words string) {
	t.Helper()
	if !m.lines.Scan() || !strings.Contains(m.lines.Text(), words) {
		t.Fatalf("%q is said, want %q (%v)", m.lines.Text(), words, m.lines.Err())
	}
}

// ends waits for the end.
func (m *merging) ends(t *testing.T, code int) (stdout string) {
	t.Helper()
	if m.lines.Scan() {
		t.Errorf("more is said: %s", m.lines.Text())
	}
	text, err := io.ReadAll(m.out)
	if err != nil {
		t.Fatal(err)
	}
	m.cmd.Wait()
	if got := m.cmd.ProcessState.ExitCode(); got != code {
		t.Errorf("exit %d, want %d\n%s", got, code, text)
	}
	return string(text)
}

// TestMergeWaits is there before the folder is; reports come one after the other,
// the last one by halves and after a try that was cut off.
func TestMergeWaits(t *testing.T) {
	t.Parallel()
	shards := shardsOf(t, "1/3", "2/3", "3/3")
	cut := judged(t, quickly("--shard", "3/3", "--timeout", "1ns")...)
	cut.wants(t, exitNoVerdict)
	folder := filepath.Join(t.TempDir(), "reports")
	m := mergeLater(t, folder, "--wait", "1h")
	m.says(t, "waiting up to 1h0m0s for the reports of shards: none is there")
	if err := os.Mkdir(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	put(t, folder, map[string]string{"c.json": shards[2][:len(shards[2])/2], "a.json": shards[0]})
	m.says(t, "1 of 3 are there")
	put(t, folder, map[string]string{"c.json": cut.written, "b.json": shards[1]})
	for m.lines.Scan() && !strings.Contains(m.lines.Text(), "3 of 3 are there, but shard 3/3 was cut off") {
	}
	put(t, folder, map[string]string{"c.json": shards[2]})
	if text := m.ends(t, exitConformant); !strings.Contains(text, "CONFORMANT") || strings.Contains(text, "missing") {
		t.Errorf("the report reads\n%s", text)
	}
}

// TestMergeWaitsNoLonger is left alone by some shards, or by all.
func TestMergeWaitsNoLonger(t *testing.T) {
	t.Parallel()
	const wait = "400ms"
	shards := shardsOf(t, "1/3", "3/3")
	some := t.TempDir()
	put(t, some, map[string]string{"a.json": shards[0], "b.json": shards[1][:100], "c.json": shards[1]})
	o := conform(t, "merge", some, "--wait", wait)
	o.says(t, exitNoVerdict, "NO VERDICT", "shard 2/3 is missing", "left out", "b.json", "it is cut off")
	conform(t, "merge", some, "--wait", wait, "--quiet").says(t, exitNoVerdict, "left out", "b.json")

	none := t.TempDir()
	put(t, none, map[string]string{"b.json": shards[1][:100]})
	out := filepath.Join(t.TempDir(), "report.json")
	o = conform(t, "merge", none, "--wait", wait, "--quiet", "-o", out)
	o.says(t, exitUsage, "waited "+wait, "b.json", "it is cut off")
	o.fewLines(t, 1)
	if exists(out) {
		t.Error("there is a report of nothing")
	}
}

// TestMergeIsInterrupted ends the waiting by hand: nothing is reported.
func TestMergeIsInterrupted(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	put(t, folder, map[string]string{"a.json": shardsOf(t, "1/3")[0]})
	m := mergeLater(t, folder, "--wait", "1h")
	m.says(t, "1 of 3 are there")
	m.cmd.Process.Signal(os.Interrupt)
	m.says(t, "interrupted while waiting for the reports of shards: 1 of 3 are there")
	if text := m.ends(t, exitNoVerdict); text != "" {
		t.Errorf("a report is written:\n%s", text)
	}
}
