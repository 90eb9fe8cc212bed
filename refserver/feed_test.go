package refserver_test

import (
	"encoding/json"
	"net/url"
	"reflect"
	"testing"
	"time"
)

func TestFeed(t *testing.T) {
	x := start(t, nil)
	ann, bob, cid, eve := x.actor("ann"), x.actor("bob"), x.actor("cid"), x.actor("eve")
	if feed := ann.must(200, "GET", "/0.2/user/feed", nil); feed.text != "[]\n" {
		t.Errorf("an empty feed is %q", feed.text)
	}
	earlier := bob.post("earlier")
	ann.connect(bob, "follow")
	ann.connect(cid, "friend")
	eve.connect(ann, "follow") // who only follows the reader is not in the feed,
	bob.connect(eve, "follow") // nor is one whom a followed user follows
	eve.post("hidden")
	tied := cid.post("tied")
	x.clock.Advance(time.Second)
	later := bob.post("later")
	latest := cid.post("latest") // at the same time, and created after
	own := ann.post("own")
	equal(t, "ann's feed", ann.list("/0.2/user/feed"), latest, later, tied, earlier)
	equal(t, "cid's feed", cid.list("/0.2/user/feed"), own)

	ann.connect(bob, "friend")
	equal(t, "friend and follow", ann.list("/0.2/user/feed"), latest, later, tied, earlier)
	ann.must(204, "DELETE", "/0.2/user/connections/"+bob.id, nil)
	equal(t, "after the unfollow", ann.list("/0.2/user/feed"), latest, tied)
	ann.connect(bob, "follow")
	equal(t, "after the refollow", ann.list("/0.2/user/feed"), latest, later, tied, earlier)
}

func TestFeedShowsEventsAsCreated(t *testing.T) {
	x := start(t, nil)
	ann, bob := x.actor("ann"), x.actor("bob")
	bob.connect(ann, "follow")
	created := ann.must(201, "POST", "/0.2/user/events", wholeEvent()).body
	if feed := bob.must(200, "GET", "/0.2/user/feed", nil).body; !reflect.DeepEqual(feed, any([]any{created})) {
		t.Errorf("feed %v, created %v", feed, created)
	}
}

func TestSearch(t *testing.T) {
	x := start(t, nil)
	ann := x.actor("Ann_50%", object{"first_name": "Éloïse", "last_name": `O'Neill\x.*`, "email": "ann@Mail.example"})
	bob := x.actor("bob", object{"first_name": "éric", "last_name": "Straße", "email": "bob@else.example"})
	for term, want := range map[string][]string{
		"Ann_50%": {ann.id}, "ann": {ann.id}, "ANN": {ann.id}, "nn_5": {ann.id}, "0%": {ann.id}, "%": {ann.id}, "_": {ann.id},
		"éLOÏ": {ann.id}, "NEILL": {ann.id}, `\`: {ann.id}, ".*": {ann.id}, "*": {ann.id}, "@mail.": {ann.id},
		"É": {ann.id, bob.id}, "STRASSE": {bob.id}, "straße": {bob.id}, "n5": {}, "a.n": {}, "ann bob": {}, "pw-": {}, "zzz": {}, ".example": {ann.id, bob.id},
	} {
		equal(t, "search for "+term, bob.list("/0.2/users/search?q="+url.QueryEscape(term)), want...)
	}
	for _, query := range []string{"", "?q=", "?term=ann"} {
		if a := bob.must(200, "GET", "/0.2/users/search"+query, nil); a.text != "[]\n" {
			t.Errorf("search%s: %s", query, a.text)
		}
	}
	for _, query := range []string{"?q=%zz", "?q=%ff"} {
		bob.must(400, "GET", "/0.2/users/search"+query, nil)
	}
}

func TestApplicationsAreIsolated(t *testing.T) {
	x := start(t, nil)
	ann := x.actor("ann")
	stranger := x.want(201, call{method: "POST", path: "/0.2/users?withLogin=true", app: otherToken, body: object{"user_name": "ann", "password": "pw-ann"}}).object()
	other := func(method, path string, body any) call {
		return call{method: method, path: path, app: otherToken, session: stranger["session_token"].(string), body: body}
	}
	x.want(404, other("GET", "/0.2/users/"+ann.id, nil))
	x.want(404, other("POST", "/0.2/user/connections", object{"user_to_id": ann.id, "type": "follow"}))
	equal(t, "search in the other application", x.want(200, other("GET", "/0.2/users/search?q=ann", nil)).ids(), stranger["id"].(json.Number).String())
	x.want(404, other("DELETE", "/0.2/user/events/"+ann.post("like"), nil))
}

func TestVersions(t *testing.T) {
	x := start(t, nil)
	for _, app := range []string{appToken, "unknown"} {
		a := x.want(200, call{method: "GET", path: "/versions", app: app})
		want := []any{object{"version": "0.1", "status": "disabled"}, object{"version": "0.2", "status": "current"}}
		if !reflect.DeepEqual(a.body, any(want)) {
			t.Errorf("versions: %s", a.text)
		}
	}
}
