package wire

import (
	"bytes"
	"net/http"
	"sync"

	"github.com/socialfeed/conform/conformance/internal/jsonvalue"
	"github.com/socialfeed/conform/conformance/rules"
)

// strayBodies records which endpoints send a body with a 204. Its bytes would corrupt the next
// response on the connection, so a DELETE gets a connection of its own: always at these
// endpoints, at the others until a few responses were clean.
type strayBodies struct {
	mu    sync.Mutex
	clean map[rules.Endpoint]int
	stray map[rules.Endpoint]bool
}

// enoughClean is how many clean answers an endpoint is trusted from.
const enoughClean = 2

// suspect reports whether a request to the endpoint should be the last on its connection.
func (s *strayBodies) suspect(e rules.Endpoint) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.stray[e] || s.clean[e] < enoughClean
}

// record remembers how an exchange ended.
func (s *strayBodies) record(x *Exchange) {
	if x.Method != http.MethodDelete || x.Status != http.StatusNoContent || x.Stray == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.clean == nil {
		s.clean, s.stray = map[rules.Endpoint]int{}, map[rules.Endpoint]bool{}
	}
	if len(x.Stray.afterHeaders()) > 0 {
		s.stray[x.Endpoint] = true
	}
	s.clean[x.Endpoint]++
}

// StrayBody is what a target sent as the body of a 204, where HTTP has none.
func (x *Exchange) StrayBody() string {
	if x.Status != http.StatusNoContent {
		return ""
	}
	if length := x.RespHeader.Get("Content-Length"); length != "" && length != "0" {
		return "Content-Length: " + length
	}
	if sent := bytes.TrimSpace(x.RespBody); len(sent) > 0 { // HTTP/2 keeps it apart from the next response
		return jsonvalue.Cut(string(sent), 80)
	}
	if x.Stray != nil {
		if behind := bytes.TrimSpace(x.Stray.afterHeaders()); len(behind) > 0 && !bytes.Equal(behind, []byte("0")) {
			return jsonvalue.Cut(string(behind), 80)
		}
	}
	return ""
}
