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
	if n := strings.Count(file, "\n### "); n != 22 || !strings.Contains(file, "\nPOST {{base_url}}/0.2/users?withLogin=true\nAuthorization: Basic {{app_token}}:\n") {
		t.Errorf("%d requests in\n%s", n, file)
	}
	collection := openapi.Postman(operations, "https://fake.test")
	if bare := regexp.MustCompile(`set\('(session_token|user_id)', answer`); bare.Match(collection) {
		t.Error("a variable takes any text of an answer, which may hold variables in braces")
	}
	var read struct {
		Item []struct {
			Name string
			Item []struct{ Request struct{ Method, URL string } }
		}
	}
	if err := json.Unmarshal(collection, &read); err != nil {
		t.Fatal(err)
	}
	requests := 0
	for _, folder := range read.Item {
		for _, item := range folder.Item {
			requests++
			if !strings.HasPrefix(item.Request.URL, "{{base_url}}/") || item.Request.Method == "" {
				t.Errorf("%s: %+v", folder.Name, item)
			}
		}
	}
	if requests != 22 {
		t.Errorf("%d requests in the collection", requests)
	}
}
