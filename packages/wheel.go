package main

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
)

const (
	wheelPackage = "socialfeed_refserver" // the module, and the project's name in file names
	wheelProject = "socialfeed-refserver"
)

// wheelSources are the parts of a wheel that all platforms share.
type wheelSources struct {
	modules     []member
	metadata    []byte // without the version
	entryPoints []byte
	readme      []byte
}

func readWheelSources(dir string) (wheelSources, error) {
	var s wheelSources
	modules, err := os.ReadDir(filepath.Join(dir, wheelPackage))
	if err != nil {
		return s, err
	}
	for _, entry := range modules {
		if extension := filepath.Ext(entry.Name()); extension != ".py" && extension != ".typed" {
			continue
		}
		data, err := os.ReadFile(filepath.Join(dir, wheelPackage, entry.Name()))
		if err != nil {
			return s, err
		}
		s.modules = append(s.modules, member{name: wheelPackage + "/" + entry.Name(), data: data})
	}
	for name, part := range map[string]*[]byte{"METADATA": &s.metadata, "entry_points.txt": &s.entryPoints, "README.md": &s.readme} {
		if *part, err = os.ReadFile(filepath.Join(dir, name)); err != nil {
			return s, err
		}
	}
	return s, nil
}

// packWheel writes the wheel of one platform: the modules, with the program beside them.
func (r release) packWheel(s wheelSources, p program, out string) error {
	text, err := os.ReadFile(p.path)
	if err != nil {
		return err
	}
	info := wheelPackage + "-" + r.pythonVersion + ".dist-info/"
	metadata := fmt.Appendf(nil, "Metadata-Version: 2.1\nName: %s\nVersion: %s\n%s\n%s", wheelProject, r.pythonVersion, s.metadata, s.readme)
	var about strings.Builder
	about.WriteString("Wheel-Version: 1.0\nGenerator: socialfeed-packages\nRoot-Is-Purelib: false\n")
	for tag := range strings.SplitSeq(p.tag, ".") {
		fmt.Fprintf(&about, "Tag: py3-none-%s\n", tag)
	}
	members := append(append([]member{}, s.modules...),
		member{wheelPackage + "/bin/" + p.file(), text, true},
		member{name: info + "METADATA", data: metadata},
		member{name: info + "WHEEL", data: []byte(about.String())},
		member{name: info + "entry_points.txt", data: s.entryPoints},
		member{name: info + "LICENSE", data: r.license},
	)
	members = append(members, member{name: info + "RECORD", data: record(members, info+"RECORD")})
	archive, err := zipped(members)
	if err != nil {
		return err
	}
	file := strings.Join([]string{wheelPackage, r.pythonVersion, "py3", "none", p.tag}, "-") + ".whl"
	return os.WriteFile(filepath.Join(out, file), archive, 0o644)
}

// record lists the files of a wheel with their sums, and itself without one.
func record(members []member, itself string) []byte {
	var list bytes.Buffer
	for _, m := range members {
		sum := sha256.Sum256(m.data)
		fmt.Fprintf(&list, "%s,sha256=%s,%d\n", m.name, base64.RawURLEncoding.EncodeToString(sum[:]), len(m.data))
	}
	fmt.Fprintf(&list, "%s,,\n", itself)
	return list.Bytes()
}

func zipped(members []member) ([]byte, error) {
	var archive bytes.Buffer
	writer := zip.NewWriter(&archive)
	for _, m := range members {
		header := &zip.FileHeader{Name: m.name, Method: zip.Deflate, Modified: packed().In(time.UTC)}
		header.SetMode(m.mode())
		file, err := writer.CreateHeader(header)
		if err != nil {
			return nil, err
		}
		if _, err := file.Write(m.data); err != nil {
			return nil, err
		}
	}
	err := writer.Close()
	return archive.Bytes(), err
}
