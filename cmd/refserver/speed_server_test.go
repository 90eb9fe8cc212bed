package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"github.com/socialfeed/conform/internal/testkit"
)

// speedVariable tells a copy of the test binary to serve for a measurement, until its input ends.
const speedVariable = "REFSERVER_SPEED"

const speedToken = "given-app"

// asked is a request that is measured, and what it may cost.
type asked struct {
	Name, Method, Path, Body string
	Status                   int
	NoSession                bool

	MostAllocs, MostBytes uint64  // within the handler
	LeastOfBare           float64 // of the requests that bare net/http serves by the processors' time
}

func allAsked() []asked {
	return []asked{
		{"GET /0.2/user", http.MethodGet, "/0.2/user", "", http.StatusOK, false, 20, 2_000, 0.66},
		{"feed of 100", http.MethodGet, "/0.2/user/feed", "", http.StatusOK, false, 20, 2_000, 0.45},
		{"create event", http.MethodPost, "/0.2/user/events", `{"verb":"like"}`, http.StatusCreated, false, 55, 4_500, 0.3},
		{"create user", http.MethodPost, "/0.2/users", `{"user_name":"ann","email":"ann@example.com"}`, http.StatusCreated, true, 52, 5_000, 0.27},
	}
}

// speedFigures is what the serving process says of itself.
type speedFigures struct{ Served, Bare, Session string }

// serveForSpeed serves as the command does by default, over plain HTTP and with a limit that is not
// reached, and beside it net/http with the same answers, encoded beforehand.
func serveForSpeed() error {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	greeting, output := io.Pipe()
	ended := make(chan struct{})
	go func() {
		code := run(ctx, []string{"--http", "--addr", "127.0.0.1:0", "--control", "127.0.0.1:0", "--rate-limit", "1000000000",
			"--app-token", speedToken, "--print", "json"}, output, os.Stderr)
		output.CloseWithError(fmt.Errorf("exit %d", code))
		close(ended)
	}()
	var greeted map[string]string
	if err := json.NewDecoder(greeting).Decode(&greeted); err != nil {
		return err
	}
	served := speedClient{base: greeted["base_url"]}
	figures := speedFigures{Served: strings.TrimPrefix(served.base, "http://")}
	var err error
	if figures.Session, err = served.fill(); err != nil {
		return err
	}
	answers := make(map[string][]byte)
	for _, a := range allAsked() {
		if answers[a.Method+" "+a.Path], err = served.call(a.Method, a.Path, a.session(figures.Session), a.Body); err != nil {
			return err
		}
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	figures.Bare = listener.Addr().String()
	bare := &http.Server{Handler: bareAnswers(answers)}
	go func() { _ = bare.Serve(listener) }() // the clients report a server that is gone
	if err := json.NewEncoder(os.Stdout).Encode(figures); err != nil {
		return err
	}
	_, err = io.Copy(io.Discard, os.Stdin)
	cancel()
	<-ended
	return errors.Join(err, bare.Close())
}

// bareAnswers answers each request with the bytes that it has for its method and path.
func bareAnswers(answers map[string][]byte) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc(testkit.CostPath, testkit.ServeCost)
	for _, a := range allAsked() {
		body := answers[a.Method+" "+a.Path]
		mux.HandleFunc(a.Method+" "+a.Path, func(w http.ResponseWriter, r *http.Request) {
			_, _ = io.Copy(io.Discard, r.Body) // the client reports a broken answer
			w.Header().Set("Cache-Control", "no-store")
			w.Header().Set("Content-Type", "application/json")
			w.Header().Set("Content-Length", strconv.Itoa(len(body)))
			w.WriteHeader(a.Status)
			_, _ = w.Write(body)
		})
	}
	return mux
}

// session is the one that the request is sent with.
func (a asked) session(session string) string {
	if a.NoSession {
		return ""
	}
	return session
}

// raw is the request as it goes over the wire.
func (a asked) raw(session string) []byte {
	request, _ := http.NewRequest(a.Method, "http://127.0.0.1"+a.Path, nil)
	request.SetBasicAuth(speedToken, a.session(session))
	head := fmt.Sprintf("%s %s HTTP/1.1\r\nHost: 127.0.0.1\r\nUser-Agent: speed/1\r\nAccept: application/json\r\nAuthorization: %s\r\n", a.Method, a.Path, request.Header.Get("Authorization"))
	if a.Body != "" {
		head += fmt.Sprintf("Content-Type: application/json\r\nContent-Length: %d\r\n", len(a.Body))
	}
	return []byte(head + "\r\n" + a.Body)
}

// speedClient fills the server.
type speedClient struct {
	base string
	send func(*http.Request) (*http.Response, error) // nil: over the wire
}

func (c speedClient) call(method, path, session, body string) ([]byte, error) {
	request, err := http.NewRequest(method, c.base+path, strings.NewReader(body))
	if err != nil {
		return nil, err
	}
	request.SetBasicAuth(speedToken, session)
	request.Header.Set("Content-Type", "application/json")
	send := c.send
	if send == nil {
		send = http.DefaultClient.Do
	}
	response, err := send(request)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err == nil && response.StatusCode >= http.StatusMultipleChoices {
		err = fmt.Errorf("%s %s: %s %s", method, path, response.Status, text)
	}
	return text, err
}

// fill makes a user whose feed has 100 events of 10 users, and returns its session.
func (c speedClient) fill() (string, error) {
	type made struct {
		ID           json.Number `json:"id"`
		SessionToken string      `json:"session_token"`
	}
	user := func(name string) (m made, err error) {
		text, err := c.call(http.MethodPost, "/0.2/users?withLogin=true", "", `{"user_name":"`+name+`","email":"`+name+`@example.com","first_name":"Ann"}`)
		return m, errors.Join(err, json.Unmarshal(text, &m))
	}
	reader, err := user("reader")
	if err != nil {
		return "", err
	}
	for i := range 10 {
		followed, err := user(fmt.Sprint("followed", i))
		if err != nil {
			return "", err
		}
		if _, err := c.call(http.MethodPost, "/0.2/user/connections", reader.SessionToken, `{"user_to_id":`+followed.ID.String()+`,"type":"follow"}`); err != nil {
			return "", err
		}
		for range 10 {
			if _, err := c.call(http.MethodPost, "/0.2/user/events", followed.SessionToken, `{"verb":"like","object":{"id":"article-17","type":"article"}}`); err != nil {
				return "", err
			}
		}
	}
	return reader.SessionToken, nil
}

// startForSpeed starts the serving process. Its log goes to a file, as with most people who keep it.
func startForSpeed(t testing.TB) (figures speedFigures) {
	t.Helper()
	cmd := exec.Command(os.Args[0]) // it ends with its input, after the test
	cmd.Env = append(os.Environ(), speedVariable+"=yes", "REFSERVER_APP_TOKEN=")
	log, err := os.CreateTemp(t.TempDir(), "log")
	if err != nil {
		t.Fatal(err)
	}
	cmd.Stderr = log
	input, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	var output bytes.Buffer
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		input.Close()
		if err := cmd.Wait(); err != nil {
			t.Errorf("the serving process: %v", err)
		}
		log.Close()
	})
	if err := json.NewDecoder(io.TeeReader(stdout, &output)).Decode(&figures); err != nil {
		text, _ := os.ReadFile(log.Name())
		t.Fatalf("the serving process: %v: %s %.2000s", err, output.String(), text)
	}
	return figures
}
