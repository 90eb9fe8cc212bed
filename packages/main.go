// Command packages packs the refserver programs of a folder for npm and for pip: a package for each platform
// with its program inside, and one for JavaScript that depends on those. With both commands in the folder it also writes
// Debian packages and a Homebrew formula. See make packages and make release.
package main

import (
	"debug/buildinfo"
	"flag"
	"fmt"
	"os"
	"path/filepath"
)

func main() {
	programs := flag.String("programs", "dist", "`DIR` with the programs, named refserver-OS-ARCH as make release names them")
	out := flag.String("out", "dist", "`DIR` to write the packages to")
	flag.Parse()
	if err := pack(".", *programs, *out); err != nil {
		fmt.Fprintln(os.Stderr, "packages:", err)
		os.Exit(1)
	}
}

// release holds the data that all packages of one version share.
type release struct {
	npmVersion, pythonVersion string
	license                   []byte
}

// pack packs the programs in a folder, with the sources of a clone of this repository.
func pack(clone, programs, out string) error {
	found, err := findPrograms(programs)
	if err != nil {
		return err
	}
	r, err := newRelease(clone, found[0])
	if err != nil {
		return err
	}
	if err := r.pack(clone, found, out); err != nil {
		return err
	}
	if err := r.packDebian(programs, out); err != nil {
		return err
	}
	return r.packHomebrew(programs, out)
}

// pack packs these programs.
func (r release) pack(clone string, found []program, out string) error {
	wheel, err := readWheelSources(filepath.Join(clone, "packages", "python"))
	if err != nil {
		return err
	}
	for _, p := range found {
		if err := r.packPlatform(p, out); err != nil {
			return fmt.Errorf("packing %s for npm: %w", p.path, err)
		}
		if err := r.packWheel(wheel, p, out); err != nil {
			return fmt.Errorf("packing %s for pip: %w", p.path, err)
		}
	}
	if err := r.packJavaScript(filepath.Join(clone, "packages", "npm"), found, out); err != nil {
		return fmt.Errorf("packing the npm package: %w", err)
	}
	return nil
}

// newRelease reads the version from a program: its commit has made it.
func newRelease(clone string, p program) (release, error) {
	info, err := buildinfo.ReadFile(p.path)
	if err != nil {
		return release{}, fmt.Errorf("reading the version: %w", err)
	}
	r := release{npmVersion: npmVersion(info.Main.Version)}
	if r.pythonVersion, err = pythonVersion(info.Main.Version); err != nil {
		return release{}, err
	}
	r.license, err = os.ReadFile(filepath.Join(clone, "LICENSE"))
	return r, err
}
