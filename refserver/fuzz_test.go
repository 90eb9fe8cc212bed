package refserver_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/socialfeed/conform/refserver"
)

// post sends a body without a socket, so that fuzzing is quick.
func post(server *refserver.Server, body []byte) *httptest.ResponseRecorder {
	request := httptest.NewRequest(http.MethodPost, "/0.2/users", strings.NewReader(string(body)))
	request.SetBasicAuth(appToken, "")
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("User-Agent", "refserver-test/1")
	recorder := httptest.NewRecorder()
	server.ServeHTTP(recorder, request)
	return recorder
}

// FuzzCreateUser: any body gets a documented answer, and a user that was taken
// can be sent as it came back and comes back the same.
func FuzzCreateUser(f *testing.F) {
	for _, seed := range []string{
		`{"user_name":"ann","metadata":{"k":"v"},"social_ids":["a"],"activated":"true"}`, `{"user_name":null}`, `[]`, `{`, `{"user_name":"\ud800"}`,
		`{"user_name":"a","social_ids":{"a":null},"activated":true,"first_name":"\u0000"}`, "{\"user_name\":\"\xff\"}", `{"user_name":"a"}{}`,
	} {
		f.Add([]byte(seed))
	}
	server, err := refserver.New(refserver.Options{AppTokens: []string{appToken}, RateLimit: -1, PasswordCost: 1, AllowPlainHTTP: true})
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		answer := post(server, body)
		switch answer.Code {
		case 400:
			if answer.Body.String() != "{}\n" {
				t.Errorf("the body of a 400 is %q", answer.Body)
			}
		case 422:
			if !strings.HasPrefix(answer.Body.String(), `{"errors":[{"code":`) {
				t.Errorf("the body of a 422 is %q", answer.Body)
			}
		case 201:
			comesBackTheSame(t, server, answer.Body.Bytes())
		default:
			t.Errorf("status %d", answer.Code)
		}
	})
}

func comesBackTheSame(t *testing.T, server *refserver.Server, created []byte) {
	again := post(server, created)
	if again.Code != 201 {
		t.Fatalf("the user %s is refused with %d", created, again.Code)
	}
	var first, second map[string]json.RawMessage
	if err := json.Unmarshal(created, &first); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(again.Body.Bytes(), &second); err != nil {
		t.Fatal(err)
	}
	for _, serverSet := range []string{"id", "created_at", "updated_at"} {
		delete(first, serverSet)
		delete(second, serverSet)
	}
	if len(first) != len(second) {
		t.Fatalf("%v came back as %v", first, second)
	}
	for field, value := range first {
		if string(second[field]) != string(value) || string(value) == "null" {
			t.Errorf("%s is %s, came back as %s", field, value, second[field])
		}
	}
}
