package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// everyPlatform packs programs that are only their names, of every platform.
func everyPlatform(t *testing.T) (dir string) {
	t.Helper()
	programs, out := t.TempDir(), t.TempDir()
	for _, p := range platforms() {
		name := "refserver-" + p.goos + "-" + p.goarch + p.suffix()
		if err := os.WriteFile(filepath.Join(programs, name), []byte(name), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	found, err := findPrograms(programs)
	if err != nil {
		t.Fatal(err)
	}
	if err := (release{npmVersion: "1.2.3-rc.1", pythonVersion: "1.2.3rc1", license: []byte("the licence")}).pack("..", found, out); err != nil {
		t.Fatal(err)
	}
	return out
}

func TestNPMPackagesFitTheirPlatforms(t *testing.T) {
	t.Parallel()
	dir := everyPlatform(t)
	main := tarball(t, filepath.Join(dir, "socialfeed-refserver-1.2.3-rc.1.tgz"))
	var about struct {
		Version              string
		OptionalDependencies map[string]string
		Scripts              map[string]string
	}
	decode(t, main["package/package.json"].data, &about)
	if about.Version != "1.2.3-rc.1" || len(about.OptionalDependencies) != 6 || about.Scripts != nil || !main["package/bin/refserver.js"].executable {
		t.Errorf("%+v, %v", about, slices.Sorted(maps.Keys(main)))
	}
	for _, name := range []string{"index.js", "index.d.ts", "control.js", "process.js", "README.md", "LICENSE"} {
		if len(main["package/"+name].data) == 0 {
			t.Errorf("%s is missing", name)
		}
	}
	for _, p := range platforms() {
		files := tarball(t, filepath.Join(dir, "socialfeed-refserver-"+p.os+"-"+p.cpu+"-1.2.3-rc.1.tgz"))
		var about struct {
			Name, Version string
			OS, CPU       []string
			Scripts       map[string]string
		}
		decode(t, files["package/package.json"].data, &about)
		if about.OS[0] != p.os || about.CPU[0] != p.cpu || about.Scripts != nil || about.Version != "1.2.3-rc.1" || main["package/package.json"].executable {
			t.Errorf("%+v", about)
		}
		if about.Name != "@socialfeed/refserver-"+p.os+"-"+p.cpu {
			t.Errorf("the name is %s", about.Name)
		}
		program := files["package/bin/"+p.file()]
		if string(program.data) != "refserver-"+p.goos+"-"+p.goarch+p.suffix() || !program.executable {
			t.Errorf("%s holds %q", about.Name, program.data)
		}
	}
}

func TestWheelsFitTheirPlatforms(t *testing.T) {
	t.Parallel()
	dir := everyPlatform(t)
	for _, p := range platforms() {
		files := wheel(t, filepath.Join(dir, "socialfeed_refserver-1.2.3rc1-py3-none-"+p.tag+".whl"))
		program := files["socialfeed_refserver/bin/"+p.file()]
		if string(program.data) != "refserver-"+p.goos+"-"+p.goarch+p.suffix() || !program.executable {
			t.Errorf("%s holds %q", p.tag, program.data)
		}
		const info = "socialfeed_refserver-1.2.3rc1.dist-info/"
		var members []member
		for name, m := range files {
			if name != info+"RECORD" {
				members = append(members, m)
			}
		}
		recorded := strings.Split(string(files[info+"RECORD"].data), "\n")
		expected := strings.Split(string(record(members, info+"RECORD")), "\n")
		slices.Sort(recorded)
		slices.Sort(expected)
		if !slices.Equal(recorded, expected) {
			t.Errorf("RECORD is %q, want %q", recorded, expected)
		}
		for _, said := range []string{"\nName: socialfeed-refserver\nVersion: 1.2.3rc1\n", "\n\n# socialfeed-refserver"} {
			if !strings.Contains(string(files[info+"METADATA"].data), said) {
				t.Errorf("%q is not in METADATA:\n%s", said, files[info+"METADATA"].data)
			}
		}
		if tags := strings.Count(string(files[info+"WHEEL"].data), "\nTag: py3-none-"); tags != strings.Count(p.tag, ".")+1 {
			t.Errorf("%d tags of %s", tags, p.tag)
		}
		if _, typed := files["socialfeed_refserver/py.typed"]; !typed || len(files["socialfeed_refserver/pytest_plugin.py"].data) == 0 {
			t.Errorf("the wheel has %v", slices.Sorted(maps.Keys(files)))
		}
	}
}

func TestPackingTwiceGivesTheSameBytes(t *testing.T) {
	t.Parallel()
	first, second := everyPlatform(t), everyPlatform(t)
	names, err := filepath.Glob(filepath.Join(first, "*"))
	if err != nil || len(names) != 13 {
		t.Fatalf("%d packages, %v", len(names), err)
	}
	for _, name := range names {
		one, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if other, err := os.ReadFile(filepath.Join(second, filepath.Base(name))); err != nil || !bytes.Equal(one, other) {
			t.Errorf("%s differs: %v", filepath.Base(name), err)
		}
	}
}

func TestVersionsOfPackages(t *testing.T) {
	t.Parallel()
	for built, want := range map[string]struct{ npm, python string }{
		"":                                   {"0.0.0-dev", "0.0.0.dev0"},
		"(devel)":                            {"0.0.0-dev", "0.0.0.dev0"},
		"v1.2.3":                             {"1.2.3", "1.2.3"},
		"v1.2.3+dirty":                       {"1.2.3-modified", "1.2.3+modified"},
		"v1.2.3-rc.1":                        {"1.2.3-rc.1", "1.2.3rc1"},
		"v1.2.3-alpha.2+dirty":               {"1.2.3-alpha.2.modified", "1.2.3a2+modified"},
		"v0.0.0-20261128045800-c14a404abcde": {"0.0.0-20261128045800-c14a404abcde", "0.0.0.dev20261128045800+gc14a404abcde"},
		"v1.2.4-0.20261128045800-c14a404abcde+dirty": {"1.2.4-0.20261128045800-c14a404abcde.modified", "1.2.4.dev20261128045800+gc14a404abcde.modified"},
		"v1.2.3-rc.1.0.20261128045800-c14a404abcde":  {"1.2.3-rc.1.0.20261128045800-c14a404abcde", "1.2.3.dev20261128045800+gc14a404abcde"},
		"v1.2.3-preview": {"1.2.3-preview", ""},
	} {
		python, err := pythonVersion(built)
		if npm := npmVersion(built); npm != want.npm || python != want.python || (err != nil) != (want.python == "") {
			t.Errorf("%q: %s and %s (%v), want %s and %s", built, npm, python, err, want.npm, want.python)
		}
	}
}

func TestFolderWithoutProgramsIsAnError(t *testing.T) {
	t.Parallel()
	if err := pack("..", t.TempDir(), t.TempDir()); err == nil || !strings.Contains(err.Error(), "there is no program") {
		t.Error(err)
	}
}

func decode(t *testing.T, text []byte, into any) {
	t.Helper()
	if err := json.Unmarshal(text, into); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
}

func tarball(t *testing.T, file string) map[string]member {
	t.Helper()
	archive, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	plain, err := gzip.NewReader(bytes.NewReader(archive))
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]member{}
	for reader := tar.NewReader(plain); ; {
		header, err := reader.Next()
		if errors.Is(err, io.EOF) {
			return files
		}
		var data []byte
		if err == nil {
			data, err = io.ReadAll(reader)
		}
		if err != nil {
			t.Fatal(err)
		}
		files[header.Name] = member{header.Name, data, header.Mode&0o111 != 0}
	}
}

func wheel(t *testing.T, file string) map[string]member {
	t.Helper()
	reader, err := zip.OpenReader(file)
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()
	files := map[string]member{}
	for _, entry := range reader.File {
		content, err := entry.Open()
		var data []byte
		if err == nil {
			data, err = io.ReadAll(content)
		}
		if err != nil {
			t.Fatal(fmt.Errorf("%s: %w", entry.Name, err))
		}
		content.Close()
		files[entry.Name] = member{entry.Name, data, entry.Mode()&0o111 != 0}
	}
	return files
}
