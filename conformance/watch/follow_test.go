package watch

import (
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/socialfeed/conform/conformance/clients"
	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/conformance/rules"
)

// past are the exchanges of a service, one second after the other.
type past struct {
	o     *Observer
	now   time.Time
	n     int
	found []string
}

func (p *past) exchange(session, method, target string, sent any, status int, answer any) {
	p.now = p.now.Add(time.Second)
	p.n++
	header := http.Header{"User-Agent": {"feedreader/1.0"}, "Accept": {"application/json"}}
	r := http.Request{Header: header}
	r.SetBasicAuth("app-token-0123456789", session)
	x := &clients.Exchange{Number: p.n, Start: p.now, End: p.now.Add(time.Millisecond), Seen: p.now.Add(time.Second), Scheme: "https", Host: "feeds.example",
		Method: method, Target: target, Header: header, Status: status, RespHeader: http.Header{"Content-Type": {"application/json"}}}
	if sent != nil {
		header.Set("Content-Type", "application/json")
		x.Body, _ = json.Marshal(sent)
	}
	if answer != nil {
		x.RespBody, _ = json.Marshal(answer)
	}
	x.BodySize, x.RespSize = len(x.Body), len(x.RespBody)
	for _, f := range p.o.See(x) {
		p.found = append(p.found, f.Side+" "+f.Rule)
	}
}

type fields = map[string]any

// TestADeletedEventThatIsBackIsShownWithItsDeletion watches an event that is shown after its deletion: the finding is the
// service's, told at once, and the report has both exchanges, without secrets.
func TestADeletedEventThatIsBackIsShownWithItsDeletion(t *testing.T) {
	catalogue := Catalogue()
	p := &past{o: NewObserver(catalogue, clients.Options{}), now: time.Now()}
	p.o.Remember(Memory{})
	const session = "session-0123456789"
	event := fields{"id": 9, "user_id": 7, "verb": "like", "enabled": true, "created_at": "2026-01-02T12:00:00.25Z"}
	p.exchange(session, "POST", "/0.2/user/events", fields{"verb": "like"}, 201, event)
	p.exchange(session, "DELETE", "/0.2/user/events/9", nil, 204, nil)
	p.exchange("session-9876543210", "GET", "/0.2/user/feed", nil, 200, []any{event})
	p.exchange(session, "GET", "/versions", nil, 200, []any{})
	if want := "service feed.event-delete"; !slices.Contains(p.found, want) {
		t.Errorf("found is %v, want %s", p.found, want)
	}
	var report result.Report
	if err := p.o.Report(&report); err != nil {
		t.Fatal(err)
	}
	for rule, check := range report.EachCheck() {
		if rule.ID == "feed.event-delete" && check.Broken > 0 {
			if check.Endpoint != "DELETE /0.2/user/events/{EventID}" || len(check.Exchanges) != 2 || check.Exchanges[0].Number != 2 || check.Exchanges[1].Number != 3 || *check.Deciding != 1 {
				t.Errorf("%+v", check)
			}
			if text, _ := json.Marshal(check); strings.Contains(string(text), "0123456789") {
				t.Errorf("a secret is shown: %s", text)
			}
			return
		}
	}
	t.Error("the report has no finding")
}

// TestParameterOfAPath finds the parameter wherever it stands, below a prefix, too.
func TestParameterOfAPath(t *testing.T) {
	for target, want := range map[string]string{
		"/0.2/users/7": "7", "/api/0.2/users/7/followers": "7", "/0.2/user/events/a%2Fb": "a/b", "/0.2/user/connections/8?type=follow": "8", "/0.2/user/feed": "",
	} {
		of, err := url.Parse(target)
		if err != nil {
			t.Fatal(err)
		}
		path := strings.TrimPrefix(of.EscapedPath(), "/api")
		method := map[bool]string{true: "DELETE", false: "GET"}[strings.Contains(path, "events/") || strings.Contains(path, "connections/")]
		if got := parameter(rules.EndpointOf(method, path), of); got != want {
			t.Errorf("%s: %q, want %q", target, got, want)
		}
	}
}
