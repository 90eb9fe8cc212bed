// Package hurl writes files for Hurl: https://hurl.dev/docs/grammar.html.
package hurl

import (
	"fmt"
	"strings"

	"github.com/socialfeed/conform/conformance/program"
	"github.com/socialfeed/conform/conformance/program/internal/lines"
)

// File is a file in the making.
type File struct{ out lines.File }

// Comment adds constant text and others as a comment of one line.
func (f *File) Comment(about lines.Constant, texts ...string) { f.out.Comment(about, texts) }

// Request adds a request and what its answer gives. One that has a Misfit is an error.
func (f *File) Request(r program.Request) error {
	if why := r.Misfit(); why != "" {
		return fmt.Errorf("the request %s", why)
	}
	f.out.WriteString("\n" + r.Method + " {{base_url}}" + spelled(r.Path) + "\n")
	for _, h := range r.Headers {
		f.out.WriteString(h.Name + ": " + spelled(h.Value) + "\n")
	}
	if r.WaitMS > 0 {
		fmt.Fprintf(&f.out, "[Options]\ndelay: %dms\n", r.WaitMS)
	}
	if r.Credentials {
		f.out.WriteString("[BasicAuth]\n" + spelled(r.Name) + ": " + spelled(r.Password) + "\n")
	}
	if len(r.Body) > 0 {
		f.out.WriteString("`" + spelled(r.Body) + "`\n")
	}
	f.out.WriteString("HTTP *\n")
	for i, c := range r.Captures {
		if i == 0 {
			f.out.WriteString("[Captures]\n")
		}
		f.out.WriteString(lines.Variable(c.Variable) + `: jsonpath "$.` + c.Field + "\"\n")
	}
	return nil
}

// KeepStatus keeps the status of the latest answer, for Unlike.
func (f *File) KeepStatus() { f.out.WriteString("[Captures]\ndecided: status\n") }

// Unlike adds the assertion that a status is not this one: the kept status, or that of the latest answer.
func (f *File) Unlike(kept bool, status int, expected string) {
	subject := "status"
	if kept {
		subject = `variable "decided"`
	}
	fmt.Fprintf(&f.out, "[Asserts]\n%s != %d # expected %s\n", subject, status, lines.OneLine(expected))
}

// String returns the file.
func (f *File) String() string { return f.out.String() }

func spelled(v program.Value) string { return lines.Spelled(v, escaped) }

// escaped escapes the characters with a meaning in Hurl. Two braces begin a variable, also where the second
// one is that of a variable behind the text.
func escaped(text string, before bool) string {
	text = strings.NewReplacer(`\`, `\\`, "#", `\#`, "`", "\\u{60}", "{{", `\u{7b}\u{7b}`).Replace(text)
	if rest, found := strings.CutSuffix(text, "{"); found && before {
		text = rest + `\u{7b}`
	}
	return text
}
