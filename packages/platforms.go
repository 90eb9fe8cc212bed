package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// platform is one that programs are built for, under its names in Go, Node and Python.
type platform struct {
	goos, goarch string
	os, cpu      string // as Node has them in process.platform and process.arch
	tag          string // of wheels
}

// platforms are those of a release. The programs need no C library, so one serves glibc and musl; Go
// sets the oldest macOS.
func platforms() []platform {
	return []platform{
		{"linux", "amd64", "linux", "x64", "manylinux_2_17_x86_64.manylinux2014_x86_64.musllinux_1_1_x86_64"},
		{"linux", "arm64", "linux", "arm64", "manylinux_2_17_aarch64.manylinux2014_aarch64.musllinux_1_1_aarch64"},
		{"darwin", "amd64", "darwin", "x64", "macosx_12_0_x86_64"},
		{"darwin", "arm64", "darwin", "arm64", "macosx_12_0_arm64"},
		{"windows", "amd64", "win32", "x64", "win_amd64"},
		{"windows", "arm64", "win32", "arm64", "win_arm64"},
	}
}

// program is a built refserver.
type program struct {
	platform
	path string
}

// file is the program's name inside a package.
func (p platform) file() string { return "refserver" + p.suffix() }

func (p platform) suffix() string {
	if p.goos == "windows" {
		return ".exe"
	}
	return ""
}

// findPrograms finds the programs in a folder, in the order of the platforms.
func findPrograms(dir string) ([]program, error) {
	var found []program
	for _, p := range platforms() {
		path := filepath.Join(dir, "refserver-"+p.goos+"-"+p.goarch+p.suffix())
		_, err := os.Stat(path)
		switch {
		case err == nil:
			found = append(found, program{p, path})
		case !errors.Is(err, fs.ErrNotExist):
			return nil, err
		}
	}
	if len(found) == 0 {
		return nil, fmt.Errorf("there is no program refserver-OS-ARCH in %s", dir)
	}
	return found, nil
}
