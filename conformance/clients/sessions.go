package clients

import (
	"bytes"
	"time"

	"github.com/socialfeed/conform/conformance/internal/jsonvalue"
	"github.com/socialfeed/conform/conformance/internal/wire"
	"github.com/socialfeed/conform/conformance/rules"
)

// sessions records for every session token whose it is and what ended it.
type sessions struct {
	skew   time.Duration
	tokens *bounded[digest, *session]
	users  *bounded[digest, []digest] // the session tokens of a user, by app token and id
}

// session is the life of one token.
type session struct {
	user digest    // zero if unknown
	over *Exchange // what ended it, nil while it lives
	how  string
}

func newSessions(skew time.Duration) *sessions {
	return &sessions{skew: skew, tokens: newBounded[digest, *session](maxSessions), users: newBounded[digest, []digest](maxSessions)}
}

// record records what an exchange begins or ends.
func (s *sessions) record(r *request) {
	if token := r.opened(); token != "" {
		s.open(r, token)
		return
	}
	if !r.succeeded() || r.auth.session == "" {
		return
	}
	own := digestOf(r.auth.app, r.auth.session)
	switch r.endpoint {
	case rules.Logout:
		s.end(own, r, "its logout")
	case rules.DeleteMe:
		ended := []digest{own}
		if known, ok := s.tokens.get(own); ok && known.user != (digest{}) {
			of, _ := s.users.get(known.user)
			ended = append(ended, of...)
		}
		for _, token := range ended {
			s.end(token, r, "the deletion of its user")
		}
	}
}

// open begins a session, even if its token was issued before.
func (s *sessions) open(r *request, token string) {
	record, _ := jsonvalue.AsRecord(r.answer())
	at, opened := digestOf(r.auth.app, token), &session{}
	if id := record.ID(); id != "" {
		opened.user = digestOf(r.auth.app, id)
		of, _ := s.users.get(opened.user)
		const mostOfOne = 1000
		if len(of) < mostOfOne {
			s.users.put(opened.user, append(of, at))
		}
	}
	s.tokens.put(at, opened)
}

func (s *sessions) end(token digest, r *request, how string) {
	known, ok := s.tokens.get(token)
	if !ok {
		known = &session{}
	}
	if known.over == nil {
		s.tokens.put(token, &session{user: known.user, over: r.light(), how: how})
	}
}

func (s *sessions) ends(r *request) finding {
	if r.auth.session == "" {
		return finding{}
	}
	known, ok := s.tokens.get(digestOf(r.auth.app, r.auth.session))
	if !ok || known.over == nil || !follows(known.over, r.Exchange, s.skew) || !sameProgram(known.over, r.Exchange) {
		return kept
	}
	f := violation("the session token is used after %s (request %d)", known.how, known.over.Number)
	f.before = []*Exchange{known.over}
	return f
}

// sameProgram reports whether nothing shows that two requests come from different programs or devices: one of them does
// not know what the other one ended.
func sameProgram(a, b *Exchange) bool {
	return a.Client == b.Client && userAgentOf(a) == userAgentOf(b)
}

// follows reports whether the client had the whole answer before it sent the request.
func follows(answered, sent *Exchange, skew time.Duration) bool {
	gap := sent.Start.Sub(answered.End)
	if gap < 0 {
		return false
	}
	return gap >= skew || sent.Serial && sent.Conn != "" && sent.Conn == answered.Conn
}

// light is the exchange without the parts that no report shows.
func (r *request) light() *Exchange {
	x := *r.Exchange
	x.decoded = nil
	x.Body, x.RespBody = beginning(x.Body), beginning(x.RespBody)
	x.Header, x.RespHeader = wire.BriefHeaders(x.Header, x.RespHeader)
	return &x
}

// beginning is as much of a body as reports show, without the rest in memory.
func beginning(body []byte) []byte {
	const most = 2048
	if len(body) <= most {
		return body
	}
	return bytes.Clone(body[:most])
}
