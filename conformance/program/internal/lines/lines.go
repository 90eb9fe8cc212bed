// Package lines has what the writers of files of lines have in common: comments, and variables in braces.
package lines

import (
	"strings"

	"github.com/socialfeed/conform/conformance/program"
)

// Constant is text of a file itself. Callers of the writers cannot name the type: constants become one, and no
// variable does.
type Constant string

// File is a file in the making.
type File struct{ strings.Builder }

// Comment adds constant text and others as a comment of one line.
func (f *File) Comment(about Constant, texts []string) {
	f.WriteString("# " + string(about) + OneLine(strings.Join(texts, "")) + "\n")
}

// OneLine is a text in one line.
func OneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// Variable is the name of a variable in files.
func Variable(name string) string { return strings.ToLower(name) }

// Spelled is a value in a file: variables as {{name}}, and texts as the file spells them. A text is told
// whether a variable follows.
func Spelled(v program.Value, text func(text string, before bool) string) string {
	var b strings.Builder
	for i, p := range v {
		if p.Variable != "" {
			b.WriteString("{{" + Variable(p.Variable) + "}}")
		} else {
			b.WriteString(text(p.Text, i+1 < len(v)))
		}
	}
	return b.String()
}
