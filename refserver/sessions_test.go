package refserver_test

import (
	"maps"
	"slices"
	"testing"
)

func login(fields object) call {
	return call{method: "POST", path: "/0.2/user/login", body: fields}
}

func TestLogin(t *testing.T) {
	x := start(t, nil)
	ann := x.actor("ann")
	for name, fields := range map[string]object{
		"user_name": {"user_name": "ann", "password": "pw-ann"},
		"email":     {"email": "ann@example.com", "password": "pw-ann"},
		"both":      {"user_name": "ann", "email": "ann@example.com", "password": "pw-ann"},
	} {
		brief := x.want(200, login(fields)).object()
		equal(t, "fields of a login by "+name, slices.Sorted(maps.Keys(brief)), "id", "session_token")
		if brief["id"] != ann.id {
			t.Errorf("login by %s: id %#v, want the string %q", name, brief["id"], ann.id)
		}
		x.want(200, call{method: "GET", path: "/0.2/user", session: brief["session_token"].(string)})
	}
	details := call{method: "POST", path: "/0.2/user/login?withUserDetails=true", body: object{"user_name": "ann", "password": "pw-ann"}}
	details.session = "an-old-token" // a running app never drops its old one
	whole := x.want(200, details).object()
	if whole["id"] != ann.id || whole["user_name"] != "ann" || whole["email"] != "ann@example.com" || whole["session_token"] == nil {
		t.Errorf("login with details: %v", whole)
	}
	ann.must(200, "GET", "/0.2/user", nil) // the first session stays
}

func TestLoginRefusals(t *testing.T) {
	x := start(t, nil)
	x.actor("ann")
	x.want(201, call{method: "POST", path: "/0.2/users", body: object{"user_name": "nopass"}})
	for name, tt := range map[string]struct {
		fields object
		status int
	}{
		"wrong password":    {object{"user_name": "ann", "password": "pw-bob"}, 401},
		"unknown user_name": {object{"user_name": "bob", "password": "pw-ann"}, 401},
		"unknown email":     {object{"email": "bob@example.com", "password": "pw-ann"}, 401},
		"names of two":      {object{"user_name": "ann", "email": "bob@example.com", "password": "pw-ann"}, 401},
		"no password set":   {object{"user_name": "nopass", "password": "x"}, 401},
		"longer name":       {object{"user_name": "anna", "password": "pw-ann"}, 401},
		"password missing":  {object{"user_name": "ann"}, 422},
		"password blank":    {object{"user_name": "ann", "password": ""}, 422},
		"names missing":     {object{"password": "pw-ann"}, 422},
		"names blank":       {object{"user_name": "", "email": "", "password": "pw-ann"}, 422},
		"password a number": {object{"user_name": "ann", "password": 7}, 422},
		"name a list":       {object{"user_name": []string{"ann"}, "password": "pw-ann"}, 422},
	} {
		if a := x.do(login(tt.fields)); a.status != tt.status {
			t.Errorf("%s: status %d, want %d", name, a.status, tt.status)
		}
	}
	other := login(object{"user_name": "ann", "password": "pw-ann"})
	other.app = otherToken
	x.want(401, other)
}

func TestLogout(t *testing.T) {
	x := start(t, nil)
	ann := x.actor("ann")
	second := x.want(200, login(object{"user_name": "ann", "password": "pw-ann"})).object()["session_token"].(string)
	if a := ann.must(204, "DELETE", "/0.2/user/logout", nil); a.text != "" || a.header.Get("Content-Type") != "" {
		t.Errorf("a 204 with %q (%s)", a.text, a.header.Get("Content-Type"))
	}
	ann.must(401, "GET", "/0.2/user", nil)
	ann.must(401, "POST", "/0.2/user/events", object{"verb": "like"})
	x.want(200, call{method: "GET", path: "/0.2/user", session: second})
	x.want(200, login(object{"user_name": "ann", "password": "pw-ann"}))
}

func TestPasswordChange(t *testing.T) {
	x := start(t, nil)
	ann := x.actor("ann")
	ann.must(201, "PUT", "/0.2/user", object{"user_name": "ann", "password": "new"})
	ann.must(200, "GET", "/0.2/user", nil)
	x.want(401, login(object{"user_name": "ann", "password": "pw-ann"}))
	x.want(200, login(object{"user_name": "ann", "password": "new"}))
	ann.must(201, "PUT", "/0.2/user", object{"user_name": "ann"})
	x.want(200, login(object{"user_name": "ann", "password": "new"}))
}

func TestDuplicateNamesAreToldApartByPassword(t *testing.T) {
	x := start(t, nil)
	first, second := x.actor("ann"), x.actor("ann", object{"password": "other"})
	for password, want := range map[string]string{"pw-ann": first.id, "other": second.id} {
		if got := x.want(200, login(object{"user_name": "ann", "password": password})).object()["id"]; got != want {
			t.Errorf("password %s logs %v in, want %s", password, got, want)
		}
	}
}

// TestPurge is the contract's: with a user go its sessions, connections and
// events, and nothing of anyone else.
func TestPurge(t *testing.T) {
	x := start(t, nil)
	ann, bob, cid := x.actor("ann"), x.actor("bob"), x.actor("cid")
	bob.connect(ann, "follow")
	bob.connect(cid, "follow")
	ann.connect(bob, "follow")
	cid.connect(ann, "friend")
	gone, stays := ann.post("like"), cid.post("share")
	equal(t, "bob's feed", bob.list("/0.2/user/feed"), stays, gone)
	equal(t, "cid's feed", cid.list("/0.2/user/feed"), gone)
	ann.must(204, "DELETE", "/0.2/user", nil)

	equal(t, "bob's feed", bob.list("/0.2/user/feed"), stays)
	equal(t, "cid's feed", cid.list("/0.2/user/feed"))
	equal(t, "bob's follows", bob.list("/0.2/user/follows"), cid.id)
	equal(t, "bob's followers", bob.list("/0.2/user/followers"))
	equal(t, "cid's friends", cid.list("/0.2/user/friends"))
	equal(t, "search", bob.list("/0.2/users/search?q=ann"))
	bob.must(404, "GET", "/0.2/users/"+ann.id, nil)
	ann.must(401, "GET", "/0.2/user", nil)
	x.want(401, login(object{"user_name": "ann", "password": "pw-ann"}))
	if counts := x.server.Stats(); counts.Users != 2 || counts.Sessions != 2 || counts.Connections != 1 || counts.Events != 1 {
		t.Errorf("left: %+v", counts)
	}

	again := x.actor("ann")
	if again.id == ann.id {
		t.Error("an id is given twice")
	}
	bob.connect(again, "follow")
	equal(t, "bob's feed", bob.list("/0.2/user/feed"), stays)
}
