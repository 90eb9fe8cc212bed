// Package httpfile writes .http files, whose requests the HTTP clients of editors send in sequence:
// JetBrains' client, and httpYac in others. The format has no quoting, and httpYac expands what a
// variable holds once more: JavaScript in it runs. A text that may be syntax is an error, and a script
// takes from an answer only what is of a harmless alphabet.
package httpfile

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"

	"github.com/socialfeed/conform/conformance/program"
	"github.com/socialfeed/conform/conformance/program/internal/lines"
)

// File is a file in the making.
type File struct{ out lines.File }

// Comment adds constant text and others as a comment of one line. It begins with the constant, since an
// @ there would be a command to httpYac.
func (f *File) Comment(about lines.Constant, texts ...string) { f.out.Comment(about, texts) }

// address matches the base URLs that mean nothing else in the file.
var address = regexp.MustCompile(`^https?://[A-Za-z0-9._~:/%\[\]-]+$`)

// BaseURL adds the address that the requests go to.
func (f *File) BaseURL(url string) error {
	if !address.MatchString(url) {
		return fmt.Errorf("the base URL %.100q has other characters than an address", url)
	}
	f.out.WriteString("@base_url = " + url + "\n")
	return nil
}

// Heading begins the next request.
func (f *File) Heading(number int, about lines.Constant) {
	fmt.Fprintf(&f.out, "\n### %d%s\n", number, string(about))
}

// Misfit is why a request cannot be written, "" where it can.
func Misfit(r program.Request) string {
	if why := r.Misfit(); why != "" {
		return why
	}
	for _, v := range append([]program.Value{r.Path, r.Name, r.Password, r.Body}, values(r.Headers)...) {
		if !v.Texts(harmless) {
			return "holds what is a variable there"
		}
	}
	for _, h := range r.Headers {
		if strings.EqualFold(h.Name, "Authorization") {
			return "has credentials that the editor would make"
		}
	}
	blank := func(text string, _ bool) bool { return !strings.Contains(text, " ") }
	if !r.Name.Texts(blank) || !r.Password.Texts(blank) {
		return "has credentials with blanks"
	}
	if len(r.Body) > 0 && !jsonLike.MatchString(spelled(r.Body)) {
		return "has a body that could be taken for a command"
	}
	return ""
}

func values(headers []program.Header) []program.Value {
	var all []program.Value
	for _, h := range headers {
		all = append(all, h.Value)
	}
	return all
}

// harmless reports whether a text begins and ends no variable and no script, nor does so together with the
// variable behind it.
func harmless(text string, before bool) bool {
	return !strings.Contains(text, "{{") && !strings.Contains(text, "{%") && !strings.Contains(text, "%}") && !(before && strings.HasSuffix(text, "{"))
}

// jsonLike matches the beginnings of bodies that no editor takes for syntax of the file.
var jsonLike = regexp.MustCompile(`^[\[{"0-9a-z]`)

// Request adds a request that has no Misfit. Editors follow no redirect of its answer: that may lead to another host.
func (f *File) Request(r program.Request) error {
	if why := Misfit(r); why != "" {
		return fmt.Errorf("the request %s", why)
	}
	f.out.WriteString("# @no-redirect\n" + r.Method + " {{base_url}}" + spelled(r.Path) + "\n")
	if r.Credentials {
		f.out.WriteString("Authorization: Basic " + spelled(r.Name) + ":" + spelled(r.Password) + "\n")
	}
	for _, h := range r.Headers {
		f.out.WriteString(h.Name + ": " + spelled(h.Value) + "\n")
	}
	if len(r.Body) > 0 {
		f.out.WriteString("\n" + spelled(r.Body) + "\n")
	}
	for i, c := range r.Captures {
		if i == 0 {
			f.out.WriteString("\n> {%\n")
		}
		fmt.Fprintf(&f.out, capture, c.Field, lines.Variable(c.Variable))
		if i == len(r.Captures)-1 {
			f.out.WriteString("%}\n")
		}
	}
	return nil
}

// capture is the part of a script that takes a field of the answer. What is of no harmless alphabet sets nothing,
// and the requests that need it are not sent.
const capture = `{
  const given = response.body && response.body.%[1]s;
  if ((typeof given !== "string" && typeof given !== "number") || !/^[A-Za-z0-9._~+\/=:-]{1,1000}$/.test(String(given))) {
    throw new Error("the answer has no %[1]s that can be sent safely from here: take the script for sh");
  }
  client.global.set("%[2]s", String(given));
}
`

// spelled is a value in the file, whose texts stand as they are.
func spelled(v program.Value) string {
	return lines.Spelled(v, func(text string, _ bool) string { return text })
}

// Unlike adds a test that the latest answer has not a status.
func (f *File) Unlike(name string, status int, message string) {
	fmt.Fprintf(&f.out, "\n> {%%\nclient.test(%s, function() {\n  client.assert(response.status !== %d, %s);\n});\n%%}\n", javaScript(name), status, javaScript(message))
}

// javaScript is a text as a quoted JavaScript string, without what ends a script or begins a variable.
func javaScript(text string) string {
	quoted, _ := json.Marshal(text) // encoding a string never fails
	return strings.NewReplacer("%", `\u0025`, "{", `\u007b`, "}", `\u007d`).Replace(string(quoted))
}

// String returns the file.
func (f *File) String() string { return f.out.String() }
