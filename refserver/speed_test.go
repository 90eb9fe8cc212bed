package refserver_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strconv"
	"sync"
	"testing"
	"time"

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
		if r.URL.Path == "/cpu" {
			fmt.Fprint(w, int64(cpuTime()))
			return
		}
		body := answers[r.URL.Path]
		w.Header().Set("Cache-Control", "no-store")
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Content-Length", strconv.Itoa(len(body)))
		w.Write(body)
	})
	said := figures{Session: session, Uncached: uncached, Others: others, HeapBytes: heapAfterGC()}
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

// cpuTime is how long both processes have had a processor.
func (f figures) cpuTime(b *testing.B) time.Duration {
	response, err := http.Get("http://" + f.Bare + "/cpu")
	if err != nil {
		b.Fatal(err)
	}
	defer response.Body.Close()
	var theirs time.Duration
	if _, err := fmt.Fscan(response.Body, &theirs); err != nil {
		b.Fatal(err)
	}
	return theirs + cpuTime()
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
func startSpeedServer(b *testing.B, others int) figures {
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

// load is some connections that send one request again and again, and what that took.
type load struct {
	b       *testing.B
	server  figures
	request []byte
	status  string
	conns   []net.Conn

	sent      int
	wall, cpu time.Duration
}

func newLoad(b *testing.B, server figures, address string, request []byte, status string) *load {
	const clients = 8
	l := &load{b: b, server: server, request: request, status: status}
	for range clients {
		conn, err := net.Dial("tcp", address)
		if err != nil {
			b.Fatal(err)
		}
		b.Cleanup(func() { conn.Close() })
		l.conns = append(l.conns, conn)
	}
	return l
}

// send sends the request so many times.
func (l *load) send(times int) {
	cpu, began := l.server.cpuTime(l.b), time.Now()
	var work sync.WaitGroup
	for _, conn := range l.conns {
		work.Go(func() {
			reader := bufio.NewReaderSize(conn, 64<<10)
			for range times / len(l.conns) {
				if _, err := conn.Write(l.request); err != nil {
					l.b.Error(err)
					return
				}
				if err := skipAnswer(reader, l.status); err != nil {
					l.b.Error(err)
					return
				}
			}
		})
	}
	work.Wait()
	l.sent += times / len(l.conns) * len(l.conns)
	l.wall += time.Since(began)
	l.cpu += l.server.cpuTime(l.b) - cpu
}

// perSecond is by the clock; perCPUSecond by the processors' time of both
// processes, which others on the machine disturb less.
func (l *load) perSecond() float64    { return float64(l.sent) / l.wall.Seconds() }
func (l *load) perCPUSecond() float64 { return float64(l.sent) / l.cpu.Seconds() }

// report reports the rate, and that on two cores which the load has to itself.
func (l *load) report() {
	l.b.ReportMetric(l.perSecond(), "req/s")
	l.b.ReportMetric(2*l.perCPUSecond(), "req/s-on-2-cores")
}

// takeTurns lets two loads send in turns, after a first turn that does not count.
func takeTurns(b *testing.B, one, other *load) {
	const turn = 2000
	for i := -1; i < b.N/turn; i++ {
		if i == 0 {
			b.ResetTimer()
			one.sent, one.wall, one.cpu, other.sent, other.wall, other.cpu = 0, 0, 0, 0, 0, 0
		}
		one.send(turn)
		other.send(turn)
	}
	b.ReportMetric(one.perSecond()/other.perSecond(), "of-other")
	b.ReportMetric(one.perCPUSecond()/other.perCPUSecond(), "of-other-by-CPU")
}

// skipAnswer reads an answer that has a Content-Length.
func skipAnswer(reader *bufio.Reader, status string) error {
	line, err := reader.ReadSlice('\n')
	if err != nil || !bytes.Contains(line, []byte(status)) {
		return fmt.Errorf("the answer begins with %q (%w)", line, err)
	}
	length := 0
	for {
		line, err := reader.ReadSlice('\n')
		if err != nil {
			return err
		}
		if len(line) <= 2 {
			_, err := reader.Discard(length)
			return err
		}
		if value, ok := bytes.CutPrefix(line, []byte("Content-Length: ")); ok {
			if length, err = strconv.Atoi(string(bytes.TrimSpace(value))); err != nil {
				return err
			}
		}
	}
}

func rawRequest(method, path, session, body string) []byte {
	request, _ := http.NewRequest(method, "http://127.0.0.1"+path, nil)
	request.SetBasicAuth(appToken, session)
	head := fmt.Sprintf("%s %s HTTP/1.1\r\nHost: 127.0.0.1\r\nUser-Agent: speed/1\r\nAccept: application/json\r\nAuthorization: %s\r\n", method, path, request.Header.Get("Authorization"))
	if body != "" {
		head += fmt.Sprintf("Content-Type: application/json\r\nContent-Length: %d\r\n", len(body))
	}
	return []byte(head + "\r\n" + body)
}

// BenchmarkBesideBareHTTP reports how many requests a second the reference server
// serves, and what part that is of bare net/http. A feed that is not kept is put
// together for each request, from the connections of its reader on.
func BenchmarkBesideBareHTTP(b *testing.B) {
	server := startSpeedServer(b, 0)
	for _, c := range []struct{ name, path, session string }{
		{"user", "/0.2/user", server.Session},
		{"feed", "/0.2/user/feed", server.Session},
		{"feed not kept", "/0.2/user/feed", server.Uncached},
	} {
		b.Run(c.name, func(b *testing.B) {
			request := rawRequest("GET", c.path, c.session, "")
			fake, bare := newLoad(b, server, server.Fake, request, " 200 "), newLoad(b, server, server.Bare, request, " 200 ")
			takeTurns(b, fake, bare)
			fake.report()
		})
	}
}

// BenchmarkFeedWhileWriting is as above, for a feed that somebody writes to before
// each turn of 8 requests.
func BenchmarkFeedWhileWriting(b *testing.B) {
	server := startSpeedServer(b, 0)
	request := rawRequest("GET", "/0.2/user/feed", server.Session, "")
	fake, bare := newLoad(b, server, server.Fake, request, " 200 "), newLoad(b, server, server.Bare, request, " 200 ")
	write := newLoad(b, server, server.Fake, rawRequest("POST", "/0.2/user/events", server.Session, `{"verb":"like"}`), " 201 ")
	stop, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		for {
			select {
			case <-stop:
				return
			default:
				write.send(8)
			}
		}
	}()
	takeTurns(b, fake, bare)
	close(stop)
	<-done
	b.ReportMetric(write.perSecond(), "writes/s")
}

// BenchmarkCreates reports how many events and users a second are created.
func BenchmarkCreates(b *testing.B) {
	for path, body := range map[string]string{"/0.2/user/events": `{"verb":"like"}`, "/0.2/users": `{"user_name":"ann","email":"ann@example.com"}`} {
		b.Run("POST "+path, func(b *testing.B) {
			server := startSpeedServer(b, 0)
			session := server.Session
			if path == "/0.2/users" {
				session = ""
			}
			l := newLoad(b, server, server.Fake, rawRequest("POST", path, session, body), " 201 ")
			b.ResetTimer()
			l.send(max(8, b.N))
			l.report()
		})
	}
}

// BenchmarkFeedAmongOthers reports what part of its speed a feed of 100 events
// keeps when there are a million events of others, and what an event takes.
func BenchmarkFeedAmongOthers(b *testing.B) {
	few, many := startSpeedServer(b, 0), startSpeedServer(b, 1_000_000)
	takeTurns(b, newLoad(b, many, many.Fake, rawRequest("GET", "/0.2/user/feed", many.Session, ""), " 200 "),
		newLoad(b, few, few.Fake, rawRequest("GET", "/0.2/user/feed", few.Session, ""), " 200 "))
	b.ReportMetric(float64(many.HeapBytes-few.HeapBytes)/float64(many.Others), "B/event")
}

// BenchmarkStart reports how long it takes from making the server to its first answer.
func BenchmarkStart(b *testing.B) {
	for b.Loop() {
		fake, err := refserver.New(refserver.Options{AppTokens: []string{appToken}, AllowPlainHTTP: true})
		if err != nil {
			b.Fatal(err)
		}
		if answer := within(fake, "GET", "/versions", "", nil); answer.Code != 200 {
			b.Fatal(answer.Code)
		}
	}
}
