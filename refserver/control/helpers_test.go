package control_test

import (
	"bytes"
	"crypto/x509"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/control"
	"github.com/socialfeed/conform/refserver/control/journal"
)

func TestMain(m *testing.M) {
	goleak.VerifyTestMain(m)
}

const appToken = "hush-app"

type object = map[string]any

// rig is a fake on a real TLS socket.
type rig struct {
	t    *testing.T
	fake *control.Fake
	url  string
	http *http.Client
	ca   *x509.Certificate
}

func start(t *testing.T, options control.Options) *rig {
	t.Helper()
	options.Server.AppTokens = []string{appToken}
	options.Server.PasswordCost = 1
	fake, err := control.New(options)
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewTLSServer(fake)
	t.Cleanup(server.Close)
	return &rig{t: t, fake: fake, url: server.URL, http: server.Client(), ca: server.Certificate()}
}

// answer is what a request got.
type answer struct {
	status int
	header http.Header
	text   string
	err    error // of reading the body
}

func (a answer) object() object {
	var o object
	_ = json.Unmarshal([]byte(a.text), &o)
	return o
}

func (x *rig) send(token, session, method, path string, body any) answer {
	x.t.Helper()
	var reader io.Reader
	if body != nil {
		text, err := json.Marshal(body)
		if err != nil {
			x.t.Fatal(err)
		}
		reader = bytes.NewReader(text)
	}
	request, err := http.NewRequestWithContext(x.t.Context(), method, x.url+path, reader)
	if err != nil {
		x.t.Fatal(err)
	}
	request.SetBasicAuth(token, session)
	request.Header.Set("User-Agent", "test/1")
	request.Header.Set("Accept", "application/json")
	if body != nil {
		request.Header.Set("Content-Type", "application/json")
	}
	response, err := x.http.Do(request)
	if err != nil {
		x.t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	return answer{response.StatusCode, response.Header, string(text), err}
}

// actor creates a user in the application and returns its session token and id.
func (x *rig) actor(token, name string) (session, id string) {
	x.t.Helper()
	a := x.send(token, "", "POST", "/0.2/users?withLogin=true", object{"user_name": name, "password": "hush-password"})
	if a.status != http.StatusCreated {
		x.t.Fatalf("creating %s: %d %s", name, a.status, a.text)
	}
	var user struct {
		ID           json.RawMessage
		SessionToken string `json:"session_token"`
	}
	if err := json.Unmarshal([]byte(a.text), &user); err != nil {
		x.t.Fatal(err)
	}
	return user.SessionToken, strings.Trim(string(user.ID), `"`)
}

func (x *rig) last() *journal.Entry {
	x.t.Helper()
	entries, _ := x.fake.Journal.Entries(journal.Filter{})
	if len(entries) == 0 {
		x.t.Fatal("the journal is empty")
	}
	return entries[len(entries)-1]
}

var unlimited = refserver.Options{RateLimit: -1}

func entries(x *rig) []*journal.Entry {
	list, _ := x.fake.Journal.Entries(journal.Filter{})
	return list
}
