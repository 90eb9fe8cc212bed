package refserver

import (
	"context"
	"net/http"

	"github.com/socialfeed/conform/refserver/store"
)

// Keeper saves the server's data, for example in a file.
type Keeper interface {
	store.Keeper

	// Failing is why nothing can be kept at present; nil: all is well.
	Failing() error
	// Settle waits until earlier writes may be answered.
	Settle(context.Context) error
	// Flush waits until earlier writes are saved.
	Flush(context.Context) error
}

// KeepIn gives the keeper every change from now on; if whole is set, it first gives it all data.
// It must not be called while requests are served.
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

// settle waits until the answer to a write may be sent.
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
	p := &problem{status: http.StatusServiceUnavailable, code: codeKept, message: "writes cannot be saved at present; reads are still served"}
	return p.with("Retry-After", "5")
}
