package refserver_test

import (
	"io"
	"net"
	"strings"
	"testing"

	"github.com/socialfeed/conform/refserver"
)

// TestSlowReadersHoldLittle: clients that take a large feed slowly do not make the
// server hold it once for each of them.
func TestSlowReadersHoldLittle(t *testing.T) {
	const readers, events, size = 6, 64, 1 << 18
	server, err := refserver.New(refserver.Options{
		AppTokens: []string{appToken}, RateLimit: -1, PasswordCost: 1, AllowPlainHTTP: true, MaxBodyBytes: 2 * size,
		Choices: refserver.Choices{OwnEvents: true},
	})
	if err != nil {
		t.Fatal(err)
	}
	p := serving(t, false, server)
	ann := decodeAnswer(1, within(server, "POST", "/0.2/users?withLogin=true", "", object{"user_name": "ann"}))
	for range events {
		within(server, "POST", "/0.2/user/events", ann.token, object{"verb": "like", "location": strings.Repeat("x", size)})
	}
	request := rawRequest("GET", "/0.2/user/feed", ann.token, "")
	before := heapAfterGC()
	var conns []net.Conn
	for range readers {
		conn := p.dial()
		conns = append(conns, conn)
		if _, err := conn.Write(request); err != nil {
			t.Fatal(err)
		}
		if _, err := io.ReadFull(conn, make([]byte, 1024)); err != nil { // it has begun to answer
			t.Fatal(err)
		}
	}
	if held := int64(heapAfterGC()) - int64(before); held > readers*events*size/2 { // answers that are buffered whole are twice that
		t.Errorf("%d readers make the server hold %d MiB, the feed being %d MiB", readers, held>>20, events*size>>20)
	}
	for _, conn := range conns {
		conn.Close()
	}
}
