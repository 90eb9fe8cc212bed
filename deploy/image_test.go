package deploy_test

import (
	"bytes"
	"debug/buildinfo"
	"debug/elf"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/moby/buildkit/frontend/dockerfile/instructions"
	"github.com/moby/buildkit/frontend/dockerfile/parser"
)

// stages reads the Dockerfile.
func stages() ([]instructions.Stage, error) {
	text, err := os.ReadFile(filepath.Join(root, "Dockerfile"))
	if err != nil {
		return nil, err
	}
	parsed, err := parser.Parse(bytes.NewReader(text))
	if err != nil {
		return nil, fmt.Errorf("parsing the Dockerfile: %w", err)
	}
	if len(parsed.Warnings) > 0 {
		return nil, fmt.Errorf("parsing the Dockerfile: %v", parsed.Warnings)
	}
	all, _, err := instructions.Parse(parsed.AST, nil)
	return all, err
}

// laidOut is where the first stage lays out what the image is to hold.
const laidOut = "/image"

// playBuildLine runs the line of the Dockerfile that builds the commands, in the
// project's folder; the image's files then are in the given one.
func playBuildLine(dir string) error {
	all, err := stages()
	if err != nil {
		return err
	}
	for _, command := range all[0].Commands {
		line, ok := command.(*instructions.RunCommand)
		if !ok || !strings.Contains(strings.Join(line.CmdLine, " "), "go build") {
			continue
		}
		cmd := exec.Command("sh", "-c", strings.ReplaceAll(strings.Join(line.CmdLine, " "), laidOut, dir))
		cmd.Dir = root
		cmd.Env = append(os.Environ(), "TARGETOS="+runtime.GOOS, "TARGETARCH="+runtime.GOARCH,
			"GOFLAGS=-buildvcs=auto") // as where nothing is set up otherwise
		if output, err := cmd.CombinedOutput(); err != nil {
			return fmt.Errorf("building as the Dockerfile does: %w\n%s", err, output)
		}
		return nil
	}
	return errors.New("the Dockerfile builds nothing")
}

// TestImage reads the Dockerfile as a builder does, and sees that what comes out
// holds the two commands, certificates and a folder for temporary files, and does
// not run as root.
func TestImage(t *testing.T) {
	all, err := stages()
	if err != nil || len(all) != 2 {
		t.Fatalf("%d stages (%v), want one that builds and one that is left", len(all), err)
	}
	build, final := all[0], all[1]
	if final.BaseName != "scratch" {
		t.Errorf("the image is made from %s", final.BaseName)
	}
	if want := "golang:" + goVersion(t); build.BaseName != want {
		t.Errorf("the commands are built by %s, want %s as go.mod says", build.BaseName, want)
	}
	var copied, ran bool
	var user, entrypoint string
	for _, command := range final.Commands {
		switch c := command.(type) {
		case *instructions.CopyCommand:
			copied = c.From == build.Name && slices.Equal(c.SourcePaths, []string{laidOut + "/"}) && c.DestPath == "/"
		case *instructions.RunCommand:
			ran = true
		case *instructions.UserCommand:
			user = c.User
		case *instructions.EntrypointCommand:
			entrypoint = strings.Join(c.CmdLine, " ")
			if c.PrependShell {
				t.Error("the entry point wants a shell, and there is none")
			}
		}
	}
	if !copied || ran {
		t.Errorf("what was laid out is copied: %t; something runs in the empty image: %t", copied, ran)
	}
	id, _, _ := strings.Cut(user, ":")
	if n, err := strconv.Atoi(id); err != nil || n == 0 {
		t.Errorf("the image runs as %q, want a number other than 0", user)
	}
	if _, err := os.Stat(filepath.Join(os.Getenv(builtVariable), entrypoint)); err != nil {
		t.Errorf("the entry point %s is not in the image: %v", entrypoint, err)
	}
}

// goVersion is the Go that go.mod asks for, without its patch.
func goVersion(t *testing.T) string {
	t.Helper()
	output, err := exec.CommandContext(t.Context(), "go", "list", "-m", "-f", "{{.GoVersion}}").Output()
	if err != nil {
		t.Fatal(err)
	}
	parts := strings.Split(strings.TrimSpace(string(output)), ".")
	return strings.Join(parts[:2], ".")
}

// TestImageLaysOutWhatIsNeeded plays the other line that lays out the image, with
// folders of this machine's in the place of the builder's.
func TestImageLaysOutWhatIsNeeded(t *testing.T) {
	all, err := stages()
	if err != nil {
		t.Fatal(err)
	}
	machine := t.TempDir()
	const certificates = "etc/ssl/certs/ca-certificates.crt"
	if err := os.MkdirAll(filepath.Join(machine, filepath.Dir(certificates)), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(machine, certificates), []byte("the public authorities"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, command := range all[0].Commands {
		line, ok := command.(*instructions.RunCommand)
		if !ok || strings.Contains(strings.Join(line.CmdLine, " "), "go build") {
			continue
		}
		text := strings.ReplaceAll(strings.Join(line.CmdLine, " "), " /etc/", " "+machine+"/etc/")
		text = strings.ReplaceAll(text, laidOut, filepath.Join(machine, laidOut))
		if o := run(t, machine, []string{"PATH=" + os.Getenv("PATH")}, "sh", "-c", text); o.code != 0 {
			t.Fatalf("%s: exit %d\n%s", text, o.code, o.output)
		}
	}
	if got, err := os.ReadFile(filepath.Join(machine, laidOut, certificates)); err != nil || string(got) != "the public authorities" {
		t.Errorf("the certificates in the image are %q (%v)", got, err)
	}
	for _, folder := range []string{"tmp", "data"} {
		info, err := os.Stat(filepath.Join(machine, laidOut, folder))
		if err != nil {
			t.Fatal(err)
		}
		if want := os.ModeDir | os.ModeSticky | 0o777; info.Mode() != want {
			t.Errorf("the mode of /%s is %v, want %v", folder, info.Mode(), want)
		}
	}
}

// TestCommandsNeedNothing sees that both commands are static programs of this
// commit, for an image that holds no library.
func TestCommandsNeedNothing(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("images are built for Linux; what was built here is for " + runtime.GOOS)
	}
	for _, name := range []string{"conform", "refserver"} {
		file, err := elf.Open(program(name))
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		for _, part := range file.Progs {
			if part.Type == elf.PT_INTERP || part.Type == elf.PT_DYNAMIC {
				t.Errorf("%s is linked dynamically: it has a %s", name, part.Type)
			}
		}
		info, err := buildinfo.ReadFile(program(name))
		if err != nil {
			t.Fatal(err)
		}
		settings := map[string]string{}
		for _, s := range info.Settings {
			settings[s.Key] = s.Value
		}
		if settings["-trimpath"] != "true" || settings["vcs.revision"] == "" {
			t.Errorf("%s was built with %v, want trimmed paths and a commit", name, settings)
		}
		if o := run(t, t.TempDir(), nil, program(name), "--help"); o.code != 0 {
			t.Errorf("%s --help in an empty environment: exit %d\n%s", name, o.code, o.output)
		}
	}
}

// TestContextIsWhole sees that the builder gets every file that git knows: one that
// is missing would make the version that of a changed tree.
func TestContextIsWhole(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(root, ".dockerignore"))
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	for line := range strings.Lines(string(text)) {
		pattern := strings.TrimSuffix(strings.TrimSpace(line), "/")
		if pattern == "" || strings.HasPrefix(pattern, "#") {
			continue
		}
		seen++
		tracked := run(t, root, os.Environ(), "git", "ls-files", "--", ":(glob)"+pattern, ":(glob)"+pattern+"/**")
		ignored := run(t, root, os.Environ(), "git", "check-ignore", "-q", pattern+"/x")
		if tracked.code != 0 || tracked.output != "" || ignored.code != 0 {
			t.Errorf("%q is kept from the builder: git tracks %q there, and ignores it: %t", pattern, tracked.output, ignored.code == 0)
		}
	}
	if seen == 0 {
		t.Error("nothing is kept from the builder, not even what was built before")
	}
}
