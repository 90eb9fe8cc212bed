package refservertest

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"testing"
)

// User is a user of the fake with a session. Its methods send requests of the contract.
type User struct {
	ID           string // as in paths
	Name         string
	Password     string
	SessionToken string

	fake *Fake
	t    testing.TB
}

// As logs a user in, and creates it first if there is none of that name.
func (f *Fake) As(userName string) *User {
	f.t.Helper()
	user := &User{Name: userName, Password: f.passwords[userName], fake: f, t: f.t}
	path, status, known := "/0.2/user/login", http.StatusOK, f.exists(userName)
	switch {
	case known && user.Password == "":
		f.t.Fatalf("refservertest: there is a user %s already, whose password is not known here", userName)
	case !known:
		path, status, user.Password = "/0.2/users?withLogin=true", http.StatusCreated, "password-of-"+userName
	}
	body := map[string]string{"user_name": userName, "password": user.Password}
	if !known {
		body["email"] = userName + "@example.com"
	}
	var answer struct {
		ID           json.RawMessage `json:"id"`
		SessionToken string          `json:"session_token"`
	}
	user.must(status, http.MethodPost, path, body, &answer)
	user.ID, user.SessionToken = plain(answer.ID), answer.SessionToken
	f.passwords[userName] = user.Password
	return user
}

func (f *Fake) exists(userName string) bool {
	f.t.Helper()
	state, err := f.World().State(f.t.Context())
	if err != nil {
		f.t.Fatalf("refservertest: %v", err)
	}
	for _, user := range state.Users {
		if user.UserName == userName {
			return true
		}
	}
	return false
}

// Client returns a client that sends everything as this user.
func (u *User) Client() *http.Client {
	return &http.Client{Transport: asUser{u}}
}

type asUser struct{ *User }

// RoundTrip sends a request with the user's credentials and the headers that the
// contract asks for, if it has none.
func (u asUser) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.SetBasicAuth(u.fake.AppToken, u.SessionToken)
	for name, value := range map[string]string{"Accept": "application/json", "User-Agent": "refservertest/1"} {
		if r.Header.Get(name) == "" {
			r.Header.Set(name, value)
		}
	}
	return u.fake.server.Client().Transport.RoundTrip(r)
}

// Do sends a request as this user, with a body as JSON if it is not nil, and
// returns status and body of the answer.
func (u *User) Do(method, path string, body any) (int, []byte) {
	u.t.Helper()
	var reader io.Reader
	if body != nil {
		text, err := json.Marshal(body)
		if err != nil {
			u.t.Fatalf("refservertest: encoding a body: %v", err)
		}
		reader = bytes.NewReader(text)
	}
	request, err := http.NewRequestWithContext(u.t.Context(), method, u.fake.URL+path, reader)
	if err != nil {
		u.t.Fatalf("refservertest: %v", err)
	}
	if body != nil {
		request.Header.Set("Content-Type", "application/json")
	}
	response, err := u.Client().Do(request)
	if err != nil {
		u.t.Fatalf("refservertest: %v", err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		u.t.Fatalf("refservertest: reading the answer to %s %s: %v", method, path, err)
	}
	return response.StatusCode, text
}

func (u *User) must(status int, method, path string, body, into any) {
	u.t.Helper()
	got, text := u.Do(method, path, body)
	if got != status {
		u.t.Fatalf("refservertest: %s: %s %s: status %d, want %d", u.Name, method, path, got, status)
	}
	if into == nil {
		return
	}
	if err := json.Unmarshal(text, into); err != nil {
		u.t.Fatalf("refservertest: the answer to %s %s: %v", method, path, err)
	}
}

// Follow lets the user follow another.
func (u *User) Follow(other *User) {
	u.t.Helper()
	u.connect(other, "follow")
}

// Befriend makes two users friends, each from its side, as some services need it.
func (u *User) Befriend(other *User) {
	u.t.Helper()
	u.connect(other, "friend")
	if status, _ := other.Do(http.MethodPost, "/0.2/user/connections", connection(u, "friend")); status >= 300 && status != http.StatusConflict {
		u.t.Fatalf("refservertest: %s is not a friend of %s: status %d", other.Name, u.Name, status)
	}
}

func (u *User) connect(other *User, kind string) {
	u.t.Helper()
	u.must(http.StatusCreated, http.MethodPost, "/0.2/user/connections", connection(other, kind), nil)
}

func connection(to *User, kind string) map[string]string {
	return map[string]string{"user_to_id": to.ID, "type": kind}
}

// Post lets the user perform an event, and returns its id.
func (u *User) Post(verb string) string {
	u.t.Helper()
	var event struct {
		ID json.RawMessage `json:"id"`
	}
	u.must(http.StatusCreated, http.MethodPost, "/0.2/user/events", map[string]string{"verb": verb}, &event)
	return plain(event.ID)
}

// Feed returns the ids of the events in the user's feed, in its order.
func (u *User) Feed() []string {
	u.t.Helper()
	var events []struct {
		ID json.RawMessage `json:"id"`
	}
	u.must(http.StatusOK, http.MethodGet, "/0.2/user/feed", nil, &events)
	ids := make([]string, 0, len(events))
	for _, event := range events {
		ids = append(ids, plain(event.ID))
	}
	return ids
}

// plain is an id without the quotes of its JSON, with every digit.
func plain(id json.RawMessage) string {
	return string(bytes.Trim(id, `"`))
}
