package wire

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/conformance/rules"
)

// A password that is made of another one is told by that one: another telling, whose
// passwords are others, then shows the same.
func TestPasswordsMadeOfOthersAreToldByThem(t *testing.T) {
	const mark = "0011223344556677" // which all passwords of a run begin with
	right := mark + strings.Repeat("ab3", 16)
	other := mark + strings.Repeat("7e1", 16)
	base := "https://example.com"
	at := func(path string) *url.URL {
		u, err := url.Parse(base + path)
		if err != nil {
			t.Fatal(err)
		}
		return u
	}
	for name, sent := range map[string]struct{ password, told string }{
		"it":                     {right, "$PASSWORD_1"},
		"between blanks":         {" " + right + " ", " $PASSWORD_1 "},
		"a character more":       {right + "0", "$PASSWORD_10"},
		"in large letters":       {strings.ToUpper(right), "$PASSWORD_1_UPPER"},
		"with another end":       {right[:len(right)-1] + "0", "$PASSWORD_1_FIRST_630"},
		"another of the judge's": {other, "$PASSWORD_2"},
	} {
		t.Run(name, func(t *testing.T) {
			r := NewRedactor("the-app-token", "")
			for _, secret := range []string{right, other, sent.password} {
				r.Learn(secret, "PASSWORD")
			}
			var story Story
			story.Add(&Exchange{Endpoint: rules.CreateUser, Method: http.MethodPost, URL: at("/0.2/users"), Status: 201,
				Body: []byte(`{"user_name":"ada","password":"` + right + `"}`), RespBody: []byte(`{"id":1}`)})
			deciding := &Exchange{Endpoint: rules.Login, Method: http.MethodPost, URL: at("/0.2/user/login"), Status: 200,
				Body: []byte(`{"user_name":"ada","password":"` + sent.password + `"}`), RespBody: []byte(`{}`)}
			deciding.started = deciding.started.Add(1)
			reproduction := r.Reproduction(story, deciding, base, "401")
			if reproduction == nil {
				t.Fatal("none")
			}
			got := result.Shown(reproduction.Steps[len(reproduction.Steps)-1].Body)
			if want := `{"user_name":"ada","password":"` + sent.told + `"}`; got != want {
				t.Errorf("%s, want %s", got, want)
			}
			if !strings.HasPrefix(sent.told, "$PASSWORD_2") && reproduction.Passwords != 1 {
				t.Errorf("%d passwords", reproduction.Passwords)
			}
		})
	}
}
