package report

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/socialfeed/conform/conformance/report/html"
	"github.com/socialfeed/conform/conformance/report/view"
	"github.com/socialfeed/conform/conformance/result"

	nethtml "golang.org/x/net/html"
)

// htmlOf is the report as a page, and the tree that a browser makes of it.
func htmlOf(t *testing.T, r *result.Report) (string, *nethtml.Node) {
	t.Helper()
	var b bytes.Buffer
	if err := html.Write(&b, view.New(r, view.Options{})); err != nil {
		t.Fatal(err)
	}
	tree, err := nethtml.Parse(bytes.NewReader(b.Bytes()))
	if err != nil {
		t.Fatal(err)
	}
	return b.String(), tree
}

func attribute(n *nethtml.Node, key string) string {
	i := slices.IndexFunc(n.Attr, func(a nethtml.Attribute) bool { return a.Key == key })
	if i < 0 {
		return ""
	}
	return n.Attr[i].Val
}

// find lists the elements for which the predicate holds, in the page's order.
func find(tree *nethtml.Node, wanted func(*nethtml.Node) bool) []*nethtml.Node {
	var found []*nethtml.Node
	for n := range tree.Descendants() {
		if n.Type == nethtml.ElementNode && wanted(n) {
			found = append(found, n)
		}
	}
	return found
}

func named(names ...string) func(*nethtml.Node) bool {
	return func(n *nethtml.Node) bool { return slices.Contains(names, n.Data) }
}

func byID(tree *nethtml.Node, id string) *nethtml.Node {
	found := find(tree, func(n *nethtml.Node) bool { return attribute(n, "id") == id })
	if len(found) != 1 {
		return &nethtml.Node{}
	}
	return found[0]
}

// textIn is an element's text, its white space in single spaces.
func textIn(n *nethtml.Node) string {
	var b strings.Builder
	for d := range n.Descendants() {
		if d.Type == nethtml.TextNode {
			b.WriteString(d.Data)
			if d.NextSibling == nil || d.NextSibling.Data != "wbr" {
				b.WriteString(" ")
			}
		}
	}
	return strings.Join(strings.Fields(b.String()), " ")
}

func wantText(t *testing.T, in *nethtml.Node, wanted ...string) {
	t.Helper()
	got := textIn(in)
	for _, want := range wanted {
		if !strings.Contains(got, want) {
			t.Errorf("%s %s: %q is missing in %.2000q", in.Data, attribute(in, "id"), want, got)
		}
	}
}
