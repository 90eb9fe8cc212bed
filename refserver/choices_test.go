package refserver_test

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/socialfeed/conform/refserver"
)

type choices = refserver.Choices

func TestUniqueNamesOnUpdate(t *testing.T) {
	x := with(t, choices{UniqueUserNames: true, UniqueEmails: true})
	ann, bob := x.actor("ann"), x.actor("bob")
	bob.must(409, "PUT", "/0.2/user", object{"user_name": "ann"})
	bob.must(409, "PUT", "/0.2/user", object{"user_name": "bob", "email": "ann@example.com"})
	bob.must(201, "PUT", "/0.2/user", object{"user_name": "bob", "email": "bob@example.com"})
	ann.must(204, "DELETE", "/0.2/user", nil)
	bob.must(201, "PUT", "/0.2/user", object{"user_name": "ann", "email": "ann@example.com"})
}

func TestIDForms(t *testing.T) {
	for form, shape := range map[refserver.IDForm]string{
		refserver.IntegerIDs: `^\d{5}$`, refserver.BigIntegerIDs: `^\d{16}$`, refserver.DigitStringIDs: `^"\d{5}"$`,
		refserver.UUIDs: `^"[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-9[0-9a-f]{3}-[0-9a-f]{12}"$`,
	} {
		x := with(t, choices{UserIDs: form, EventIDs: form})
		ann, bob := x.actor("ann"), x.actor("bob")
		written, err := json.Marshal(ann.rawID)
		if err != nil || !regexp.MustCompile(shape).Match(written) {
			t.Errorf("form %q: id %s (%v)", form, written, err)
		}
		bob.connect(ann, "follow")
		event := ann.post("like")
		equal(t, "feed", bob.list("/0.2/user/feed"), event)
		equal(t, "follows", bob.list("/0.2/user/follows"), ann.id)
		ann.must(204, "DELETE", "/0.2/user/events/"+event, nil)
		bob.must(204, "DELETE", "/0.2/user/connections/"+ann.id, nil)
	}
	x := with(t, choices{StringReferences: true})
	ann, bob := x.actor("ann"), x.actor("bob")
	made := ann.must(201, "POST", "/0.2/user/connections", object{"user_to_id": bob.rawID, "type": "follow"}).object()
	if made["user_from_id"] != ann.id || made["user_to_id"] != bob.id || ann.rawID == any(ann.id) {
		t.Errorf("mixed ids: %v of %v", made, ann.rawID)
	}
}

func TestTimeFormats(t *testing.T) {
	for format, want := range map[refserver.TimeFormat]string{
		refserver.Microseconds: "2024-02-29T12:00:00.123456Z", refserver.WholeSeconds: "2024-02-29T12:00:00Z",
		refserver.OffsetTimes: "2024-02-29T17:30:00.123456+05:30", refserver.KeptMillis: "2024-02-29T12:00:00.123Z",
	} {
		ann := with(t, choices{Times: format}).actor("ann")
		if user := ann.must(200, "GET", "/0.2/user", nil).object(); user["created_at"] != want || user["last_login"] != want {
			t.Errorf("%q: %v", format, user)
		}
		created := ann.must(201, "POST", "/0.2/user/events", object{"verb": "like"}).object()["created_at"]
		if fraction := "2024-02-29T12:00:00.123456Z"; created != want && (format != refserver.KeptMillis || created != fraction) {
			t.Errorf("%q: a new event's time is %v", format, created)
		}
	}
}

func TestFilledInEvents(t *testing.T) {
	ann := with(t, choices{FillInEvents: true, ClearOmittedEventFields: true}).actor("ann")
	event := ann.must(201, "POST", "/0.2/user/events", object{"verb": "like", "language": "de"}).object()
	changed := ann.must(200, "PUT", "/0.2/user/events/"+event["id"].(json.Number).String(), object{"verb": "watch"}).object()
	if event["language"] != "de" || event["priority"] != "normal" || changed["language"] != "en" {
		t.Errorf("created as %v, changed to %v", event, changed)
	}
}

func TestSecondKind(t *testing.T) {
	for second, want := range map[refserver.SecondKind]struct {
		status           int
		follows, friends bool
	}{
		refserver.BothStand: {201, true, true}, refserver.TakesPlace: {201, false, true}, refserver.RefusedKind: {409, true, false},
	} {
		x := with(t, choices{SecondKind: second})
		ann, bob := x.actor("ann"), x.actor("bob")
		ann.connect(bob, "follow")
		ann.must(want.status, "POST", "/0.2/user/connections", object{"user_to_id": bob.rawID, "type": "friend"})
		if follows, friends := len(ann.list("/0.2/user/follows")) == 1, len(ann.list("/0.2/user/friends")) == 1; follows != want.follows || friends != want.friends {
			t.Errorf("%q: follows %t, friends %t", second, follows, friends)
		}
	}
}

func TestWhatIsSent(t *testing.T) {
	x := with(t, choices{SendEmptyCollections: true, ContentTypeCharset: true, OmitUnsetLastLogin: true, SendImage: true, ComposeText: true, OmitObjectURL: true})
	a := x.want(201, call{method: "POST", path: "/0.2/users", raw: `{"user_name":"e\u0301","metadata":{"e\u0301":"e\u0301"}}`})
	if !strings.Contains(a.text, `"social_ids":{}`) || !strings.Contains(a.text, `"user_name":"é"`) || !strings.Contains(a.text, `{"é":"é"}`) ||
		strings.Contains(a.text, "last_login") || !strings.Contains(a.text, `"image":[{"url":"https://`) {
		t.Errorf("user: %s", a.text)
	}
	if got := a.header.Get("Content-Type"); got != "application/json; charset=utf-8" {
		t.Errorf("Content-Type %q", got)
	}
	event := x.actor("ann").must(201, "POST", "/0.2/user/events", wholeEvent()).object()
	if url, sent := event["object"].(object)["url"]; sent {
		t.Errorf("the object's url is returned: %v", url)
	}
	if a := with(t, choices{}).want(201, call{method: "POST", path: "/0.2/users", raw: `{"user_name":"e\u0301"}`}); !strings.Contains(a.text, "\"e\u0301\"") {
		t.Errorf("decomposed text is not kept: %s", a.text)
	}
	x = with(t, choices{MinimalErrors: true})
	if a := x.want(422, call{method: "POST", path: "/0.2/users", raw: `{}`}); a.text != "{}\n" {
		t.Errorf("minimal error: %s", a.text)
	}
}

func TestEmailVisibility(t *testing.T) {
	for hidden, want := range map[bool]any{false: "ann@example.com", true: nil} {
		x := with(t, choices{HideEmail: hidden})
		ann, bob := x.actor("ann"), x.actor("bob")
		if got := bob.must(200, "GET", "/0.2/users/"+ann.id, nil).object()["email"]; got != want {
			t.Errorf("HideEmail %t: another sees %v", hidden, got)
		}
		if got := ann.must(200, "GET", "/0.2/users/"+ann.id, nil).object()["email"]; got != "ann@example.com" {
			t.Errorf("HideEmail %t: the user itself sees %v", hidden, got)
		}
	}
}

func TestOmittedFields(t *testing.T) {
	for cleared, want := range map[bool][2]any{false: {"Ann", "de"}, true: {nil, nil}} {
		x := with(t, choices{ClearOmittedUserFields: cleared, ClearOmittedEventFields: cleared})
		ann := x.actor("ann", object{"first_name": "Ann"})
		event := ann.must(201, "POST", "/0.2/user/events", wholeEvent()).object()
		user := ann.must(201, "PUT", "/0.2/user", object{"user_name": "ann"}).object()
		changed := ann.must(200, "PUT", "/0.2/user/events/"+event["id"].(json.Number).String(), object{"location": "Bern"}).object()
		if got := [2]any{user["first_name"], changed["language"]}; got != want {
			t.Errorf("cleared %t: %v, want %v", cleared, got, want)
		}
		if changed["verb"] != "like" || changed["created_at"] != event["created_at"] || user["created_at"] != ann.user["created_at"] {
			t.Errorf("cleared %t: identity changed: %v, %v", cleared, user, changed)
		}
		relogin(ann) // the password stays
	}
}

func TestSearchChoices(t *testing.T) {
	for _, tt := range []struct {
		choice choices
		path   string
		finds  int
	}{
		{choices{}, "?q=", 0}, {choices{BlankQuery: refserver.FindsAll}, "?q=", 2}, {choices{BlankQuery: refserver.FindsAll}, "", 0},
		{choices{MissingQuery: refserver.FindsAll}, "", 2}, {choices{}, "?q=example.com", 2}, {choices{ExcludeSelf: true}, "?q=example.com", 1},
	} {
		x := with(t, tt.choice)
		ann, bob := x.actor("ann"), x.actor("bob")
		found := ann.list("/0.2/users/search" + tt.path)
		if len(found) != tt.finds || tt.finds == 1 && !slices.Equal(found, []string{bob.id}) {
			t.Errorf("%q under %+v finds %v", tt.path, tt.choice, found)
		}
	}
}

func TestLag(t *testing.T) {
	x := with(t, choices{Lag: time.Second})
	ann, bob := x.actor("ann"), x.actor("bob")
	ann.connect(bob, "follow")
	event := bob.post("like")
	lists := []string{"/0.2/user/feed", "/0.2/user/follows", "/0.2/users/search?q=bob", "/0.2/users/" + ann.id + "/follows"}
	want := []string{event, bob.id, bob.id, bob.id}
	for _, path := range lists {
		equal(t, path+" at once", ann.list(path))
	}
	x.clock.Advance(time.Second)
	for i, path := range lists {
		equal(t, path+" after the lag", ann.list(path), want[i])
	}
	bob.must(204, "DELETE", "/0.2/user", nil)
	x.clock.Advance(time.Second - time.Millisecond)
	for i, path := range lists {
		equal(t, path+" just after the purge", ann.list(path), want[i])
	}
	x.clock.Advance(time.Millisecond)
	for _, path := range lists {
		equal(t, path+" a lag after the purge", ann.list(path))
	}
}
