package main

import (
	"os"
	"path/filepath"
	"testing"
)

// TestGrid compares two runs from their files alone.
func TestGrid(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	first, second, out := filepath.Join(folder, "first.json"), filepath.Join(folder, "second.json"), filepath.Join(folder, "public")
	for path, name := range map[string]string{first: "name=Feeds,version=1", second: "name=Feeds,version=2"} {
		conform(t, "--self", "--part", "versions", "--quiet", "--report", "json="+path, "--implementation", name).wants(t, exitConformant)
	}
	conform(t, "grid", first, second, "--out", out).says(t, exitConformant, "index.html")
	for _, name := range []string{"index.html", "feeds.html", "feeds.badge.json", "feeds-2.html", "feeds-2.badge.json"} {
		if read(t, filepath.Join(out, name)) == "" {
			t.Errorf("%s is empty", name)
		}
	}
	broken := filepath.Join(folder, "broken.json")
	if err := os.WriteFile(broken, []byte(`{"schema":"conform.report/v1"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	conform(t, "grid", first, broken, "--out", out).says(t, exitUsage, "it does not follow the schema")
	conform(t, "grid", first).says(t, exitUsage, "--out FOLDER")
	conform(t, "grid", "--out", out).says(t, exitUsage, "grid takes JSON reports")
	conform(t, "grid", first, "--out", broken).says(t, exitUsage, "is not a folder")
}
