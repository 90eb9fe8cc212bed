package refserver

import (
	"errors"
	"fmt"
	"net/http"

	"github.com/socialfeed/conform/refserver/store"
)

// The codes of errors, stable for clients to compare.
const (
	codePlainHTTP       = 1001
	codeUserAgent       = 1002
	codeUnknownPath     = 1003
	codeMethod          = 1004
	codeDisabledVersion = 1005
	codeCredentials     = 1006
	codeAccept          = 1007
	codeContentType     = 1008
	codeBodyTooLarge    = 1009
	codeMalformedBody   = 1010
	codeNotAnObject     = 1011
	codeRateLimit       = 1012
	codeMissing         = 2001
	codeWrongType       = 2002
	codeTooLong         = 2003
	codeUnknownField    = 2004
	codeServerField     = 2005
	codeSelf            = 2006
	codeQuery           = 2007
	codeFormer          = 2008
	codeForbidden       = 3001
	codeNotFound        = 3002
	codeConflict        = 3003
	codeInternal        = 5001
	codeMemory          = 5003
	codeKept            = 5004
)

// problem is a refusal: a status and an error message description, as the contract's part
// Errors calls them. Messages name fields, never their values.
type problem struct {
	status  int
	code    int
	message string
	header  http.Header // headers that belong to the status, such as Allow; may be nil
}

func (p *problem) Error() string { return p.message }

// with adds a header to the refusal.
func (p *problem) with(name, value string) *problem {
	if p.header == nil {
		p.header = http.Header{}
	}
	p.header.Set(name, value)
	return p
}

type errorBody struct {
	Errors []errorEntry `json:"errors"`
}

type errorEntry struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
}

// body is {} for a 400 (endpoint rule 6), and a code and a message otherwise.
func (p *problem) body(minimal bool) any {
	if minimal || p.status == http.StatusBadRequest {
		return struct{}{}
	}
	return errorBody{Errors: []errorEntry{{p.code, p.message}}}
}

func badCredentials(message string) *problem {
	p := &problem{status: http.StatusUnauthorized, code: codeCredentials, message: message}
	return p.with("WWW-Authenticate", `Basic realm="social activity feed", charset="UTF-8"`)
}

func wrongType(field, want string) *problem {
	return &problem{status: http.StatusUnprocessableEntity, code: codeWrongType, message: fmt.Sprintf("%s must be %s", field, want)}
}

func unknownPath() *problem {
	return &problem{status: http.StatusNotFound, code: codeUnknownPath, message: "there is nothing at this path"}
}

func notFound(what string) *problem {
	return &problem{status: http.StatusNotFound, code: codeNotFound, message: what + " not found"}
}

func internalError() *problem {
	return &problem{status: http.StatusInternalServerError, code: codeInternal, message: "internal server error"}
}

// refusal turns a handler's error into a problem. It alone maps the store's errors to
// statuses.
func (s *Server) refusal(err error) *problem {
	var p *problem
	switch {
	case errors.As(err, &p):
		return p
	case errors.Is(err, store.ErrNotFound):
		return &problem{status: http.StatusNotFound, code: codeNotFound, message: err.Error()}
	case errors.Is(err, store.ErrConflict):
		return &problem{status: http.StatusConflict, code: codeConflict, message: err.Error()}
	case errors.Is(err, store.ErrForbidden):
		return &problem{status: s.choices.OthersEventStatus, code: codeForbidden, message: err.Error()}
	case errors.Is(err, store.ErrStale):
		return badCredentials(err.Error())
	}
	s.logger.Error("request failed", "error", err)
	return internalError()
}
