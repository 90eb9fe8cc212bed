package passive

import (
	"bytes"
	"cmp"
	"fmt"
	"regexp"
	"strings"

	"github.com/socialfeed/conform/conformance/internal/jsonvalue"
	"github.com/socialfeed/conform/conformance/internal/wire"
	"github.com/socialfeed/conform/conformance/rules"
	"github.com/socialfeed/conform/internal/redact"
)

func tokenConfined(o *decodedExchange) finding {
	if !o.succeeded() || o.value == nil {
		return finding{}
	}
	withLogin := strings.EqualFold(o.URL.Query().Get("withLogin"), "true")
	if o.Endpoint == rules.Login || o.Endpoint == rules.CreateUser && withLogin {
		return finding{}
	}
	problem := ""
	walk(o.value, "", func(path, key string, _ any) bool {
		if key == "session_token" {
			problem = "session_token in a response of " + cmp.Or(o.Endpoint.String(), o.Method+" "+o.URL.Path)
		}
		return problem == "" && !clientsOwn(key)
	})
	return about(problem)
}

func passwordHidden(mark string) func(*decodedExchange) finding {
	return func(o *decodedExchange) finding {
		if len(o.RespBody) == 0 {
			return finding{}
		}
		// An error may name the field password; a resource may not have one. An error that
		// repeats the password of its request is for errors.no-secret-echo.
		if bytes.Contains(o.RespBody, []byte(mark)) && noSecretEcho(o).problem == "" {
			return about(fmt.Sprintf("a password's text in a %d", o.Status))
		}
		problem := ""
		if o.succeeded() {
			walk(o.value, "", func(path, key string, _ any) bool {
				if key == "password" {
					problem = "a field password in a " + fmt.Sprint(o.Status)
				}
				return problem == "" && !clientsOwn(key)
			})
		}
		return about(problem)
	}
}

// word is what may be one of a language.
var word = regexp.MustCompile(`^[A-Za-z]?[a-z]{0,15}$|^[A-Z]{0,16}$`)

// noSecretEcho looks for the request's own secrets in an error's body, the tokens also as the
// Authorization header carries them. An app token that is an ordinary word may occur in an error
// that does not repeat it.
func noSecretEcho(o *decodedExchange) finding {
	if o.Status < 400 || len(o.RespBody) == 0 {
		return finding{}
	}
	app, session, _ := wire.CredentialsOf(o.Header)
	_, carried, _ := strings.Cut(o.Header.Get("Authorization"), " ")
	unescaped, _ := redact.Unescape(string(o.RespBody), redact.JSONEscape)
	sent, _ := o.Sent()
	record, _ := jsonvalue.AsRecord(sent)
	password, _ := record["password"].(string)
	for _, secret := range []string{app, session, carried, password} {
		if len(secret) < wire.MinSecretEcho || secret == app && word.MatchString(app) {
			continue
		}
		if bytes.Contains(o.RespBody, []byte(secret)) || strings.Contains(unescaped, secret) {
			return about(fmt.Sprintf("a %d that repeats a token or a password of its request", o.Status))
		}
	}
	return about("")
}
