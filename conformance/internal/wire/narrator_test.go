package wire

import (
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/conformance/rules"
)

// TestStoriesTellWhatAnswersGive checks that a request in which an id or a session token of an
// earlier answer stands is told by a variable, whatever it stands in, and that a token that is
// given again is taken from the later answer: another target gives another one.
func TestStoriesTellWhatAnswersGive(t *testing.T) {
	r := NewRedactor("the-app-token", "")
	r.Learn("a-session-token", "SESSION_TOKEN")
	exchange := func(at rules.Endpoint, second int, header http.Header, body, answer string) *Exchange {
		x := &Exchange{Endpoint: at, Method: http.MethodPost, URL: &url.URL{Scheme: "https", Host: "example.com", Path: at.Path()}, Status: 201,
			Header: header, Body: []byte(body), RespBody: []byte(answer)}
		x.started = x.started.Add(time.Duration(second) * time.Millisecond)
		return x
	}
	inSession := http.Header{"Authorization": {basicOf("the-app-token:a-session-token")}}
	for sent, told := range map[string]string{
		`{"user_to_id":20001}`:            `{"user_to_id":$USER_ID_1}`,
		`{"user_to_id":[20001]}`:          `{"user_to_id":[$USER_ID_1]}`,
		`{"user_to_id":["20001"]}`:        `{"user_to_id":["$USER_ID_1"]}`,
		`{"user_to_id":{"id":20001}}`:     `{"user_to_id":{"id":$USER_ID_1}}`,
		`{"user_to_id":[20001, "other"]}`: `{"user_to_id":[$USER_ID_1, "other"]}`,
	} {
		var transcript Transcript
		transcript.Add(exchange(rules.CreateUser, 0, nil, `{"user_name":"ada"}`, `{"id":20001,"session_token":"a-session-token"}`))
		transcript.Add(exchange(rules.Login, 1, nil, `{"user_name":"ada"}`, `{"id":"20001","session_token":"a-session-token"}`))
		reproduction := r.Reproduction(transcript, exchange(rules.CreateConnection, 2, inSession, sent, `{}`), "https://example.com", "422")
		if reproduction == nil || len(reproduction.Steps) != 3 {
			t.Fatalf("%s: %+v", sent, reproduction)
		}
		if got := result.Shown(reproduction.Steps[2].Body); got != told {
			t.Errorf("%s is told as %s, want %s", sent, got, told)
		}
		for _, step := range reproduction.Steps[:2] {
			if !slices.Contains(step.Captures, result.Capture{Var: "SESSION_TOKEN_1", Field: "session_token"}) {
				t.Errorf("of %s is taken %v", result.Shown(step.Path), step.Captures)
			}
		}
	}
}

// A password that is made of another one is told by that one: another telling, whose
// passwords are others, then shows the same.
func TestPasswordsMadeOfOthersAreToldByThem(t *testing.T) {
	const mark = "0011223344556677" // which all passwords of a run begin with
	right := mark + strings.Repeat("ab3", 16)
	other, third := mark+strings.Repeat("7e1", 16), mark+strings.Repeat("c4d", 16)
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
		"around odd characters":  {right + " :%41+&<'🎉" + other + "ш", "$PASSWORD_1 :%41+&<'🎉$PASSWORD_2ш"},
		"odd characters":         {other + " :%41+&<'🎉" + third + "ш", "$PASSWORD_2 :%41+&<'🎉$PASSWORD_3ш"},
	} {
		t.Run(name, func(t *testing.T) {
			r := NewRedactor("the-app-token", "")
			for _, secret := range []string{right, other, sent.password} {
				r.Learn(secret, "PASSWORD")
			}
			var transcript Transcript
			transcript.Add(&Exchange{Endpoint: rules.CreateUser, Method: http.MethodPost, URL: at("/0.2/users"), Status: 201,
				Body: []byte(`{"user_name":"ada","password":"` + right + `"}`), RespBody: []byte(`{"id":1}`)})
			deciding := &Exchange{Endpoint: rules.Login, Method: http.MethodPost, URL: at("/0.2/user/login"), Status: 200,
				Body: []byte(`{"user_name":"ada","password":"` + sent.password + `"}`), RespBody: []byte(`{}`)}
			deciding.started = deciding.started.Add(1)
			reproduction := r.Reproduction(transcript, deciding, base, "401")
			if reproduction == nil {
				t.Fatal("none")
			}
			got := result.Shown(reproduction.Steps[len(reproduction.Steps)-1].Body)
			if want := `{"user_name":"ada","password":"` + sent.told + `"}`; got != want {
				t.Errorf("%s, want %s", got, want)
			}
			if !strings.Contains(sent.told, "$PASSWORD_2") && reproduction.Passwords != 1 {
				t.Errorf("%d passwords", reproduction.Passwords)
			}
		})
	}
}

// A made-up token that is close to a real one is told by the real one, in every request: a
// refusal that is left out may be what had the effect.
func TestTokensMadeOfOthersAreToldByThem(t *testing.T) {
	const app, session = "the-app-token-1", "a-session-token"
	for name, sent := range map[string]struct{ pair, told string }{
		"both":                         {app + ":" + session, "$APP_TOKEN:$SESSION_TOKEN_1"},
		"the beginning of the app's":   {"the-app-token-:" + session, "$APP_TOKEN_FIRST_14:$SESSION_TOKEN_1"},
		"half of the app's":            {"the-appqzwxvu9:" + session, "$APP_TOKEN_FIRST_7qzwxvu9:$SESSION_TOKEN_1"},
		"the app's in large letters":   {"THE-APP-TOKEN-1:" + session, "$APP_TOKEN_UPPER:$SESSION_TOKEN_1"},
		"half of the session's":        {app + ":a-sessiqzwxvu9", "$APP_TOKEN:$SESSION_TOKEN_1_FIRST_7qzwxvu9"},
		"the session's and more":       {app + ":" + session + "9", "$APP_TOKEN:$SESSION_TOKEN_19"},
		"the session's as the app's":   {session + ":", "$SESSION_TOKEN_1:"},
		"the beginning of the session": {app + ":a-session-toke", "$APP_TOKEN:$SESSION_TOKEN_1_FIRST_14"},
	} {
		t.Run(name, func(t *testing.T) {
			r := NewRedactor(app, "")
			r.Learn(session, "SESSION_TOKEN")
			made, _, _ := strings.Cut(sent.pair, ":")
			r.Learn(made, "SECRET")
			exchange := func(at rules.Endpoint, second, status int, pair, answer string) *Exchange {
				x := &Exchange{Endpoint: at, Method: http.MethodPost, URL: &url.URL{Scheme: "https", Host: "example.com", Path: at.Path()}, Status: status,
					Header: http.Header{"Authorization": {basicOf(pair)}}, RespBody: []byte(answer)}
				x.started = x.started.Add(time.Duration(second) * time.Millisecond)
				return x
			}
			var transcript Transcript
			transcript.Add(exchange(rules.CreateUser, 0, 201, app+":", `{"id":20001,"session_token":"`+session+`"}`))
			transcript.Add(exchange(rules.CreateEvent, 1, 401, sent.pair, `{}`))
			reproduction := r.Reproduction(transcript, exchange(rules.Feed, 2, 200, app+":"+session, `[]`), "https://example.com", "none")
			if reproduction == nil || len(reproduction.Steps) != 3 {
				t.Fatalf("%+v", reproduction)
			}
			if got := result.Shown(reproduction.Steps[1].User); got != sent.told {
				t.Errorf("it is told as %s, want %s", got, sent.told)
			}
		})
	}
}

// An id with something beside it, as requests with a malformed id have it, is told by the id that
// another target gives.
func TestPathsTellIdsInMalformedOnes(t *testing.T) {
	for path, told := range map[string]string{
		"/0.2/users/20001":                "/0.2/users/$USER_ID_1",
		"/0.2/users/20001x/follows":       "/0.2/users/$USER_ID_1x/follows",
		"/0.2/users/0020001":              "/0.2/users/00$USER_ID_1",
		"/0.2/users/20001%20":             "/0.2/users/$USER_ID_1%20",
		"/0.2/users/2":                    "/0.2/users/2",
		"/0.2/user/events/20001":          "/0.2/user/events/20001", // which is no event's
		"/0.2/users/search?q=20001":       "/0.2/users/search?q=20001",
		"/0.2/user/connections/20001.0?x": "/0.2/user/connections/$USER_ID_1.0?x",
	} {
		var transcript Transcript
		transcript.Add(&Exchange{Endpoint: rules.CreateUser, Method: http.MethodPost, URL: &url.URL{Scheme: "https", Host: "example.com", Path: rules.CreateUser.Path()},
			Status: 201, RespBody: []byte(`{"id":20001}`)})
		u, err := url.Parse("https://example.com" + path)
		if err != nil {
			t.Fatal(err)
		}
		deciding := &Exchange{Endpoint: rules.GetUser, Method: http.MethodDelete, URL: u, Status: 200}
		deciding.started = deciding.started.Add(1)
		reproduction := NewRedactor("the-app-token", "").Reproduction(transcript, deciding, "https://example.com", "404")
		if reproduction == nil {
			t.Fatalf("%s: none", path)
		}
		if got := result.Shown(reproduction.Steps[1].Path); got != told {
			t.Errorf("%s is told as %s, want %s", path, got, told)
		}
	}
}

// TestOddIDsAreVariables checks that an id of any characters is found where a request has it with escapes: in
// a path and in a body.
func TestOddIDsAreVariables(t *testing.T) {
	for _, id := range []string{"20001", "a/b", `it's "quoted" \`, "two\nlines\r\n", "ünïcode 🎉 \u2028", "a?b#c%20d", "$(id);`id`", "<&>+ ", "{{id}}"} {
		answer, err := json.Marshal(map[string]string{"id": id})
		if err != nil {
			t.Fatal(err)
		}
		var transcript Transcript
		transcript.Add(&Exchange{Endpoint: rules.CreateUser, Method: http.MethodPost, URL: &url.URL{Scheme: "https", Host: "example.com", Path: rules.CreateUser.Path()},
			Status: 201, RespBody: answer})
		u, err := url.Parse("https://example.com/0.2/users/" + url.PathEscape(id) + "/follows?x=1")
		if err != nil {
			t.Fatal(err)
		}
		sent, err := json.Marshal(map[string]string{"user_to_id": id, "type": "follow"})
		if err != nil {
			t.Fatal(err)
		}
		deciding := &Exchange{Endpoint: rules.CreateConnection, Method: http.MethodPost, URL: u, Body: sent, Status: 200, RespBody: answer}
		deciding.started = deciding.started.Add(1)
		reproduction := NewRedactor("the-app-token", "").Reproduction(transcript, deciding, "https://example.com", "404")
		if reproduction == nil {
			t.Fatalf("%q: none", id)
		}
		step := reproduction.Steps[1]
		for got, want := range map[string]string{
			result.Shown(step.Path):                `/0.2/users/$USER_ID_1/follows?x=1`,
			result.Shown(step.Body):                `{"type":"follow","user_to_id":"$USER_ID_1"}`,
			result.Shown(reproduction.Answer.Body): `{"id":"$USER_ID_1"}`,
		} {
			if got != want {
				t.Errorf("%q is told as %s, want %s", id, got, want)
			}
		}
	}
}

// TestAnswersHaveNoVariableThatNothingSets: a part of a token in an answer's header or body is no variable.
func TestAnswersHaveNoVariableThatNothingSets(t *testing.T) {
	const token = "a-session-token-of-some-length"
	part := token[:len(token)-3]
	r := NewRedactor("the-app-token", "")
	r.Learn(token, "SESSION_TOKEN")
	exchange := func(answer string, started int) *Exchange {
		x := &Exchange{Endpoint: rules.CreateUser, Method: http.MethodPost, URL: &url.URL{Scheme: "https", Host: "example.com", Path: rules.CreateUser.Path()},
			Status: 201, RespBody: []byte(answer), RespHeader: http.Header{"Www-Authenticate": {"Basic realm=" + part}}}
		x.started = x.started.Add(time.Duration(started))
		return x
	}
	var transcript Transcript
	transcript.Add(exchange(`{"id":1,"session_token":"`+token+`"}`, 0))
	reproduction := r.Reproduction(transcript, exchange(`{"said":"`+part+`"}`, 1), "https://example.com", "404")
	if reproduction == nil {
		t.Fatal("there is none")
	}
	for _, pieces := range [][]result.Piece{reproduction.Answer.Body, reproduction.Answer.Headers[0].Value} {
		for _, p := range pieces {
			if p.Var != "" && !available.MatchString(p.Var) {
				t.Errorf("%s has $%s", result.Shown(pieces), p.Var)
			}
		}
	}
}

// A word is made up anew, the short one too, as far as one variable can write it wherever it stands: else a script
// would create a user of one name and search for another, or find those of the run before.
func TestWordsAreMadeUpAnew(t *testing.T) {
	for stored, told := range map[string]string{"abcdefgh": "$WORD_1", "ABCDEFGH": "$WORD_1", "Abcdefgh": "a$WORD_1", "aBcDeFgH": "abcdefgh",
		"abcdef": "$WORD_1", "ABCDEF": "$WORD_1", "abcDef": "abcdef"} {
		word := strings.ToLower(stored)
		exchange := func(at rules.Endpoint, second, status int, query, body, answer string) *Exchange {
			x := &Exchange{Endpoint: at, Method: at.Method(), URL: &url.URL{Scheme: "https", Host: "example.com", Path: at.Path(), RawQuery: query}, Status: status,
				Header: http.Header{"Authorization": {basicOf("the-app-token-1:")}}, Body: []byte(body), RespBody: []byte(answer)}
			x.started = x.started.Add(time.Duration(second) * time.Millisecond)
			return x
		}
		var transcript Transcript
		transcript.Word(word)
		transcript.Add(exchange(rules.CreateUser, 0, 201, "", `{"user_name":"`+stored+`"}`, `{"id":20001}`))
		reproduction := NewRedactor("the-app-token-1", "").Reproduction(transcript, exchange(rules.SearchUsers, 1, 200, "q="+word, "", `[]`), "https://example.com", "the user")
		if reproduction == nil || len(reproduction.Steps) != 2 {
			t.Fatalf("%s: %+v", stored, reproduction)
		}
		if got := result.Shown(reproduction.Steps[1].Path); !strings.HasSuffix(got, "?q="+told) {
			t.Errorf("%s is searched for by %s, want %s", stored, got, told)
		}
	}
}
