package openapi_test

import (
	"bytes"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/socialfeed/conform/refserver/control/openapi"
)

// updateVariable has the test write the operations anew.
const updateVariable = "OPERATIONS_UPDATE"

// TestOperationsAreTheDocuments holds the embedded operations against the document.
func TestOperationsAreTheDocuments(t *testing.T) {
	const path = "operations.json"
	want, err := json.MarshalIndent(read(t), "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	want = append(want, '\n')
	if os.Getenv(updateVariable) != "" {
		if err := os.WriteFile(path, want, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := os.ReadFile(path); err != nil || !bytes.Equal(got, want) {
		t.Errorf("%s is not what the document says (%v); %s=yes writes it", path, err, updateVariable)
	}
}

// read reads the operations from the document.
func read(t *testing.T) []openapi.Operation {
	t.Helper()
	must := func(err error) {
		if err != nil {
			t.Fatal(err)
		}
	}
	var tree struct {
		Paths map[string]map[string]struct {
			Number      int                   `yaml:"x-endpoint"`
			ID          string                `yaml:"operationId"`
			Summary     string                `yaml:"summary"`
			Tags        []string              `yaml:"tags"`
			Security    []map[string][]string `yaml:"security"`
			Parameters  []struct{ Name, In string }
			RequestBody struct {
				Content map[string]struct{ Example any }
			} `yaml:"requestBody"`
		}
	}
	must(yaml.Unmarshal(openapi.YAML(fakeURL), &tree))
	count := 0
	for _, methods := range tree.Paths {
		count += len(methods)
	}
	list := make([]openapi.Operation, count)
	for path, methods := range tree.Paths {
		for method, op := range methods {
			o := openapi.Operation{Number: op.Number, Method: strings.ToUpper(method), Path: path, ID: op.ID, Summary: op.Summary, Part: op.Tags[0], Needs: openapi.NoCredentials}
			for scheme := range op.Security[0] {
				o.Needs = map[string]openapi.Credentials{"appToken": openapi.AppToken, "bothTokens": openapi.BothTokens}[scheme]
			}
			for _, parameter := range op.Parameters {
				if parameter.In == "query" {
					o.Query = append(o.Query, parameter.Name)
				}
			}
			if example := op.RequestBody.Content["application/json"].Example; example != nil {
				body, err := json.Marshal(example)
				must(err)
				o.Body = string(body)
			}
			list[op.Number-1] = o
		}
	}
	return list
}
