package conformance

import (
	"net/http"
	"sync"

	"github.com/socialfeed/conform/conformance/internal/wire"
	"github.com/socialfeed/conform/conformance/model/exchange"
)

// taggedAnswers are the latest answers to the reads of a story that had an ETag. When such a read is sent again, it
// asks whether there is anything new, as a client with a cache does (RFC 9110, If-None-Match): a 304 says that the
// answer is what it was, and is judged as that. Scenarios send their reads without a condition.
type taggedAnswers struct {
	mu     sync.Mutex
	latest map[readOf]*taggedAnswer
}

// readOf is what is read, by whom.
type readOf struct {
	url, authorization string
}

type taggedAnswer struct {
	tag    string
	answer exchange.Response
}

// condition makes a read conditional if an earlier answer to it had an ETag, and returns that answer, else nil.
func (a *taggedAnswers) condition(req *http.Request) *taggedAnswer {
	if req.Method != http.MethodGet {
		return nil
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	kept := a.latest[readOf{req.URL.String(), req.Header.Get("Authorization")}]
	if kept != nil {
		req.Header.Set("If-None-Match", kept.tag)
	}
	return kept
}

// resolve returns what an answer says: a 304 to a conditional read repeats the kept answer. Others are kept if they
// have an ETag.
func (a *taggedAnswers) resolve(kept *taggedAnswer, x *wire.Exchange, answer exchange.Response) exchange.Response {
	tag := x.RespHeader.Get("ETag")
	switch {
	case kept != nil && x.Status == http.StatusNotModified:
		return exchange.Response{Status: kept.answer.Status, Body: kept.answer.Body, Evidence: x}
	case x.Method != http.MethodGet || x.Status != http.StatusOK || tag == "":
		return answer
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.latest == nil {
		a.latest = map[readOf]*taggedAnswer{}
	}
	a.latest[readOf{x.URL.String(), x.Header.Get("Authorization")}] = &taggedAnswer{tag, answer}
	return answer
}
