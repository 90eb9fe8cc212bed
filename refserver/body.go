package refserver

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"unicode/utf8"
)

// readBody reads the JSON object in the body of a POST or PUT. The endpoint checks its
// members.
func (s *Server) readBody(w http.ResponseWriter, q *request) error {
	if !takesBody(q.Method) {
		return nil
	}
	data, err := io.ReadAll(http.MaxBytesReader(w, q.Body, s.maxBodyBytes))
	if tooLarge := (*http.MaxBytesError)(nil); errors.As(err, &tooLarge) {
		return &problem{status: http.StatusRequestEntityTooLarge, code: codeBodyTooLarge, message: "the body is too large"}
	}
	if err != nil {
		return &problem{status: http.StatusBadRequest, code: codeMalformedBody, message: "the body could not be read"}
	}
	q.members, err = decodeObject(data, s.choices.NonObjectStatus)
	return err
}

// decodeObject takes one JSON object in valid UTF-8 and nothing after it. Of
// duplicated members the last counts; an unpaired surrogate in an escape becomes U+FFFD.
func decodeObject(data []byte, nonObjectStatus int) (map[string]json.RawMessage, error) {
	malformed := &problem{status: http.StatusBadRequest, code: codeMalformedBody, message: "the body is not valid JSON in UTF-8"}
	if !utf8.Valid(data) {
		return nil, malformed
	}
	var members map[string]json.RawMessage
	err := json.Unmarshal(data, &members)
	if otherType := (*json.UnmarshalTypeError)(nil); errors.As(err, &otherType) || err == nil && members == nil {
		return nil, &problem{status: nonObjectStatus, code: codeNotAnObject, message: "the body must be a JSON object"}
	}
	if err != nil {
		return nil, malformed
	}
	return members, nil
}
