package refserver_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/socialfeed/conform/refserver"
)

// whole is a user with every field a client may set.
var whole = object{
	"user_name": "Ann 𝔸", "custom_id": "c-1", "first_name": "Änn", "last_name": "Ó'Neill\u2028", "email": "ann@example.com",
	"url": "app://ann?a=1&b=<2>", "social_ids": object{"net": "n-1", "": ""}, "metadata": object{"k": "", "ключ": "значение"},
}

func echoes(t *testing.T, what string, got, sent object) {
	t.Helper()
	for field, value := range sent {
		if field != "password" && !reflect.DeepEqual(got[field], value) {
			t.Errorf("%s: %s is %#v, sent was %#v", what, field, got[field], value)
		}
	}
}

func TestCreateUser(t *testing.T) {
	x := start(t, nil)
	created := x.want(201, call{method: "POST", path: "/0.2/users", body: whole}).object()
	echoes(t, "created", created, whole)
	if created["enabled"] != true || created["last_login"] != "0000-01-01T00:00:00Z" || created["created_at"] != "2024-02-29T12:00:00.123456Z" {
		t.Errorf("server-set fields: %v", created)
	}
	for _, absent := range []string{"password", "session_token", "activated", "image"} {
		if value, present := created[absent]; present {
			t.Errorf("%s is returned: %v", absent, value)
		}
	}
	ann := x.actor("ann", whole)
	if ann.user["last_login"] != "2024-02-29T12:00:00.123456Z" {
		t.Errorf("last_login after withLogin: %v", ann.user["last_login"])
	}
	echoes(t, "read", ann.send("GET", "/0.2/user", nil).object(), whole)
	echoes(t, "read by another", x.actor("bob").send("GET", "/0.2/users/"+ann.id, nil).object(), whole)
}

func TestBlankFieldsAreOmitted(t *testing.T) {
	x := start(t, nil)
	created := x.want(201, call{method: "POST", path: "/0.2/users", raw: `{"user_name":"a","email":"","url":null,"metadata":{},"social_ids":{},"activated":""}`}).object()
	want := []string{"created_at", "enabled", "id", "last_login", "updated_at", "user_name"}
	equal(t, "fields", slices.Sorted(maps.Keys(created)), want...)
}

// TestUserRefusals sends each mistake as a creation and as an update.
func TestUserRefusals(t *testing.T) {
	x := start(t, nil)
	ann := x.actor("ann")
	mistakes := map[string]string{
		"no user_name": `{}`, "blank user_name": `{"user_name":" \t"}`, "null user_name": `{"user_name":null}`,
		"social_ids of numbers":   `{"user_name":"a","social_ids":{"n":1}}`,
		"social_ids with a null":  `{"user_name":"a","social_ids":{"n":null}}`,
		"social_ids as numbers":   `{"user_name":"a","social_ids":[1]}`,
		"activated as a word":     `{"user_name":"a","activated":"perhaps"}`,
		"activated as an object":  `{"user_name":"a","activated":{}}`,
		"activated as a number":   `{"user_name":"a","activated":1}`,
		"a null in metadata":      `{"user_name":"a","metadata":{"k":null}}`,
		"a number in metadata":    `{"user_name":"a","metadata":{"k":1}}`,
		"a boolean in metadata":   `{"user_name":"a","metadata":{"k":true}}`,
		"a list in metadata":      `{"user_name":"a","metadata":{"k":[]}}`,
		"an object in metadata":   `{"user_name":"a","metadata":{"k":{}}}`,
		"metadata as a list":      `{"user_name":"a","metadata":["k"]}`,
		"metadata as a string":    `{"user_name":"a","metadata":"k"}`,
		"social_ids as a string":  `{"user_name":"a","social_ids":"n"}`,
		"social_ids as a boolean": `{"user_name":"a","social_ids":true}`,
	}
	for _, field := range []string{"user_name", "custom_id", "password", "first_name", "last_name", "email", "url"} {
		for _, value := range []string{"7", "true", "[]", "{}", `["a"]`} {
			members := map[string]json.RawMessage{"user_name": json.RawMessage(`"a"`)}
			members[field] = json.RawMessage(value)
			body, err := json.Marshal(members)
			if err != nil {
				t.Fatal(err)
			}
			mistakes[field+" as "+value] = string(body)
		}
	}
	before := ann.send("GET", "/0.2/user", nil)
	for name, raw := range mistakes {
		if a := x.do(call{method: "POST", path: "/0.2/users", raw: raw}); a.status != 422 {
			t.Errorf("create with %s: status %d", name, a.status)
		}
		if a := x.do(call{method: "PUT", path: "/0.2/user", session: ann.session, raw: raw}); a.status != 422 {
			t.Errorf("update with %s: status %d", name, a.status)
		}
	}
	if after := ann.send("GET", "/0.2/user", nil); after.text != before.text {
		t.Errorf("a refused update changed the user from %s to %s", before.text, after.text)
	}
	if counts := x.server.Stats(); counts.Users != 1 {
		t.Errorf("a refused creation left a user behind: %+v", counts)
	}
}

func TestMetadataLimits(t *testing.T) {
	x := start(t, nil)
	ann := x.actor("ann")
	event := ann.post("like")
	keys := func(n int) object {
		metadata := object{}
		for i := range n {
			metadata[fmt.Sprint("key", i)] = "v"
		}
		return metadata
	}
	for name, tt := range map[string]struct {
		metadata object
		allowed  bool
	}{
		"10 keys": {keys(10), true}, "11 keys": {keys(11), false},
		"a key of 40": {object{strings.Repeat("k", 40): "v"}, true}, "a key of 41": {object{strings.Repeat("k", 41): "v"}, false},
		"a value of 500": {object{"k": strings.Repeat("v", 500)}, true}, "a value of 501": {object{"k": strings.Repeat("v", 501)}, false},
		"a key of 40 beyond the BMP": {object{strings.Repeat("𝔸", 40): "v"}, true}, "41 of them": {object{strings.Repeat("𝔸", 41): "v"}, false},
		"a value of 500 such": {object{"k": strings.Repeat("𝔸", 500)}, true}, "501 such": {object{"k": strings.Repeat("é", 501)}, false},
	} {
		for _, c := range []call{
			{method: "POST", path: "/0.2/users", body: object{"user_name": "u", "metadata": tt.metadata}},
			{method: "PUT", path: "/0.2/user", body: object{"user_name": "ann", "metadata": tt.metadata}},
			{method: "POST", path: "/0.2/user/events", body: object{"verb": "like", "metadata": tt.metadata}},
			{method: "PUT", path: "/0.2/user/events/" + event, body: object{"metadata": tt.metadata}},
		} {
			c.session = ann.session
			a := x.do(c)
			if tt.allowed && a.status >= 300 || !tt.allowed && a.status != 422 {
				t.Errorf("%s %s with %s: status %d", c.method, c.path, name, a.status)
			}
			if tt.allowed && !reflect.DeepEqual(a.object()["metadata"], any(tt.metadata)) {
				t.Errorf("%s %s with %s: metadata came back changed", c.method, c.path, name)
			}
		}
	}
}

func TestActivatedAndSocialIDsForms(t *testing.T) {
	x := start(t, nil)
	for raw, want := range map[string]any{`"true"`: true, `"false"`: false, `true`: true, `false`: false} {
		a := x.want(201, call{method: "POST", path: "/0.2/users", raw: `{"user_name":"a","activated":` + raw + `}`})
		if a.object()["activated"] != want {
			t.Errorf("activated %s came back as %v", raw, a.object()["activated"])
		}
	}
	a := x.want(201, call{method: "POST", path: "/0.2/users", raw: `{"user_name":"a","social_ids":["x","y"]}`})
	if want := any(object{"0": "x", "1": "y"}); !reflect.DeepEqual(a.object()["social_ids"], want) {
		t.Errorf("social_ids as an array came back as %v", a.object()["social_ids"])
	}
}

func TestUpdateUser(t *testing.T) {
	x := start(t, nil)
	ann := x.actor("ann", object{"first_name": "Ann", "activated": true})
	x.clock.Advance(1)
	x.clock.Advance(1e9)
	updated := ann.must(201, "PUT", "/0.2/user", object{"user_name": "anna", "id": 1, "created_at": "x", "enabled": false, "last_name": "L", "colour": "red"}).object()
	want := maps.Clone(ann.user)
	delete(want, "session_token")
	want["user_name"], want["last_name"], want["updated_at"] = "anna", "L", "2024-02-29T12:00:01.123456Z"
	if !reflect.DeepEqual(updated, want) {
		t.Errorf("updated: %v, want %v", updated, want)
	}
	if read := ann.must(200, "GET", "/0.2/user", nil).object(); !reflect.DeepEqual(read, want) {
		t.Errorf("read: %v, want %v", read, want)
	}
	if cleared := ann.must(201, "PUT", "/0.2/user", object{"user_name": "anna", "last_name": ""}).object(); cleared["last_name"] != nil {
		t.Errorf("a field sent blank stays: %v", cleared)
	}
}

func TestUnknownUsers(t *testing.T) {
	for _, form := range []refserver.IDForm{refserver.IntegerIDs, refserver.BigIntegerIDs, refserver.DigitStringIDs, refserver.UUIDs} {
		x := with(t, refserver.Choices{UserIDs: form, EventIDs: form})
		ann := x.actor("ann")
		for _, id := range []string{"0", "-1", "0" + ann.id, ann.id + "0", "%20" + ann.id, "ann", "18446744073709551616", "00000000-0000-4000-8000-000000000000"} {
			for _, path := range []string{"", "/follows", "/followers", "/friends"} {
				if a := ann.send("GET", "/0.2/users/"+id+path, nil); a.status != 404 {
					t.Errorf("ids %q, GET %s%s: status %d", form, id, path, a.status)
				}
			}
		}
	}
}
