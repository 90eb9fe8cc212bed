package proof_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// TestArrows keeps the arrows between the packages: above all, the judge and the
// reference server know nothing of each other, since what they shared would be a
// mistake they shared.
func TestArrows(t *testing.T) {
	const module = "github.com/socialfeed/conform/"
	allowed := map[string][]string{
		"client":             {},
		"refserver":          {"refserver/store"},
		"refserver/store":    {},
		"refserver/tlscert":  {},
		"refserver/faults":   {"refserver", "refserver/store"},
		"conformance":        {"client"},
		"conformance/report": {"conformance"},
		"scenarios":          {"conformance", "client"},
		"cmd/conform":        {"scenarios", "conformance", "conformance/report", "refserver", "refserver/tlscert"},
		"cmd/refserver":      {"refserver", "refserver/tlscert", "refserver/faults"},
		"deploy":             {},
		"examples/gotest":    {},
		"proof":              {},
	}
	out, err := exec.CommandContext(t.Context(), "go", "list", "-json=ImportPath,Imports", module+"...").Output()
	if err != nil {
		t.Fatalf("listing the packages: %v", err)
	}
	seen := 0
	for decoder := json.NewDecoder(bytes.NewReader(out)); ; seen++ {
		var p struct {
			ImportPath string
			Imports    []string
		}
		if err := decoder.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatalf("reading the list: %v", err)
		}
		name := strings.TrimPrefix(p.ImportPath, module)
		arrows, known := allowed[name]
		if !known {
			t.Errorf("package %s has no place among the arrows", name)
			continue
		}
		for _, imported := range p.Imports {
			if to, ours := strings.CutPrefix(imported, module); ours && !slices.Contains(arrows, to) {
				t.Errorf("%s imports %s, which the arrows do not allow", name, to)
			}
		}
	}
	if seen != len(allowed) {
		t.Errorf("%d packages were seen, the arrows tell of %d", seen, len(allowed))
	}
}
