package refserver

import (
	_ "embed"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"reflect"
	"strings"
)

//go:embed choices.go
var choicesSource string

// ChoiceMeanings returns the meaning of each choice by its name: the comments beside the fields of [Choices].
func ChoiceMeanings() (map[string]string, error) {
	file, err := parser.ParseFile(token.NewFileSet(), "choices.go", choicesSource, parser.ParseComments)
	if err != nil {
		return nil, fmt.Errorf("reading the choices: %w", err)
	}
	meanings := make(map[string]string)
	choices := reflect.TypeFor[Choices]()
	ast.Inspect(file, func(n ast.Node) bool {
		declared, ok := n.(*ast.TypeSpec)
		if !ok || declared.Name.Name != choices.Name() {
			return true
		}
		if fields, ok := declared.Type.(*ast.StructType); ok {
			for _, field := range fields.Fields.List {
				for _, name := range field.Names {
					if of, found := choices.FieldByName(name.Name); found {
						meanings[choiceName(of)] = strings.TrimSpace(field.Comment.Text())
					}
				}
			}
		}
		return false
	})
	return meanings, nil
}
