package report

import (
	"bufio"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"fmt"
	"html"
	"html/template"
	"io"
	"slices"
	"strings"

	"github.com/socialfeed/conform/conformance/result"
)

var (
	//go:embed report.html.tmpl
	htmlTemplate string
	//go:embed report.css
	htmlStyle string
	//go:embed report.js
	htmlScript string
)

// writeHTML writes the report as one page for a browser that needs nothing beside
// it: its style and its script stand inside, and its policy allows no others.
// What the target sent is text there and nothing else. Evidence is left out
// beyond a bound, so that the page stays below about 3 MB, and the page says so;
// the JSON report has all of it.
func writeHTML(w io.Writer, r *result.Report, o Options) error {
	v := newView(r, o)
	page, err := template.New("report").Funcs(htmlFuncs(v, newHTMLEvidence(r, v))).Parse(htmlTemplate)
	if err != nil {
		return err
	}
	out := bufio.NewWriter(w)
	err = page.Execute(out, htmlPage{
		view: v, Style: template.CSS(htmlStyle), Script: template.JS(htmlScript),
		Policy: fmt.Sprintf("default-src 'none'; style-src %s; script-src %s; base-uri 'none'; form-action 'none'", htmlHash(htmlStyle), htmlHash(htmlScript)),
	})
	if err != nil {
		return err
	}
	return out.Flush()
}

// htmlPage is what the template is given: the view, and what stands around it.
type htmlPage struct {
	*view
	Policy string // allows one style and one script, by their hashes, and nothing from anywhere
	Style  template.CSS
	Script template.JS
}

// Outcomes are the statuses that rules came out with, the worst first.
func (p htmlPage) Outcomes() []result.Status {
	return slices.DeleteFunc(result.Statuses(), func(s result.Status) bool { return p.Sums()[s] == 0 })
}

// Sums counts all rules by outcome.
func (p htmlPage) Sums() map[result.Status]int {
	if len(p.Tallies) == 0 {
		return nil
	}
	return p.Tallies[len(p.Tallies)-1].N
}

func htmlFuncs(v *view, e *htmlEvidence) template.FuncMap {
	return template.FuncMap{
		"bar":       htmlBar,
		"shown":     func(all []violation) []violation { return all[:min(len(all), maxHTMLViolations)] },
		"more":      func(all []violation) int { return max(len(all)-maxHTMLViolations, 0) },
		"breakable": breakable,
		"causes":    v.causes,
		"command":   func(s string) string { return strings.Join(command(s, htmlColumns), "\n") },
		"compared":  htmlComparison,
		"fact":      v.fact,
		"glance":    func(s string) string { return bounded(s, maxGlance) },
		"evidence":  func(c *checkView) *htmlChecked { return e.of[c] },
		"numbers":   numbersOf,
		"exchanged": newHTMLExchange,
		"story":     e.story,
		"web":       func(s string) bool { return strings.HasPrefix(s, "https://") || strings.HasPrefix(s, "http://") },
		"worst":     worst,
	}
}

// breakable is a name or a path that a line may end in: behind its separators alone.
func breakable(s string) template.HTML {
	var b strings.Builder
	for part := range strings.SplitAfterSeq(s, "/") {
		for piece := range strings.SplitAfterSeq(part, ".") {
			b.WriteString(html.EscapeString(piece))
			if strings.HasSuffix(piece, ".") || strings.HasSuffix(piece, "/") {
				b.WriteString("<wbr>")
			}
		}
	}
	return template.HTML(b.String())
}

// htmlSlice is a status's share of a bar that is 100 wide.
type htmlSlice struct {
	Status   result.Status
	Checks   int
	X, Width string
}

// htmlBar shares a bar out among the statuses that came up, the worst first.
func htmlBar(n map[result.Status]int) []htmlSlice {
	total := 0
	for _, s := range result.Statuses() {
		total += max(n[s], 0)
	}
	var bar []htmlSlice
	x := 0.0
	for _, s := range result.Statuses() {
		if n[s] <= 0 {
			continue
		}
		width := 100 * float64(n[s]) / float64(total)
		bar = append(bar, htmlSlice{s, n[s], fmt.Sprintf("%.2f", x), fmt.Sprintf("%.2f", width)})
		x += width
	}
	return bar
}

// worst is the worst of the statuses that came up, "" where none did.
func worst(n map[result.Status]int) result.Status {
	for _, s := range result.Statuses() {
		if n[s] > 0 {
			return s
		}
	}
	return ""
}

// numbersOf lists the numbers of the endpoints that a rule was judged at, each
// once, 0 for none, as the page's script reads them.
func numbersOf(rule *ruleView) string {
	var numbers []string
	seen := map[int]bool{}
	for _, c := range rule.Checks {
		if !seen[c.Number] {
			seen[c.Number] = true
			numbers = append(numbers, fmt.Sprint(c.Number))
		}
	}
	return strings.Join(numbers, " ")
}

// htmlHash names a style or a script in a content security policy.
func htmlHash(content string) string {
	sum := sha256.Sum256([]byte(content))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}
