package main

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/socialfeed/conform/conformance/clean"
	"github.com/socialfeed/conform/conformance/report/plain"
	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/internal/loopback"
	"github.com/socialfeed/conform/internal/shell"
)

const (
	execWait = 30 * time.Second // how long the server may take to answer, without --wait
	killWait = 5 * time.Second  // how long it may go on after SIGTERM
)

// completeExec chooses the address and the token of a server that the run starts, unless
// they are given.
func (s *settings) completeExec() error {
	if strings.TrimSpace(s.exec) == "" {
		if _, set := os.LookupEnv(variable("exec")); set || s.from["exec"] != fromDefault {
			return errors.New("--exec is empty: give the command that starts the server, such as 'python3 server.py'")
		}
		return nil
	}
	if s.isFound("exec") {
		return fmt.Errorf("%s alone names a command to run: to run it, say --exec, or %s", s.configFile, shell.MustLine(shell.Call("--config", plain.Word(s.configFile))))
	}
	s.config.Startable = true
	t := &s.config.Target
	if t.BaseURL == "" {
		port, err := freePort()
		if err != nil {
			return fmt.Errorf("--exec: looking for a free port: %w", err)
		}
		t.BaseURL = "http://127.0.0.1:" + port
	}
	u, err := url.Parse(t.BaseURL)
	t.AllowHTTP = t.AllowHTTP || err == nil && u.Scheme == "http" && loopback.IsHost(u.Hostname())
	if t.AppToken == "" && s.appTokenFile == "" {
		t.AppToken = rand.Text()
	}
	if s.from["wait"] == fromDefault {
		s.wait = execWait
	}
	return nil
}

// ownServer is the name in messages of the server that the run starts, "" where it starts none.
func (s *settings) ownServer() string {
	if s.exec == "" {
		return ""
	}
	return cmp.Or(s.serverName, "the server of --exec")
}

// started is the flag --exec, for commands to paste; nothing where its value holds a token or
// what looks like a secret.
func (s *settings) started() []string {
	t := s.config.Target
	holdsToken := strings.Contains(s.exec, t.AppToken) || t.SecondAppToken != "" && strings.Contains(s.exec, t.SecondAppToken)
	if s.exec == "" || holdsToken || secretLike.ReplaceAllStringFunc(s.exec, hideSecret) != s.exec {
		return nil
	}
	return []string{"--exec", s.exec}
}

func freePort() (string, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	defer listener.Close()
	_, port, err := net.SplitHostPort(listener.Addr().String())
	return port, err
}

// server is the target as a process that the run started.
type server struct {
	cmd      *exec.Cmd
	ended    chan struct{}
	released chan struct{} // closed once its end is not an end of the run
	stopped  bool
	err      error // how it ended, once it has
	last     *lastLines
	name     string // in messages
}

// address is where the server of --exec is to listen.
func (s *settings) address() (host, port string, err error) {
	u, err := url.Parse(s.config.Target.BaseURL)
	if err != nil {
		return "", "", errors.New("the base URL is not a valid URL") // the parser's error would quote it
	}
	return u.Hostname(), cmp.Or(u.Port(), map[string]string{"http": "80"}[u.Scheme], "443"), nil
}

// startServer runs the command of --exec by the shell, in a group of its own, with
// its address and tokens in the environment.
func startServer(ctx context.Context, s *settings) (*server, error) {
	host, port, err := s.address()
	if err != nil {
		return nil, err
	}
	address := net.JoinHostPort(host, port)
	if conn, err := (&net.Dialer{Timeout: time.Second}).DialContext(ctx, "tcp", address); err == nil {
		conn.Close()
		return nil, fmt.Errorf("--exec: something answers at %s already: stop it, or leave out --exec to judge it", address)
	}
	last := newLastLines(s)
	cmd := serverCommand(s, port, last)
	started := &server{cmd: cmd, ended: make(chan struct{}), released: make(chan struct{}), last: last, name: s.ownServer()}
	ownGroup(cmd)
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("--exec: starting the server: %w", err)
	}
	go func() {
		started.err = cmd.Wait()
		close(started.ended)
	}()
	return started, nil
}

// serverCommand is the command of --exec, which writes to the last lines.
func serverCommand(s *settings, port string, last *lastLines) *exec.Cmd {
	t := s.config.Target
	cmd := exec.Command("sh", "-c", s.exec) //nolint:gosec // it is what the user asks for
	cmd.Env = append(os.Environ(), "PORT="+port, "BASE_URL="+t.BaseURL, "APP_TOKEN="+t.AppToken)
	if t.SecondAppToken != "" {
		cmd.Env = append(cmd.Env, "SECOND_APP_TOKEN="+t.SecondAppToken)
	}
	if s.data != "" {
		cmd.Env = append(cmd.Env, "DATA="+s.data)
	}
	cmd.Stdout, cmd.Stderr, cmd.WaitDelay = last, last, time.Second
	return cmd
}

// serverEndedError ends a run whose server ended by itself.
type serverEndedError struct {
	server, how string
	code        int // its exit code, -1 where a signal ended it
}

func (e serverEndedError) Error() string { return e.server + " ended: " + e.how }

// Why tells a command that the shell could not start from a server that ended.
func (e serverEndedError) Why() result.Reason {
	const notExecutable, notFound = 126, 127 // the shell's exit codes
	if e.code == notExecutable || e.code == notFound {
		return result.NotStarted
	}
	return result.ServerEnded
}

// whileItRuns is a context that ends with the server.
func (s *server) whileItRuns(ctx context.Context) (context.Context, context.CancelFunc) {
	running, cancel := context.WithCancelCause(ctx)
	go func() {
		select {
		case <-s.ended:
			cancel(serverEndedError{s.name, s.how(), s.cmd.ProcessState.ExitCode()})
		case <-s.released:
		case <-running.Done():
		}
	}()
	return running, func() { cancel(nil) }
}

// how says how it ended.
func (s *server) how() string {
	if code := s.cmd.ProcessState.ExitCode(); code >= 0 {
		return fmt.Sprintf("exit code %d", code)
	}
	return s.err.Error() // by a signal
}

// stop ends the server with all its children, and reports whether it had ended by itself.
func (s *server) stop() (before bool) {
	if s.stopped {
		return false
	}
	s.stopped = true
	select {
	case <-s.ended:
		before = true
	default:
		endGroup(s.cmd)
	}
	select {
	case <-s.ended:
	case <-time.After(killWait):
	}
	killGroup(s.cmd)
	<-s.ended
	return before
}

// lastLines keeps the last lines that a program writes.
type lastLines struct {
	most    int
	secrets []string // app tokens, which text hides
	mu      sync.Mutex
	lines   []string
	open    string // a line that has no end yet
}

func newLastLines(s *settings) *lastLines {
	return &lastLines{most: mostLastLines, secrets: []string{s.config.Target.AppToken, s.config.Target.SecondAppToken}}
}

const (
	mostLastLines = 12
	longestLine   = 400      // bytes
	mostOpen      = 64 << 10 // bytes of a line without an end
)

// Write keeps the last lines. A line without an end is cut far behind what text shows of it:
// text would not recognize a token that was cut in two.
func (l *lastLines) Write(data []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	lines := strings.Split(l.open+string(data), "\n")
	l.open = lines[len(lines)-1]
	l.open = l.open[:min(len(l.open), mostOpen)]
	l.lines = append(l.lines, lines[:len(lines)-1]...)
	l.lines = slices.Clone(l.lines[max(0, len(l.lines)-l.most):])
	return len(data), nil
}

// text is the last lines, cut to longestLine each, without app tokens and what looks like a
// secret.
func (l *lastLines) text() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	all := l.lines
	if l.open != "" {
		all = append(slices.Clone(all), l.open)
	}
	var b strings.Builder
	for _, line := range all[max(0, len(all)-l.most):] {
		for _, secret := range l.secrets {
			if secret != "" {
				line = strings.ReplaceAll(line, secret, "$APP_TOKEN")
			}
		}
		line = secretLike.ReplaceAllStringFunc(line, hideSecret)
		b.WriteString("  | " + clean.Log(line[:min(len(line), longestLine)]) + "\n")
	}
	return b.String()
}
