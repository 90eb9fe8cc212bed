package report

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/socialfeed/conform/conformance/result"
	"golang.org/x/net/html"
)

// htmlOf is the report as a page, and the tree that a browser makes of it.
func htmlOf(t *testing.T, r *result.Report) (string, *html.Node) {
	t.Helper()
	var b bytes.Buffer
	if err := writeHTML(&b, newView(r, Options{})); err != nil {
		t.Fatal(err)
	}
	tree, err := html.Parse(bytes.NewReader(b.Bytes()))
	if err != nil {
		t.Fatal(err)
	}
	return b.String(), tree
}

func attribute(n *html.Node, key string) string {
	i := slices.IndexFunc(n.Attr, func(a html.Attribute) bool { return a.Key == key })
	if i < 0 {
		return ""
	}
	return n.Attr[i].Val
}

// find lists the elements for which the predicate holds, in the page's order.
func find(tree *html.Node, wanted func(*html.Node) bool) []*html.Node {
	var found []*html.Node
	for n := range tree.Descendants() {
		if n.Type == html.ElementNode && wanted(n) {
			found = append(found, n)
		}
	}
	return found
}

func named(names ...string) func(*html.Node) bool {
	return func(n *html.Node) bool { return slices.Contains(names, n.Data) }
}

func byID(tree *html.Node, id string) *html.Node {
	found := find(tree, func(n *html.Node) bool { return attribute(n, "id") == id })
	if len(found) != 1 {
		return &html.Node{}
	}
	return found[0]
}

// textIn is an element's text, its white space in single spaces.
func textIn(n *html.Node) string {
	var b strings.Builder
	for d := range n.Descendants() {
		if d.Type == html.TextNode {
			b.WriteString(d.Data)
			if d.NextSibling == nil || d.NextSibling.Data != "wbr" {
				b.WriteString(" ")
			}
		}
	}
	return strings.Join(strings.Fields(b.String()), " ")
}

func wantText(t *testing.T, in *html.Node, wanted ...string) {
	t.Helper()
	got := textIn(in)
	for _, want := range wanted {
		if !strings.Contains(got, want) {
			t.Errorf("%s %s: %q is missing in %.2000q", in.Data, attribute(in, "id"), want, got)
		}
	}
}
