package wire

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"net"
	"net/http"
	"runtime"
	"strings"
	"testing"
	"time"
)

// drip writes a text again and again, a byte at a time, until the other side is gone.
func drip(conn net.Conn, text string) bool {
	for i := 0; write(conn, text[i%len(text):i%len(text)+1]); i++ {
		time.Sleep(20 * time.Millisecond)
	}
	return false
}

// flood writes a text again and again until the other side is gone.
func flood(w io.Writer, text []byte) bool {
	for {
		if _, err := w.Write(text); err != nil {
			return false
		}
	}
}

const jsonHead = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"

// allocated is how many bytes were allocated meanwhile.
func allocated(during func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	during()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// Whatever a server does, an exchange ends in an error that says what happened,
// in time and in bounds.
func TestHostileServersEndInAnError(t *testing.T) {
	megabyte := bytes.Repeat([]byte("0"), 1<<20)
	for name, tc := range map[string]struct {
		answer func(net.Conn, *http.Request) bool
		says   string
	}{
		"never answers": {func(conn net.Conn, _ *http.Request) bool { _, _ = io.Copy(io.Discard, conn); return false }, "no complete answer within 300ms"},
		"a slow header": {func(conn net.Conn, _ *http.Request) bool { return drip(conn, "HTTP/1.1 200 OK\r\nX-Slow: yes, very ") }, "no complete answer within 300ms"},
		"a slow body":   {func(conn net.Conn, _ *http.Request) bool { return write(conn, jsonHead+"\r\n") && drip(conn, "[1,") }, "reading the body of a 200: no complete answer within 300ms"},
		"an endless body": {func(conn net.Conn, _ *http.Request) bool {
			return write(conn, jsonHead+"\r\n") && flood(conn, megabyte)
		}, "longer than 1048576 bytes"},
		"an endless header": {func(conn net.Conn, _ *http.Request) bool {
			return write(conn, jsonHead) && flood(conn, []byte("X-More: much\r\n"))
		}, "exceeded"},
		"endless interim": {func(conn net.Conn, _ *http.Request) bool {
			return flood(conn, []byte("HTTP/1.1 103 Early Hints\r\n\r\n"))
		}, ""},
		"a gzip bomb": {bomb, "longer than 1048576 bytes"},
		"no gzip": {func(conn net.Conn, _ *http.Request) bool {
			return write(conn, jsonHead+"Content-Encoding: gzip\r\nContent-Length: 4\r\n\r\nnope")
		}, "reading the body of a 200"},
		"garbage":        {func(conn net.Conn, _ *http.Request) bool { write(conn, "SSH-2.0-OpenSSH_9.9\r\n"); return false }, "malformed HTTP"},
		"binary garbage": {func(conn net.Conn, _ *http.Request) bool { write(conn, "\x15\x03\x01\x00\x02\x02\x46"); return false }, "malformed HTTP"},
		"nothing":        {func(net.Conn, *http.Request) bool { return false }, "EOF"},
		"half a header": {func(conn net.Conn, _ *http.Request) bool {
			write(conn, "HTTP/1.1 200 OK\r\nX-Half: yes\r\n")
			return false
		}, "EOF"},
		"a cut body": {func(conn net.Conn, _ *http.Request) bool {
			write(conn, jsonHead+"Content-Length: 20\r\n\r\n{\"id\":")
			return false
		}, "reading the body of a 200: unexpected EOF"},
		"a cut chunk": {func(conn net.Conn, _ *http.Request) bool {
			write(conn, jsonHead+"Transfer-Encoding: chunked\r\n\r\nff\r\n{}")
			return false
		}, "reading the body of a 200: unexpected EOF"},
		"a length too long": {func(conn net.Conn, _ *http.Request) bool { return write(conn, jsonHead+"Content-Length: 20\r\n\r\n{}") }, "no complete answer within 300ms"},
		"a length that is none": {func(conn net.Conn, _ *http.Request) bool {
			return write(conn, jsonHead+"Content-Length: two\r\n\r\n{}")
		}, "Content-Length"},
		"two lengths": {func(conn net.Conn, _ *http.Request) bool {
			return write(conn, jsonHead+"Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}")
		}, "Content-Length"},
		"broken chunks": {func(conn net.Conn, _ *http.Request) bool {
			return write(conn, jsonHead+"Transfer-Encoding: chunked\r\n\r\nxyz\r\n{}\r\n")
		}, "chunk"},
	} {
		t.Run(name, func(t *testing.T) {
			server := rawServer(t, tc.answer)
			w := testWire(t, server)
			if strings.Contains(tc.says, "no complete answer") {
				w.timeout = hastyTimeout
			}
			var x *Exchange
			start := time.Now()
			size := allocated(func() { x = get(t, w, server+"/0.2/user") })
			if x.Err == nil || !strings.Contains(x.Err.Error(), tc.says) {
				t.Errorf("got a %d and %v, want an error with %q", x.Status, x.Err, tc.says)
			}
			if took := time.Since(start); took > w.timeout+5*time.Second || x.Took > took {
				t.Errorf("took %s, told as %s", took, x.Took)
			}
			if size > 12*maxBody {
				t.Errorf("allocated %d bytes", size)
			}
		})
	}
}

// bomb is gzip without end.
func bomb(conn net.Conn, _ *http.Request) bool {
	if !write(conn, jsonHead+"Content-Encoding: gzip\r\n\r\n") {
		return false
	}
	packed, err := gzip.NewWriterLevel(conn, gzip.BestSpeed)
	return err == nil && flood(packed, bytes.Repeat([]byte("0"), 1<<20))
}

// TestDeepNestingIsNotRead has an answer that is JSON, and nested deeper than anybody decodes: that is not
// judged, and the error says so.
func TestDeepNestingIsNotRead(t *testing.T) {
	body := strings.Repeat("[", 9_000) + strings.Repeat("]", 9_000)
	server := rawServer(t, func(conn net.Conn, _ *http.Request) bool {
		return write(conn, fmt.Sprintf("%sContent-Length: %d\r\n\r\n%s", jsonHead, len(body), body))
	})
	x := get(t, testWire(t, server), server+"/0.2/user/feed")
	if x.Err == nil || !strings.Contains(x.Err.Error(), "nested in more than") {
		t.Errorf("got %d bytes and %v", len(x.RespBody), x.Err)
	}
}

// A body longer than announced is cut there, and does no harm to what follows.
func TestLengthTooShort(t *testing.T) {
	server := rawServer(t, func(conn net.Conn, _ *http.Request) bool {
		write(conn, jsonHead+"Content-Length: 5\r\nConnection: close\r\n\r\n{\"id\":1}")
		return false
	})
	w := testWire(t, server)
	for range 3 {
		x := get(t, w, server+"/0.2/user")
		if x.Err != nil || string(x.RespBody) != `{"id"` {
			t.Errorf("got %q, %v", x.RespBody, x.Err)
		}
	}
}

func TestRedirectsAreNotFollowed(t *testing.T) {
	hits := 0
	server := rawServer(t, func(conn net.Conn, r *http.Request) bool {
		hits++
		return write(conn, "HTTP/1.1 308 Permanent Redirect\r\nLocation: "+r.RequestURI+"\r\nContent-Length: 0\r\n\r\n")
	})
	x := get(t, testWire(t, server), server+"/0.2/user")
	if x.Err != nil || x.Status != http.StatusPermanentRedirect || hits != 1 {
		t.Errorf("a %d after %d requests, %v", x.Status, hits, x.Err)
	}
}

func TestNobodyListens(t *testing.T) {
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	base := "http://" + listener.Addr().String()
	listener.Close()
	x := get(t, testWire(t, base), base+"/versions")
	if x.Err == nil || Trouble(x.Err) != "the connection was refused" {
		t.Errorf("got %v", x.Err)
	}
}

// A server that takes the connection and says nothing to the TLS handshake.
func TestSilenceInTheHandshake(t *testing.T) {
	server := rawServer(t, func(net.Conn, *http.Request) bool { return true })
	base := "https" + strings.TrimPrefix(server, "http")
	silent, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer silent.Close() // it has a backlog, and accepts from it never
	for _, target := range []string{base, "https://" + silent.Addr().String()} {
		start := time.Now()
		w := testWire(t, target)
		w.timeout = hastyTimeout
		x := get(t, w, target+"/versions")
		if x.Err == nil || time.Since(start) > w.timeout+5*time.Second {
			t.Errorf("got a %d after %s", x.Status, time.Since(start))
		}
	}
}
