package client

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"unicode/utf8"
)

// Status is an HTTP status as an error, for errors.Is and errors.As.
type Status int

// The statuses of the contract's Errors part.
const (
	ErrBadRequest           Status = http.StatusBadRequest
	ErrUnauthorized         Status = http.StatusUnauthorized
	ErrForbidden            Status = http.StatusForbidden
	ErrNotFound             Status = http.StatusNotFound
	ErrMethodNotAllowed     Status = http.StatusMethodNotAllowed
	ErrNotAcceptable        Status = http.StatusNotAcceptable
	ErrConflict             Status = http.StatusConflict
	ErrUnsupportedMediaType Status = http.StatusUnsupportedMediaType
	ErrUnprocessable        Status = http.StatusUnprocessableEntity
	ErrTooManyRequests      Status = http.StatusTooManyRequests
	ErrInternal             Status = http.StatusInternalServerError
	ErrUnavailable          Status = http.StatusServiceUnavailable
	ErrGatewayTimeout       Status = http.StatusGatewayTimeout
)

// Error is the status with its text, such as "404 Not Found".
func (s Status) Error() string {
	return strings.TrimSpace(fmt.Sprintf("%d %s", int(s), http.StatusText(int(s))))
}

// Error is an answer whose status is not a success.
type Error struct {
	Method string
	Path   string // without the base URL and the query
	Status int
	Header http.Header `json:"-"` // of the response
	// Body is the response's, JSON or not, up to 64 KiB. It is as the service
	// sent it, and may repeat secrets: Error and Message do not.
	Body []byte `json:"-"`
	// Message holds the messages of the body, if it has the shape
	// {"errors":[{"code":…,"message":…}]}, with secrets replaced.
	Message string

	text string // what Error prints of the body
}

func newError(call *call, resp *http.Response, body []byte) *Error {
	secrets := call.tokens.redactor(call.body)
	e := &Error{Method: call.Method, Path: call.Path, Status: resp.StatusCode, Header: resp.Header, Body: body}
	e.Message = secrets.Replace(messageOf(body))
	e.text = e.Message
	if e.text == "" {
		e.text = secrets.Replace(strings.TrimSpace(string(body)))
	}
	return e
}

// Error is short and holds no secret of the call.
func (e *Error) Error() string {
	text := fmt.Sprintf("%s %s: %s", e.Method, e.Path, Status(e.Status).Error())
	if e.text == "" || e.text == "{}" {
		return text
	}
	return fmt.Sprintf("%s: %q", text, cut(e.text))
}

// Unwrap is the Status, so that errors.Is(err, ErrNotFound) works.
func (e *Error) Unwrap() error { return Status(e.Status) }

// GoString keeps Body out of %#v.
func (e *Error) GoString() string { return fmt.Sprintf("&client.Error{%q}", e.Error()) }

// DecodeError is a success whose body is not what the contract promises.
type DecodeError struct {
	Method string
	Path   string // without the base URL and the query
	Status int
	// Body is as the service sent it. After a login it may hold a session
	// token; Error does not show it.
	Body []byte `json:"-"`
	Err  error
}

func (e *DecodeError) Error() string {
	return fmt.Sprintf("%s %s: %s with a body that is not as promised: %v", e.Method, e.Path, Status(e.Status).Error(), e.Err)
}

// Unwrap is the error in the body.
func (e *DecodeError) Unwrap() error { return e.Err }

// GoString keeps Body out of %#v.
func (e *DecodeError) GoString() string { return fmt.Sprintf("&client.DecodeError{%q}", e.Error()) }

// messageOf is empty where the body has another shape.
func messageOf(body []byte) string {
	var shape struct {
		Errors []struct {
			Message string `json:"message"`
		} `json:"errors"`
	}
	if json.Unmarshal(body, &shape) != nil {
		return ""
	}
	var messages []string
	for _, e := range shape.Errors {
		if e.Message != "" {
			messages = append(messages, e.Message)
		}
	}
	return strings.Join(messages, "; ")
}

// cut shortens text to what fits on a line or two, between characters.
func cut(text string) string {
	const most = 200
	if len(text) <= most {
		return text
	}
	end := most
	for end > 0 && !utf8.RuneStart(text[end]) {
		end--
	}
	return text[:end] + "…"
}
