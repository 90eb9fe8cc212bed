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
	if err := writeHTML(&b, r, Options{}); err != nil {
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

func TestHTMLStructure(t *testing.T) {
	for name, r := range everyReport() {
		_, tree := htmlOf(t, r)
		for element, want := range map[string]int{"h1": 1, "main": 1, "header": 1, "footer": 1, "nav": 1, "form": 1, "style": 1, "script": 1, "title": 1} {
			ours := func(n *html.Node) bool { return n.Data == element && n.Namespace == "" } // a drawing has titles, too
			if got := len(find(tree, ours)); got != want {
				t.Errorf("%s: %d elements %s", name, got, element)
			}
		}
		level := 0
		for _, h := range find(tree, named("h1", "h2", "h3", "h4", "h5", "h6")) {
			if next := int(h.Data[1] - '0'); next > level+1 {
				t.Errorf("%s: heading %q is %s below h%d", name, textIn(h), h.Data, level)
			} else {
				level = next
			}
		}
		for _, table := range find(tree, named("table")) {
			if table.FirstChild.NextSibling.Data != "caption" {
				t.Errorf("%s: a table without a caption", name)
			}
		}
		for _, th := range find(tree, named("th")) {
			if attribute(th, "scope") == "" {
				t.Errorf("%s: the header %q has no scope", name, textIn(th))
			}
		}
		for _, symbol := range find(tree, named("use")) {
			if id := strings.TrimPrefix(attribute(symbol, "href"), "#"); byID(tree, id).Data != "symbol" {
				t.Errorf("%s: there is no symbol %s", name, id)
			}
		}
	}
}

// The contents list the sections in their order: what went wrong comes before the
// tables of everything.
func TestHTMLContents(t *testing.T) {
	for name, r := range figured() {
		_, tree := htmlOf(t, r)
		var listed, there []string
		for _, link := range find(find(tree, named("nav"))[0], named("a")) {
			listed = append(listed, strings.TrimPrefix(attribute(link, "href"), "#"))
		}
		for _, section := range find(tree, named("section")) {
			there = append(there, attribute(section, "id"))
		}
		if !slices.Equal(listed, there) {
			t.Errorf("%s: the contents are %v, the sections %v", name, listed, there)
		}
	}
	_, tree := htmlOf(t, mixed())
	var order []string
	for _, section := range find(tree, named("section")) {
		order = append(order, attribute(section, "id"))
	}
	if want := []string{"failures", "unstable", "warnings", "waived", "blocked", "errors", "map", "rules", "skipped", "run"}; !slices.Equal(order, want) {
		t.Errorf("the order is %v", order)
	}
}

func TestHTMLLinksLeadSomewhere(t *testing.T) {
	r := failing()
	r.Rules = append(r.Rules, blockedRun().Rules[:12]...)
	_, tree := htmlOf(t, r)
	ids := map[string]bool{}
	for _, n := range find(tree, func(n *html.Node) bool { return attribute(n, "id") != "" }) {
		if id := attribute(n, "id"); ids[id] {
			t.Errorf("the id %s stands twice", id)
		} else {
			ids[id] = true
		}
	}
	for _, rule := range r.Rules {
		if !ids["rule-"+rule.ID] {
			t.Errorf("there is no anchor for %s", rule.ID)
		}
	}
	for _, link := range find(tree, named("a")) {
		id := strings.TrimPrefix(attribute(link, "href"), "#")
		absent := id == "rule-sessions.login.user-name" || id == "rule-users.id-type" // of the fixtures' rules
		if !absent && !ids[id] {
			t.Errorf("a link leads to %q", attribute(link, "href"))
		}
	}
}

// A waiver of no rule has no rule to lead to; those that do not hold come first.
func TestHTMLWaiversThatDoNotHold(t *testing.T) {
	r := accepted()
	r.Waivers[0].Rule = "users.me.gte" // the unknown one
	_, tree := htmlOf(t, r)
	for _, link := range find(byID(tree, "waivers"), named("a")) {
		if id := strings.TrimPrefix(attribute(link, "href"), "#"); byID(tree, id).Data == "" {
			t.Errorf("a link leads to %q", attribute(link, "href"))
		}
	}
	var looks []string
	for _, state := range find(byID(tree, "waivers"), named("use")) {
		looks = append(looks, attribute(state, "href"))
	}
	if want := []string{"#i-fail", "#i-fail", "#i-fail", "#i-waived", "#i-skipped"}; !slices.Equal(looks, want) {
		t.Errorf("the waivers look like %v", looks)
	}
	wantText(t, byID(tree, "waivers"), "users.me.gte", "unknown", "expired", "stale", "used", "unjudged")
}

func TestHTMLTellsFailures(t *testing.T) {
	_, tree := htmlOf(t, failing())
	wantText(t, find(tree, named("h1"))[0], "Not conformant")
	wantText(t, byID(tree, "run"), "fail 5 0 5", "warn 0 1 1", "1204 (GET 640", "424242", "12.3s", "2026-03-04 05:06:07 UTC")
	wantText(t, byID(tree, "main"), "3 users could not be deleted")
	wantText(t, byID(tree, "failures"), "Failures 5")
	wantText(t, byID(tree, "rule-auth.missing"), "fail auth.missing must", "A sentence that says what the rule auth.missing asks",
		"Endpoints, rule 1; Errors, row 400", "#3 DELETE /0.2/user/logout", "Expected 401 Unauthorized", `Got 200 with {"id":3}`,
		"Alike: 19 of 21 checks, at #3-#21", `#20 DELETE /0.2/user/events/{EventID} : 200 with {"id":20}`, "#22 GET /versions", "Got 500 with {}",
		"Authorization: Basic base64($APP_TOKEN:$SESSION_TOKEN)", "Date: Wed, 04 Mar 2026 05:06:07 GMT", `curl -sS -i -X DELETE -u "$APP_TOKEN:$SESSION_TOKEN"`)
	wantText(t, byID(tree, "rule-transport.no-null"), "1 of 2: GET /0.2/user/feed", "2 of 2: GET /0.2/user/feed → 200 OK 3.2 ms, decisive", `"said": "first"`, `"language": null`)
	wantText(t, byID(tree, "rule-transport.https-only"), "at no endpoint of its own", "→ no response", "None came: the target closed the connection.")
	wantText(t, byID(tree, "rule-events.create.echo"), "--data-raw", "cut at 2048 of 9000 bytes")
	wantText(t, byID(tree, "rule-users.get.other"), `404 with \x1b[2Jgone\u202e and two lines`)
	wantText(t, byID(tree, "warnings"), "sessions.login.id-string", "Expected a string", `Got 200 with {"id":7}`)
	wantText(t, byID(tree, "choices"), "users.id-type integer everywhere")
	wantText(t, byID(tree, "map"), "9 POST /0.2/user/connections 1 fail fail 1 fail", "4 GET /0.2/user 1 fail 1 pass 1 pass fail 1 fail , 2 pass")
	if rows := find(byID(tree, "map"), named("tr")); len(rows) != 1+22 {
		t.Errorf("%d rows of endpoints", len(rows))
	}
}

func TestHTMLTellsWhatWasNotJudged(t *testing.T) {
	_, tree := htmlOf(t, blockedRun())
	wantText(t, find(tree, named("h1"))[0], "No verdict")
	wantText(t, byID(tree, "blocked"), "Blocked 14", "sessions.login.user-name 12 rules logging in did not work feed.rule-0 must #21",
		"users.create.status 2 rules", "search.exact must 1 of 2 checks")
	wantText(t, byID(tree, "skipped"), "needs --rate-limits 2 rules", "left out by --skip")
	_, tree = htmlOf(t, unreachable())
	wantText(t, byID(tree, "errors"), "Errors 190", "not judged: the target stopped answering 189 rules", "could not judge: the connection was refused 1 rule")
	_, tree = htmlOf(t, passing())
	wantText(t, find(tree, named("h1"))[0], "Conformant")
	wantText(t, byID(tree, "choices"), "transport.user-agent-status 400 #1-#21", "digit string at #2; integer at #4, #21")
	if byID(tree, "failures").Data != "" {
		t.Error("a run without failures has a section of them")
	}
}

func TestHTMLWaivers(t *testing.T) {
	r := failing()
	r.Rules[0].Status, r.Rules[0].Checks = result.Waived, r.Rules[0].Checks[1:2]
	r.Rules[0].Checks[0].Status = result.Waived
	r.Rules[0].Checks[0].Waived = &result.Accepted{Status: result.Fail, Reason: "until the gateway moves", Link: "javascript:alert(1)", Expires: "2030-01-31"}
	r.Rules[1].Status, r.Rules[1].Checks[0].Status = result.Unstable, result.Unstable
	r.Waivers = []result.AppliedWaiver{{Waiver: result.Waiver{Rule: "auth.missing", Reason: "until then", Link: "https://tracker.example/7", Expires: "2030-01-31"},
		State: result.WaiverUsed, Message: "it waived 1 check"}}
	page, tree := htmlOf(t, r)
	wantText(t, byID(tree, "waived"), "waived auth.missing", "Waived until 2030-01-31, then fail again", "Reason until the gateway moves")
	wantText(t, byID(tree, "unstable"), "unstable events.create.echo")
	wantText(t, byID(tree, "waivers"), "auth.missing used it waived 1 check until then https://tracker.example/7 2030-01-31")
	if strings.Contains(page, `href="javascript`) {
		t.Error("a link runs a script")
	}
}

// The head of the page counts the rules by outcome as its tables do, and each count filters.
func TestHTMLAtAGlance(t *testing.T) {
	r := recorded(t, "three-failures")
	_, tree := htmlOf(t, r)
	glance := find(tree, func(n *html.Node) bool { return attribute(n, "class") == "glance" })[0]
	wantText(t, glance, "3 fail", "3 blocked", "156 pass", "29 observed", "8 skipped", tenths(r.DurationMS))
	filters := find(glance, func(n *html.Node) bool { return strings.HasPrefix(attribute(n, "data-filter"), "outcome=") })
	if len(filters) != 5 {
		t.Errorf("%d counts filter, not 5", len(filters))
	}
}
