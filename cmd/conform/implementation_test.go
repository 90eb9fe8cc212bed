package main

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"github.com/socialfeed/conform/conformance/result"
)

// TestImplementation names the server by a flag, a variable and the configuration file.
func TestImplementation(t *testing.T) {
	t.Parallel()
	s := newSite(t, sound+"quiet: true\nreport: [json=out.json]\nimplementation:\n  name: Feeds\n  version: 1.10\n  contact: https://example.com/team\n")
	for _, c := range []struct {
		name        string
		environment []string
		args        []string
		want        result.Implementation
	}{
		{"file", nil, nil, result.Implementation{Name: "Feeds", Version: "1.10", Contact: "https://example.com/team"}},
		{"variable", []string{"CONFORM_IMPLEMENTATION=name=Other,commit=abc"}, nil, result.Implementation{Name: "Other", Commit: "abc"}},
		{"flag", nil, []string{"--implementation", "name=Third Feeds,version=2", "--implementation", "commit=def"}, result.Implementation{Name: "Third Feeds", Version: "2", Commit: "def"}},
	} {
		s.conform(t, c.environment, append(c.args, "--config", "conform.yaml")...).wants(t, exitConformant)
		var r result.Report
		if err := json.Unmarshal([]byte(read(t, filepath.Join(s.folder, "out.json"))), &r); err != nil {
			t.Fatal(err)
		}
		if r.Implementation == nil || *r.Implementation != c.want {
			t.Errorf("%s: %+v, want %+v", c.name, r.Implementation, c.want)
		}
	}
}

func TestImplementationsThatAreRefused(t *testing.T) {
	t.Parallel()
	for text, says := range map[string]string{
		"nam=Feeds":                         "--implementation: there is no \"nam\"; did you mean name?",
		"name=a,name=b":                     "name is given twice",
		"name=":                             "name is empty",
		"Feeds":                             "KEY=VALUE is wanted",
		"name=<b>":                          "name begins with a letter",
		"commit=" + strings.Repeat("a", 65): "commit is longer than 64 bytes",
	} {
		o := conform(t, "--self", "--implementation", text)
		o.says(t, exitUsage, says)
		if strings.Count(strings.TrimSpace(o.stderr), "\n") > 0 {
			t.Errorf("%s: more than a line: %s", text, o.stderr)
		}
	}
	s := newSite(t, sound+"implementation: Feeds\n")
	s.conform(t, nil, "--config", "conform.yaml").says(t, exitUsage, "implementation: a map is wanted")
}
