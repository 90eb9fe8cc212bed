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
	allowed, imports := arrows(), packageImports(t)
	for name, imported := range imports {
		arrows, known := allowed[name]
		if !known {
			t.Errorf("package %s has no place among the arrows", name)
			continue
		}
		for _, to := range imported {
			if !slices.Contains(arrows, to) {
				t.Errorf("%s imports %s, which the arrows do not allow", name, to)
			}
		}
	}
	if len(imports) != len(allowed) {
		t.Errorf("%d packages were seen, the arrows tell of %d", len(imports), len(allowed))
	}
}

// packageImports returns the packages of the module, each with those of the module that it imports outside of its tests.
func packageImports(t *testing.T) map[string][]string {
	t.Helper()
	const module = "github.com/socialfeed/conform/"
	out, err := exec.CommandContext(t.Context(), "go", "list", "-json=ImportPath,Imports", module+"...").Output()
	if err != nil {
		t.Fatalf("listing the packages: %v", err)
	}
	packages := map[string][]string{}
	for decoder := json.NewDecoder(bytes.NewReader(out)); ; {
		var p struct {
			ImportPath string
			Imports    []string
		}
		if err := decoder.Decode(&p); errors.Is(err, io.EOF) {
			return packages
		} else if err != nil {
			t.Fatalf("reading the list: %v", err)
		}
		var ours []string
		for _, imported := range p.Imports {
			if to, found := strings.CutPrefix(imported, module); found {
				ours = append(ours, to)
			}
		}
		packages[strings.TrimPrefix(p.ImportPath, module)] = ours
	}
}

// arrows returns what each package may import of the module's others.
func arrows() map[string][]string {
	return map[string][]string{
		"client":                             {},
		"refserver":                          {"refserver/store"},
		"refserver/store":                    {},
		"refserver/datafile":                 {"refserver/store"},
		"refserver/like":                     {"refserver", "refserver/store"},
		"refserver/tlscert":                  {},
		"refserver/twin":                     {"refserver"},
		"refserver/faults":                   {"internal/nearest", "refserver", "refserver/store"},
		"conformance/clean":                  {},
		"conformance/internal/jsonvalue":     {},
		"conformance/internal/ledger":        {},
		"docs":                               {},
		"conformance/rules":                  {"conformance/internal/jsonvalue", "conformance/setting", "docs", "internal/nearest"},
		"conformance/setting":                {},
		"conformance/result":                 {"conformance/clean", "conformance/rules", "internal/nearest"},
		"conformance/program":                {"conformance/result"},
		"conformance/program/gotest":         {"conformance/program"},
		"conformance/program/httpfile":       {"conformance/program", "conformance/program/internal/lines"},
		"conformance/program/hurl":           {"conformance/program", "conformance/program/internal/lines"},
		"conformance/program/internal/lines": {"conformance/program"},
		"conformance/report":                 {"conformance/clean", "conformance/internal/jsonvalue", "conformance/report/har", "conformance/report/html", "conformance/report/indented", "conformance/report/markdown", "conformance/report/pipeline", "conformance/report/plain", "conformance/report/screen", "conformance/report/view", "conformance/result", "internal/nearest", "internal/shell"},
		"conformance/report/diff":            {"conformance/report/view", "conformance/result", "conformance/rules"},
		"conformance/report/example":         {"conformance/report/plain", "conformance/rules", "internal/shell"},
		"conformance/report/har":             {"conformance/report/indented", "conformance/report/plain", "conformance/report/view", "conformance/result"},
		"conformance/report/html":            {"conformance/clean", "conformance/report/pipeline", "conformance/report/plain", "conformance/report/script", "conformance/report/view", "conformance/result", "conformance/rules"},
		"conformance/report/indented":        {},
		"conformance/report/markdown":        {"conformance/report/diff", "conformance/report/plain", "conformance/report/view", "conformance/result"},
		"conformance/report/pipeline":        {"conformance/clean", "conformance/report/indented", "conformance/report/plain", "conformance/report/screen", "conformance/report/view", "conformance/result", "conformance/rules"},
		"conformance/report/plain":           {"conformance/clean", "conformance/result", "internal/shell"},
		"conformance/report/rulebook":        {"conformance/report/example", "conformance/report/indented", "conformance/report/markdown", "conformance/report/plain", "conformance/report/screen", "conformance/report/view", "conformance/result", "conformance/rules", "internal/shell"},
		"conformance/report/screen":          {"conformance/report/diff", "conformance/report/example", "conformance/report/plain", "conformance/report/view", "conformance/result", "conformance/rules"},
		"conformance/report/script":          {"conformance/program", "conformance/program/gotest", "conformance/program/httpfile", "conformance/program/hurl", "conformance/report/plain", "conformance/result", "conformance/rules", "internal/shell"},
		"conformance/report/view":            {"conformance/report/plain", "conformance/result", "conformance/rules", "internal/loopback", "internal/shell"},
		"conformance/internal/wire":          {"conformance/internal/jsonvalue", "conformance/result", "conformance/rules", "internal/redact", "internal/shell"},
		"conformance/internal/passive": {"conformance/internal/jsonvalue", "conformance/internal/wire",
			"conformance/result", "conformance/rules", "internal/redact"},
		"conformance/clients":        {"conformance/internal/jsonvalue", "conformance/internal/wire", "conformance/result", "conformance/rules", "internal/redact"},
		"conformance/har":            {"conformance/clients", "conformance/rules"},
		"conformance/rejudge":        {"conformance/clients", "conformance/internal/passive", "conformance/result", "conformance/rules"},
		"conformance/restarts":       {"conformance/result", "internal/procgroup", "internal/shell"},
		"conformance/seeds":          {"conformance/clients", "conformance/rules"},
		"conformance/grid":           {"conformance/internal/jsonvalue", "conformance/rules"},
		"conformance/model/value":    {"conformance/internal/jsonvalue"},
		"conformance/model/exchange": {"conformance/model/value", "conformance/rules"},
		"conformance/model/leeway":   {"conformance/model/value", "conformance/rules"},
		"conformance/model/blame":    {"conformance/model/value", "conformance/rules"},
		"conformance/model/story":    {"conformance/grid", "conformance/model/value", "conformance/rules"},
		"conformance/model/body":     {"conformance/grid", "conformance/model/story", "conformance/model/value", "conformance/rules"},
		"conformance/model/draw":     {"conformance/model/body", "conformance/model/leeway", "conformance/model/story", "conformance/model/value"},
		"conformance/model/reuse":    {"conformance/model/value"},
		"conformance/model/traffic":  {"conformance/model/blame", "conformance/model/exchange", "conformance/model/leeway", "conformance/model/reuse", "conformance/model/value", "conformance/rules"},
		"conformance/model/world":    {"conformance/model/blame", "conformance/model/exchange", "conformance/model/leeway", "conformance/model/reuse", "conformance/model/story", "conformance/model/value", "conformance/rules"},
		"conformance/model/play": {"conformance/await", "conformance/model/blame", "conformance/model/body", "conformance/model/exchange", "conformance/model/leeway", "conformance/model/reuse",
			"conformance/model/story", "conformance/model/value", "conformance/model/world", "conformance/rules"},
		"conformance/watch":    {"conformance/clients", "conformance/internal/passive", "conformance/internal/wire", "conformance/model/blame", "conformance/model/exchange", "conformance/model/traffic", "conformance/result", "conformance/rules", "internal/redact"},
		"conformance/await":    {},
		"conformance/accounts": {"conformance/internal/jsonvalue", "conformance/internal/wire", "conformance/model/reuse", "conformance/observed", "conformance/rules"},
		"conformance/observed": {"conformance/internal/wire", "conformance/result", "conformance/rules"},
		"conformance/explore":  {"conformance/grid", "conformance/model/body", "conformance/model/draw", "conformance/model/play", "conformance/model/story", "conformance/rules"},
		"conformance": {"client", "conformance/accounts", "conformance/await", "conformance/explore", "conformance/grid", "conformance/internal/jsonvalue", "conformance/internal/ledger",
			"conformance/internal/passive", "conformance/internal/wire", "conformance/model/blame", "conformance/model/body", "conformance/model/draw", "conformance/model/exchange",
			"conformance/model/leeway", "conformance/model/play", "conformance/model/reuse", "conformance/model/story", "conformance/model/traffic", "conformance/model/value",
			"conformance/observed", "conformance/result", "conformance/rules", "conformance/setting", "internal/loopback"},
		"scenarios": {"client", "conformance", "conformance/rules", "conformance/setting"},
		"cmd/conform": {"conformance", "conformance/clean", "conformance/clients", "conformance/har", "conformance/rejudge", "conformance/report", "conformance/report/html", "conformance/report/pipeline", "conformance/report/plain", "conformance/report/rulebook", "conformance/report/screen", "conformance/report/script", "conformance/report/view", "conformance/restarts", "conformance/result",
			"conformance/rules", "conformance/seeds", "conformance/setting", "conformance/watch", "internal/help", "internal/loopback", "internal/nearest", "internal/shell", "refserver", "refserver/child", "refserver/control",
			"refserver/control/journal", "refserver/faults", "refserver/tlscert", "refserver/twin", "scenarios"},
		"cmd/refserver": {"internal/help", "internal/loopback", "internal/nearest", "internal/shell", "refserver", "refserver/child", "refserver/control", "refserver/control/journal", "refserver/control/openapi", "refserver/datafile",
			"refserver/control/seed", "refserver/faults", "refserver/like", "refserver/store", "refserver/tlscert"},
		"refserver/child": {"internal/procgroup"},
		"refserver/control": {"internal/loopback", "internal/redact", "internal/shell", "refserver", "refserver/control/journal", "refserver/control/openapi", "refserver/control/seed",
			"refserver/control/weather", "refserver/faults", "refserver/store", "refserver/twin"},
		"refserver/control/journal": {"internal/redact"},
		"refserver/control/openapi": {},
		"refserver/control/seed":    {"refserver", "refserver/store"},
		"refserver/control/weather": {"refserver/control/openapi"},
		"refserver/refservertest":   {"refserver", "refserver/control", "refserver/control/journal", "refserver/control/seed"},
		"internal/help":             {},
		"internal/loopback":         {},
		"internal/nearest":          {},
		"internal/procgroup":        {},
		"internal/redact":           {},
		"internal/shell":            {},
		"internal/testkit":          {},
		"examples/fake":             {},
		"examples/ginkgo":           {},
		"examples/gotest":           {},
		"packages":                  {},
		"proof":                     {},
		"proof/matrix":              {},
		"proof/sourcemutants":       {"conformance/result"},
		"proof/sourcemutants/host":  {"refserver", "refserver/tlscert"},
	}
}
