package refserver_test

import (
	"fmt"
	"net/http"
	"strconv"
	"testing"
	"time"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/store"
)

// costly is a request that asks for much: prepare makes a server in which it asks
// for n of something, and returns the request.
type costly struct {
	name    string
	prepare func(x *crowd, n int) func()
}

// crowd is a server with many users, filled below its handlers.
type crowd struct {
	b      *testing.B
	server *refserver.Server
	memory refserver.Store
}

func newCrowd(b *testing.B, users int) *crowd {
	b.Helper()
	x := &crowd{b: b}
	var err error
	x.server, err = refserver.New(refserver.Options{
		AppTokens: []string{appToken}, RateLimit: -1, PasswordCost: 1, AllowPlainHTTP: true, MaxBodyBytes: 8 << 20,
	})
	if err != nil {
		b.Fatal(err)
	}
	x.memory = x.server.Store()
	for i := range users {
		x.user(store.User{UserName: fmt.Sprint("user", i), SocialIDs: map[string]string{"net": fmt.Sprint("id", i), "same": "one"}})
	}
	return x
}

func (x *crowd) user(user store.User) store.ID {
	made, err := x.memory.CreateUser(1, user)
	if err != nil {
		x.b.Fatal(err)
	}
	return made.ID
}

// session opens a session of a user.
func (x *crowd) session(id store.ID) string {
	token, _, err := x.memory.OpenSession(1, id, nil)
	if err != nil {
		x.b.Fatal(err)
	}
	return token
}

func (x *crowd) want(status int, method, path, session string, body any) {
	if answer := within(x.server, method, path, session, body); answer.Code != status {
		x.b.Errorf("%s %s: %d %.200s", method, path, answer.Code, answer.Body)
	}
}

func socialIDs(n int) []string {
	ids := make([]string, n)
	for i := range ids {
		ids[i] = fmt.Sprint("id", i)
	}
	return ids
}

func costlies() []costly {
	social := func(platform string, ids func(n int) []string) func(x *crowd, n int) func() {
		return func(x *crowd, n int) func() {
			session := x.session(x.user(store.User{UserName: "ann"}))
			body := object{"platform": platform, "platform_user_id": "x", "type": "follow", "connection_ids": ids(n)}
			return func() { x.want(201, "POST", "/0.2/user/connections/social", session, body) }
		}
	}
	many := func(n int) object {
		ids := object{}
		for i := range n {
			ids[strconv.Itoa(i)] = "x"
		}
		return ids
	}
	return []costly{
		{"social with ids that each one user bears", social("net", socialIDs)},
		{"social with one id, sent often, that all users bear", social("same", func(n int) []string {
			ids := socialIDs(n)
			for i := range ids {
				ids[i] = "one"
			}
			return ids
		})},
		{"a new user with social ids", func(x *crowd, n int) func() {
			body := object{"user_name": "ann", "social_ids": many(n)}
			return func() { x.want(201, "POST", "/0.2/users", "", body) }
		}},
		{"a login of a user with social ids", func(x *crowd, n int) func() {
			x.want(201, "POST", "/0.2/users", "", object{"user_name": "ann", "password": "pw", "social_ids": many(n)})
			return func() { x.want(200, "POST", "/0.2/user/login", "", object{"user_name": "ann", "password": "pw"}) }
		}},
		{"a login among namesakes", func(x *crowd, n int) func() {
			for range n {
				x.user(store.User{UserName: "ann", Password: make([]byte, 48)})
			}
			x.want(201, "POST", "/0.2/users", "", object{"user_name": "ann", "password": "pw"})
			return func() { x.want(200, "POST", "/0.2/user/login", "", object{"user_name": "ann", "password": "pw"}) }
		}},
		{"a user's deletion with events, followers and sessions", func(x *crowd, n int) func() {
			ann := x.user(store.User{UserName: "ann"})
			for i := range n {
				x.memory.CreateEvent(1, ann, store.Event{Verb: "like"})
				x.memory.Connect(1, store.ID(1+i), ann, store.Follow)
				x.session(ann)
			}
			session := x.session(ann)
			return func() { x.want(204, "DELETE", "/0.2/user", session, nil) }
		}},
	}
}

// BenchmarkCost doubles what costly requests ask for, among 100,000 users. It
// reports the time for each thing asked for, and the longest that a writer waited meanwhile.
func BenchmarkCost(b *testing.B) {
	for _, c := range costlies() {
		for _, n := range []int{25_000, 50_000, 100_000} {
			b.Run(fmt.Sprintf("%s/%d", c.name, n), func(b *testing.B) {
				x := newCrowd(b, 100_000)
				request := c.prepare(x, n)
				longest := make(chan time.Duration)
				stop := make(chan struct{})
				go func() { longest <- x.longestWait(stop) }()
				b.ResetTimer()
				began := time.Now()
				request()
				took := time.Since(began)
				b.StopTimer()
				close(stop)
				b.ReportMetric(float64(took.Nanoseconds())/float64(n), "ns/asked")
				b.ReportMetric(float64(took.Microseconds())/1000, "ms")
				b.ReportMetric(float64((<-longest).Microseconds())/1000, "longest-wait-ms")
			})
		}
	}
}

// longestWait writes again and again until it is stopped.
func (x *crowd) longestWait(stop chan struct{}) (longest time.Duration) {
	writer := x.session(x.user(store.User{UserName: "writer"}))
	for {
		select {
		case <-stop:
			return longest
		default:
		}
		began := time.Now()
		if answer := within(x.server, http.MethodDelete, "/0.2/user/events/1", writer, nil); answer.Code != 404 {
			x.b.Errorf("a writer got %d", answer.Code)
		}
		longest = max(longest, time.Since(began))
	}
}
