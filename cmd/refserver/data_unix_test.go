//go:build unix

package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/socialfeed/conform/refserver/datafile"
)

// TestDataThatCannotBeKeptIsRefused: one line, exit 2, at once, and what is there stays as it was.
func TestDataThatCannotBeKeptIsRefused(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string, mode os.FileMode) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), mode); err != nil {
			t.Fatal(err)
		}
		return path
	}
	fifo := filepath.Join(dir, "fifo")
	if err := syscall.Mkfifo(fifo, 0o600); err != nil {
		t.Fatal(err)
	}
	used := filepath.Join(dir, "used")
	file, _, err := datafile.Open(used, datafile.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	for name, refused := range map[string]struct{ path, says string }{
		"in use":    {used, "in use by another server"},
		"a fifo":    {fifo, "not a regular file"},
		"a folder":  {dir, "not a regular file"},
		"a device":  {"/dev/full", "not a regular file"},
		"read-only": {write("read-only", "", 0o400), "read-only"},
		"notes":     {write("notes", strings.Repeat("my notes ", 2000), 0o600), "something else"},
		"few notes": {write("few", "my notes", 0o600), "something else"},
		"JSON":      {write("world.json", `{"format":"refserver.world/v1"}`, 0o600), "as earlier versions kept it"},
		"no folder": {"/nowhere/world.data", "/nowhere/world.data"},
	} {
		t.Run(name, func(t *testing.T) {
			info, err := os.Stat(refused.path)
			regular := err == nil && info.Mode().IsRegular()
			var before []byte
			if regular {
				before = readFile(t, refused.path)
			}
			ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
			defer cancel()
			var stderr bytes.Buffer
			if code := run(ctx, []string{"--addr", "127.0.0.1:0", "--control", "off", "--data", refused.path}, io.Discard, &stderr); code != exitUsage {
				t.Errorf("exit %d", code)
			}
			if line := stderr.String(); strings.Count(line, "\n") != 1 || !strings.Contains(line, refused.says) || !strings.HasPrefix(line, "refserver: --data") {
				t.Errorf("stderr %q", line)
			}
			if regular && !bytes.Equal(before, readFile(t, refused.path)) {
				t.Error("it was overwritten")
			}
		})
	}
}

// readFile reads a file.
func readFile(t *testing.T, path string) []byte {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// ofProcess starts the command as a program.
func ofProcess(t *testing.T, stderr io.Writer, name string, args ...string) (command *exec.Cmd, baseURL string) {
	t.Helper()
	command = exec.CommandContext(t.Context(), name, args...)
	command.Stderr = stderr
	stdout, err := command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	return command, field(t, greeted(t, stdout), "base URL")
}

// TestSignalsSaveData ends a server by each signal just after a write. The file is a link's target, and
// keeps its mode.
func TestSignalsSaveData(t *testing.T) {
	binary := asProgram(t)
	dir := t.TempDir()
	target, link := filepath.Join(dir, "world.data"), filepath.Join(dir, "link")
	if err := os.Symlink(target, link); err != nil {
		t.Fatal(err)
	}
	for n, s := range []syscall.Signal{syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP} {
		var stderr bytes.Buffer
		command, baseURL := ofProcess(t, &stderr, binary, "--addr", "127.0.0.1:0", "--http", "--control", "off", "--log", "off", "--app-token", "given-app", "--data", link)
		if status := createUser(t, baseURL, "", "given-app"); status != http.StatusCreated {
			t.Errorf("status %d", status)
		}
		if err := command.Process.Signal(s); err != nil {
			t.Fatal(err)
		}
		if err := command.Wait(); err != nil || stderr.Len() > 0 {
			t.Errorf("%s: %v %s", s, err, stderr.String())
		}
		file, state, err := datafile.Open(target, datafile.Options{})
		if err != nil || state == nil || len(state.Users) != n+1 || state.LastUser != state.Users[n].ID {
			t.Fatalf("after %s: %+v (%v)", s, state, err)
		}
		if err := errors.Join(file.Close(), os.Chmod(target, 0o640)); err != nil {
			t.Fatal(err)
		}
	}
	if info, err := os.Lstat(link); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("the link is replaced (%v)", err)
	}
	if info, err := os.Stat(target); err != nil || info.Mode().Perm() != 0o640 {
		t.Errorf("the mode is %v (%v)", info.Mode(), err)
	}
}

// TestWriteErrorsAreTold lets a server write as far as a limit of the system: then writes are refused,
// reading goes on, and the person and the exit code are told.
func TestWriteErrorsAreTold(t *testing.T) {
	binary := asProgram(t)
	path := filepath.Join(t.TempDir(), "world.data")
	var stderr bytes.Buffer
	command, baseURL := ofProcess(t, &stderr, "sh", "-c", `ulimit -f 128; exec "$0" "$@"`, binary,
		"--addr", "127.0.0.1:0", "--http", "--control", "off", "--log", "off", "--rate-limit", "0", "--app-token", "given-app", "--data", path, "--data-sync")
	refused := false
	for range 5000 {
		if status := createUserOf(t, baseURL, strings.Repeat("x", 40)); status != http.StatusCreated {
			if refused = status == http.StatusServiceUnavailable; !refused {
				t.Errorf("status %d", status)
			}
			break
		}
	}
	if !refused {
		t.Error("no write was refused")
	}
	response, err := http.Get(baseURL + "/versions")
	if err != nil {
		t.Fatal(err)
	}
	response.Body.Close()
	if err := command.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	var ended *exec.ExitError
	if err := command.Wait(); !errors.As(err, &ended) || ended.ExitCode() != exitFailed {
		t.Errorf("%v", err)
	}
	if lines := strings.Split(strings.TrimSpace(stderr.String()), "\n"); len(lines) != 2 || !strings.Contains(lines[0], "file too large; writes are refused with 503") ||
		!strings.Contains(lines[1], "what was written last is lost") {
		t.Errorf("stderr %s", stderr.String())
	}
}

// createUserOf creates a user with much in it.
func createUserOf(t *testing.T, baseURL, value string) int {
	t.Helper()
	var body strings.Builder
	body.WriteString(`{"user_name":"ann","metadata":{"0":"` + value + `"`)
	for n := range 4 {
		body.WriteString(`,"k` + strconv.Itoa(n) + `":"` + value + `"`)
	}
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, baseURL+"/0.2/users", strings.NewReader(body.String()+"}}"))
	if err != nil {
		t.Fatal(err)
	}
	request.SetBasicAuth("given-app", "")
	request.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	return response.StatusCode
}
