package report

import (
	"bufio"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"io"

	"github.com/socialfeed/conform/conformance"
)

//go:embed report.html.tmpl report.css report.js
var htmlFiles embed.FS

// HTML writes the report as one page for a browser that needs nothing beside
// it: its style and its script stand inside, and its policy allows no others.
// What the target sent is text there and nothing else. Evidence is left out
// beyond a bound, so that the page stays below about 3 MB, and the page says so;
// the JSON report has all of it.
func HTML(w io.Writer, r *conformance.Report, o TextOptions) error {
	if err := writeHTML(w, newHTMLPage(r, againOf(r, o))); err != nil {
		return fmt.Errorf("writing the report as HTML: %w", err)
	}
	return nil
}

func writeHTML(w io.Writer, p htmlPage) error {
	style, err := htmlFiles.ReadFile("report.css")
	if err != nil {
		return err
	}
	script, err := htmlFiles.ReadFile("report.js")
	if err != nil {
		return err
	}
	page, err := template.ParseFS(htmlFiles, "report.html.tmpl")
	if err != nil {
		return err
	}
	out := bufio.NewWriter(w)
	err = page.Execute(out, htmlDocument{
		Policy: htmlPolicy(style, script),
		Style:  template.CSS(style),
		Script: template.JS(script),
		Page:   p,
	})
	if err != nil {
		return err
	}
	return out.Flush()
}

// htmlDocument is what the template is given.
type htmlDocument struct {
	Policy string
	Style  template.CSS
	Script template.JS
	Page   htmlPage
}

// htmlPolicy is a content security policy that allows one style and one script,
// by their hashes, and nothing from anywhere.
func htmlPolicy(style, script []byte) string {
	return fmt.Sprintf("default-src 'none'; style-src %s; script-src %s; base-uri 'none'; form-action 'none'",
		htmlHash(style), htmlHash(script))
}

func htmlHash(content []byte) string {
	sum := sha256.Sum256(content)
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}
