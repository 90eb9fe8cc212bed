package refserver_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/socialfeed/conform/refserver"
)

func TestMediaTypes(t *testing.T) {
	x := start(t, nil)
	ann := x.actor("ann")
	for accept, status := range map[string]int{
		"application/json": 200, "application/json; charset=utf-8": 200, "*/*": 200, "application/*": 200,
		"text/html, application/json;q=0.1": 200, "text/html": 406, "application/json;q=0, */*": 406,
		"text/html, */*;q=0": 406, "application/xml": 406, ";;": 406,
	} {
		a := x.do(call{method: "GET", path: "/0.2/user", session: ann.session, header: http.Header{"Accept": {accept}}})
		if a.status != status {
			t.Errorf("Accept %q: status %d, want %d", accept, a.status, status)
		}
	}
	if a := x.do(call{method: "GET", path: "/0.2/user", session: ann.session, header: http.Header{"Accept": nil}}); a.status != 200 {
		t.Errorf("no Accept: status %d", a.status)
	}
	for contentType, status := range map[string]int{
		"application/json; charset=utf-8": 201, "application/json;charset=\"UTF-8\"": 201, "APPLICATION/JSON": 201,
		"application/json; charset=latin1": 415, "application/x-www-form-urlencoded": 415, "application/json/x": 415,
	} {
		a := x.do(call{method: "POST", path: "/0.2/users", raw: `{"user_name":"bob"}`, header: http.Header{"Content-Type": {contentType}}})
		if a.status != status {
			t.Errorf("Content-Type %q: status %d, want %d", contentType, a.status, status)
		}
	}
	if a := x.do(call{method: "POST", path: "/0.2/users"}); a.status != 400 {
		t.Errorf("no body and no Content-Type: status %d", a.status)
	}
	typed := http.Header{"Content-Type": {"text/plain"}}
	if a := x.do(call{method: "GET", path: "/0.2/user", session: ann.session, header: typed}); a.status != 200 {
		t.Errorf("GET with a Content-Type: status %d", a.status)
	}
}

func TestBodies(t *testing.T) {
	x := start(t, func(o *refserver.Options) { o.MaxBodyBytes = 200 })
	for name, tt := range map[string]struct {
		raw    string
		status int
	}{
		"string": {`"user"`, 400}, "number": {"7", 400}, "null": {"null", 400}, "blank": {" ", 400},
		"invalid UTF-8":      {"{\"user_name\":\"\xff\"}", 400},
		"single quotes":      {`{'user_name':'ann'}`, 400},
		"byte order mark":    {"\ufeff{}", 400},
		"duplicated member":  {`{"user_name":7,"user_name":"ann"}`, 201},
		"other case":         {`{"User_Name":"ann"}`, 422},
		"unpaired surrogate": {`{"user_name":"a\ud800b"}`, 201},
		"space around":       {"\r\n\t {\"user_name\":\"ann\"} \n", 201},
		"null members":       {`{"user_name":"ann","email":null,"metadata":null,"activated":null,"social_ids":null}`, 201},
		"too large":          {`{"user_name":"` + strings.Repeat("a", 200) + `"}`, 413},
	} {
		a := x.do(call{method: "POST", path: "/0.2/users", raw: tt.raw})
		if a.status != tt.status {
			t.Errorf("%s: status %d, want %d: %s", name, a.status, tt.status, a.text)
		}
		if a.status == 400 && a.text != "{}\n" {
			t.Errorf("%s: the body of a 400 is %q", name, a.text)
		}
		if name == "unpaired surrogate" && a.object()["user_name"] != "a\ufffdb" {
			t.Errorf("unpaired surrogate: %q", a.object()["user_name"])
		}
	}
}

func TestErrorsSayWhatIsWrong(t *testing.T) {
	x := start(t, nil)
	a := x.want(422, call{method: "POST", path: "/0.2/users", body: object{"user_name": object{"hush": "hush"}, "password": "hush"}})
	entry := a.object()["errors"].([]any)[0].(object)
	if !strings.Contains(entry["message"].(string), "user_name") || strings.Contains(a.text, "hush") || entry["code"] == nil {
		t.Errorf("error %s", a.text)
	}
}
