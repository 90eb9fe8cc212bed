package refserver

import (
	"bytes"
	"encoding/json"
	"net/http"
	"strconv"

	"github.com/socialfeed/conform/refserver/store"
)

// request is an admitted request.
type request struct {
	*http.Request
	app          store.App
	user         store.ID // the session's user; 0 where no session is needed
	sessionToken string
	members      map[string]json.RawMessage // the body's, of a POST or PUT
}

// asks says whether a boolean query parameter is true.
func (q *request) asks(parameter string) bool {
	value, err := strconv.ParseBool(q.URL.Query().Get(parameter))
	return err == nil && value
}

// reply is what a handler returns; a nil body is sent as none.
type reply struct {
	status int
	body   any
}

// handler serves an endpoint. Its error becomes a refusal, see Server.refusal.
type handler func(*request) (reply, error)

// noContent answers a deletion.
func noContent(err error) (reply, error) {
	return reply{status: http.StatusNoContent}, err
}

// write sends a reply. Bodies are encoded before anything is sent, so that a
// failure can still be answered.
func (s *Server) write(w http.ResponseWriter, r *http.Request, answer reply) {
	header := w.Header()
	header.Set("Cache-Control", "no-store")
	defer s.logger.Debug("request", "method", r.Method, "pattern", r.Pattern, "status", answer.status)
	if answer.body == nil {
		w.WriteHeader(answer.status)
		return
	}
	var body bytes.Buffer
	encoder := json.NewEncoder(&body)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(answer.body); err != nil {
		s.logger.Error("encoding a response", "error", err)
		s.refuse(w, r, internalError())
		return
	}
	contentType := "application/json"
	if s.choices.ContentTypeCharset {
		contentType += "; charset=utf-8"
	}
	header.Set("Content-Type", contentType)
	header.Set("Content-Length", strconv.Itoa(body.Len()))
	w.WriteHeader(answer.status)
	if _, err := w.Write(body.Bytes()); err != nil {
		s.logger.Debug("a response was not taken whole", "error", err)
	}
}

// refuse sends a refusal.
func (s *Server) refuse(w http.ResponseWriter, r *http.Request, p *problem) {
	for name, values := range p.header {
		w.Header()[name] = values
	}
	s.write(w, r, reply{p.status, p.body(s.choices.MinimalErrors)})
}
