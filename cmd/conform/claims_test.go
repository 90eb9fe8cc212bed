package main

import (
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/socialfeed/conform/conformance/report"
	"github.com/socialfeed/conform/conformance/report/screen"
	"github.com/socialfeed/conform/conformance/report/view"
	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/conformance/rules"
)

// upTo are the endpoints from the first to one.
func upTo(last rules.Endpoint) []rules.Endpoint { return rules.Endpoints()[:last] }

// TestWhatIsClaimedIsJudged has a server implement eleven endpoints, claim them, and be judged by them alone.
func TestWhatIsClaimedIsJudged(t *testing.T) {
	t.Parallel()
	o := judged(t, append(servePlain(t, halfBuilt(t, upTo(11)...)), "--claims", "endpoints=1-11")...)
	o.wants(t, exitConformant)
	claims := o.report.Claims
	if claims == nil || len(claims.Endpoints) != 11 || claims.Of != 22 || len(claims.Parts) > 0 {
		t.Errorf("claims: %+v", claims)
	}
	passed := map[string]bool{}
	for _, rule := range o.report.Rules {
		for _, c := range rule.Checks {
			at, _ := result.EndpointNamed(c.Endpoint)
			switch {
			case at > 11 && c.Status != result.Skipped:
				t.Errorf("%s %s at %s, which is not claimed", rule.ID, c.Status, c.Endpoint)
			case c.Status == result.Pass:
				passed[c.Endpoint+rule.ID] = true
			}
		}
		if rule.Part == "feed" && (rule.Status != result.Skipped || rule.Message != rules.NotClaimed) && !slices.ContainsFunc(rule.Checks, func(c result.Check) bool { return c.Status == result.Skipped }) {
			t.Errorf("%s: %s, %q", rule.ID, rule.Status, rule.Message)
		}
	}
	for _, e := range upTo(11) {
		if !passed[e.String()+e.BlockingRule()] {
			t.Errorf("%s is claimed and was not judged", e)
		}
	}
	if n := o.report.Summary.Endpoints; n == nil || n.Missing != 0 || n.Implemented != 11 {
		t.Errorf("endpoints: %+v", n)
	}
	const words = "conformant to what it claims: 11 of 22 endpoints"
	for _, format := range report.Formats() {
		var b strings.Builder
		if err := report.New(o.report, view.Options{}).Write(&b, format, screen.Layout{}); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(strings.ReplaceAll(strings.ToLower(b.String()), "%3a", ":"), words) && format != "json" && format != "next" && format != "junit" && format != "ctrf" {
			t.Errorf("%s does not say it", format)
		}
		if (format == "junit" || format == "ctrf") && !strings.Contains(b.String(), "11 of 22 endpoints") {
			t.Errorf("%s does not say what is claimed", format)
		}
	}
}

// TestAClaimedEndpointThatIsMissingFails has the server claim one endpoint more than it has.
func TestAClaimedEndpointThatIsMissingFails(t *testing.T) {
	t.Parallel()
	for _, parts := range []string{"", ",parts=users"} { // the endpoint's own rule is in another part
		o := judged(t, append(servePlain(t, halfBuilt(t, upTo(8)...)), "--claims", "endpoints=1-9"+parts)...)
		o.wants(t, exitNonConformant)
		var failed []string
		for _, rule := range o.report.Rules {
			for _, c := range rule.Checks {
				if c.Status == result.Fail {
					failed = append(failed, rule.ID+" at "+c.Endpoint)
				}
			}
		}
		if want := rules.CreateConnection.BlockingRule() + " at " + rules.CreateConnection.String(); !slices.Equal(failed, []string{want}) {
			t.Errorf("%s: failed: %v, want %s", parts, failed, want)
		}
		if n := o.report.Summary.Endpoints; n == nil || n.Missing != 1 {
			t.Errorf("endpoints: %+v", n)
		}
	}
}

// TestClaimsOfOtherExtents has servers claim what they have, with holes, and more or less than that.
func TestClaimsOfOtherExtents(t *testing.T) {
	t.Parallel()
	claims := []string{"1-8", "1-6,18-22"}
	if more := os.Getenv("CLAIMS"); more != "" {
		claims = strings.Split(more, " ")
	}
	for _, claim := range claims {
		t.Run(claim, func(t *testing.T) {
			t.Parallel()
			resolved, err := rules.Claims{Endpoints: strings.Split(claim, ",")}.Resolve(rules.Load(), nil)
			if err != nil {
				t.Fatal(err)
			}
			o := judged(t, append(servePlain(t, halfBuilt(t, resolved.Endpoints()...)), "--claims", "endpoints="+claim)...)
			o.wants(t, exitConformant)
			if got := len(o.report.Claims.Endpoints); got != len(resolved.Endpoints()) {
				t.Errorf("%d are claimed", got)
			}
		})
	}
}

// TestAClaimThatCannotBeJudgedIsNoVerdict claims what takes users, on a server that makes none.
func TestAClaimThatCannotBeJudgedIsNoVerdict(t *testing.T) {
	t.Parallel()
	whole := reference(t, nil)
	handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if rules.EndpointOf(r.Method, r.URL.Path) == rules.CreateUser {
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(http.StatusNotImplemented)
			_, _ = w.Write([]byte(`{"errors":[{"code":1,"message":"no"}]}`))
			return
		}
		whole.ServeHTTP(w, r)
	})
	for _, claims := range []string{"endpoints=21", "parts=feed"} {
		judged(t, append(servePlain(t, handler), "--claims", claims)...).wants(t, exitNoVerdict)
	}
}

// TestClaimsOfAFile reads claims from the configuration file, and refuses what is no claim.
func TestClaimsOfAFile(t *testing.T) {
	t.Parallel()
	s := newSite(t, "base-url: URL\nca-cert: ca.pem\napp-token-file: token\nquiet: true\nreport: [text=out.txt]\nclaims:\n  endpoints: [22]\n  parts: [versions, transport]\n")
	s.conform(t, nil, "--config", "conform.yaml").wants(t, exitConformant)
	if text := read(t, filepath.Join(s.folder, "out.txt")); !strings.Contains(text, "CONFORMANT TO WHAT IT CLAIMS: 1 OF 22 ENDPOINTS, 2 PARTS OF THE CONTRACT") {
		t.Errorf("%.400s", text)
	}
	for text, says := range map[string]string{
		"endpoints=0":    `--claims: endpoints "0": a number from 1 to 22`,
		"endpoints=9-2":  `endpoints "9-2"`,
		"endpoints=1-23": `endpoints "1-23"`,
		"parts=user":     "did you mean users?",
		"part=users":     `there is no "part"; did you mean parts?`,
		"endpoints=":     "endpoints is empty",
		"11":             "KEY=VALUE is wanted",
	} {
		o := conform(t, "--self", "--claims", text)
		o.says(t, exitUsage, says)
		if strings.Count(strings.TrimSpace(o.stderr), "\n") > 0 {
			t.Errorf("%s: more than a line: %s", text, o.stderr)
		}
	}
}
