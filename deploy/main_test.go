// Package deploy_test plays what is in this folder: the pods, the pipelines' jobs
// and the image, with the commands that the Dockerfile builds, against a
// reference server in a process of its own.
package deploy_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// builtVariable names the folder in which the image is laid out.
const builtVariable = "TESTED_IMAGE"

func TestMain(m *testing.M) { os.Exit(buildAndRun(m)) }

func buildAndRun(m *testing.M) int {
	dir, err := os.MkdirTemp("", "conform-image-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	if err := playBuildLine(dir); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	if err := os.Setenv(builtVariable, dir); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	flag.Parse()
	// Most of what the tests do is wait, for what a run watches.
	if err := flag.Set("test.parallel", "4"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return m.Run()
}

// root is the project's folder, seen from this one.
const root = ".."

// programs is the folder with the two commands.
func programs() string { return filepath.Join(os.Getenv(builtVariable), "usr", "local", "bin") }

func program(name string) string { return filepath.Join(programs(), name) }
