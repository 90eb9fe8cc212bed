package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"

	"github.com/socialfeed/conform/conformance/report"
	"github.com/socialfeed/conform/conformance/report/pipeline"
)

// takesFolder checks that a report of several files can be written to a folder, and makes it.
func takesFolder(in reach, path string) error {
	if path == "-" {
		return errors.New("it is a folder of files: name one in place of -")
	}
	switch info, err := in.Stat(path); {
	case err == nil && !info.IsDir():
		return fmt.Errorf("%s is not a folder", path)
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return err
	}
	if err := in.MkdirAll(path, 0o755); err != nil {
		return err
	}
	return mayWrite(in, filepath.Join(path, "conform"))
}

// writeFolder writes a report of several files. Those of an earlier run go, and other files of the
// folder stays as it is.
func writeFolder(in reach, path string, d *report.Document) error {
	old, err := ownFiles(in, path)
	if err != nil {
		return fmt.Errorf("looking for the files of an earlier run in %s: %w", path, err)
	}
	err = d.WriteFolder(func(name string, write func(io.Writer) error) error {
		delete(old, name)
		return writeFile(in, filepath.Join(path, name), write)
	})
	problems := []error{err}
	for name := range old {
		problems = append(problems, in.Remove(filepath.Join(path, name)))
	}
	return errors.Join(problems...)
}

// ownFiles are the regular files in a folder that have the name of a file of such a report.
func ownFiles(in reach, path string) (map[string]bool, error) {
	dir, err := in.OpenDir(path)
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	own := map[string]bool{}
	for {
		entries, err := dir.ReadDir(1000)
		for _, e := range entries {
			if e.Type().IsRegular() && pipeline.OwnFile(e.Name()) {
				own[e.Name()] = true
			}
		}
		if errors.Is(err, io.EOF) {
			return own, nil
		}
		if err != nil {
			return nil, err
		}
	}
}
