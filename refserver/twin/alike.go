package twin

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"reflect"
	"slices"
)

// alike reports whether a client could tell the answers apart. It learns which session tokens stand
// for each other, and puts the client's into the sound answer.
func (p *Pair) alike(d *Difference) bool {
	given, own := opened(d.Got.Body), opened(d.Sound.Body)
	if given != "" && own != "" {
		p.tokens[given] = own
		d.Sound.Body = bytes.ReplaceAll(d.Sound.Body, []byte(own), []byte(given))
	}
	return d.Got.Status == d.Sound.Status && sameHeaders(d.Got.Header, d.Sound.Header) && sameBodies(d.Got.Body, d.Sound.Body)
}

// opened is the token of the session that an answer opens.
func opened(body []byte) string {
	var answer struct {
		SessionToken string `json:"session_token"`
	}
	if !bytes.Contains(body, []byte("session_token")) || json.Unmarshal(body, &answer) != nil {
		return ""
	}
	return answer.SessionToken
}

// sameHeaders compares the headers that the contract's answers are read by. Of any other, a new one
// counts: a fault that answers in the server's place leaves some out, and no client misses them.
func sameHeaders(got, sound http.Header) bool {
	for name := range got {
		if sound[name] == nil && len(got[name]) > 0 && name != "Date" && name != "Content-Length" {
			return false
		}
	}
	for name := range sound {
		if read(name) && !slices.Equal(got[name], sound[name]) {
			return false
		}
	}
	return true
}

// read reports whether clients act by a header.
func read(name string) bool {
	switch name {
	case "Content-Type", "Content-Encoding", "Location", "Retry-After", "Allow", "Www-Authenticate", "Access-Control-Allow-Origin":
		return true
	}
	return false
}

// sameBodies compares JSON by its values: the order of keys says nothing.
func sameBodies(a, b []byte) bool {
	if bytes.Equal(a, b) {
		return true
	}
	left, ok := decode(a)
	if !ok {
		return false
	}
	right, ok := decode(b)
	return ok && reflect.DeepEqual(left, right)
}

func decode(body []byte) (value any, ok bool) {
	decoder := json.NewDecoder(bytes.NewReader(body))
	decoder.UseNumber()
	if decoder.Decode(&value) != nil {
		return nil, false
	}
	_, err := decoder.Token()
	return value, err == io.EOF
}
