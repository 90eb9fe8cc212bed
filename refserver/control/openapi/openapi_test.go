package openapi_test

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/socialfeed/conform/refserver/control/openapi"
)

const fakeURL = "https://[::1]:9443"

func TestDocumentIsValid(t *testing.T) {
	text := openapi.JSON(fakeURL)
	for name, data := range map[string][]byte{"YAML": openapi.YAML(fakeURL), "JSON": text} {
		document, err := openapi3.NewLoader().LoadFromData(data)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if err := document.Validate(t.Context(), openapi3.EnableExamplesValidation()); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if len(document.Servers) != 1 || document.Servers[0].URL != fakeURL {
			t.Errorf("%s: the servers are %v", name, document.Servers)
		}
	}
}

// TestDocumentSuitsGenerators keeps out what generated clients cannot be compiled or used with: schemas named as a class
// that languages have built in, and parts of an allOf or oneOf that require properties which they do not describe.
func TestDocumentSuitsGenerators(t *testing.T) {
	document, err := openapi3.NewLoader().LoadFromData(openapi.JSON(fakeURL))
	if err != nil {
		t.Fatal(err)
	}
	builtIn := []string{"Object", "Error", "String", "Number", "Boolean", "Array", "Map", "Set", "List", "Date", "Function", "Record", "Class", "Exception", "Any"}
	for name, schema := range document.Components.Schemas {
		if slices.Contains(builtIn, name) {
			t.Errorf("the schema %s hides a class of the language", name)
		}
		for _, part := range slices.Concat(openapi3.SchemaRefs{schema}, schema.Value.AllOf, schema.Value.OneOf, schema.Value.AnyOf) {
			for _, required := range part.Value.Required {
				if part.Value.Properties[required] == nil {
					t.Errorf("%s requires %s without describing it", name, required)
				}
			}
		}
	}
}

func TestOperationsAreTheContracts(t *testing.T) {
	operations := openapi.Operations()
	if len(operations) != 22 {
		t.Fatalf("%d operations", len(operations))
	}
	for i, op := range operations {
		if op.Number != i+1 || op.ID == "" || op.Summary == "" {
			t.Errorf("operation %d: %+v", i+1, op)
		}
	}
	for request, want := range map[string]int{
		"GET /0.2/users/search": 8, "GET /0.2/users/20001": 7, "GET /0.2/users/20001/follows": 14, "POST /0.2/user/connections/social": 17,
		"DELETE /0.2/user/connections/20001": 10, "GET /versions": 22, "PATCH /0.2/user": 0, "GET /0.2/users/": 0, "GET /": 0,
	} {
		method, path, _ := strings.Cut(request, " ")
		if op, _ := openapi.Find(operations, method, path); op.Number != want {
			t.Errorf("%s is endpoint %d, want %d", request, op.Number, want)
		}
	}
}

func TestCollections(t *testing.T) {
	operations := openapi.Operations()
	file := openapi.HTTPFile(operations, "https://fake.test")
	if strings.Contains(file, "@app_token") {
		t.Error("a variable in the file beats the one that is given")
	}
	collection := openapi.Postman(operations, "https://fake.test")
	var read struct {
		Item []struct {
			Name string
			Item []struct {
				Request struct{ Method, URL string }
				Event   []struct{ Script struct{ Exec []string } }
			}
		}
	}
	if err := json.Unmarshal(collection, &read); err != nil {
		t.Fatal(err)
	}
	called := map[string]bool{}
	kept := map[string]bool{"base_url": true, "app_token": true, "$guid": true}
	for _, folder := range read.Item {
		for _, item := range folder.Item {
			path, inService := strings.CutPrefix(item.Request.URL, "{{base_url}}")
			path, _, _ = strings.Cut(path, "?")
			op, found := openapi.Find(operations, item.Request.Method, path)
			if !inService || !found {
				t.Errorf("%s: %+v", folder.Name, item)
			}
			called[op.ID] = true
			text, err := json.Marshal(item)
			if err != nil {
				t.Fatal(err)
			}
			for _, used := range regexp.MustCompile(`\{\{([a-z_$]+)\}\}|kept\(\\"([a-z_]+)`).FindAllStringSubmatch(string(text), -1) {
				if name := used[1] + used[2]; !kept[name] {
					t.Errorf("%s uses %s before it is kept", item.Request.URL, name)
				}
			}
			script := strings.Join(item.Event[0].Script.Exec, "\n")
			for _, set := range regexp.MustCompile(`(.*)Variables\.set\("([a-z_]+)"`).FindAllStringSubmatch(script, -1) {
				kept[set[2]] = true
				if !strings.Contains(set[1], "if (harmless(") {
					t.Errorf("a variable takes any text of an answer, which may hold variables in braces: %s", set[0])
				}
			}
			if !strings.Contains(script, "pm.test(") {
				t.Errorf("%s is not tested", item.Request.URL)
			}
			if !strings.Contains(file, "\n"+item.Request.Method+" "+item.Request.URL+"\n") {
				t.Errorf("the .http file lacks %s %s", item.Request.Method, item.Request.URL)
			}
		}
	}
	if len(called) != len(operations) {
		t.Errorf("%d of %d operations are called: %v", len(called), len(operations), called)
	}
}
