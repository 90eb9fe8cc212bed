package openapi

import (
	"fmt"
	"strings"
)

// HTTPFile writes every operation as a request of a .http file, as editors run
// them. Tokens are variables for the reader to fill in.
func HTTPFile(operations []Operation, baseURL string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "@base_url = %s\n@app_token = \n@session_token = \n@user_id = \n@event_id = \n", baseURL)
	for _, op := range operations {
		fmt.Fprintf(&b, "\n### %d. %s\n# @name %s\n%s {{base_url}}%s\n", op.Number, op.Summary, op.ID, op.Method, variables(op))
		switch op.Needs {
		case AppToken:
			b.WriteString("Authorization: Basic {{app_token}}:\n")
		case BothTokens:
			b.WriteString("Authorization: Basic {{app_token}}:{{session_token}}\n")
		}
		b.WriteString("Accept: application/json\nUser-Agent: http-file/1.0\n")
		if op.Body != "" {
			fmt.Fprintf(&b, "Content-Type: application/json\n\n%s\n", op.Body)
		}
	}
	return b.String()
}

// variables is the path with its parameters as variables of the collection.
func variables(op Operation) string {
	path := strings.NewReplacer("{UserID}", "{{user_id}}", "{EventID}", "{{event_id}}").Replace(op.Path)
	switch op.ID {
	case "createUser":
		return path + "?withLogin=true"
	case "searchUsers":
		return path + "?q=ada"
	}
	return path
}

type object = map[string]any

// Postman writes the operations as a Postman collection, version 2.1. The session
// token of a create or login is kept in a variable by the collection itself.
func Postman(operations []Operation, baseURL string) []byte {
	folders := make(map[string][]any)
	var parts []string
	for _, op := range operations {
		if _, known := folders[op.Part]; !known {
			parts = append(parts, op.Part)
		}
		folders[op.Part] = append(folders[op.Part], postmanItem(op))
	}
	items := make([]any, 0, len(parts))
	for _, part := range parts {
		items = append(items, object{"name": part, "item": folders[part]})
	}
	variable := []any{object{"key": "base_url", "value": baseURL}}
	for _, name := range []string{"app_token", "session_token", "user_id", "event_id"} {
		variable = append(variable, object{"key": name, "value": ""})
	}
	return encoded(object{
		"info": object{
			"name":   "Social Activity Feed Service 0.2",
			"schema": "https://schema.getpostman.com/json/collection/v2.1.0/collection.json",
		},
		"item": items, "variable": variable,
	})
}

func postmanItem(op Operation) object {
	request := object{
		"method": op.Method,
		"url":    "{{base_url}}" + variables(op),
		"header": []any{object{"key": "Accept", "value": "application/json"}},
	}
	switch op.Needs {
	case AppToken:
		request["auth"] = basic("")
	case BothTokens:
		request["auth"] = basic("{{session_token}}")
	}
	if op.Body != "" {
		request["header"] = append(request["header"].([]any), object{"key": "Content-Type", "value": "application/json"})
		request["body"] = object{"mode": "raw", "raw": op.Body}
	}
	item := object{"name": fmt.Sprintf("%d. %s", op.Number, op.Summary), "request": request}
	if op.ID == "createUser" || op.ID == "logIn" {
		item["event"] = []any{object{"listen": "test", "script": object{"type": "text/javascript", "exec": []string{
			"const answer = pm.response.json();",
			"const harmless = (text) => /^[A-Za-z0-9._~+\\/=:-]{1,1000}$/.test(text); // braces in it would be a variable's",
			"if (harmless(String(answer.session_token))) pm.collectionVariables.set('session_token', String(answer.session_token));",
			"if (harmless(String(answer.id))) pm.collectionVariables.set('user_id', String(answer.id));",
		}}}}
	}
	return item
}

func basic(password string) object {
	return object{"type": "basic", "basic": []any{
		object{"key": "username", "value": "{{app_token}}", "type": "string"},
		object{"key": "password", "value": password, "type": "string"},
	}}
}
