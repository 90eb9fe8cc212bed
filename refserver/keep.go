package refserver

import (
	"context"
	"net/http"

	"github.com/socialfeed/conform/refserver/store"
)

// Keeper keeps what the server holds, such as in a file.
type Keeper interface {
	store.Keeper

	// Failing is why nothing can be kept at present; nil: all is well.
	Failing() error
	// Settle waits until what was written before may be answered.
	Settle(context.Context) error
	// Flush waits until what was written before is kept.
	Flush(context.Context) error
}

// KeepIn gives the keeper what each request changes from now on, and everything first where whole
// is set. It must not be called while requests are served.
func (s *Server) KeepIn(k Keeper, whole bool) {
	s.keeper = k
	s.memory.KeepIn(k, whole)
}

// checkKeeper refuses writes while they cannot be kept.
func (s *Server) checkKeeper(_ http.ResponseWriter, q *request) error {
	if s.keeper == nil || q.Method == http.MethodGet {
		return nil
	}
	return cannotKeep(s.keeper.Failing())
}

// settle waits until what a request wrote may be answered.
func (s *Server) settle(q *request) error {
	if s.keeper == nil || q.Method == http.MethodGet {
		return nil
	}
	return cannotKeep(s.keeper.Settle(q.Context()))
}

func cannotKeep(err error) error {
	if err == nil {
		return nil
	}
	p := &problem{status: http.StatusServiceUnavailable, code: codeKept, message: "what is written cannot be kept at present; reading goes on"}
	return p.with("Retry-After", "5")
}
