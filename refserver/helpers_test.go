package refserver_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/socialfeed/conform/refserver"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) {
	if os.Getenv(speedVariable) != "" {
		if err := speedServer(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	goleak.VerifyTestMain(m)
}

const (
	appToken   = "app-one"
	otherToken = "app-two"
)

// object is a JSON object, with numbers as json.Number.
type object = map[string]any

// target is a reference server on a real TLS socket, with a clock of its own.
type target struct {
	t      *testing.T
	url    string
	client *http.Client
	server *refserver.Server
	clock  *clock
}

// clock stands still until it is moved.
type clock struct {
	mu  sync.Mutex
	now time.Time
}

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *clock) Advance(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

func start(t *testing.T, change func(*refserver.Options)) *target {
	t.Helper()
	clock := &clock{now: time.Date(2024, 2, 29, 12, 0, 0, 123456789, time.UTC)}
	options := refserver.Options{AppTokens: []string{appToken, otherToken}, PasswordCost: 1, Clock: clock.Now}
	if change != nil {
		change(&options)
	}
	server, err := refserver.New(options)
	if err != nil {
		t.Fatal(err)
	}
	listening := httptest.NewTLSServer(server)
	t.Cleanup(listening.Close)
	return &target{t: t, url: listening.URL, client: listening.Client(), server: server, clock: clock}
}

// with starts a server that makes these choices.
func with(t *testing.T, choices refserver.Choices) *target {
	t.Helper()
	return start(t, func(o *refserver.Options) { o.Choices = choices })
}

// call is one request; its zero value is a GET with the app token alone.
type call struct {
	method  string
	path    string
	app     string // blank: appToken
	session string
	raw     string      // the body as it is sent
	body    any         // or the body to encode
	header  http.Header // replaces or, with a nil value, removes what is sent otherwise
}

// answer is one response, its body decoded where there is one.
type answer struct {
	status int
	header http.Header
	text   string
	body   any
}

func (x *target) do(c call) answer {
	x.t.Helper()
	text := c.raw
	if c.body != nil {
		encoded, err := json.Marshal(c.body)
		if err != nil {
			x.t.Fatal(err)
		}
		text = string(encoded)
	}
	request, err := http.NewRequestWithContext(x.t.Context(), c.method, x.url+c.path, strings.NewReader(text))
	if err != nil {
		x.t.Fatal(err)
	}
	if c.app == "" {
		c.app = appToken
	}
	request.SetBasicAuth(c.app, c.session)
	request.Header.Set("User-Agent", "refserver-test/1")
	request.Header.Set("Accept", "application/json")
	if text != "" {
		request.Header.Set("Content-Type", "application/json")
	}
	maps.Copy(request.Header, c.header) // User-Agent is left out only where its values are nil
	response, err := x.client.Do(request)
	if err != nil {
		x.t.Fatal(err)
	}
	defer response.Body.Close()
	data, err := io.ReadAll(response.Body)
	if err != nil {
		x.t.Fatal(err)
	}
	a := answer{status: response.StatusCode, header: response.Header, text: string(data)}
	if len(data) > 0 {
		decoder := json.NewDecoder(bytes.NewReader(data))
		decoder.UseNumber()
		if err := decoder.Decode(&a.body); err != nil {
			x.t.Fatalf("%s %s: status %d, body %q is not JSON: %v", c.method, c.path, a.status, data, err)
		}
	}
	return a
}

// want does a call and stops the test unless it gets the status.
func (x *target) want(status int, c call) answer {
	x.t.Helper()
	a := x.do(c)
	if a.status != status {
		x.t.Fatalf("%s %s: status %d, want %d: %s", c.method, c.path, a.status, status, a.text)
	}
	return a
}

// object is the body as a JSON object, empty if it is none.
func (a answer) object() object {
	members, _ := a.body.(object)
	return members
}

// ids are the ids of a list's resources, as text.
func (a answer) ids() []string {
	list, _ := a.body.([]any)
	ids := []string{}
	for _, item := range list {
		ids = append(ids, fmt.Sprint(item.(object)["id"]))
	}
	return ids
}

// actor is a user with a session.
type actor struct {
	*target
	id      string
	rawID   any
	name    string
	session string
	user    object
}

// actor creates a user; more is added to its fields.
func (x *target) actor(name string, more ...object) *actor {
	x.t.Helper()
	fields := object{"user_name": name, "password": "pw-" + name, "email": name + "@example.com"}
	for _, extra := range more {
		maps.Copy(fields, extra)
	}
	user := x.want(201, call{method: "POST", path: "/0.2/users?withLogin=true", body: fields}).object()
	return &actor{target: x, id: fmt.Sprint(user["id"]), rawID: user["id"], name: name, session: user["session_token"].(string), user: user}
}

// send does a request in the actor's session.
func (a *actor) send(method, path string, body any) answer {
	a.t.Helper()
	return a.do(call{method: method, path: path, session: a.session, body: body})
}

// must sends, and stops the test unless it gets the status.
func (a *actor) must(status int, method, path string, body any) answer {
	a.t.Helper()
	return a.want(status, call{method: method, path: path, session: a.session, body: body})
}

func (a *actor) connect(to *actor, typ string) {
	a.t.Helper()
	a.must(201, "POST", "/0.2/user/connections", object{"user_to_id": to.rawID, "type": typ})
}

// post creates an event and returns its id.
func (a *actor) post(verb string) string {
	a.t.Helper()
	return fmt.Sprint(a.must(201, "POST", "/0.2/user/events", object{"verb": verb}).object()["id"])
}

func (a *actor) list(path string) []string {
	a.t.Helper()
	return a.must(200, "GET", path, nil).ids()
}

// equal compares ids in order.
func equal(t *testing.T, what string, got []string, want ...string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("%s: got %v, want %v", what, got, want)
	}
}
