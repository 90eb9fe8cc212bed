package main

import (
	"io"
	"os"
	"path/filepath"
	"testing"
)

// TestReportsAppearWhole replaces a report: who has the old one open goes on reading
// it, and the mode stays. Nothing else is left in the folder.
func TestReportsAppearWhole(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	path, fresh, reference := filepath.Join(folder, "old.json"), filepath.Join(folder, "new.json"), filepath.Join(t.TempDir(), "reference")
	put(t, folder, map[string]string{"old.json": "what stood there"})
	if err := os.Chmod(path, 0o640); err != nil {
		t.Fatal(err)
	}
	old, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer old.Close()
	o := conform(t, quickly("-q", "--report", "json="+path, "--report", "json="+fresh)...)
	o.wants(t, exitConformant)
	o.read(t, path)
	if text, err := io.ReadAll(old); err != nil || string(text) != "what stood there" {
		t.Errorf("the old report became %.100q while it was read (%v)", text, err)
	}
	made, err := os.Create(reference)
	if err != nil {
		t.Fatal(err)
	}
	made.Close()
	for path, want := range map[string]os.FileMode{path: 0o640, fresh: mode(t, reference)} {
		if got := mode(t, path); got != want {
			t.Errorf("%s has the mode %v, want %v", path, got, want)
		}
	}
	if entries, err := os.ReadDir(folder); err != nil || len(entries) != 2 {
		t.Errorf("the folder holds %v (%v)", entries, err)
	}
}

func mode(t *testing.T, path string) os.FileMode {
	t.Helper()
	info, err := os.Lstat(path)
	if err != nil {
		t.Fatal(err)
	}
	return info.Mode()
}

// TestReportsGoThroughLinks writes where a link or a device leads, and leaves it there.
func TestReportsGoThroughLinks(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	link, target := filepath.Join(folder, "link.json"), filepath.Join(folder, "target.json")
	put(t, folder, map[string]string{"target.json": "what stood there"})
	if err := os.Symlink(target, link); err != nil {
		t.Fatal(err)
	}
	o := conform(t, quickly("-q", "--report", "json="+link)...)
	o.wants(t, exitConformant)
	o.read(t, target)
	if mode(t, link)&os.ModeSymlink == 0 {
		t.Error("the link has become a file")
	}
	if !exists("/dev/stdout") {
		return
	}
	stdout, err := os.Create(filepath.Join(folder, "stdout"))
	if err != nil {
		t.Fatal(err)
	}
	defer stdout.Close()
	before := mode(t, "/dev/stdout")
	cmd := command(t, quickly("-q", "--report", "json=/dev/stdout")...)
	cmd.Stdout = stdout
	if err := cmd.Run(); err != nil {
		t.Error(err)
	}
	o.read(t, stdout.Name())
	held, err := stdout.Stat()
	if err != nil {
		t.Fatal(err)
	}
	if named, err := os.Stat(stdout.Name()); err != nil || !os.SameFile(held, named) || mode(t, "/dev/stdout") != before {
		t.Errorf("stdout has been replaced (%v)", err)
	}
}
