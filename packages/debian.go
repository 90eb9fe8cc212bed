package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
)

// commands are the programs of a package for an operating system.
func commands() []string { return []string{"conform", "refserver"} }

// packDebian writes a Debian package with both commands, their manual pages and completions, for each Linux platform in the
// folder that has both. It needs dpkg-deb; without it, there is none.
func (r release) packDebian(programs, out string) error {
	if _, err := exec.LookPath("dpkg-deb"); err != nil {
		fmt.Fprintln(os.Stderr, "packages: no Debian package: there is no dpkg-deb")
		return nil
	}
	for _, p := range platforms() {
		if p.goos != "linux" || !hasCommands(programs, p) {
			continue
		}
		if err := r.packDebianFor(p, programs, out); err != nil {
			return fmt.Errorf("packing for Debian on %s: %w", p.goarch, err)
		}
	}
	return nil
}

// hasCommands reports whether a folder has both commands for a platform.
func hasCommands(programs string, p platform) bool {
	for _, command := range commands() {
		if _, err := os.Stat(commandFile(programs, command, p)); err != nil {
			return false
		}
	}
	return true
}

func commandFile(programs, command string, p platform) string {
	return filepath.Join(programs, command+"-"+p.goos+"-"+p.goarch+p.suffix())
}

func (r release) packDebianFor(p platform, programs, out string) error {
	root, err := os.MkdirTemp("", "debian-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(root)
	for _, command := range commands() {
		if err := stage(root, command, p, programs); err != nil {
			return err
		}
	}
	control := "Package: conform\nVersion: " + debianVersion(r.npmVersion) + "\nArchitecture: " + p.goarch + `
Section: devel
Priority: optional
Maintainer: The conform authors <conform@example.com>
Description: tests servers and clients of the Social Activity Feed Service
 conform tests a server against the contract of the service, rule by rule.
 refserver is the reference server, a local fake for developing clients.
`
	for name, text := range map[string]string{"DEBIAN/control": control, "usr/share/doc/conform/copyright": string(r.license)} {
		if err := put(filepath.Join(root, name), []byte(text), 0o644); err != nil {
			return err
		}
	}
	build := exec.Command("dpkg-deb", "--root-owner-group", "-Zgzip", "--build", root, out)
	build.Env = append(os.Environ(), "SOURCE_DATE_EPOCH="+strconv.FormatInt(packed().Unix(), 10))
	if said, err := build.CombinedOutput(); err != nil {
		return fmt.Errorf("dpkg-deb: %w: %s", err, bytes.TrimSpace(said))
	}
	return nil
}

// stage copies a command, its manual pages and its completions into the tree of a package. The command of this machine
// writes the texts, which are the same everywhere.
func stage(root, command string, p platform, programs string) error {
	text, err := os.ReadFile(commandFile(programs, command, p))
	if err != nil {
		return err
	}
	if err := put(filepath.Join(root, "usr/bin", command), text, 0o755); err != nil {
		return err
	}
	speaker, err := filepath.Abs(commandFile(programs, command, platform{goos: runtime.GOOS, goarch: runtime.GOARCH}))
	if err != nil {
		return err
	}
	manual := filepath.Join(root, "usr/share/man/man1")
	if err := os.MkdirAll(manual, 0o755); err != nil {
		return err
	}
	if said, err := exec.Command(speaker, "man", manual).CombinedOutput(); err != nil {
		return fmt.Errorf("%s man: %w: %s", command, err, bytes.TrimSpace(said))
	}
	for shell, path := range map[string]string{
		"bash": "bash-completion/completions/" + command, "zsh": "zsh/vendor-completions/_" + command, "fish": "fish/vendor_completions.d/" + command + ".fish",
	} {
		completion, err := exec.Command(speaker, "completion", shell).Output()
		if err != nil {
			return fmt.Errorf("%s completion %s: %w", command, shell, err)
		}
		if err := put(filepath.Join(root, "usr/share", path), completion, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// put writes a file and the folders that it needs.
func put(path string, data []byte, mode os.FileMode) error {
	return errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, data, mode))
}

// debianVersion is a version as Debian orders them: what comes before a release follows a tilde.
func debianVersion(version string) string { return strings.Replace(version, "-", "~", 1) }
