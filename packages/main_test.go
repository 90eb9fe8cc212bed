package main

import (
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

// packedVariable names the folder with the packages of this machine.
const packedVariable = "TESTED_PACKAGES"

// everything reports whether what takes long, and much from a registry, is tested too.
func everything() bool { return os.Getenv("PACKAGES") == "all" }

func TestMain(m *testing.M) { os.Exit(packAndRun(m)) }

func packAndRun(m *testing.M) int {
	dir, err := os.MkdirTemp("", "refserver-packages-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	here := platform{goos: runtime.GOOS, goarch: runtime.GOARCH}
	program := filepath.Join(dir, "refserver-"+here.goos+"-"+here.goarch+here.suffix())
	build := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w", "-o", program, "./cmd/refserver")
	build.Dir, build.Env = "..", append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "building refserver: %v\n%s", err, out)
		return 1
	}
	if err := pack("..", dir, dir); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	if err := os.Setenv(packedVariable, dir); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return m.Run()
}

// packedFiles are the packages of this machine that match a pattern.
func packedFiles(t *testing.T, pattern string, count int) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(os.Getenv(packedVariable), pattern))
	if err != nil || len(files) != count {
		t.Fatalf("%d packages are like %s, want %d: %v %v", len(files), pattern, count, files, err)
	}
	return files
}

// packedProgram is the program of this machine.
func packedProgram(t *testing.T) string {
	t.Helper()
	return packedFiles(t, "refserver-"+runtime.GOOS+"-*", 1)[0]
}

// copied copies a project's folder to a new one inside a folder.
func copied(t *testing.T, project, into string) string {
	t.Helper()
	fresh := filepath.Join(into, filepath.Base(project))
	if err := os.CopyFS(fresh, os.DirFS(filepath.FromSlash(project))); err != nil {
		t.Fatal(err)
	}
	return fresh
}

// say runs a program in a folder and returns what it said.
func say(t *testing.T, dir string, env []string, args ...string) (string, error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	command := exec.CommandContext(ctx, args[0], args[1:]...)
	command.Dir, command.Env = dir, append(os.Environ(), append([]string{"NO_COLOR=1", "PYTHONDONTWRITEBYTECODE=1"}, env...)...)
	out, err := command.CombinedOutput()
	return string(out), err
}

// passes runs the tests of a project, which must say how many there were.
func passes(t *testing.T, dir string, env []string, count string, args ...string) {
	t.Helper()
	if out, err := say(t, dir, env, args...); err != nil || !strings.Contains(out, count) {
		t.Errorf("%v: %v, want %q in\n%s", args, err, count, out)
	}
}

// endsWithItsStarter runs a program that prints the URL of its fake, kills the program, and waits until
// nobody listens there.
func endsWithItsStarter(t *testing.T, dir string, env []string, args ...string) {
	t.Helper()
	starter := exec.CommandContext(t.Context(), args[0], args[1:]...)
	starter.Dir, starter.Env, starter.Stderr = dir, append(os.Environ(), env...), os.Stderr
	stdout, err := starter.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := starter.Start(); err != nil {
		t.Fatal(err)
	}
	var url string
	if _, err := fmt.Fscanln(stdout, &url); err != nil {
		t.Fatalf("reading the URL: %v", err)
	}
	_, addr, _ := strings.Cut(url, "//")
	if conn, err := net.Dial("tcp", addr); err != nil {
		t.Fatalf("before the end of its starter: %v", err)
	} else {
		conn.Close()
	}
	if err := starter.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = starter.Wait() // it says that it was killed
	for end := time.Now().Add(time.Minute); ; time.Sleep(20 * time.Millisecond) {
		conn, err := net.Dial("tcp", addr)
		if err != nil {
			return
		}
		conn.Close()
		if time.Now().After(end) {
			t.Fatal("the server outlives the program that started it")
		}
	}
}
