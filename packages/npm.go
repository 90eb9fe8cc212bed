package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// member is a file of a package.
type member struct {
	name       string // with slashes
	data       []byte
	executable bool
}

func (m member) mode() os.FileMode {
	if m.executable {
		return 0o755
	}
	return 0o644
}

// packed is the time of every file in a package, so that two builds of a commit are the same: npm's own choice.
func packed() time.Time { return time.Date(1985, 10, 26, 8, 15, 0, 0, time.UTC) }

// platformName is the name of the package that holds a platform's program.
func platformName(p platform) string { return "@socialfeed/refserver-" + p.os + "-" + p.cpu }

// packPlatform writes the npm package with one platform's program. npm installs it where os and cpu fit.
func (r release) packPlatform(p program, out string) error {
	text, err := os.ReadFile(p.path)
	if err != nil {
		return err
	}
	about, err := json.MarshalIndent(struct {
		Name            string   `json:"name"`
		Version         string   `json:"version"`
		Description     string   `json:"description"`
		License         string   `json:"license"`
		OS              []string `json:"os"`
		CPU             []string `json:"cpu"`
		PreferUnplugged bool     `json:"preferUnplugged"` // programs do not run inside an archive
	}{
		platformName(p.platform), r.npmVersion, "The program of @socialfeed/refserver for " + p.os + " on " + p.cpu, "MIT",
		[]string{p.os}, []string{p.cpu}, true,
	}, "", "  ")
	if err != nil {
		return err
	}
	return r.writeNPM(out, platformName(p.platform), []member{
		{name: "package.json", data: about}, {name: "bin/" + p.file(), data: text, executable: true},
	})
}

// packJavaScript writes the npm package of the sources in a folder, which depends on those of the programs.
func (r release) packJavaScript(dir string, programs []program, out string) error {
	template, err := os.ReadFile(filepath.Join(dir, "package.json"))
	if err != nil {
		return err
	}
	var about struct {
		Name  string
		Files []string
		Bin   map[string]string
	}
	if err := json.Unmarshal(template, &about); err != nil {
		return fmt.Errorf("reading package.json: %w", err)
	}
	filled, err := r.fill(template, programs)
	if err != nil {
		return err
	}
	members := []member{{name: "package.json", data: filled}}
	for _, name := range about.Files {
		data, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
		if err != nil {
			return err
		}
		members = append(members, member{name, data, about.Bin["refserver"] == name})
	}
	return r.writeNPM(out, about.Name, members)
}

// fill puts the version and the packages of the programs into package.json, whose keys keep their order.
func (r release) fill(template []byte, programs []program) ([]byte, error) {
	depends := map[string]string{}
	for _, p := range programs {
		depends[platformName(p.platform)] = r.npmVersion
	}
	dependencies, err := json.Marshal(depends)
	if err != nil {
		return nil, err
	}
	version, empty := []byte(`"version": "0.0.0"`), []byte(`"optionalDependencies": {}`)
	if bytes.Count(template, version) != 1 || bytes.Count(template, empty) != 1 {
		return nil, errors.New("package.json lacks the version 0.0.0, or empty optionalDependencies, to fill")
	}
	filled := bytes.Replace(template, version, fmt.Appendf(nil, `"version": %q`, r.npmVersion), 1)
	return bytes.Replace(filled, empty, fmt.Appendf(nil, `"optionalDependencies": %s`, dependencies), 1), nil
}

// writeNPM writes a package as npm pack does.
func (r release) writeNPM(out, name string, members []member) error {
	var archive bytes.Buffer
	compressed := gzip.NewWriter(&archive)
	tarball := tar.NewWriter(compressed)
	for _, m := range append(members, member{name: "LICENSE", data: r.license}) {
		header := &tar.Header{Name: "package/" + m.name, Mode: int64(m.mode()), Size: int64(len(m.data)), ModTime: packed(), Typeflag: tar.TypeReg}
		if err := tarball.WriteHeader(header); err != nil {
			return err
		}
		if _, err := tarball.Write(m.data); err != nil {
			return err
		}
	}
	if err := errors.Join(tarball.Close(), compressed.Close()); err != nil {
		return err
	}
	file := strings.NewReplacer("@", "", "/", "-").Replace(name) + "-" + r.npmVersion + ".tgz"
	return os.WriteFile(filepath.Join(out, file), archive.Bytes(), 0o644)
}
