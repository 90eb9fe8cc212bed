package refserver_test

import (
	"testing"

	"github.com/socialfeed/conform/refserver"
)

func TestSessionChoices(t *testing.T) {
	for name, tt := range map[string]struct {
		choice choices
		act    func(*actor)
		stays  [2]bool // the session acted in, and another
	}{
		"login by default":             {choices{}, relogin, [2]bool{true, true}},
		"login, single":                {choices{SingleSession: true}, relogin, [2]bool{false, false}},
		"logout by default":            {choices{}, logout, [2]bool{false, true}},
		"logout everywhere":            {choices{LogoutEverywhere: true}, logout, [2]bool{false, false}},
		"update by default":            {choices{}, update("pw-ann"), [2]bool{true, true}},
		"new password by default":      {choices{}, update("new"), [2]bool{true, true}},
		"new password, ends":           {choices{SessionsEnd: refserver.ByPasswordChange}, update("new"), [2]bool{false, false}},
		"the same password, ends":      {choices{SessionsEnd: refserver.ByPasswordChange}, update("pw-ann"), [2]bool{true, true}},
		"the same password, any ends":  {choices{SessionsEnd: refserver.ByAnyUpdate}, update("pw-ann"), [2]bool{false, false}},
		"another's update, any ends":   {choices{SessionsEnd: refserver.ByAnyUpdate}, func(ann *actor) { update("x")(ann.actor("bob")) }, [2]bool{true, true}},
		"a platform's id, any ends":    {choices{SessionsEnd: refserver.ByAnyUpdate, KeepPlatformID: true}, connectSocial, [2]bool{false, false}},
		"another's login, single":      {choices{SingleSession: true}, func(ann *actor) { ann.actor("bob") }, [2]bool{true, true}},
		"another's logout, everywhere": {choices{LogoutEverywhere: true}, func(ann *actor) { logout(ann.actor("bob")) }, [2]bool{true, true}},
	} {
		x := with(t, tt.choice)
		first := x.actor("ann")
		second := *first
		if !tt.choice.SingleSession {
			second.session = x.want(200, login(object{"user_name": "ann", "password": "pw-ann"})).object()["session_token"].(string)
		}
		tt.act(first)
		for i, session := range []*actor{first, &second} {
			if stays := session.send("GET", "/0.2/user", nil).status == 200; stays != tt.stays[i] {
				t.Errorf("%s: session %d stays: %t, want %t", name, i+1, stays, tt.stays[i])
			}
		}
	}
}

func relogin(ann *actor) {
	ann.want(200, login(object{"user_name": "ann", "password": "pw-ann"}))
}

func logout(user *actor) {
	user.must(204, "DELETE", "/0.2/user/logout", nil)
}

func connectSocial(user *actor) {
	user.must(201, "POST", "/0.2/user/connections/social", object{"platform": "facebook", "platform_user_id": "1", "connection_ids": []string{"2"}, "type": "follow"})
}

func update(password string) func(*actor) {
	return func(user *actor) {
		user.must(201, "PUT", "/0.2/user", object{"user_name": user.name, "password": password})
	}
}
