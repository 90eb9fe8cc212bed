package openapi

import (
	"encoding/json"
	"fmt"
	"strings"
)

// HTTPFile writes the tour as a .http file, as httpYac and the HTTP client of JetBrains run them. The app token is a
// variable; the user sets it.
func HTTPFile(operations []Operation, baseURL string) string {
	var b strings.Builder
	b.WriteString("# A tour of the service with two users, which it makes and deletes. Set app_token outside the file:\n" +
		"#   httpyac send service.http --all --var app_token=\"$REFSERVER_APP_TOKEN\"\n" +
		"# Set NODE_EXTRA_CA_CERTS to trust the service's authority.\n")
	fmt.Fprintf(&b, "@base_url = %s\n", baseURL)
	for i, s := range tour() {
		op := operationOf(operations, s)
		fmt.Fprintf(&b, "\n### %d. %s\n# @no-redirect\n%s {{base_url}}%s\n", i+1, op.Summary, op.Method, s.pathOf(op))
		fmt.Fprintf(&b, "Authorization: Basic {{app_token}}:%s\nAccept: application/json\nUser-Agent: http-file/1.0\n", s.session())
		if s.body != "" {
			fmt.Fprintf(&b, "Content-Type: application/json\n\n%s\n", strings.ReplaceAll(s.body, random, "{{$random.uuid}}"))
		}
		b.WriteString("\n> {%\n")
		for _, line := range httpScript(s) {
			b.WriteString(line + "\n")
		}
		b.WriteString("%}\n")
	}
	return b.String()
}

// httpScript is the script of a .http file for an answer.
func httpScript(s step) []string {
	script := []string{
		"const body = response.body;",
		"const kept = (name) => String(client.global.get(name));",
		fmt.Sprintf(`client.test("status %[1]d", () => client.assert(response.status === %[1]d, "status " + response.status));`, s.status),
	}
	for _, claim := range s.holds {
		script = append(script, fmt.Sprintf("client.test(%s, () => client.assert(%s, %[1]s));", quoted(claim.says), claim.expression))
	}
	return append(script, keeping(s.keeps, "client.global.set(")...)
}

type object = map[string]any

// Postman writes the tour as a Postman collection, version 2.1. The app token is a variable; the user sets it.
func Postman(operations []Operation, baseURL string) []byte {
	var folders []any
	var chapter string
	var items []any
	flush := func() {
		if len(items) > 0 {
			folders = append(folders, object{"name": chapter, "item": items})
		}
		items = nil
	}
	for i, s := range tour() {
		if s.chapter != chapter {
			flush()
			chapter = s.chapter
		}
		items = append(items, postmanItem(i+1, operationOf(operations, s), s))
	}
	flush()
	return encoded(object{
		"info": object{
			"name":        "Social Activity Feed Service 0.2",
			"description": "A tour of the service with two users, which it makes and deletes. Run the whole collection, with the variable app_token set.",
			"schema":      "https://schema.getpostman.com/json/collection/v2.1.0/collection.json",
		},
		"item":     folders,
		"variable": []any{object{"key": "base_url", "value": baseURL}},
	})
}

func postmanItem(number int, op Operation, s step) object {
	headers := []any{object{"key": "Accept", "value": "application/json"}}
	request := object{"method": op.Method, "url": "{{base_url}}" + s.pathOf(op), "auth": basic(s.session())}
	if s.body != "" {
		headers = append(headers, object{"key": "Content-Type", "value": "application/json"})
		request["body"] = object{"mode": "raw", "raw": strings.ReplaceAll(s.body, random, "{{$guid}}")}
	}
	request["header"] = headers
	return object{
		"name": fmt.Sprintf("%d. %s", number, op.Summary), "request": request,
		"protocolProfileBehavior": object{"followRedirects": false},
		"event":                   []any{object{"listen": "test", "script": object{"type": "text/javascript", "exec": postmanScript(s)}}},
	}
}

// postmanScript is the script of a Postman collection for an answer.
func postmanScript(s step) []string {
	script := []string{
		"const body = pm.response.text() ? pm.response.json() : {};",
		"const kept = (name) => String(pm.collectionVariables.get(name));",
		fmt.Sprintf(`pm.test("status %[1]d", () => pm.response.to.have.status(%[1]d));`, s.status),
	}
	for _, claim := range s.holds {
		script = append(script, fmt.Sprintf("pm.test(%s, () => pm.expect(%s).to.equal(true));", quoted(claim.says), claim.expression))
	}
	return append(script, keeping(s.keeps, "pm.collectionVariables.set(")...)
}

// keeping is the part of a script that keeps fields of the answer in variables. Text with braces would be taken for
// variables in the next request: only what is harmless is kept.
func keeping(all []kept, call string) []string {
	if len(all) == 0 {
		return nil
	}
	script := []string{"const harmless = (text) => /^[A-Za-z0-9._~+\\/=:-]{1,1000}$/.test(text);"}
	for _, k := range all {
		script = append(script, fmt.Sprintf(`if (harmless(String(body.%[1]s))) %[3]s"%[2]s", String(body.%[1]s));`, k.field, k.variable, call))
	}
	return script
}

// session is the password half of a step's credentials.
func (s step) session() string {
	if s.as == nobody {
		return ""
	}
	return "{{" + s.as.variable("session") + "}}"
}

func (s step) pathOf(op Operation) string {
	if s.path != "" {
		return s.path
	}
	return op.Path
}

// operationOf is the operation of a step, which the tests have seen to be there.
func operationOf(operations []Operation, s step) Operation {
	for _, op := range operations {
		if op.ID == s.operation {
			return op
		}
	}
	return Operation{}
}

func quoted(text string) string {
	literal, err := json.Marshal(text)
	must(err)
	return string(literal)
}

func basic(password string) object {
	return object{"type": "basic", "basic": []any{
		object{"key": "username", "value": "{{app_token}}", "type": "string"},
		object{"key": "password", "value": password, "type": "string"},
	}}
}
