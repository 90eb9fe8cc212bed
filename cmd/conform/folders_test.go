package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestReportsIntoAFolder writes results for Allure, in place of those of the run before: what others have put
// there stays.
func TestReportsIntoAFolder(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	dir := filepath.Join(folder, "new", "allure-results")
	own := func() []string {
		t.Helper()
		files, err := filepath.Glob(filepath.Join(dir, "conform-*-result.json"))
		if err != nil {
			t.Fatal(err)
		}
		return files
	}
	path := filepath.Join(folder, "conform.json")
	conform(t, "--self", "--part", "versions", "--quiet", "--report", "allure="+dir, "--report", "json="+path).wants(t, exitConformant)
	all := len(own())
	if all < 5 {
		t.Fatalf("there are %d results", all)
	}
	const ofOthers, old = "11112222-result.json", "conform-00000000000000000000000000000000-result.json"
	for _, name := range []string{ofOthers, old} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("{}"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	conform(t, "report", "allure", path, "-o", dir).wants(t, exitConformant)
	if got := own(); len(got) != all || strings.Contains(strings.Join(got, " "), old) {
		t.Errorf("%d results, want %d", len(got), all)
	}
	if read(t, filepath.Join(dir, ofOthers)) != "{}" {
		t.Error("another program's result is gone")
	}
	for text, says := range map[string]string{
		"allure=-":       "it is a folder of files",
		"allure=" + path: "is not a folder",
	} {
		conform(t, "--self", "--report", text).says(t, exitUsage, says)
	}
	conform(t, "report", "allure", path).says(t, exitUsage, "it is a folder of files")
}

// TestAFoundFileReportsIntoItsFolderAlone has a conform.yaml that merely lies in the folder name a place outside,
// directly and by a link.
func TestAFoundFileReportsIntoItsFolderAlone(t *testing.T) {
	t.Parallel()
	outside := t.TempDir()
	s := newSite(t, "")
	if err := os.Symlink(outside, filepath.Join(s.folder, "link")); err != nil {
		t.Fatal(err)
	}
	for _, place := range []string{outside, "../results", "link/results"} {
		s.write(t, "conform.yaml", "report: ['allure="+place+"']\nself: true\npart: [versions]\n")
		s.conform(t, nil).says(t, exitUsage, "leads out of the folder")
	}
	if left, _ := os.ReadDir(outside); len(left) > 0 {
		t.Errorf("there is %v", left)
	}
}
