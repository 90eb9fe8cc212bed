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
	data, err := readWhole(http.MaxBytesReader(w, q.Body, s.maxBodyBytes), q.ContentLength)
	if tooLarge := (*http.MaxBytesError)(nil); errors.As(err, &tooLarge) {
		return &problem{status: http.StatusRequestEntityTooLarge, code: codeBodyTooLarge, message: "the body is too large"}
	}
	if err != nil {
		return &problem{status: http.StatusBadRequest, code: codeMalformedBody, message: "the body could not be read"}
	}
	q.members, err = decodeObject(data, s.choices.NonObjectStatus)
	return err
}

// readWhole is io.ReadAll with a first buffer of the announced length, if that is small.
func readWhole(r io.Reader, announced int64) ([]byte, error) {
	const little = 4 << 10
	if announced <= 0 || announced > little {
		return io.ReadAll(r)
	}
	data := make([]byte, 0, announced+1) // one byte more, so that io.EOF arrives without a larger buffer
	for {
		n, err := r.Read(data[len(data):cap(data)])
		data = data[:len(data)+n]
		if err == io.EOF {
			return data, nil
		}
		if err != nil {
			return data, err
		}
		if len(data) == cap(data) {
			rest, err := io.ReadAll(r)
			return append(data, rest...), err
		}
	}
}

// decodeObject takes one JSON object in valid UTF-8 and nothing after it. Of
// duplicated members the last counts; an unpaired surrogate in an escape becomes U+FFFD.
// The members share the memory of the data.
func decodeObject(data []byte, nonObjectStatus int) (map[string]json.RawMessage, error) {
	if !utf8.Valid(data) || !json.Valid(data) {
		return nil, &problem{status: http.StatusBadRequest, code: codeMalformedBody, message: "the body is not valid JSON in UTF-8"}
	}
	members, err := split(data)
	if err != nil {
		return nil, &problem{status: nonObjectStatus, code: codeNotAnObject, message: "the body must be a JSON object"}
	}
	return members, nil
}

// errNotAnObject reports a text that is not a JSON object.
var errNotAnObject = errors.New("this is not a JSON object")

// split returns the members of an object, which share the memory of the valid JSON text.
func split(valid []byte) (map[string]json.RawMessage, error) {
	i := skipBlanks(valid, 0)
	if valid[i] != '{' {
		return nil, errNotAnObject
	}
	members := make(map[string]json.RawMessage)
	for i = skipBlanks(valid, i+1); valid[i] != '}'; i = skipBlanks(valid, i) {
		if valid[i] == ',' {
			i = skipBlanks(valid, i+1)
		}
		end := valueEnd(valid, i)
		name, plain := plainText(valid[i:end])
		if !plain {
			if err := json.Unmarshal(valid[i:end], &name); err != nil {
				return nil, err
			}
		}
		i = skipBlanks(valid, skipBlanks(valid, end)+1) // the colon
		end = valueEnd(valid, i)
		members[name] = valid[i:end:end]
		i = end
	}
	return members, nil
}

// skipBlanks returns the position of the next byte that is not a blank.
func skipBlanks(json []byte, i int) int {
	for i < len(json) && (json[i] == ' ' || json[i] == '\t' || json[i] == '\r' || json[i] == '\n') {
		i++
	}
	return i
}

// valueEnd is where a value of valid JSON ends that begins at i.
func valueEnd(json []byte, i int) int {
	depth := 0
	for ; i < len(json); i++ {
		switch json[i] {
		case '"':
			for i++; json[i] != '"'; i++ {
				if json[i] == '\\' {
					i++
				}
			}
		case '{', '[':
			depth++
			continue
		case '}', ']':
			if depth--; depth < 0 {
				return i
			}
		case ',', ' ', '\t', '\r', '\n', ':':
			if depth == 0 {
				return i
			}
			continue
		default:
			continue
		}
		if depth == 0 {
			return i + 1
		}
	}
	return i
}
