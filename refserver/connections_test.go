package refserver_test

import (
	"encoding/json"
	"reflect"
	"testing"
)

func TestCreateConnection(t *testing.T) {
	x := start(t, nil)
	ann, bob := x.actor("ann"), x.actor("bob")
	at := "2024-02-29T12:00:00.123456Z"
	for typ, want := range map[string]object{
		"follow": {"user_from_id": ann.rawID, "user_to_id": bob.rawID, "type": "follow", "enabled": true, "created_at": at, "updated_at": at},
		"friend": {"user_from_id": ann.rawID, "user_to_id": bob.rawID, "type": "friend", "enabled": true, "created_at": at, "updated_at": at, "confirmed_at": at},
	} {
		for form, id := range map[string]any{"number": bob.rawID, "string": bob.id} {
			got := ann.must(201, "POST", "/0.2/user/connections", object{"user_to_id": id, "type": typ}).object()
			if !reflect.DeepEqual(got, want) {
				t.Errorf("%s to a %s: %v, want %v", typ, form, got, want)
			}
		}
	}
	if counts := x.server.Stats(); counts.Connections != 2 {
		t.Errorf("duplicates are kept: %+v", counts)
	}
}

func TestConnectionRefusals(t *testing.T) {
	x := start(t, nil)
	ann, bob := x.actor("ann"), x.actor("bob")
	for name, tt := range map[string]struct {
		body   object
		status int
	}{
		"target missing":     {object{"type": "follow"}, 422},
		"target null":        {object{"user_to_id": nil, "type": "follow"}, 422},
		"target blank":       {object{"user_to_id": "", "type": "follow"}, 422},
		"target a list":      {object{"user_to_id": []any{bob.rawID}, "type": "follow"}, 422},
		"target an object":   {object{"user_to_id": object{}, "type": "follow"}, 422},
		"target a boolean":   {object{"user_to_id": true, "type": "follow"}, 422},
		"target a fraction":  {object{"user_to_id": json.Number(bob.id + ".0"), "type": "follow"}, 422},
		"target an exponent": {object{"user_to_id": json.Number("2e4"), "type": "follow"}, 422},
		"target unknown":     {object{"user_to_id": 1, "type": "follow"}, 404},
		"target huge":        {object{"user_to_id": json.Number("99999999999999999999999"), "type": "follow"}, 404},
		"target negative":    {object{"user_to_id": -1, "type": "follow"}, 404},
		"target no id":       {object{"user_to_id": "bob", "type": "follow"}, 404},
		"target oneself":     {object{"user_to_id": ann.rawID, "type": "follow"}, 422},
		"type unknown":       {object{"user_to_id": bob.rawID, "type": "enemy"}, 422},
		"type in capitals":   {object{"user_to_id": bob.rawID, "type": "Follow"}, 422},
		"type blank":         {object{"user_to_id": bob.rawID, "type": ""}, 422},
		"type a number":      {object{"user_to_id": bob.rawID, "type": 1}, 422},
		"type missing":       {object{"user_to_id": bob.rawID}, 422},
	} {
		if a := ann.send("POST", "/0.2/user/connections", tt.body); a.status != tt.status {
			t.Errorf("%s: status %d, want %d", name, a.status, tt.status)
		}
	}
	if counts := x.server.Stats(); counts.Connections != 0 {
		t.Errorf("a refused connection is left behind: %+v", counts)
	}
}

func TestLists(t *testing.T) {
	x := start(t, nil)
	ann, bob, cid, dan := x.actor("ann"), x.actor("bob"), x.actor("cid"), x.actor("dan")
	ann.connect(bob, "follow")
	ann.connect(cid, "follow")
	cid.connect(bob, "follow")
	ann.connect(dan, "friend")
	for _, tt := range []struct {
		of                          *actor
		follows, followers, friends []string
	}{
		{ann, []string{bob.id, cid.id}, nil, []string{dan.id}},
		{bob, nil, []string{ann.id, cid.id}, nil},
		{cid, []string{bob.id}, []string{ann.id}, nil},
		{dan, nil, nil, []string{ann.id}},
	} {
		for path, want := range map[string][]string{"/follows": tt.follows, "/followers": tt.followers, "/friends": tt.friends} {
			equal(t, tt.of.name+path, tt.of.list("/0.2/user"+path), want...)
			equal(t, tt.of.name+path+" seen by a third", dan.list("/0.2/users/"+tt.of.id+path), want...)
		}
	}
	if list := ann.must(200, "GET", "/0.2/user/followers", nil); list.text != "[]\n" {
		t.Errorf("an empty list is %q", list.text)
	}
}

func TestEndConnection(t *testing.T) {
	x := start(t, nil)
	ann, bob := x.actor("ann"), x.actor("bob")
	both := func() {
		ann.connect(bob, "follow")
		ann.connect(bob, "friend")
	}
	for _, tt := range []struct {
		by               *actor
		path             string
		follows, friends []string
	}{
		{ann, "/0.2/user/connections/" + bob.id, nil, nil},
		{ann, "/0.2/user/connections/" + bob.id + "?type=follow", nil, []string{bob.id}},
		{ann, "/0.2/user/connections/" + bob.id + "?type=friend", []string{bob.id}, nil},
		{bob, "/0.2/user/connections/" + ann.id, []string{bob.id}, nil}, // a friendship is bob's too; the follow is ann's
	} {
		both()
		tt.by.must(204, "DELETE", tt.path, nil)
		equal(t, tt.by.name+" "+tt.path+" follows", ann.list("/0.2/user/follows"), tt.follows...)
		equal(t, tt.by.name+" "+tt.path+" friends", ann.list("/0.2/user/friends"), tt.friends...)
	}
	ann.must(204, "DELETE", "/0.2/user/connections/"+bob.id, nil)
	ann.must(404, "DELETE", "/0.2/user/connections/"+bob.id, nil)
	ann.must(404, "DELETE", "/0.2/user/connections/1", nil)
	ann.must(422, "DELETE", "/0.2/user/connections/"+bob.id+"?type=enemy", nil)
	ann.connect(bob, "follow")
	bob.must(404, "DELETE", "/0.2/user/connections/"+ann.id, nil)
	equal(t, "ann's follows", ann.list("/0.2/user/follows"), bob.id)
}

func TestSocial(t *testing.T) {
	x := start(t, nil)
	ann := x.actor("ann", object{"social_ids": object{"net": "1"}})
	bob := x.actor("bob", object{"social_ids": object{"net": "2", "web": "9"}})
	cid := x.actor("cid", object{"social_ids": object{"net": "3"}})
	x.actor("dan", object{"social_ids": object{"web": "2"}})
	social := func(change object) object {
		body := object{"platform": "net", "type": "follow", "platform_user_id": "1", "connection_ids": []string{"1", "2", "2", "nobody"}}
		for field, value := range change {
			body[field] = value
			if value == nil {
				delete(body, field)
			}
		}
		return body
	}
	if a := ann.must(201, "POST", "/0.2/user/connections/social", social(nil)); a.text != "{}\n" {
		t.Errorf("the answer is %q", a.text)
	}
	equal(t, "ann's follows", ann.list("/0.2/user/follows"), bob.id)
	ann.must(201, "POST", "/0.2/user/connections/social", social(object{"type": "friend", "connection_ids": []string{"3"}}))
	equal(t, "cid's friends", cid.list("/0.2/user/friends"), ann.id)
	for name, change := range map[string]object{
		"no platform": {"platform": nil}, "no type": {"type": nil}, "no user id": {"platform_user_id": nil}, "no ids": {"connection_ids": nil},
		"type unknown": {"type": "enemy"}, "type a list": {"type": []string{"follow"}}, "platform a number": {"platform": 7},
		"user id a number": {"platform_user_id": 7}, "ids a string": {"connection_ids": "3"}, "ids numbers": {"connection_ids": []int{3}},
		"ids with a null": {"connection_ids": []any{nil}}, "ids an object": {"connection_ids": object{}}, "platform blank": {"platform": " "},
	} {
		if a := ann.send("POST", "/0.2/user/connections/social", social(change)); a.status != 422 {
			t.Errorf("%s: status %d", name, a.status)
		}
	}
	ann.must(201, "POST", "/0.2/user/connections/social", social(object{"connection_ids": []string{}}))
	equal(t, "ann's follows in the end", ann.list("/0.2/user/follows"), bob.id)
}
