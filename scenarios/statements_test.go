package scenarios_test

import (
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/onsi/ginkgo/v2"
	"github.com/socialfeed/conform/conformance"
	"github.com/socialfeed/conform/conformance/rules"
	"github.com/socialfeed/conform/scenarios"
)

var update = flag.Bool("update", false, "write the statements of the rules above the scenarios that judge them")

// Above each scenario stand the rules that it judges, as the catalogue states them.
func TestStatementsStandAboveScenarios(t *testing.T) {
	catalogue := rules.Load()
	for path, at := range judgedAt(t, catalogue) {
		source, err := os.ReadFile(filepath.Base(path))
		if err != nil {
			t.Fatal(err)
		}
		stated := withStatements(string(source), at)
		if stated == string(source) {
			continue
		}
		if !*update {
			t.Errorf("%s states other rules than the catalogue; `go test ./scenarios -run Statements -update` writes them", filepath.Base(path))
		} else if err := os.WriteFile(filepath.Base(path), []byte(stated), 0o644); err != nil { //nolint:gosec // a source file
			t.Fatal(err)
		}
	}
}

// judgedAt lists, by file and line, the rules of the scenarios that are declared
// there. Where the suite does not fit the catalogue, Ginkgo has one spec that says why.
func judgedAt(t *testing.T, catalogue *rules.Catalogue) map[string]map[int][]rules.Rule {
	conformance.Specs(func() conformance.Config { return conformance.Config{} }, scenarios.Register)
	labels := map[string]map[int][]string{}
	for _, spec := range ginkgo.PreviewSpecs("scenarios").SpecReports {
		file, line := spec.LeafNodeLocation.FileName, spec.LeafNodeLocation.LineNumber
		if _, err := os.Stat(filepath.Base(file)); err != nil {
			t.Fatalf("the suite %s", spec.FullText())
		}
		if labels[file] == nil {
			labels[file] = map[int][]string{}
		}
		labels[file][line] = append(labels[file][line], spec.LeafNodeLabels...)
	}
	judged := map[string]map[int][]rules.Rule{}
	for file, lines := range labels {
		judged[file] = map[int][]rules.Rule{}
		for line, ids := range lines {
			judged[file][line] = slices.DeleteFunc(catalogue.Rules(), func(r rules.Rule) bool { return !slices.Contains(ids, r.ID) })
		}
	}
	return judged
}

// statementLine finds a line of the statements above a scenario.
var statementLine = regexp.MustCompile(`^\t*// [a-z-]+\.[a-z0-9.-]+( \((should|choice)\))?: `)

// withStatements is a source file with the statements above its scenarios.
func withStatements(source string, at map[int][]rules.Rule) string {
	var stated []string
	for i, line := range strings.Split(source, "\n") {
		if judged := at[i+1]; judged != nil {
			for len(stated) > 0 && statementLine.MatchString(stated[len(stated)-1]) {
				stated = stated[:len(stated)-1]
			}
			indent := line[:len(line)-len(strings.TrimLeft(line, "\t"))]
			for _, rule := range judged {
				stated = append(stated, indent+statement(rule))
			}
		}
		stated = append(stated, line)
	}
	return strings.Join(stated, "\n")
}

// statement is a rule as a comment.
func statement(rule rules.Rule) string {
	level := ""
	if rule.Level != rules.Must {
		level = " (" + string(rule.Level) + ")"
	}
	return "// " + rule.ID + level + ": " + strings.Join(strings.Fields(rule.Statement), " ")
}
