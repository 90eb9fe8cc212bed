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
	allowed := arrows()
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

// arrows returns what each package may import of the module's others.
func arrows() map[string][]string {
	return map[string][]string{
		"client":                         {},
		"refserver":                      {"refserver/store"},
		"refserver/store":                {},
		"refserver/tlscert":              {},
		"refserver/faults":               {"internal/nearest", "refserver", "refserver/store"},
		"conformance/clean":              {},
		"conformance/internal/jsonvalue": {},
		"conformance/internal/ledger":    {},
		"docs":                           {},
		"conformance/rules":              {"conformance/setting", "docs", "internal/nearest"},
		"conformance/setting":            {},
		"conformance/result":             {"conformance/rules", "internal/nearest"},
		"conformance/shell":              {"conformance/result", "internal/quote"},
		"conformance/report":             {"conformance/clean", "conformance/result", "conformance/rules", "conformance/shell", "internal/loopback", "internal/nearest", "internal/quote"},
		"conformance/internal/wire":      {"conformance/internal/jsonvalue", "conformance/result", "conformance/rules", "conformance/shell"},
		"conformance/internal/passive": {"conformance/internal/jsonvalue", "conformance/internal/wire",
			"conformance/result", "conformance/rules"},
		"conformance/clients": {"conformance/internal/jsonvalue", "conformance/internal/wire", "conformance/result", "conformance/rules"},
		"conformance/har":     {"conformance/clients", "conformance/rules"},
		"conformance/model":   {"conformance/internal/jsonvalue", "conformance/rules"},
		"conformance/story":   {"conformance/internal/jsonvalue", "conformance/rules"},
		"conformance/watch": {"conformance/clients", "conformance/internal/passive", "conformance/internal/wire",
			"conformance/result", "conformance/rules"},
		"conformance": {"client", "conformance/internal/jsonvalue", "conformance/internal/ledger", "conformance/internal/passive", "conformance/internal/wire", "conformance/model",
			"conformance/result", "conformance/rules", "conformance/setting", "internal/loopback"},
		"scenarios": {"client", "conformance", "conformance/rules", "conformance/setting"},
		"cmd/conform": {"conformance", "conformance/clean", "conformance/clients", "conformance/har", "conformance/report", "conformance/result",
			"conformance/rules", "conformance/setting", "conformance/watch", "internal/help", "internal/loopback", "internal/nearest", "internal/quote", "refserver", "refserver/child", "refserver/control",
			"refserver/control/journal", "refserver/tlscert", "scenarios"},
		"cmd/refserver": {"internal/help", "internal/loopback", "internal/nearest", "internal/quote", "refserver", "refserver/child", "refserver/control", "refserver/control/journal", "refserver/control/openapi",
			"refserver/control/seed", "refserver/faults", "refserver/tlscert"},
		"refserver/child": {},
		"refserver/control": {"internal/loopback", "refserver", "refserver/control/journal", "refserver/control/openapi", "refserver/control/seed",
			"refserver/control/weather", "refserver/faults", "refserver/store"},
		"refserver/control/journal": {},
		"refserver/control/openapi": {},
		"refserver/control/seed":    {"refserver", "refserver/store"},
		"refserver/control/weather": {"refserver/control/openapi"},
		"refserver/refservertest":   {"refserver", "refserver/control", "refserver/control/journal", "refserver/control/seed"},
		"internal/help":             {},
		"internal/loopback":         {},
		"internal/nearest":          {},
		"internal/quote":            {},
		"internal/testkit":          {},
		"examples/fake":             {},
		"examples/ginkgo":           {},
		"examples/gotest":           {},
		"proof":                     {},
	}
}
