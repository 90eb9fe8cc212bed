package har

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/socialfeed/conform/conformance/clients"
	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/conformance/rules"
)

// archived is an archive of entries.
func archived(creator string, entries ...string) string {
	return fmt.Sprintf(`{"log":{"version":"1.2","creator":{"name":%q,"version":"1"},"pages":[{"id":"p"}],"entries":[%s]}}`, creator, strings.Join(entries, ","))
}

const headers = `{"name":"User-Agent","value":"feedreader/1.0"},{"name":"accept","value":"application/json"},{"name":":path","value":"/"}`

// asked is an entry so many milliseconds after noon.
func asked(at int, method, url, authorization, post string, status int) string {
	list, data := headers, ""
	if authorization != "" {
		list += fmt.Sprintf(`,{"name":"authorization","value":%q}`, authorization)
	}
	if post != "" {
		list += `,{"name":"content-type","value":"application/json"}`
		data = fmt.Sprintf(`,"postData":{"mimeType":"application/json","text":%q}`, post)
	}
	return fmt.Sprintf(`{"startedDateTime":%q,"time":5,"connection":"7","request":{"method":%q,"url":%q,"httpVersion":"HTTP/1.1","headers":[%s],"bodySize":%d%s},
		"response":{"status":%d,"headers":[{"name":"Content-Type","value":"application/json"},{"name":"Content-Encoding","value":"br"}],"content":{"size":2,"text":"{}"}}}`,
		time.Date(2026, 1, 2, 12, 0, 0, at*1e6, time.UTC).Format(time.RFC3339Nano), method, url, list, len(post), data, status)
}

const both = "Basic YXBwLXRva2VuLTAxMjM0NTY3ODk6c2Vzc2lvbi1vZi1hZGEtMDEyMzQ1Njc4OQ==" // app-token-0123456789:session-of-ada-0123456789

func judged(t *testing.T, archive string) (checks []result.CheckResult, leftOut int) {
	t.Helper()
	traffic, err := Read(t.Context(), strings.NewReader(archive), Service{})
	if err != nil {
		t.Fatal(err)
	}
	traffic = Join(traffic)
	c := rules.LoadClient()
	j := clients.New(c, clients.Options{Skew: traffic.Skew})
	if err := traffic.Each(t.Context(), func(x *clients.Exchange) { j.See(x) }); err != nil {
		t.Fatal(err)
	}
	return j.Results(""), traffic.LeftOut
}

func rulesThatAre(checks []result.CheckResult, status result.Status) []string {
	var ids []string
	for _, c := range checks {
		if c.Status == status && !slices.Contains(ids, c.Rule) {
			ids = append(ids, c.Rule)
		}
	}
	return ids
}

func TestTrafficOfAnArchiveIsJudged(t *testing.T) {
	const feeds = "https://feeds.example"
	checks, leftOut := judged(t, archived("WebInspector",
		asked(300, "GET", feeds+"/0.2/user", both, "", 200), // which was asked last
		asked(0, "GET", feeds+"/0.2/user/feed", both, "", 200),
		asked(100, "POST", feeds+"/0.2/user/events", both, `{"verb":"liked","latitude":"1"}`, 422),
		asked(200, "DELETE", feeds+"/0.2/user/logout", both, "", 204),
		asked(0, "GET", "https://other.example/v1/track", "", "", 200),
		asked(0, "GET", feeds+"/logo.png", "", "", 200),
		`{"startedDateTime":"2026-01-02T12:00:00Z","_fromCache":"disk","request":{"method":"GET","url":"`+feeds+`/0.2/user"}}`,
		`{"startedDateTime":7}`,
	))
	if got := rulesThatAre(checks, result.Fail); !slices.Equal(got, []string{"client.session-ends", "client.types"}) {
		t.Errorf("blamed is %v", got)
	}
	if leftOut != 3 {
		t.Errorf("%d entries were left out", leftOut)
	}
}

func TestWhatAnArchiveLacksIsUnjudged(t *testing.T) {
	for name, tc := range map[string]struct {
		entry    string
		unjudged []string
	}{
		"credentials": {asked(0, "GET", "https://a.example/0.2/user", "", "", 200),
			[]string{"client.basic", "client.both-tokens", "client.token-confined", "client.session-ends"}},
		"credentials that were redacted": {asked(0, "GET", "https://a.example/0.2/user", "Basic [REDACTED]", "", 200), []string{"client.basic"}},
		"headers": {strings.Replace(asked(0, "GET", "https://a.example/0.2/user", "", "", 200), headers, "", 1),
			[]string{"client.user-agent", "client.accept", "client.content-type", "client.basic"}},
		"bodies": {strings.Replace(asked(0, "POST", "https://a.example/0.2/user/events", both, `{"verb":"l"}`, 201), "postData", "_none", 1),
			[]string{"client.json", "client.types", "client.required"}},
		"passwords": {asked(0, "POST", "https://a.example/0.2/user/login", both, `{"password":"[REDACTED]"}`, 200), []string{"client.password-hashed"}},
	} {
		t.Run(name, func(t *testing.T) {
			checks, _ := judged(t, archived("x", tc.entry))
			unjudged := rulesThatAre(checks, result.Error)
			for _, id := range tc.unjudged {
				if !slices.Contains(unjudged, id) {
					t.Errorf("%s is not unjudged; %v are", id, unjudged)
				}
			}
			for _, c := range checks {
				if c.Status == result.Fail && c.Rule != "client.app-only" {
					t.Errorf("%s is blamed: %s", c.Rule, c.Message)
				}
			}
		})
	}
}

// TestAByteOrderMarkIsIgnored reads an archive that begins with one, as HAR 1.2 lets it.
func TestAByteOrderMarkIsIgnored(t *testing.T) {
	if checks, leftOut := judged(t, "\ufeff"+archived("x", asked(0, "GET", "https://a.example/0.2/user", both, "", 200))); len(checks) == 0 || leftOut != 0 {
		t.Errorf("%d checks, %d entries were left out", len(checks), leftOut)
	}
}

func TestWhatIsNoArchive(t *testing.T) {
	for text, says := range map[string]string{
		"": "no log", "[]": "belongs", "{}": "no log", `{"log":7}`: "belongs", `{"log":{"entries":{}}}`: "belongs",
		`{"log":{"entries":[`: "no log", `{"log":{"entries":[7`: "no log", "<html>": "invalid",
	} {
		if _, err := Read(t.Context(), strings.NewReader(text), Service{}); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%q: %v, want %q", text, err, says)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add(archived("WebInspector", asked(0, "POST", "https://a.example/0.2/users?withLogin=true", both, `{"user_name":"a"}`, 201)))
	f.Add(archived("", `{"startedDateTime":"2026-01-02T12:00:00Z","time":-1e300,"request":{"method":"X","url":"http://[::1]?"},"response":{"content":{"encoding":"base64","text":"!"}}}`))
	c := rules.LoadClient()
	f.Fuzz(func(t *testing.T, text string) {
		traffic, err := Read(t.Context(), strings.NewReader(text), Service{})
		if err != nil {
			return
		}
		traffic = Join(traffic, traffic)
		j := clients.New(c, clients.Options{})
		if err := traffic.Each(t.Context(), func(x *clients.Exchange) { j.See(x) }); err != nil {
			t.Fatal(err)
		}
		for _, check := range j.Results("") {
			if (check.Status == result.Fail || check.Status == result.Warn) && check.Decisive() == nil {
				t.Errorf("%s is blamed without evidence", check.Rule)
			}
		}
	})
}

// TestAServiceIsNamedAsPeopleWriteIt names the service of an archive by its base URL.
func TestAServiceIsNamedAsPeopleWriteIt(t *testing.T) {
	for _, named := range []struct{ scheme, host string }{{"https", "a.example"}, {"https", "A.Example"}, {"https", "a.example:443"}, {"HTTPS", "a.example"}, {"", ""}} {
		archive := archived("x", asked(0, "GET", "https://a.example/0.2/user", both, "", 200), asked(9, "GET", "https://a.example:8443/0.2/users", both, "", 200))
		traffic, err := Read(t.Context(), strings.NewReader(archive), Service{Scheme: named.scheme, Host: named.host})
		if err != nil {
			t.Fatal(err)
		}
		if n := len(Join(traffic).exchanges); n != 1 {
			t.Errorf("%+v has %d exchanges", named, n)
		}
	}
}
