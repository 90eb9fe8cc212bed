package main

import (
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/socialfeed/conform/conformance/report"
	"github.com/socialfeed/conform/conformance/result"
	"github.com/spf13/cobra"
)

const maxFile = 1 << 20 // the largest file that a setting may name, in bytes

// readBounded reads a file of at most maxFile.
func readBounded(in reach, path string) ([]byte, error) {
	file, err := in.OpenFile(path, os.O_RDONLY, 0)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	data, err := io.ReadAll(io.LimitReader(file, maxFile+1))
	if err == nil && len(data) > maxFile {
		err = fmt.Errorf("%s is longer than %d bytes", path, maxFile)
	}
	return data, err
}

// writeFile writes a file atomically, by renaming a temporary one. A link, pipe or
// device, and a file that cannot be replaced, is written in place.
func writeFile(in reach, path string, write func(io.Writer) error) error {
	if draft := draftOf(in, path); draft != nil {
		defer in.Remove(draft.path) // it still exists only after an error
		if err := errors.Join(write(draft), draft.Close()); err != nil {
			return err
		}
		if in.Rename(draft.path, path) == nil {
			return nil
		}
	}
	file, err := in.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, anyMode)
	if err != nil {
		return err
	}
	return errors.Join(write(file), file.Close())
}

const anyMode = 0o666 // of a file, less the umask

// draft is a temporary file beside the one that it is to replace.
type draft struct {
	*os.File
	path string
}

func newDraft(in reach, path string) (*draft, error) {
	beside := filepath.Join(filepath.Dir(path), "."+filepath.Base(path)+"."+rand.Text()+".tmp")
	file, err := in.OpenFile(beside, os.O_WRONLY|os.O_CREATE|os.O_EXCL, anyMode)
	if err != nil {
		return nil, err
	}
	return &draft{file, beside}, nil
}

// draftOf makes a temporary file to replace another, with its mode; nil where the file must be
// written in place or its folder cannot be written.
func draftOf(in reach, path string) *draft {
	old, err := in.Lstat(path)
	replaces := err == nil
	if replaces && (!old.Mode().IsRegular() || !canWrite(in, path)) || !replaces && !errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	d, err := newDraft(in, path)
	if err != nil {
		return nil
	}
	if replaces && d.Chmod(old.Mode().Perm()) != nil {
		d.Close()
		in.Remove(d.path)
		return nil
	}
	return d
}

// canWrite reports whether a file is writable: a protected one is not replaced either.
func canWrite(in reach, path string) bool {
	file, err := in.OpenFile(path, os.O_WRONLY, 0)
	return err == nil && file.Close() == nil
}

// mayWrite checks before a run that a file can be written. It leaves nothing behind.
func mayWrite(in reach, path string) error {
	info, err := in.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		d, err := newDraft(in, path)
		if err != nil {
			return fmt.Errorf("the folder %s cannot be written to", filepath.Dir(path))
		}
		return errors.Join(d.Close(), in.Remove(d.path))
	case err == nil && info.Mode().IsRegular() && !canWrite(in, path):
		return fmt.Errorf("%s cannot be written to", path)
	}
	return nil
}

// writeTo writes to a file that the command line names, or to stdout for "-".
func writeTo(path string, std streams, write func(io.Writer) error) error {
	if path == "-" {
		return write(std.out)
	}
	return writeFile(anywhere{}, path, write)
}

// noClobber refuses a file that exists, unless forced, and one that cannot be written.
func noClobber(path string, force bool) error {
	if path == "-" {
		return nil
	}
	if info, err := os.Stat(filepath.Dir(path)); err != nil || !info.IsDir() {
		return fmt.Errorf("there is not a folder %s to write %s to", filepath.Dir(path), filepath.Base(path))
	}
	if _, err := os.Stat(path); err == nil && !force {
		return fmt.Errorf("%s is there already: --force writes over it, -o names another file", path)
	}
	return mayWrite(anywhere{}, path)
}

// readReport reads a JSON report that the command line names, or stdin for "-".
func readReport(path string, std streams) (*result.Report, error) {
	return readReportIn(anywhere{}, path, std)
}

func readReportIn(in reach, path string, std streams) (*result.Report, error) {
	r, err := readFrom(in, path, std, report.ReadJSON)
	if errors.As(err, new(*json.SyntaxError)) {
		err = fmt.Errorf("%w; --report json=FILE writes what is read here", err)
	}
	return r, err
}

// ofReport is a command's work on the JSON report that its first argument names.
func ofReport(std streams, do func(cmd *cobra.Command, r *result.Report) error) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) error {
		r, err := readReport(args[0], std)
		if err != nil {
			return err
		}
		return do(cmd, r)
	}
}

// readFrom reads what a file holds, or stdin for "-".
func readFrom[T any](in reach, path string, std streams, read func(io.Reader) (T, error)) (content T, err error) {
	if path == "-" {
		return read(std.in)
	}
	file, err := in.OpenFile(path, os.O_RDONLY, 0)
	if err != nil {
		return content, err // os errors name the file
	}
	defer file.Close()
	if content, err = read(file); err != nil {
		return content, fmt.Errorf("%s: %w", path, err)
	}
	return content, nil
}
