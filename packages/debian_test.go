package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/socialfeed/conform/internal/testkit"
)

// TestDebianPackageIsInstalled unpacks a Debian package as dpkg does, and runs what is in it.
func TestDebianPackageIsInstalled(t *testing.T) {
	t.Parallel()
	testkit.Needs(t, "dpkg-deb")
	programs, out := t.TempDir(), t.TempDir()
	here := packedProgram(t)
	refserver, err := os.ReadFile(here)
	if err != nil {
		t.Fatal(err)
	}
	// The other command is tested as a program elsewhere: here a copy stands for it.
	for _, name := range []string{filepath.Base(here), strings.Replace(filepath.Base(here), "refserver", "conform", 1)} {
		if err := os.WriteFile(filepath.Join(programs, name), refserver, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := (release{npmVersion: "1.2.3-rc.1", license: []byte("the licence")}).packDebian(programs, out); err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(out, "conform_1.2.3~rc.1_*.deb"))
	if err != nil || len(files) != 1 {
		t.Fatalf("packages: %v, %v", files, err)
	}
	root := t.TempDir()
	if said, err := say(t, root, nil, "dpkg-deb", "-x", files[0], root); err != nil {
		t.Fatal(err, said)
	}
	for _, name := range []string{
		"usr/bin/conform", "usr/share/man/man1/refserver.1", "usr/share/bash-completion/completions/refserver",
		"usr/share/zsh/vendor-completions/_refserver", "usr/share/fish/vendor_completions.d/refserver.fish", "usr/share/doc/conform/copyright",
	} {
		if about, err := os.Stat(filepath.Join(root, name)); err != nil || about.Size() == 0 {
			t.Errorf("%s: %v", name, err)
		}
	}
	if said, err := say(t, root, nil, filepath.Join(root, "usr/bin/refserver"), "exec", "--", "sh", "-c", `test -n "$REFSERVER_URL"`); err != nil {
		t.Error(err, said)
	}
}

// TestHomebrewFormulaHasTheSums compares the formula with the files that it installs, and has Ruby read it.
func TestHomebrewFormulaHasTheSums(t *testing.T) {
	t.Parallel()
	programs, out := t.TempDir(), t.TempDir()
	for _, p := range platforms() {
		for _, command := range commands() {
			if err := os.WriteFile(commandFile(programs, command, p), []byte(command+p.goos+p.goarch), 0o755); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := (release{npmVersion: "1.2.3"}).packHomebrew(programs, out); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(out, "conform.rb")
	formula, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range platforms() {
		for _, command := range commands() {
			file := commandFile(programs, command, p)
			sum, err := sumOf(file)
			if err != nil {
				t.Fatal(err)
			}
			if has := strings.Contains(string(formula), "/v1.2.3/"+filepath.Base(file)+"\"") && strings.Contains(string(formula), sum); has == (p.goos == "windows") {
				t.Errorf("%s in the formula: %t", file, has)
			}
		}
	}
	testkit.Needs(t, "ruby")
	if said, err := say(t, out, nil, "ruby", "-c", path); err != nil {
		t.Error(err, said)
	}
}
