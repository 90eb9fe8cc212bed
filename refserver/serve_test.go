package refserver_test

import (
	"bufio"
	"bytes"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"io"
	"log"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/tlscert"
)

// port is a server on a port of its own, as the command serves it.
type port struct {
	t      *testing.T
	addr   string
	client *tls.Config // nil: plain HTTP
}

func serving(t *testing.T, secure bool, handler http.Handler) *port {
	t.Helper()
	if handler == nil {
		server, err := refserver.New(refserver.Options{AppTokens: []string{appToken}, AllowPlainHTTP: true, PasswordCost: 1})
		if err != nil {
			t.Fatal(err)
		}
		handler = server
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p := &port{t: t, addr: listener.Addr().String()}
	server := &http.Server{Handler: handler, MaxHeaderBytes: 64 << 10, ErrorLog: log.New(io.Discard, "", 0)}
	if secure {
		certificate, authority, err := tlscert.New()
		if err != nil {
			t.Fatal(err)
		}
		server.TLSConfig = &tls.Config{Certificates: []tls.Certificate{certificate}}
		roots := x509.NewCertPool()
		roots.AppendCertsFromPEM(authority)
		p.client = &tls.Config{RootCAs: roots, ServerName: "localhost"}
	}
	served := make(chan error, 1)
	go func() { served <- refserver.Serve(server, listener) }()
	t.Cleanup(func() {
		server.Close()
		if err := <-served; !errors.Is(err, http.ErrServerClosed) {
			t.Error(err)
		}
	})
	return p
}

func (p *port) dial() net.Conn {
	p.t.Helper()
	conn, err := net.Dial("tcp", p.addr)
	if err == nil && p.client != nil {
		conn = tls.Client(conn, p.client)
	}
	if err != nil {
		p.t.Fatal(err)
	}
	p.t.Cleanup(func() { conn.Close() })
	conn.SetDeadline(time.Now().Add(10 * time.Second))
	return conn
}

// send sends a text in pieces of some length, and reads the answers.
func (p *port) send(text string, piece int) []*http.Response {
	p.t.Helper()
	conn := p.dial()
	for rest := []byte(text); len(rest) > 0; {
		n := min(piece, len(rest))
		if _, err := conn.Write(rest[:n]); err != nil {
			break // refused before the end
		}
		rest = rest[n:]
	}
	var answers []*http.Response
	for reader := bufio.NewReader(conn); ; {
		answer, err := http.ReadResponse(reader, nil)
		if err != nil {
			return answers
		}
		body, err := io.ReadAll(answer.Body)
		if err != nil {
			p.t.Error(err)
		}
		answer.Body = io.NopCloser(bytes.NewReader(body))
		answers = append(answers, answer)
		if answer.Close {
			return answers
		}
	}
}

// TestEveryAnswerIsJSON: what net/http refuses before any handler sees it, too.
func TestEveryAnswerIsJSON(t *testing.T) {
	const host = "Host: x\r\nUser-Agent: t\r\n"
	for _, secure := range []bool{false, true} {
		p := serving(t, secure, nil)
		for name, tt := range map[string]struct {
			text   string
			status int
			last   string
		}{
			"no HTTP":             {"HELO\r\n\r\n", 400, "{}"},
			"no Host":             {"GET /versions HTTP/1.1\r\nUser-Agent: t\r\n\r\n", 400, "{}"},
			"a bad header":        {"GET /versions HTTP/1.1\r\n" + host + "b a d: 1\r\n\r\n", 400, "{}"},
			"HTTP/3":              {"GET /versions HTTP/3.0\r\n" + host + "\r\n", 505, `{"errors":[{"code":1101,"message":"HTTP Version Not Supported: unsupported protocol version"}]}`},
			"transfer coding":     {"POST /0.2/users HTTP/1.1\r\n" + host + "Transfer-Encoding: gzip\r\n\r\n", 501, `{"errors":[{"code":1101,"message":"Not Implemented"}]}`},
			"expectation":         {"GET /versions HTTP/1.1\r\n" + host + "Expect: wonders\r\n\r\n", 417, `{"errors":[{"code":1101,"message":"Expectation Failed"}]}`},
			"large headers":       {"GET /versions HTTP/1.1\r\n" + host + "X: " + strings.Repeat("x", 80<<10) + "\r\n\r\n", 431, `{"errors":[{"code":1102,"message":"Request Header Fields Too Large"}]}`},
			"both lengths":        {"POST /0.2/users HTTP/1.1\r\n" + host + "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400, "{}"},
			"both, the other way": {"POST /0.2/users HTTP/1.1\r\nTransfer-Encoding: chunked\r\nContent-Length: 5\r\n" + host + "\r\n0\r\n\r\n", 400, "{}"},
			"OPTIONS without UA":  {"OPTIONS * HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n", 400, "{}"},
		} {
			for _, piece := range []int{1 << 20, 1} {
				if piece == 1 && name == "large headers" {
					continue
				}
				answers := p.send(tt.text, piece)
				if len(answers) == 0 {
					t.Errorf("%s (TLS %t, pieces of %d): no answer", name, secure, piece)
					continue
				}
				answer := answers[len(answers)-1]
				body, _ := io.ReadAll(answer.Body)
				if answer.StatusCode != tt.status || answer.Header.Get("Content-Type") != "application/json" || string(body) != tt.last+"\n" {
					t.Errorf("%s (TLS %t, pieces of %d): %d %v %q", name, secure, piece, answer.StatusCode, answer.Header, body)
				}
			}
		}
	}
}

// TestKeptAliveBodies: bodies of either framing are no heads, and what follows them is one.
func TestKeptAliveBodies(t *testing.T) {
	const head = "POST /0.2/users HTTP/1.1\r\nHost: x\r\nUser-Agent: t\r\nContent-Type: application/json\r\nAuthorization: Basic YXBwLW9uZTo=\r\n"
	const smuggled = `{"user_name":"a","url":"\n` + "Content-Length: 1 Transfer-Encoding: chunked" + `"}`
	plain := head + "Content-Length: 73\r\n\r\n" + smuggled + strings.Repeat(" ", 73-len(smuggled))
	chunked := head + "Transfer-Encoding: chunked\r\n\r\n4;ext=1\r\n{\"us\r\nf\r\ner_name\": \"b\" }\r\n0\r\nTrailer: 1\r\n\r\n"
	last := strings.Replace(head, "\r\n", "\r\nConnection: close\r\n", 1) + "Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"
	p := serving(t, true, nil)
	for _, piece := range []int{1 << 20, 7, 1} {
		var statuses []int
		for _, answer := range p.send(plain+chunked+plain+last, piece) {
			statuses = append(statuses, answer.StatusCode)
		}
		if len(statuses) != 4 || statuses[0] != 201 || statuses[1] != 201 || statuses[2] != 201 || statuses[3] != 400 {
			t.Errorf("pieces of %d: %v", piece, statuses)
		}
	}
}

// TestProtocols: both versions of HTTP are spoken over TLS, and the handler knows that it is TLS.
func TestProtocols(t *testing.T) {
	p := serving(t, true, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		json.NewEncoder(w).Encode([]any{r.Proto, r.TLS != nil && r.TLS.HandshakeComplete})
	}))
	for _, version := range []string{"HTTP/1.1", "HTTP/2.0"} {
		transport := &http.Transport{TLSClientConfig: p.client.Clone(), ForceAttemptHTTP2: version == "HTTP/2.0"}
		client := &http.Client{Transport: transport}
		response, err := client.Get("https://" + p.addr)
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(response.Body)
		response.Body.Close()
		if want := `["` + version + `",true]` + "\n"; err != nil || string(body) != want {
			t.Errorf("%s: %s (%v)", version, body, err)
		}
		transport.CloseIdleConnections()
	}
	conn, err := net.Dial("tcp", p.addr)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if _, err := io.WriteString(conn, "GET / HTTP/1.1\r\nHost: x\r\n\r\n"); err != nil {
		t.Fatal(err)
	}
	if answer, err := io.ReadAll(conn); err != nil || !strings.HasPrefix(string(answer), "HTTP/1.1 403 ") || !strings.Contains(string(answer), "this port speaks HTTPS only") {
		t.Errorf("plain HTTP on the port: %q (%v)", answer, err)
	}
}
