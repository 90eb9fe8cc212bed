package report

import (
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/socialfeed/conform/conformance/report/html"
	"github.com/socialfeed/conform/conformance/report/view"
	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/conformance/rules"

	nethtml "golang.org/x/net/html"
)

func TestHTMLAllowsOnlyItsOwn(t *testing.T) {
	_, tree := htmlOf(t, failing())
	meta := find(tree, func(n *nethtml.Node) bool { return attribute(n, "http-equiv") == "Content-Security-Policy" })
	if len(meta) != 1 {
		t.Fatal("the page has no policy")
	}
	want := regexp.MustCompile(`^default-src 'none'; style-src 'sha256-\S+'; script-src 'sha256-\S+'; base-uri 'none'; form-action 'none'$`)
	if policy := attribute(meta[0], "content"); !want.MatchString(policy) {
		t.Errorf("the policy is %s", policy)
	}
	for _, n := range find(tree, named("style", "script")) {
		if hash := sourceHash(n.FirstChild.Data); !strings.Contains(attribute(meta[0], "content"), n.Data+"-src "+hash) {
			t.Errorf("the policy refuses the page's own %s", n.Data)
		}
	}
}

// Whatever a target answers stays text: there are no elements and no attributes
// but those of the template, and none of them is the target's.
func TestHTMLTargetCannotInject(t *testing.T) {
	t.Parallel()
	_, tame := htmlOf(t, hostile("EVIL"))
	known := map[string]bool{}
	for _, n := range find(tame, func(*nethtml.Node) bool { return true }) {
		known[n.Data] = true
		for _, a := range n.Attr {
			known[n.Data+" "+a.Key] = true
		}
	}
	for name, text := range hostileTexts() {
		_, tree := htmlOf(t, hostile(text))
		for n := range tree.Descendants() {
			if n.Type == nethtml.CommentNode {
				t.Errorf("%s: a comment %.60q", name, n.Data)
			}
			if n.Type == nethtml.TextNode && strings.ContainsFunc(n.Data, func(r rune) bool { return unprintable(r) && r != '\n' }) {
				t.Errorf("%s: what does not print reached the page: %.100q", name, n.Data)
			}
			if n.Type == nethtml.ElementNode && !known[n.Data] {
				t.Errorf("%s: an element %s", name, n.Data)
			}
			for _, a := range n.Attr {
				if !known[n.Data+" "+a.Key] || strings.Contains(a.Val, "EVIL") {
					t.Errorf("%s: an attribute %s=%.60q of %s", name, a.Key, a.Val, n.Data)
				}
			}
		}
	}
}

// collapse is a run in which every rule of the catalogue fails wherever it is
// judged, with as much evidence as a check can have.
func collapse(t testing.TB, body string) *result.Report {
	t.Helper()
	catalogue := rules.Load()
	var rs []result.Rule
	for _, rule := range catalogue.Rules() {
		at := rule.Endpoints
		if len(at) == 0 {
			at = rules.Endpoints()
		}
		var checks []result.Check
		for _, e := range at {
			c := broken(e, result.Fail, "200 OK", 500, body)
			c.Reproduction = reproduction(body[:min(len(body), 500)])
			for range 7 {
				c.Exchanges = append(c.Exchanges, newExchange(e, 500, body))
			}
			checks = append(checks, c)
		}
		rs = append(rs, newRule(rule.ID, rules.Must, checks...))
	}
	return newReport(result.NonConformant, rs)
}

func TestHTMLIsBounded(t *testing.T) {
	t.Parallel()
	const most = 3 << 20
	for name, body := range map[string]string{
		"JSON": `{"errors":[` + strings.Repeat(`{"code":1,"message":"it broke"},`, 60) + `{}]}`, "quotes": strings.Repeat(`"`, 2048),
		"nested": strings.Repeat("[", 1000) + strings.Repeat("]", 1000), "control": strings.Repeat("\x01", 2048),
	} {
		page, tree := htmlOf(t, collapse(t, body))
		if len(page) > most {
			t.Errorf("%s: %d bytes", name, len(page))
		}
		if !strings.Contains(page, "exchanges left out to keep this page small") {
			t.Errorf("%s: it does not say what is left out", name)
		}
		for _, card := range find(tree, named("article")) {
			if name == "JSON" && len(find(card, named("pre"))) == 0 {
				t.Errorf("%s has no evidence", attribute(card, "id"))
			}
		}
	}
}

// A report that someone else wrote may say less than ours, or other words.
func TestHTMLOfOddReports(t *testing.T) {
	odd := result.Rule{ID: "odd", Status: "odd", Level: "odd", Checks: []result.Check{{Status: "odd"}}}
	bare := result.Rule{ID: "bare", Status: result.Fail, Message: "it failed by itself"}
	unsaid := result.Rule{ID: "unsaid", Status: result.Blocked}
	htmlOf(t, &result.Report{})
	_, tree := htmlOf(t, &result.Report{Verdict: "odd", Rules: []result.Rule{odd, bare, unsaid}})
	wantText(t, find(tree, named("h1"))[0], "odd")
	wantText(t, byID(tree, "failures"), "bare", "it failed by itself")
	wantText(t, byID(tree, "blocked"), "no reason is known", "unsaid")
	wantText(t, byID(tree, "rules"), "odd odd odd", "bare fail", "unsaid blocked")
}

func TestHTMLFailingWriterSurfaces(t *testing.T) {
	for _, room := range []int{0, 100, 50_000} {
		if err := html.Write(&full{room}, view.New(failing(), view.Options{})); err == nil || fmt.Sprint(err) != "no space left" {
			t.Errorf("with room for %d bytes: %v", room, err)
		}
	}
}

// sourceHash is a style or script in a content security policy.
func sourceHash(content string) string {
	sum := sha256.Sum256([]byte(content))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}
