package report

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/socialfeed/conform/conformance/result"
	nethtml "golang.org/x/net/html"
)

func TestHTMLShowsFailures(t *testing.T) {
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

func TestHTMLShowsWhatWasNotJudged(t *testing.T) {
	_, tree := htmlOf(t, blockedRun())
	wantText(t, find(tree, named("h1"))[0], "No verdict")
	wantText(t, byID(tree, "blocked"), "Blocked 14", "sessions.login.user-name 12 rules logging in did not work Go to the rule feed.rule-0 must #21",
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
	glance := find(tree, func(n *nethtml.Node) bool { return attribute(n, "class") == "glance" })[0]
	wantText(t, glance, "3 fail", "3 blocked", "156 pass", "29 observed", "8 skipped", (time.Duration(r.DurationMS) * time.Millisecond).Round(100*time.Millisecond).String())
	filters := find(glance, func(n *nethtml.Node) bool { return strings.HasPrefix(attribute(n, "data-filter"), "outcome=") })
	if len(filters) != 5 {
		t.Errorf("%d counts filter, not 5", len(filters))
	}
}

// The head of a half-built server's page says that most of it is not there, beside
// what else is broken.
func TestHTMLHeadOfAHalfBuiltServer(t *testing.T) {
	_, tree := htmlOf(t, recorded(t, "half-built"))
	head := find(tree, named("header"))[0]
	wantText(t, head, "Not implemented what 17 rules need is not there", "errors.method expected 405")
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
	if want := []string{"#i-fail", "#i-fail", "#i-fail", "#i-waived", "#i-skipped", "#i-skipped"}; !slices.Equal(looks, want) {
		t.Errorf("the waivers look like %v", looks)
	}
	wantText(t, byID(tree, "waivers"), "users.me.gte", "unknown", "expired", "stale", "used", "unjudged")
}
