package wire

import (
	"net"
	"net/http"
	"testing"
	"time"
)

const (
	emptyAnswer = "HTTP/1.1 204 No Content\r\n\r\n"
	okAnswer    = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}"
)

// Whatever a target sends behind a 204 is found, and harms no other exchange, in
// whichever segment it comes.
func TestStrayBodiesAreFound(t *testing.T) {
	for name, tc := range map[string]struct {
		head, behind string
		later        time.Duration
		stubborn     bool // keeps the connection open though it is asked to close it
		want         bool // found
	}{
		"none":              {head: emptyAnswer},
		"same segment":      {head: emptyAnswer + "{}", want: true},
		"next segment":      {head: emptyAnswer, behind: "{}", want: true},
		"later segment":     {head: emptyAnswer, behind: `{"ok":true}`, later: 3 * time.Millisecond, want: true},
		"announced":         {head: "HTTP/1.1 204 No Content\r\nContent-Length: 2\r\n\r\n{}", want: true},
		"a chunk":           {head: "HTTP/1.1 204 No Content\r\nTransfer-Encoding: chunked\r\n\r\n", behind: "2\r\n{}\r\n0\r\n\r\n", want: true},
		"stubborn":          {head: emptyAnswer, behind: "{}", later: time.Millisecond, stubborn: true, want: true},
		"stubborn and none": {head: emptyAnswer, stubborn: true},
		"no chunk":          {head: "HTTP/1.1 204 No Content\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"},
	} {
		t.Run(name, func(t *testing.T) {
			server := rawServer(t, func(conn net.Conn, r *http.Request) bool {
				if r.Method == http.MethodGet {
					return write(conn, okAnswer)
				}
				if !write(conn, tc.head) {
					return false
				}
				time.Sleep(tc.later)
				return write(conn, tc.behind) && (!r.Close || tc.stubborn)
			})
			w := testWire(t, server)
			const rounds = 3
			found := 0
			for range rounds {
				for _, method := range []string{http.MethodDelete, http.MethodGet} {
					x := request(t.Context(), t, w, method, server+"/0.2/user")
					if x.Err != nil {
						t.Fatalf("%s: %v", method, x.Err)
					}
					if x.StrayBody() != "" {
						found++
					}
				}
			}
			want := 0
			if tc.want {
				want = rounds
			}
			if found != want {
				t.Errorf("found %d, want %d of %d", found, want, rounds)
			}
		})
	}
}
