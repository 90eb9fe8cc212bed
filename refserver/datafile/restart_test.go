package datafile_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/socialfeed/conform/internal/testkit"
	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/datafile"
)

// restartsVariable says how many histories TestARestartChangesNoAnswer plays in each dialect.
const restartsVariable = "DATA_RESTARTS"

const appToken = "given-app"

// TestARestartChangesNoAnswer plays a random history on a server that is kept in a file. Then it
// starts another from the file, and plays on with both: every answer is the same. What a restart may
// change is bounded by time: a lag, and rate limits.
func TestARestartChangesNoAnswer(t *testing.T) {
	t.Parallel()
	histories := uint64(testkit.Number(t, restartsVariable, 1))
	dialects := append(refserver.Dialects(),
		refserver.Dialect{Name: "few-sessions", Choices: refserver.Choices{SessionsPerUser: 2, SessionLifetime: time.Hour, SessionsEnd: refserver.ByPasswordChange}},
		refserver.Dialect{Name: "namesakes", Choices: refserver.Choices{RefuseFormerPasswords: true, SessionsEnd: refserver.ByPasswordChange}},
		refserver.Dialect{Name: "reserved", Choices: refserver.Choices{UniqueUserNames: true, ReserveUserNames: true, UniqueEmails: true, UniqueCustomIDs: true}},
	)
	for _, dialect := range dialects {
		t.Run(dialect.Name, func(t *testing.T) {
			t.Parallel()
			for seed := range histories {
				h := &restarts{t: t, choices: dialect.Choices, path: filepath.Join(t.TempDir(), fmt.Sprint("data", seed)),
					now: time.Date(2026, 2, 27, 12, 0, 0, 123456789, time.UTC), random: rand.New(rand.NewPCG(seed, 1))} //nolint:gosec // to be repeated
				h.play()
				if t.Failed() {
					t.Fatalf("seed %d", seed)
				}
			}
		})
	}
}

// restarts is a history of requests to a server that is never stopped, and to one that is started
// again and again. Both have one clock.
type restarts struct {
	t       *testing.T
	choices refserver.Choices
	path    string
	now     time.Time
	random  *rand.Rand

	steady, restarted *refserver.Server // restarted is nil while one server plays both parts
	file              *datafile.File

	sessions []session
	users    []string // their ids
	events   []string
	log      []string
}

// session is a token that each of the two servers gave for the same request.
type session struct{ steady, restarted string }

func (h *restarts) server() *refserver.Server {
	s, err := refserver.New(refserver.Options{AppTokens: []string{appToken}, Choices: h.choices, RateLimit: -1, PasswordCost: 1, AllowPlainHTTP: true,
		MaxMemory: -1, Clock: func() time.Time { return h.now }})
	if err != nil {
		h.t.Fatal(err)
	}
	return s
}

func (h *restarts) play() {
	const restarts, requests = 3, 120
	h.steady = h.server()
	h.open(h.steady)
	for range restarts {
		for range requests {
			h.step()
		}
		must[bool](h.t)(true, h.file.Close())
		h.now = h.now.Add(time.Duration(h.random.IntN(3)) * 20 * time.Minute)
		h.restarted = h.server()
		h.open(h.restarted)
		h.now = h.now.Add(time.Second) // a lag is over
		h.log = append(h.log, "a restart")
	}
	for range requests {
		h.step()
	}
	for i := range h.sessions {
		for _, path := range []string{"/0.2/user", "/0.2/user/feed", "/0.2/user/follows", "/0.2/user/followers", "/0.2/user/friends", "/0.2/users/search?q=a"} {
			h.do(http.MethodGet, path, i, nil)
		}
	}
	must[bool](h.t)(true, h.file.Close())
}

// open has a server kept in the file, with what the file holds.
func (h *restarts) open(server *refserver.Server) {
	file, state, err := datafile.Open(h.path, datafile.Options{})
	must[bool](h.t)(true, err)
	if state != nil {
		must[bool](h.t)(true, server.Restore(*state))
	}
	server.KeepIn(file, state == nil)
	h.file = file
}

// step is one random request, or some time.
func (h *restarts) step() {
	r := h.random
	pick := func(of ...string) string { return of[r.IntN(len(of))] }
	user := map[string]any{"user_name": pick("ann", "bob", "cy", "dee"), "password": pick("one", "two", "three")}
	if r.IntN(2) == 0 {
		user["email"] = pick("a@example.com", "b@example.com", "c@example.com")
	}
	if r.IntN(2) == 0 {
		user["custom_id"] = pick("1", "2", "3", "4", "5")
		user["social_ids"] = map[string]string{"net": pick("x", "y", "z")}
		user["metadata"] = map[string]string{}
		user["activated"] = "true"
	}
	event := map[string]any{"verb": pick("like", "see"), "latitude": float64(r.IntN(3)) / 3, "metadata": map[string]string{"k": pick("", "v")}, "object": map[string]any{"id": "o", "display_name": map[string]string{"en": "x"}}}
	kind := pick("follow", "friend")
	mine := -1
	if len(h.sessions) > 0 {
		mine = max(r.IntN(len(h.sessions)), r.IntN(len(h.sessions)))
	}
	another, post := "1", "1"
	if len(h.users) > 0 {
		another = h.users[r.IntN(len(h.users))]
	}
	if len(h.events) > 0 {
		post = h.events[r.IntN(len(h.events))]
	}
	switch n := r.IntN(24); n {
	case 0, 1, 2:
		h.do(http.MethodPost, "/0.2/users?withLogin=true", -1, user)
	case 3:
		h.do(http.MethodPost, "/0.2/users", -1, user)
	case 4, 5, 6:
		delete(user, pick("email", "user_name"))
		h.do(http.MethodPost, "/0.2/user/login", -1, user)
	case 7:
		h.do(http.MethodDelete, "/0.2/user/logout", mine, nil)
	case 8, 9:
		h.do(http.MethodPut, "/0.2/user", mine, user)
	case 10:
		h.do(http.MethodDelete, "/0.2/user", mine, nil)
	case 11, 12:
		h.do(http.MethodPost, "/0.2/user/connections", mine, map[string]any{"user_to_id": another, "type": kind})
	case 13:
		h.do(http.MethodDelete, "/0.2/user/connections/"+another, mine, nil)
	case 14:
		h.do(http.MethodPost, "/0.2/user/connections/social", mine, map[string]any{"platform": "net", "platform_user_id": "x", "type": kind, "connection_ids": []string{pick("x", "y"), "z"}})
	case 15, 16:
		h.do(http.MethodPost, "/0.2/user/events", mine, event)
	case 17:
		h.do(http.MethodPut, "/0.2/user/events/"+post, mine, event)
	case 18:
		h.do(http.MethodDelete, "/0.2/user/events/"+post, mine, nil)
	case 19, 20:
		h.now = h.now.Add([]time.Duration{time.Microsecond, time.Second, 20 * time.Minute, 50 * time.Minute}[r.IntN(4)])
		h.log = append(h.log, "at "+h.now.Format(time.RFC3339Nano))
	default:
		path := pick("/0.2/user", "/0.2/user/feed", "/0.2/user/follows", "/0.2/user/followers", "/0.2/user/friends", "/0.2/users/search?q="+pick("n", "example"),
			"/0.2/users/"+another, "/0.2/users/"+another+"/follows", "/0.2/users/"+another+"/friends")
		h.do(http.MethodGet, path, mine, nil)
	}
}

var tokens = regexp.MustCompile(`"session_token":"[^"]*"`)

// do sends a request to both servers, and compares their answers. A session below 0 is none.
func (h *restarts) do(method, path string, in int, body any) {
	var as session
	if in >= 0 {
		as = h.sessions[in]
	}
	h.log = append(h.log, fmt.Sprintf("%s %s in %d, %v", method, path, in, body))
	status, text := h.send(h.steady, method, path, as.steady, body)
	token := h.learn(method, path, text)
	given := session{token, token}
	if h.restarted != nil {
		status2, text2 := h.send(h.restarted, method, path, as.restarted, body)
		if status2 != status || tokens.ReplaceAllString(text2, "") != tokens.ReplaceAllString(text, "") {
			h.t.Errorf("after a restart the answer is %d %s\nwithout one %d %s\n%s", status2, text2, status, text, strings.Join(h.log, "\n"))
			h.t.FailNow()
		}
		given.restarted = tokenIn(text2)
	}
	if token != "" {
		h.sessions = append(h.sessions, given)
	}
}

func (h *restarts) send(server *refserver.Server, method, path, token string, body any) (int, string) {
	text := ""
	if body != nil {
		encoded, err := json.Marshal(body)
		must[bool](h.t)(true, err)
		text = string(encoded)
	}
	r := httptest.NewRequestWithContext(context.Background(), method, path, strings.NewReader(text))
	r.SetBasicAuth(appToken, token)
	r.Header.Set("User-Agent", "restarts/1")
	r.Header.Set("Accept", "application/json")
	if text != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	answer := httptest.NewRecorder()
	server.ServeHTTP(answer, r)
	return answer.Code, answer.Body.String()
}

// learn notes the id in an answer, and returns its session token.
func (h *restarts) learn(method, path, text string) string {
	var made struct {
		ID any `json:"id"`
	}
	decoder := json.NewDecoder(strings.NewReader(text))
	decoder.UseNumber()
	if decoder.Decode(&made) == nil && made.ID != nil && method == http.MethodPost {
		switch id := fmt.Sprint(made.ID); {
		case strings.HasPrefix(path, "/0.2/users"):
			h.users = append(h.users, id)
		case path == "/0.2/user/events":
			h.events = append(h.events, id)
		}
	}
	return tokenIn(text)
}

func tokenIn(text string) string {
	var made struct {
		Token string `json:"session_token"`
	}
	_ = json.Unmarshal([]byte(text), &made) // a list has none
	return made.Token
}
