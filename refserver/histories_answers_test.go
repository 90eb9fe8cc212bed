package refserver_test

import (
	"encoding/json"
	"net/http/httptest"
	"strings"
)

// resource is any resource of the contract, as far as the model compares it.
type resource struct {
	ID           json.RawMessage `json:"id"`
	UserName     string          `json:"user_name"`
	FirstName    string          `json:"first_name"`
	LastLogin    string          `json:"last_login"`
	SessionToken string          `json:"session_token"`
	UserID       json.RawMessage `json:"user_id"`
	Verb         string          `json:"verb"`
}

func (x resource) id() string { return strings.Trim(string(x.ID), `"`) }

func (x resource) describe() string {
	if x.Verb != "" {
		return describeEvent(x.id(), string(x.UserID), x.Verb)
	}
	return describeUser(x.id(), x.UserName, x.FirstName, !strings.HasPrefix(x.LastLogin, "0000"))
}

// decodeAnswer reads an answer; one that is no JSON has no status that the model allows.
func decodeAnswer(endpoint int, recorder *httptest.ResponseRecorder) got {
	out := got{status: recorder.Code}
	text := recorder.Body.Bytes()
	if recorder.Code >= 300 || len(text) == 0 || endpoint == 22 {
		return out
	}
	var list []resource
	if text[0] != '[' {
		text = []byte("[" + string(text) + "]")
	}
	if err := json.Unmarshal(text, &list); err != nil {
		return got{}
	}
	if len(list) == 1 {
		out.id, out.token = list[0].id(), list[0].SessionToken
	}
	for _, x := range list {
		if x.UserName != "" || x.Verb != "" {
			out.items = append(out.items, x.describe())
		}
	}
	return out
}
