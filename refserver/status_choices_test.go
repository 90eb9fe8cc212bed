package refserver_test

import (
	"maps"
	"net/http"
	"testing"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/store"
)

// makes builds a request of ann's.
type makes func(ann, bob *actor) call

func user(more object) makes {
	body := object{"user_name": "new"}
	maps.Copy(body, more)
	return func(*actor, *actor) call { return call{method: "POST", path: "/0.2/users", body: body} }
}

func get(path string, header http.Header) makes {
	return func(ann, _ *actor) call {
		return call{method: "GET", path: path, session: ann.session, header: header}
	}
}

func versions(app string) makes {
	return func(*actor, *actor) call { return call{method: "GET", path: "/versions", app: app} }
}

func connection(to func(ann, bob *actor) any, typ any) makes {
	return func(ann, bob *actor) call {
		return call{method: "POST", path: "/0.2/user/connections", session: ann.session, body: object{"user_to_id": to(ann, bob), "type": typ}}
	}
}

func toBob(_, bob *actor) any  { return bob.rawID }
func toSelf(ann, _ *actor) any { return ann.rawID }

func event(path string, body any) makes {
	return func(ann, _ *actor) call {
		return call{method: "POST", path: path, session: ann.session, body: body}
	}
}

// statusChoice is one request whose status a choice decides.
type statusChoice struct {
	request   makes
	friendly  int
	choice    choices
	otherwise int
}

func TestStatusChoices(t *testing.T) {
	for name, tt := range statusChoices() {
		for choice, status := range map[*choices]int{{}: tt.friendly, &tt.choice: tt.otherwise} {
			x := with(t, *choice)
			ann, bob := x.actor("ann", object{"custom_id": "c-ann"}), x.actor("bob")
			if a := x.do(tt.request(ann, bob)); a.status != status {
				t.Errorf("%s under %+v: status %d, want %d: %s", name, *choice, a.status, status, a.text)
			}
		}
	}
}

func statusChoices() map[string]statusChoice {
	return map[string]statusChoice{
		"no User-Agent":           {get("/0.2/user", http.Header{"User-Agent": {""}}), 400, choices{UserAgentStatus: 403}, 403},
		"no Accept":               {get("/0.2/user", http.Header{"Accept": nil}), 200, choices{RequireAccept: true}, 406},
		"any Accept":              {get("/0.2/user", http.Header{"Accept": {"*/*"}}), 200, choices{RequireAccept: true}, 406},
		"JSON among others":       {get("/0.2/user", http.Header{"Accept": {"application/json, */*"}}), 200, choices{RequireAccept: true}, 200},
		"activated boolean":       {user(object{"activated": true}), 201, choices{RefuseActivatedBoolean: true}, 422},
		"activated string":        {user(object{"activated": "true"}), 201, choices{RefuseActivatedBoolean: true}, 201},
		"social_ids array":        {user(object{"social_ids": []string{"x"}}), 201, choices{RefuseSocialIDsArray: true}, 422},
		"social_ids map":          {user(object{"social_ids": object{"n": "x"}}), 201, choices{RefuseSocialIDsArray: true}, 201},
		"unknown field":           {user(object{"colour": "red"}), 201, choices{RefuseUnknownFields: true}, 422},
		"unknown object field":    {event("/0.2/user/events", object{"verb": "a", "object": object{"id": "o", "x": 1}}), 201, choices{RefuseUnknownFields: true}, 422},
		"server-set field":        {user(object{"enabled": true}), 201, choices{RefuseServerFields: true}, 422},
		"another's user_id":       {event("/0.2/user/events", object{"verb": "a", "user_id": 1}), 201, choices{RefuseServerFields: true}, 422},
		"user_name alone":         {user(nil), 201, choices{RequireCredentials: true}, 422},
		"no email":                {user(object{"password": "p"}), 201, choices{RequireCredentials: true}, 422},
		"no password":             {user(object{"email": "e@example.com"}), 201, choices{RequireCredentials: true}, 422},
		"both":                    {user(object{"email": "e@example.com", "password": "p"}), 201, choices{RequireCredentials: true}, 201},
		"duplicate user_name":     {user(object{"user_name": "ann"}), 201, choices{UniqueUserNames: true}, 409},
		"duplicate email":         {user(object{"email": "ann@example.com"}), 201, choices{UniqueEmails: true}, 409},
		"duplicate custom_id":     {user(object{"custom_id": "c-ann"}), 201, choices{UniqueCustomIDs: true}, 409},
		"blank q":                 {get("/0.2/users/search?q=", nil), 200, choices{BlankQuery: refserver.RefusesQuery}, 400},
		"missing q":               {get("/0.2/users/search", nil), 200, choices{MissingQuery: refserver.RefusesQuery}, 400},
		"missing q, blank chosen": {get("/0.2/users/search", nil), 200, choices{BlankQuery: refserver.RefusesQuery}, 200},
		"type missing":            {connection(toBob, nil), 422, choices{MissingType: store.Follow}, 201},
		"to oneself":              {connection(toSelf, "follow"), 422, choices{AllowSelf: true}, 201},
		"to oneself, 400":         {connection(toSelf, "follow"), 422, choices{RequiredStatus: 400}, 400},
		"followed":                {get("/0.2/users/20001/followed", nil), 404, choices{FollowedPath: true}, 200},
		"users/events":            {event("/0.2/users/events", object{"verb": "a"}), 405, choices{UsersEventsPath: true}, 201},
		"disabled version":        {get("/0.1/user", nil), 410, choices{DisabledVersionStatus: 404}, 404},
		"verb missing":            {event("/0.2/user/events", object{}), 422, choices{RequiredStatus: 400}, 400},
		"body no object":          {event("/0.2/user/events", []int{1}), 400, choices{NonObjectStatus: 422}, 422},
		"versions, no session": {versions(appToken), 200,
			choices{VersionsCredentials: refserver.BothTokens}, 401},
		"versions, no app": {versions("none"), 200,
			choices{VersionsCredentials: refserver.AppToken}, 401},
		"versions, app token": {versions(appToken), 200,
			choices{VersionsCredentials: refserver.AppToken}, 200},
	}
}
