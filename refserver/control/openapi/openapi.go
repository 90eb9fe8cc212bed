// Package openapi holds the contract as an OpenAPI document, and a tour of every
// endpoint: as a .http file and as a Postman collection.
package openapi

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

//go:embed openapi.yaml
var document []byte

// operations are the document's operations as JSON, since reading YAML takes most of a start. A test
// writes the file and compares it with the document.
//
//go:embed operations.json
var operations []byte

// Operation is an endpoint of the contract.
type Operation struct {
	Number  int    // in the contract's table
	Method  string // in capitals
	Path    string // with parameters in braces, such as /0.2/users/{UserID}
	ID      string
	Summary string
	Part    string
	Needs   Credentials
	Query   []string // the names of query parameters
	Body    string   // an example of the request's body as JSON, or blank

	segments []string // of the path
}

// Credentials says what an operation needs.
type Credentials string

const (
	NoCredentials Credentials = "none"
	AppToken      Credentials = "app token"
	BothTokens    Credentials = "both tokens"
)

// written is the address of the service in the document as it was written.
const written = "https://127.0.0.1:8443"

// YAML is the document as it was written, with the server's address filled in.
func YAML(baseURL string) []byte {
	return bytes.Replace(document, []byte("- url: "+written), []byte("- url: "+strconv.Quote(baseURL)), 1)
}

// JSON is the document as JSON, with the server's address filled in.
func JSON(baseURL string) []byte {
	var tree map[string]any
	must(yaml.Unmarshal(document, &tree))
	tree["servers"] = []any{map[string]any{"url": baseURL}}
	return encoded(tree)
}

// must stops at a mistake in the embedded document, which its tests would have found.
func must(err error) {
	if err != nil {
		panic(fmt.Errorf("the OpenAPI document: %w", err))
	}
}

func encoded(tree any) []byte {
	text, err := json.MarshalIndent(tree, "", "  ")
	must(err)
	return text
}

// Operations lists the operations in the order of the contract's table.
func Operations() []Operation {
	var list []Operation
	must(json.Unmarshal(operations, &list))
	for i := range list {
		list[i].segments = strings.Split(list[i].Path, "/")
	}
	return list
}

// Find returns the operation that serves a request, or false. A part in braces
// stands for any segment that is not a literal of another operation.
func Find(operations []Operation, method, path string) (*Operation, bool) {
	best, bestLiterals := -1, -1
	for i := range operations {
		if operations[i].Method != method {
			continue
		}
		if literals, matches := match(operations[i].segments, path); matches && literals > bestLiterals {
			best, bestLiterals = i, literals
		}
	}
	if best < 0 {
		return &Operation{}, false
	}
	return &operations[best], true
}

// match counts the literal segments that a path shares with a template.
func match(template []string, path string) (int, bool) {
	literals, more := 0, true
	for _, segment := range template {
		if !more {
			return 0, false
		}
		var given string
		given, path, more = strings.Cut(path, "/")
		switch {
		case strings.HasPrefix(segment, "{") && given != "":
		case segment == given:
			literals++
		default:
			return 0, false
		}
	}
	return literals, !more
}
