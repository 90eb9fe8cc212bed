package refserver_test

import (
	"encoding/json"
	"maps"
	"reflect"
	"testing"
	"time"
)

// wholeEvent is an event with every field a client may set.
func wholeEvent() object {
	return object{
		"verb": "like", "language": "de", "priority": "high", "location": "Zürich", "metadata": object{"k": "v"},
		"latitude": json.Number("-33.8567844"), "longitude": json.Number("0.000000001"),
		"object": object{"id": "o-1", "type": "photo", "url": "app://o/1", "display_name": object{"en": "A photo", "de": ""}},
	}
}

func TestCreateEvent(t *testing.T) {
	x := start(t, nil)
	ann := x.actor("ann")
	sent := wholeEvent()
	sent["user_id"], sent["id"], sent["enabled"] = 1, 1, false
	created := ann.must(201, "POST", "/0.2/user/events", sent).object()
	want := wholeEvent()
	want["latitude"], want["longitude"] = json.Number("-33.8567844"), json.Number("1e-9")
	want["id"], want["user_id"], want["enabled"] = created["id"], ann.rawID, true
	want["created_at"], want["updated_at"] = "2024-02-29T12:00:00.123456Z", "2024-02-29T12:00:00.123456Z"
	if !reflect.DeepEqual(created, want) {
		t.Errorf("created: %v, want %v", created, want)
	}
	zero := ann.must(201, "POST", "/0.2/user/events", object{"verb": "like", "latitude": 0, "longitude": -0.5}).object()
	if zero["latitude"] != json.Number("0") || zero["longitude"] != json.Number("-0.5") {
		t.Errorf("coordinates: %v", zero)
	}
}

// TestEventRefusals sends each mistake as a creation and as an update.
func TestEventRefusals(t *testing.T) {
	x := start(t, nil)
	ann, bob := x.actor("ann"), x.actor("bob")
	bob.connect(ann, "follow")
	id := ann.post("like")
	before := bob.must(200, "GET", "/0.2/user/feed", nil).text
	for name, raw := range map[string]string{
		"verb blank": `{"verb":" "}`, "verb a number": `{"verb":7}`, "language a list": `{"verb":"a","language":["de"]}`,
		"priority a number": `{"verb":"a","priority":1}`, "location an object": `{"verb":"a","location":{}}`,
		"latitude a string": `{"verb":"a","latitude":"1.5"}`, "longitude a boolean": `{"verb":"a","longitude":true}`,
		"latitude out of range": `{"verb":"a","latitude":1e999}`, "metadata a list": `{"verb":"a","metadata":[]}`,
		"a number in metadata": `{"verb":"a","metadata":{"k":1}}`, "object a string": `{"verb":"a","object":"o"}`,
		"object a list": `{"verb":"a","object":[]}`, "object without id": `{"verb":"a","object":{"type":"photo"}}`,
		"object id null": `{"verb":"a","object":{"id":null}}`, "object id a number": `{"verb":"a","object":{"id":1}}`,
		"object type a number": `{"verb":"a","object":{"id":"o","type":1}}`, "object url a list": `{"verb":"a","object":{"id":"o","url":[]}}`,
		"display_name a string":    `{"verb":"a","object":{"id":"o","display_name":"d"}}`,
		"a number in display_name": `{"verb":"a","object":{"id":"o","display_name":{"en":1}}}`,
	} {
		if a := x.do(call{method: "POST", path: "/0.2/user/events", session: ann.session, raw: raw}); a.status != 422 {
			t.Errorf("create with %s: status %d", name, a.status)
		}
		if a := x.do(call{method: "PUT", path: "/0.2/user/events/" + id, session: ann.session, raw: raw}); a.status != 422 {
			t.Errorf("update with %s: status %d", name, a.status)
		}
	}
	for _, raw := range []string{`{}`, `{"verb":null}`} {
		x.want(422, call{method: "POST", path: "/0.2/user/events", session: ann.session, raw: raw})
	}
	if after := bob.must(200, "GET", "/0.2/user/feed", nil).text; after != before {
		t.Errorf("refused requests changed the feed from %s to %s", before, after)
	}
}

func TestUpdateEvent(t *testing.T) {
	x := start(t, nil)
	ann, bob := x.actor("ann"), x.actor("bob")
	bob.connect(ann, "follow")
	created := ann.must(201, "POST", "/0.2/user/events", wholeEvent()).object()
	path := "/0.2/user/events/" + created["id"].(json.Number).String()
	x.clock.Advance(time.Second)
	want := maps.Clone(created)
	want["updated_at"] = "2024-02-29T12:00:01.123456Z"
	for field, value := range map[string]any{
		"verb": "share", "language": "fr", "priority": "low", "location": "Bern", "latitude": json.Number("1.5"),
		"longitude": json.Number("-2.25"), "metadata": object{"new": "m"}, "object": object{"id": "o-2"},
	} {
		want[field] = value
		updated := ann.must(200, "PUT", path, object{field: value, "user_id": bob.rawID}).object()
		if !reflect.DeepEqual(updated, want) {
			t.Errorf("after a change of %s: %v, want %v", field, updated, want)
		}
	}
	shown := bob.must(200, "GET", "/0.2/user/feed", nil).body.([]any)
	if len(shown) != 1 || !reflect.DeepEqual(shown[0], any(want)) {
		t.Errorf("the feed shows %v, want %v", shown, want)
	}
}

func TestEventsOfOthersAndOfNobody(t *testing.T) {
	x := start(t, nil)
	ann, bob := x.actor("ann"), x.actor("bob")
	bob.connect(ann, "follow")
	id := ann.post("like")
	bob.must(403, "PUT", "/0.2/user/events/"+id, object{"verb": "share"})
	bob.must(403, "DELETE", "/0.2/user/events/"+id, nil)
	equal(t, "bob's feed", bob.list("/0.2/user/feed"), id)
	ann.must(204, "DELETE", "/0.2/user/events/"+id, nil)
	equal(t, "bob's feed", bob.list("/0.2/user/feed"))
	for _, unknown := range []string{id, "1", "like", ann.id} {
		ann.must(404, "PUT", "/0.2/user/events/"+unknown, object{"verb": "share"})
		ann.must(404, "DELETE", "/0.2/user/events/"+unknown, nil)
	}
}
