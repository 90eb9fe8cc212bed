package refserver

import (
	"encoding/json"
	"log/slog"
	"maps"
	"net/http"
	"strconv"

	"github.com/socialfeed/conform/refserver/store"
)

// request is an admitted request.
type request struct {
	*http.Request
	app          store.App
	user         store.ID    // the session's user; 0 if the endpoint needs no session
	self         *store.User // the same, as of the latest check of its session; nil if a wrapper is set
	sessionToken string
	mark         store.Mark                 // of the store, before the check of the session
	members      map[string]json.RawMessage // the body's, of a POST or PUT
}

// asks reports whether a boolean query parameter is true.
func (q *request) asks(parameter string) bool {
	if q.URL.RawQuery == "" {
		return false
	}
	value, err := strconv.ParseBool(q.URL.Query().Get(parameter))
	return err == nil && value
}

// reply is the result of a handler: a status and a body. The body is nil for none, a text
// that is JSON already, a list, or a value to encode.
type reply struct {
	status int
	body   any
}

// text is JSON.
type text []byte

// handler serves an endpoint. Its error becomes a refusal, see Server.refusal.
type handler func(*request) (reply, error)

// noContent answers a deletion.
func noContent(err error) (reply, error) {
	return reply{status: http.StatusNoContent}, err
}

// write sends a reply. Bodies are encoded before anything is sent, so that a
// failure can still be answered; only lists are sent as they are encoded.
func (s *Server) write(w http.ResponseWriter, r *http.Request, answer reply) {
	if s.logger.Enabled(r.Context(), slog.LevelDebug) {
		defer s.logger.Debug("request", "method", r.Method, "pattern", r.Pattern, "status", answer.status)
	}
	header := w.Header()
	header["Cache-Control"] = s.cacheControl
	if answer.body == nil {
		w.WriteHeader(answer.status)
		return
	}
	out := s.outputs.lend(w, answer.status)
	defer s.outputs.takeBack(out)
	switch body := answer.body.(type) {
	case text:
		out.Write(body)
	case list:
		header["Content-Type"] = s.contentType // before the first part is sent
		body.writeTo(out)
	default:
		encoder := json.NewEncoder(&out.held)
		encoder.SetEscapeHTML(false)
		if err := encoder.Encode(body); err != nil {
			s.logger.Error("encoding a response", "error", err)
			s.refuse(w, r, internalError())
			return
		}
		out.held.Truncate(out.held.Len() - 1) // the line feed, which finish writes
	}
	header["Content-Type"] = s.contentType
	if err := out.finish(); err != nil {
		s.logger.Debug("a client did not read a whole response", "error", err)
	}
}

func contentType(c Choices) string {
	if c.ContentTypeCharset {
		return mediaType + "; charset=utf-8"
	}
	return mediaType
}

// refuse sends a refusal.
func (s *Server) refuse(w http.ResponseWriter, r *http.Request, p *problem) {
	traceOf(r.Context()).refused(p)
	maps.Copy(w.Header(), p.header)
	s.write(w, r, reply{p.status, p.body(s.choices.MinimalErrors)})
}
