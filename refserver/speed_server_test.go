package refserver_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"runtime/debug"
	"strconv"
	"testing"

	"github.com/socialfeed/conform/internal/testkit"
	"github.com/socialfeed/conform/refserver"
)

// The benchmarks of speed measure over sockets, with the server in a process of its
// own and the client beside it: the reference server, and net/http answering the
// same bytes, encoded beforehand. The two take turns, so that both meet the same noise.

// speedVariable tells a copy of the test binary to serve both, until its input ends.
const speedVariable = "REFSERVER_SPEED_SERVER"

// figures is what the serving process says of itself.
type figures struct {
	Fake, Bare string // the addresses
	Session    string
	Uncached   string // the session of a reader of the same feed that is not kept
	Others     int    // events of users whom nobody follows
	HeapBytes  uint64 // of the process, after a collection
	RSS        uint64 // what the process has of the machine's memory then; 0 where that is not known
}

func speedServer() error {
	others, err := strconv.Atoi(os.Getenv(speedVariable))
	if err != nil {
		return err
	}
	fake, err := refserver.New(refserver.Options{AppTokens: []string{appToken}, RateLimit: -1, PasswordCost: 1, AllowPlainHTTP: true})
	if err != nil {
		return err
	}
	session, uncached := seedForSpeed(fake, others)
	answers := make(map[string][]byte)
	for _, path := range []string{"/0.2/user", "/0.2/user/feed"} {
		answers[path] = within(fake, "GET", path, session, nil).Body.Bytes()
	}
	fillFeedCache(fake, session)
	bare := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == testkit.CostPath {
			testkit.ServeCost(w, r)
			return
		}
		body := answers[r.URL.Path]
		w.Header().Set("Cache-Control", "no-store")
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Content-Length", strconv.Itoa(len(body)))
		w.Write(body)
	})
	said := figures{Session: session, Uncached: uncached, Others: others, HeapBytes: heapAfterGC()}
	debug.FreeOSMemory()
	said.RSS = residentBytes()
	for address, handler := range map[*string]http.Handler{&said.Fake: fake, &said.Bare: bare} {
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return err
		}
		*address = listener.Addr().String()
		server := &http.Server{Handler: handler}
		defer server.Close()
		if handler == http.Handler(fake) {
			go refserver.Serve(server, listener)
		} else {
			go server.Serve(listener)
		}
	}
	if err := json.NewEncoder(os.Stdout).Encode(said); err != nil {
		return err
	}
	_, err = io.Copy(io.Discard, os.Stdin)
	return err
}

// load is connections to one of the process's two servers.
func (f figures) load(b *testing.B, address string, request []byte, status int) *testkit.Load {
	return testkit.NewLoad(b, testkit.Meter(f.Bare), address, request, status)
}

// made is a user of the speed server.
type made struct {
	ID           json.Number `json:"id"`
	SessionToken string      `json:"session_token"`
}

func makeForSpeed(fake http.Handler, name string) (m made) {
	answer := within(fake, "POST", "/0.2/users?withLogin=true", "", object{"user_name": name, "password": "pw", "email": name + "@example.com", "first_name": "Ann"})
	json.Unmarshal(answer.Body.Bytes(), &m)
	return m
}

// seedForSpeed makes two users whose feed has 100 events of 10 users, and others with
// the given number of events. It returns the two users' sessions.
func seedForSpeed(fake http.Handler, others int) (session, second string) {
	post := func(by made, n int) {
		for range n {
			within(fake, "POST", "/0.2/user/events", by.SessionToken, object{"verb": "like", "object": object{"id": "article-17", "type": "article"}})
		}
	}
	readers := []made{makeForSpeed(fake, "reader"), makeForSpeed(fake, "second")}
	for i := range 10 {
		followed := makeForSpeed(fake, fmt.Sprint("followed", i))
		for _, reader := range readers {
			within(fake, "POST", "/0.2/user/connections", reader.SessionToken, object{"user_to_id": followed.ID, "type": "follow"})
		}
		post(followed, 10)
	}
	const each = 1000
	for i := 0; i < others; i += each {
		post(makeForSpeed(fake, fmt.Sprint("other", i)), min(each, others-i))
	}
	return readers[0].SessionToken, readers[1].SessionToken
}

// fillFeedCache reads the session's feed and those of so many users that no other is
// kept, as long as nothing is written.
func fillFeedCache(fake http.Handler, session string) {
	const keptAtMost = 250
	users := make([]made, keptAtMost)
	for i := range users {
		users[i] = makeForSpeed(fake, fmt.Sprint("cached", i))
	}
	within(fake, "GET", "/0.2/user/feed", session, nil)
	for _, user := range users {
		within(fake, "GET", "/0.2/user/feed", user.SessionToken, nil)
	}
}

// within asks a handler without a socket.
func within(handler http.Handler, method, path, session string, body any) *httptest.ResponseRecorder {
	content, _ := json.Marshal(body) // maps of texts
	if body == nil {
		content = nil
	}
	request := httptest.NewRequest(method, path, bytes.NewReader(content))
	request.SetBasicAuth(appToken, session)
	request.Header.Set("User-Agent", "speed/1")
	if body != nil {
		request.Header.Set("Content-Type", "application/json")
	}
	recorder := httptest.NewRecorder()
	handler.ServeHTTP(recorder, request)
	return recorder
}

// startSpeedServer starts the other process.
func startSpeedServer(b testing.TB, others int) figures {
	b.Helper()
	cmd := exec.CommandContext(b.Context(), os.Args[0])
	cmd.Env = append(os.Environ(), speedVariable+"="+strconv.Itoa(others))
	cmd.Stderr = os.Stderr
	input, err := cmd.StdinPipe()
	if err != nil {
		b.Fatal(err)
	}
	output, err := cmd.StdoutPipe()
	if err != nil {
		b.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		input.Close()
		cmd.Wait()
	})
	var said figures
	if err := json.NewDecoder(output).Decode(&said); err != nil {
		b.Fatal(err)
	}
	return said
}
