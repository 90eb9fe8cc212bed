package wire

import (
	"net"
	"net/http"
	"strings"
	"testing"
)

// TestAnUnreadBodyIsSaidToBeOne has a server take what it left of a request for the next one.
func TestAnUnreadBodyIsSaidToBeOne(t *testing.T) {
	server := rawServer(t, func(conn net.Conn, _ *http.Request) bool {
		write(conn, "<!DOCTYPE HTML>\r\n<p>Bad request syntax ('{\"verb\": \"like\"}').")
		return false
	})
	x := get(t, testWire(t, server), server+"/0.2/user")
	if x.Err == nil || !strings.Contains(Trouble(x.Err), "does not read the whole body") {
		t.Errorf("%v", x.Err)
	}
}
