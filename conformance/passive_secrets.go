package conformance

import (
	"bytes"
	"fmt"
	"strings"
)

func tokenConfined(o *observation) finding {
	if !o.succeeded() || o.value == nil {
		return finding{}
	}
	withLogin := strings.EqualFold(o.url.Query().Get("withLogin"), "true")
	if o.endpoint == Login || o.endpoint == CreateUser && withLogin {
		return finding{}
	}
	problem := ""
	walk(o.value, "", func(path, key string, _ any) bool {
		if key == "session_token" {
			problem = "session_token in a response of " + firstOf(o.endpoint.String(), o.method+" "+o.url.Path)
		}
		return problem == "" && !clientsOwn(key)
	})
	return about(problem)
}

func passwordHidden(mark string) func(*observation) finding {
	return func(o *observation) finding {
		if len(o.answered) == 0 {
			return finding{}
		}
		// An error may name the field password; a resource may not have one.
		if bytes.Contains(o.answered, []byte(mark)) {
			return about(fmt.Sprintf("a password's text in a %d", o.status))
		}
		problem := ""
		if o.succeeded() {
			walk(o.value, "", func(path, key string, _ any) bool {
				if key == "password" {
					problem = "a field password in a " + fmt.Sprint(o.status)
				}
				return problem == "" && !clientsOwn(key)
			})
		}
		return about(problem)
	}
}

// noSecretEcho looks for the request's own secrets in an error's body, the tokens
// also as the Authorization header carries them.
func noSecretEcho(o *observation) finding {
	if o.status < 400 || len(o.answered) == 0 {
		return finding{}
	}
	app, session, _ := credentialsOf(o.header)
	_, carried, _ := strings.Cut(o.header.Get("Authorization"), " ")
	for _, secret := range append([]string{app, session, carried}, passwordsIn(o.body)...) {
		if len(secret) < minEcho {
			continue
		}
		unescaped, _ := undo(string(o.answered), jsonEscape)
		if bytes.Contains(o.answered, []byte(secret)) || strings.Contains(unescaped, secret) {
			return about(fmt.Sprintf("a %d that repeats a token or a password of its request", o.status))
		}
	}
	return about("")
}

// minEcho is the length in bytes from which a secret's text in a body is no chance.
const minEcho = 6

func passwordsIn(body []byte) []string {
	value, err := decodeJSON(body)
	if err != nil {
		return nil
	}
	record, _ := asRecord(value)
	password, _ := record["password"].(string)
	return []string{password}
}
