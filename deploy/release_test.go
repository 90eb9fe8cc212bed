package deploy_test

import (
	"debug/buildinfo"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// TestReleaseIsReproducible builds a release of the same commit in two folders,
// for this machine and for another, and has the same bytes, which know their commit.
func TestReleaseIsReproducible(t *testing.T) {
	t.Parallel()
	here := runtime.GOOS + "/" + runtime.GOARCH
	first, second := release(t, "first", here+" windows/arm64"), release(t, "second/and/deeper", here+" windows/arm64")
	sums := string(contents(t, filepath.Join(first, "SHA256SUMS")))
	if sums != string(contents(t, filepath.Join(second, "SHA256SUMS"))) {
		t.Errorf("two builds of one commit differ:\n%s\n%s", sums, contents(t, filepath.Join(second, "SHA256SUMS")))
	}
	suffix := "-" + runtime.GOOS + "-" + runtime.GOARCH
	for _, name := range []string{"conform" + suffix, "refserver" + suffix, "conform-windows-arm64.exe", "refserver-windows-arm64.exe"} {
		if !strings.Contains(sums, "  "+name+"\n") {
			t.Errorf("%s has no checksum in\n%s", name, sums)
		}
		info, err := buildinfo.ReadFile(filepath.Join(first, name))
		if err != nil {
			t.Fatal(err)
		}
		settings := map[string]string{}
		for _, s := range info.Settings {
			settings[s.Key] = s.Value
		}
		if len(settings["vcs.revision"]) != 40 || settings["vcs.modified"] != "false" || settings["CGO_ENABLED"] != "0" {
			t.Errorf("%s was built with %v", name, settings)
		}
		if !strings.HasPrefix(info.Main.Version, "v") {
			t.Errorf("%s has the version %q", name, info.Main.Version)
		}
	}
	said, err := exec.CommandContext(t.Context(), filepath.Join(first, "conform"+suffix), "--version").Output()
	if err != nil || strings.Contains(string(said), "dev") {
		t.Errorf("conform --version says %q (%v)", said, err)
	}
}

// TestReleaseIsSigned signs the sums with a key of the test's own, by the command of the manual, and has a
// changed file and another key's signature refused.
func TestReleaseIsSigned(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("ssh-keygen"); err != nil {
		t.Skip("there is no ssh-keygen here")
	}
	keys := t.TempDir()
	for _, name := range []string{"key", "other"} {
		runIn(t, keys, "ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", name, "-f", filepath.Join(keys, name))
	}
	dist := t.TempDir()
	if err := os.WriteFile(filepath.Join(dist, "conform-linux-amd64"), []byte("a program"), 0o755); err != nil {
		t.Fatal(err)
	}
	runIn(t, "..", "env", "RELEASE_KEY="+filepath.Join(keys, "key"), "make", "sums", "DIST="+dist)
	verify := func(key, sums string) error {
		signers := filepath.Join(t.TempDir(), "allowed_signers")
		if err := os.WriteFile(signers, append([]byte("conform-release "), contents(t, filepath.Join(keys, key+".pub"))...), 0o600); err != nil {
			t.Fatal(err)
		}
		cmd := exec.CommandContext(t.Context(), "ssh-keygen", "-Y", "verify", "-f", signers, "-I", "conform-release", "-n", "conform-release", "-s", filepath.Join(dist, "SHA256SUMS.sig"))
		cmd.Stdin = strings.NewReader(sums)
		return cmd.Run()
	}
	sums := string(contents(t, filepath.Join(dist, "SHA256SUMS")))
	if err := verify("key", sums); err != nil {
		t.Errorf("the signature does not hold: %v", err)
	}
	if verify("other", sums) == nil || verify("key", sums+"0  conform\n") == nil {
		t.Error("another key, or other sums, are taken")
	}
	runIn(t, dist, "sha256sum", "--check", "--quiet", "SHA256SUMS")
}

// release makes one of the commit that is checked out, in a clone of its own.
func release(t *testing.T, folder, platforms string) string {
	t.Helper()
	clone := filepath.Join(t.TempDir(), folder)
	runIn(t, "..", "git", "clone", "-q", "--no-hardlinks", ".", clone)
	runIn(t, clone, "make", "release", "PLATFORMS="+platforms)
	return filepath.Join(clone, "dist")
}

func runIn(t *testing.T, folder, program string, args ...string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), program, args...)
	cmd.Dir = folder
	// Whoever owns the checkout, git is to read it.
	cmd.Env = append(os.Environ(), "GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=safe.directory", "GIT_CONFIG_VALUE_0=*")
	if output, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s %s: %v\n%s", program, strings.Join(args, " "), err, output)
	}
}

func contents(t *testing.T, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}
