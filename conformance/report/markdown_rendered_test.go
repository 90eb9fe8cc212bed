package report

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/socialfeed/conform/conformance/result"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	render "github.com/yuin/goldmark/renderer/html"
	nethtml "golang.org/x/net/html"
)

// rendered is Markdown as a browser gets it from a renderer: with tables and
// links as GitHub has them, and with its HTML left in place.
func rendered(t *testing.T, markdown string) *nethtml.Node {
	t.Helper()
	var page bytes.Buffer
	renderer := goldmark.New(goldmark.WithExtensions(extension.GFM), goldmark.WithRendererOptions(render.WithUnsafe()))
	if err := renderer.Convert([]byte(markdown), &page); err != nil {
		t.Fatal(err)
	}
	tree, err := nethtml.Parse(&page)
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

// in reports whether a node stands within one of the elements.
func in(n *nethtml.Node, elements ...string) bool {
	for parent := range n.Ancestors() {
		if slices.Contains(elements, parent.Data) {
			return true
		}
	}
	return false
}

// What a renderer makes of a report has the report's own elements and no others,
// and whatever the target said stands in code.
func TestMarkdownRendered(t *testing.T) {
	all := everyReport()
	all["many"] = many(1000)
	all["kept"] = keeping()
	for name, r := range all {
		tree := rendered(t, writtenAs(t, "markdown", r))
		known := []string{"html", "head", "body", "h2", "h3", "p", "ul", "li", "table", "thead", "tbody", "tr", "th", "td",
			"details", "summary", "code", "pre", "blockquote"}
		for n := range tree.Descendants() {
			switch {
			case n.Type == nethtml.ElementNode && !slices.Contains(known, n.Data):
				t.Errorf("%s: an element %s: %.80q", name, n.Data, textIn(n))
			case n.Type == nethtml.CommentNode:
				t.Errorf("%s: a comment %.80q", name, n.Data)
			case n.Type == nethtml.TextNode && strings.Contains(n.Data, "EVIL") && !in(n, "code"):
				t.Errorf("%s: what the target said stands outside of code: %.80q", name, n.Data)
			case n.Type == nethtml.TextNode && strings.Contains(n.Data, "```"):
				if !in(n, "code") {
					t.Errorf("%s: a fence was not understood: %.80q", name, n.Data)
				}
			}
		}
		if headings := find(tree, named("h2")); len(headings) != 1 || headings[0].PrevSibling != nil {
			t.Errorf("%s: %d headings of the verdict, which comes first", name, len(headings))
		}
		drawers(t, name, tree)
	}
}

// drawers sees that each can be opened: by a title, and with something in it.
func drawers(t *testing.T, name string, tree *nethtml.Node) {
	t.Helper()
	for _, drawer := range find(tree, named("details")) {
		titles := 0
		for child := range drawer.ChildNodes() {
			if child.Data == "summary" {
				titles++
			}
		}
		if titles != 1 || in(drawer, "details", "li", "p") || len(textIn(drawer)) <= len(textIn(find(drawer, named("summary"))[0])) {
			t.Errorf("%s: a drawer with %d titles, or in another element, or empty: %.80q", name, titles, textIn(drawer))
		}
	}
	for _, table := range find(tree, named("table")) {
		head := len(find(table, named("th")))
		for _, row := range find(table, named("tr")) {
			if cells := len(find(row, named("th", "td"))); cells != head || head < 4 {
				t.Errorf("%s: a row with %d cells below %d", name, cells, head)
			}
		}
	}
}

// A person who opens a failure finds what is wrong, how to see it, and what to run.
func TestMarkdownEvidenceRendered(t *testing.T) {
	tree := rendered(t, writtenFor(t, "markdown", failing(), "conform.json"))
	wantText(t, find(tree, named("h2"))[0], "Not conformant")
	drawer := find(tree, func(n *nethtml.Node) bool {
		return n.Data == "details" && strings.Contains(textIn(n), "transport.no-null")
	})
	if len(drawer) != 1 {
		t.Fatalf("%d drawers tell of transport.no-null", len(drawer))
	}
	wantText(t, find(drawer[0], named("summary"))[0], "transport.no-null ( must ) at #21 GET /0.2/user/feed : expected no null; got null at [0].language")
	wantText(t, drawer[0], "expected no null", "got null at [0].language (2 of 31 responses)", "conform explain transport.no-null",
		"conform replay conform.json --rule transport.no-null")
	if blocks := find(drawer[0], named("pre")); len(blocks) != 2 || !strings.HasPrefix(textIn(blocks[0]), "curl -sS") || !strings.HasPrefix(textIn(blocks[1]), "200 OK") {
		t.Errorf("the evidence is %d blocks", len(blocks))
	}
}

// The differences between two reports are rendered as safely.
func TestDifferencesRendered(t *testing.T) {
	for name, text := range hostileTexts() {
		d := result.Compare(passing(), hostile(text))
		for n := range rendered(t, compared(t, "markdown", d)).Descendants() {
			if n.Type == nethtml.TextNode && strings.Contains(n.Data, "EVIL") && !in(n, "code") {
				t.Errorf("%s: it stands outside of code: %.80q", name, n.Data)
			}
		}
	}
}
