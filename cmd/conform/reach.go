package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"syscall"
)

// reach is the part of the file system in which a setting may name files.
type reach interface {
	OpenFile(name string, flag int, mode fs.FileMode) (*os.File, error)
	Stat(name string) (fs.FileInfo, error)
	Lstat(name string) (fs.FileInfo, error)
	Rename(from, to string) error
	Remove(name string) error
	MkdirAll(name string, mode fs.FileMode) error
	OpenDir(name string) (*os.File, error)
}

// reach is where the file of a setting may lie: anywhere, where a person named it. A
// configuration file that is merely found in the working folder, and a default, reach only what is
// inside that folder.
func (s *settings) reach(flag string) reach {
	switch {
	case s.isFound(flag):
		return folder{".", fmt.Sprintf("to reach a file outside, say --%s, or --config %s", flag, s.configFile)}
	case s.from[flag] == fromDefault && flag == "corpus":
		return folder{".", "to reach a file outside, say --" + flag}
	}
	return anywhere{}
}

// checkWatched refuses to watch what a found configuration file may not reach.
func (s *settings) checkWatched() error {
	for _, path := range s.watch {
		if _, err := s.reach("watch").Stat(path); err != nil && !ofSystem(err) {
			return fmt.Errorf("%s: %w", s.origin("watch"), err)
		}
	}
	return nil
}

// reachOfConfig is where the configuration file itself may lie.
func (s *settings) reachOfConfig() reach {
	if s.configFound {
		return folder{".", "to read a file outside, say --config " + s.configFile}
	}
	return anywhere{}
}

// isFound reports whether a setting is that of a configuration file that is merely found in the
// working folder: nobody named it.
func (s *settings) isFound(flag string) bool { return s.configFound && s.from[flag] == fromFile }

// anywhere is the whole file system.
type anywhere struct{}

func (anywhere) OpenFile(name string, flag int, mode fs.FileMode) (*os.File, error) {
	return os.OpenFile(name, flag, mode)
}
func (anywhere) Stat(name string) (fs.FileInfo, error)        { return os.Stat(name) }
func (anywhere) Lstat(name string) (fs.FileInfo, error)       { return os.Lstat(name) }
func (anywhere) Rename(from, to string) error                 { return os.Rename(from, to) }
func (anywhere) Remove(name string) error                     { return os.Remove(name) }
func (anywhere) MkdirAll(name string, mode fs.FileMode) error { return os.MkdirAll(name, mode) }
func (anywhere) OpenDir(name string) (*os.File, error)        { return os.Open(name) }

// folder is the inside of one folder. Whatever leads out of it, an absolute path, “..” or a
// link, is an error when the file is used: there is no moment between a check and the use.
type folder struct {
	path  string
	allow string // what a person says to reach further, for errors
}

func (f folder) OpenFile(name string, flag int, mode fs.FileMode) (file *os.File, err error) {
	err = f.in(name, func(root *os.Root) (err error) {
		file, err = root.OpenFile(name, flag|syscall.O_NONBLOCK, mode) // opening a pipe does not wait
		return err
	})
	if err != nil {
		return nil, err
	}
	if info, err := file.Stat(); err != nil || !info.Mode().IsRegular() {
		file.Close()
		return nil, fmt.Errorf("%s is not a regular file", name)
	}
	return file, nil
}

func (f folder) OpenDir(name string) (dir *os.File, err error) {
	err = f.in(name, func(root *os.Root) (err error) {
		dir, err = root.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
		return err
	})
	return dir, err
}

func (f folder) Stat(name string) (info fs.FileInfo, err error) {
	err = f.in(name, func(root *os.Root) (err error) { info, err = root.Stat(name); return err })
	return info, err
}

func (f folder) Lstat(name string) (info fs.FileInfo, err error) {
	err = f.in(name, func(root *os.Root) (err error) { info, err = root.Lstat(name); return err })
	return info, err
}

func (f folder) Rename(from, to string) error {
	return f.in(to, func(root *os.Root) error { return root.Rename(from, to) })
}

func (f folder) Remove(name string) error {
	return f.in(name, func(root *os.Root) error { return root.Remove(name) })
}

func (f folder) MkdirAll(name string, mode fs.FileMode) error {
	return f.in(name, func(root *os.Root) error { return root.MkdirAll(name, mode) })
}

// in does something with a file inside the folder, and explains why the folder refuses it.
func (f folder) in(name string, do func(*os.Root) error) error {
	root, err := os.OpenRoot(f.path)
	if err != nil {
		return err
	}
	defer root.Close()
	err = do(root)
	if err != nil && !ofSystem(err) {
		return fmt.Errorf("%s leads out of the folder: %s", name, f.allow)
	}
	if at, ok := errors.AsType[*fs.PathError](err); ok {
		at.Op = strings.TrimSuffix(at.Op, "at") // as a person knows it: open, not openat
	}
	return err
}

// ofSystem reports whether an error is the operating system's, and not that a path leads out of
// a folder.
func ofSystem(err error) bool {
	return errors.As(err, new(syscall.Errno)) || errors.Is(err, fs.ErrNotExist)
}
