package main

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	markup "html"
	"io"
	"strconv"
	"strings"
)

// talk is one request and its answer as they go over the wire.
type talk struct {
	method, target string
	header         []string // of the request, "Name: value"
	body           string
	trailer        []string
	chunked        bool
	status         string
	respHeader     []string
	respBody       string
	respTrailer    []string
}

// secretPlace is a place where a secret can stand. Of one that says by its name that it holds a secret
// nothing else is seen; elsewhere the secret is one that a login issues, before or after.
type secretPlace struct {
	name  string
	named bool
	at    string // what it takes as its endpoint, so that two of one kind are not in one session; "" for any
	put   func(x *talk, secret string)
}

func requestHeader(format string) func(*talk, string) {
	return func(x *talk, s string) { x.header = append(x.header, fmt.Sprintf(format, s)) }
}

func requestBody(mediaType, format string) func(*talk, string) {
	return func(x *talk, s string) {
		x.header, x.body = append(x.header, "Content-Type: "+mediaType), strings.ReplaceAll(format, "%s", s)
	}
}

func requestJSON(format string) func(*talk, string) { return requestBody("application/json", format) }

func answerHeader(format string) func(*talk, string) {
	return func(x *talk, s string) { x.respHeader = append(x.respHeader, fmt.Sprintf(format, s)) }
}

func answerBody(mediaType, format string) func(*talk, string) {
	return func(x *talk, s string) {
		x.respHeader, x.respBody = []string{"Content-Type: " + mediaType}, strings.ReplaceAll(format, "%s", s)
	}
}

func answerJSON(format string) func(*talk, string) { return answerBody("application/json", format) }

// as has a place hold another spelling of its secret.
func as(spelling func(string) string, put func(*talk, string)) func(*talk, string) {
	return func(x *talk, s string) { put(x, spelling(s)) }
}

func targeted(method, format string) func(*talk, string) {
	return func(x *talk, s string) { x.method, x.target = method, strings.ReplaceAll(format, "%s", s) }
}

func query(format string) func(*talk, string) {
	return func(x *talk, s string) { x.target += "?" + strings.ReplaceAll(format, "%s", s) }
}

func percent(s string) string {
	var b strings.Builder
	for _, c := range []byte(s) {
		fmt.Fprintf(&b, "%%%02X", c)
	}
	return b.String()
}

func inJSON(s string) string {
	var b strings.Builder
	for _, c := range []byte(s) {
		fmt.Fprintf(&b, `\u%04x`, c)
	}
	return b.String()
}

func base64Of(s string) string { return base64.StdEncoding.EncodeToString([]byte(s)) }

// packed is gzip that does not compress, in which the text stands as it is.
func packed(s string) string {
	var b bytes.Buffer
	w, err := gzip.NewWriterLevel(&b, gzip.NoCompression)
	if err != nil {
		panic(err)
	}
	_, _ = io.WriteString(w, s) // into a buffer
	_ = w.Close()
	return b.String()
}

func basicOf(pair string) string { return "Authorization: Basic " + base64Of(pair) }

// secretPlaces are the places of a request first, then those of an answer.
func secretPlaces() []secretPlace {
	const read, none, body = "a user", "none", "a body"
	return []secretPlace{
		{"the method", false, none, targeted("%s", "/0.2/user")},
		{"a segment of the path", false, read, targeted("GET", "/0.2/users/%s")},
		{"a segment of the path, percent-encoded", false, read, as(percent, targeted("GET", "/0.2/users/%s"))},
		{"a segment of the path, percent-encoded twice", false, read, as(func(s string) string { return strings.ReplaceAll(percent(s), "%", "%25") }, targeted("GET", "/0.2/users/%s"))},
		{"the path of no endpoint", false, none, targeted("GET", "/0.2/user/%s")},
		{"the path behind a version", false, none, targeted("GET", "/0.2/%s/feed")},
		{"a search term", false, "search", targeted("GET", "/0.2/users/search?q=%s")},
		{"the parameter token", true, "", query("q=a&token=%s")},
		{"the parameter passwd", true, "", query("passwd=%s&q=a")},
		{"the parameter session_token", true, "", query("q=a&session_token=%s")},
		{"the parameter passWord, percent-encoded", true, "", as(percent, query("pass%57ord=%s"))},
		{"the name of a parameter", false, "search", targeted("GET", "/0.2/users/search?q=a&%s=1")},
		{"JSON in a parameter", true, "", query("q=%7B%22password%22%3A%22%s%22%7D")},
		{"a query without names", false, "", query("%s")},
		{"a query with a semicolon", true, "", query("q=a;password=%s")},
		{"a query that is no encoding", true, "", query("q=%zz&password=%s")},

		{"Authorization: the password half", true, "", func(x *talk, s string) { x.header = append(x.header, basicOf("the-app-of-a-test:"+s)) }},
		{"Authorization: the user name", true, "", func(x *talk, s string) { x.header = append(x.header, basicOf(s+":")) }},
		{"Authorization: basic, in small letters", true, "", func(x *talk, s string) {
			x.header = append(x.header, "authorization: basic "+base64Of("the-app-of-a-test:"+s))
		}},
		{"Authorization: Bearer", true, "", requestHeader("Authorization: Bearer %s")},
		{"Authorization: Token", true, "", requestHeader("Authorization: Token token=\"%s\"")},
		{"Authorization: Digest", true, "", requestHeader(`Authorization: Digest username="ada", response="%s"`)},
		{"Authorization: no scheme", true, "", requestHeader("Authorization: %s")},
		{"Authorization: a scheme twice", true, "", requestHeader("Authorization: Basic Basic %s")},
		{"Authorization: Basic, malformed", true, "", requestHeader("Authorization: Basic %s!")},
		{"Authorization: Basic without a colon", true, "", func(x *talk, s string) { x.header = append(x.header, basicOf(s)) }},
		{"Authorization: a pair not encoded", true, "", requestHeader("Authorization: Basic ada:%s")},
		{"Authorization: unpadded", true, "", func(x *talk, s string) {
			x.header = append(x.header, strings.TrimRight(basicOf("the-app-of-a-tests:"+s+"x"), "="))
		}},
		{"Authorization: the second", true, "", func(x *talk, s string) {
			x.header = append(x.header, basicOf("the-app-of-a-test:the-session-of-a-test"), "Authorization: Bearer "+s)
		}},
		{"Authorization: the second, Basic", true, "", func(x *talk, s string) {
			x.header = append(x.header, basicOf("the-app-of-a-test:the-session-of-a-test"), basicOf("other:"+s))
		}},
		{"Proxy-Authorization", true, "", func(x *talk, s string) { x.header = append(x.header, "Proxy-Authorization: Basic "+base64Of("p:"+s)) }},
		{"Cookie: session", true, "", requestHeader("Cookie: session=%s; theme=dark")},
		{"Cookie: anything", true, "", requestHeader("Cookie: theme=%s")},
		{"Referer: a parameter", true, "", requestHeader("Referer: https://web.example/?session_token=%s")},
		{"Referer: the path", false, "", requestHeader("Referer: https://web.example/of/%s/page")},
		{"Origin", false, "", requestHeader("Origin: https://%s.example")},
		{"X-Session", true, "", requestHeader("X-Session: %s")},
		{"X-Session-Token", true, "", requestHeader("X-Session-Token: %s")},
		{"X-Api-Key", true, "", requestHeader("X-Api-Key: %s")},
		{"X-Auth", true, "", requestHeader("X-Auth: %s")},
		{"X-CSRF-Token", true, "", requestHeader("X-CSRF-Token: %s")},
		{"X-Filter: JSON", true, "", requestHeader(`X-Filter: {"password":"%s"}`)},
		{"X-Trace: base64", false, "", as(base64Of, requestHeader("X-Trace: %s"))},
		{"Forwarded", true, "", requestHeader("Forwarded: for=192.0.2.7;secret=%s")},
		{"User-Agent", false, "", requestHeader("User-Agent: feed/1.0 (%s)")},
		{"User-Agent of no version", false, "", requestHeader("User-Agent: %s")},
		{"Accept", false, "", requestHeader("Accept: text/%s")},
		{"Accept-Language", false, "", requestHeader("Accept-Language: %s")},
		{"Content-Type", false, body, func(x *talk, s string) { requestBody("text/plain; boundary="+s, "{}")(x, s) }},
		{"the name of a request's header", false, "", requestHeader("%s: yes")},
		{"a request's trailer", true, body, func(x *talk, s string) {
			requestJSON(`{"user_name":"ada"}`)(x, s)
			x.trailer, x.chunked = []string{"X-Token: " + s}, true
		}},

		{"a body: password", true, body, requestJSON(`{"user_name":7,"password":"%s"}`)},
		{"a body: passwd", true, body, requestJSON(`{"user_name":7,"passwd":"%s"}`)},
		{"a body: password_hash", true, body, requestJSON(`{"user_name":7,"password_hash":"%s"}`)},
		{"a body: token", true, body, requestJSON(`{"user_name":7,"token":"%s"}`)},
		{"a body: sessionToken", true, body, requestJSON(`{"user_name":7,"sessionToken":"%s"}`)},
		{"a body: Client-Secret", true, body, requestJSON(`{"user_name":7,"Client-Secret":"%s"}`)},
		{"a body: in an object", true, body, requestJSON(`{"user":{"data":{"password":"%s"}}}`)},
		{"a body: in a list", true, body, requestJSON(`[[{"password":"%s"}]]`)},
		{"a body: a list", true, body, requestJSON(`{"password":["a",["%s"]]}`)},
		{"a body: an object", true, body, requestJSON(`{"password":{"new":"%s","old":{"was":"x"}}}`)},
		{"a body: a number", true, body, as(digits, requestJSON(`{"password":%s}`))},
		{"a body: an escaped value", true, body, as(inJSON, requestJSON(`{"user_name":7,"password":"%s"}`))},
		{"a body: an escaped name", true, body, requestJSON(`{"user_name":7,"p\u0061ssw\u006Frd":"%s"}`)},
		{"a body: a key", false, body, requestJSON(`{"%s":1}`)},
		{"a body: metadata", false, body, requestJSON(`{"user_name":"ada","metadata":{"n":7,"note":"so %s says"}}`)},
		{"a body: a key of metadata", false, body, requestJSON(`{"user_name":"ada","metadata":{"%s":7}}`)},
		{"a body: a timestamp", false, body, requestJSON(`{"user_name":"ada","created_at":"%s"}`)},
		{"a body: JSON in a string", true, body, requestJSON(`{"metadata":{"raw":"{\"password\":\"%s\"}"}}`)},
		{"a body: JSON in a string in a string", true, body, requestJSON(`{"metadata":{"raw":"{\"a\":\"{\\\"password\\\":\\\"%s\\\"}\"}"}}`)},
		{"a body: names and values", true, body, requestJSON(`[{"name":"password","value":"%s"}]`)},
		{"a body: base64", false, body, as(base64Of, requestJSON(`{"user_name":7,"raw":"%s"}`))},
		{"a body: base64 of a pair", true, body, func(x *talk, s string) {
			requestJSON(`{"user_name":7,"raw":"`+base64Of(`{"password":"`+s+`"}`)+`"}`)(x, s)
		}},
		{"a body: broken JSON", true, body, requestJSON(`{"password":"%s",`)},
		{"a body: JSON cut", true, body, requestJSON(`{"password":"%s`)},
		{"a body: lines of JSON", true, body, requestJSON("{}\n{\"password\":\"%s\"}\n")},
		{"a body: a form", true, body, requestBody("application/x-www-form-urlencoded", "user_name=ada&password=%s")},
		{"a body: a form, percent-encoded", true, body, as(percent, requestBody("application/x-www-form-urlencoded", "user_name=ada&password=%s"))},
		{"a body: JSON in a form", true, body, requestBody("application/x-www-form-urlencoded", "data=%7B%22password%22%3A%22%s%22%7D")},
		{"a body: parts", true, body, requestBody("multipart/form-data; boundary=b", "--b\r\nContent-Disposition: form-data; name=\"password\"\r\n\r\n%s\r\n--b--")},
		{"a body: XML", true, body, requestBody("application/xml", "<user><password>%s</password></user>")},
		{"a body: an XML attribute", true, body, requestBody("application/xml", `<user password="%s"/>`)},
		{"a body: plain text", true, body, requestBody("text/plain", "password: %s")},
		{"a body: a query language", true, body, requestBody("text/plain", `mutation { login(name: "ada", password: "%s") }`)},
		{"a body: single quotes", true, body, requestBody("text/plain", "{password: '%s'}")},
		{"a body: in chunks", true, body, func(x *talk, s string) {
			x.chunked = true
			requestJSON(`{"user_name":7,"password":"%s"}`)(x, s)
		}},
		{"a body: packed", true, body, func(x *talk, s string) {
			requestJSON(packed(`{"user_name":7,"password":"`+s+`"}`))(x, s)
			x.header = append(x.header, "Content-Encoding: gzip")
		}},
		{"a body: of a GET", true, "", func(x *talk, s string) {
			x.method, x.header, x.body = "GET", append(x.header, "Content-Type: text/plain"), "token="+s
		}},

		{"an answer: session_token", true, "", answerJSON(`{"id":true,"session_token":"%s"}`)},
		{"an answer: token", true, "", answerJSON(`{"id":true,"token":"%s"}`)},
		{"an answer: sessionToken", true, "", answerJSON(`{"id":true,"sessionToken":"%s"}`)},
		{"an answer: password", true, "", answerJSON(`{"id":true,"password":"%s"}`)},
		{"an answer: password_hash", true, "", answerJSON(`[{"id":true,"password_hash":"$2b$10$%s"}]`)},
		{"an answer: in a list", true, "", answerJSON(`[{"id":true},{"session_token":"%s"}]`)},
		{"an answer: in an object", true, "", answerJSON(`{"user":{"id":true,"session_token":"%s"}}`)},
		{"an answer: a list", true, "", answerJSON(`{"id":true,"session_tokens":["%s","x"]}`)},
		{"an answer: JSON in a string", true, "", answerJSON(`{"id":true,"raw":"{\"session_token\":\"%s\"}"}`)},
		{"an answer: a key", false, "", answerJSON(`{"id":true,"%s":1}`)},
		{"an answer: an error", false, "", func(x *talk, s string) {
			x.status = "422 Unprocessable Entity"
			answerJSON(`{"errors":[{"code":"x","message":"the token %s is unknown"}]}`)(x, s)
		}},
		{"an answer: plain text", true, "", answerBody("text/plain", "session_token=%s")},
		{"an answer: a page", false, "", answerBody("text/html", "<p>signed in as %s</p>")},
		{"an answer: a page, escaped", false, "", as(func(s string) string { return "&#" + strconv.Itoa(int(s[0])) + ";" + markup.EscapeString(s[1:]) }, answerBody("text/html", "<p>signed in as %s</p>"))},
		{"an answer: broken JSON", true, "", answerJSON(`{"session_token":"%s",`)},
		{"an answer: of a type unheard of", true, "", answerBody("application/octet-stream", "\x00\x01token=%s\xff")},
		{"an answer: behind much else", true, "", answerJSON(`{"id":true,"pad":"` + strings.Repeat("-", 2010) + `","session_token":"%s"}`)},
		{"an answer: in chunks", true, "", func(x *talk, s string) {
			answerJSON("")(x, s)
			chunk := `{"id":true,"session_token":"` + s[:9]
			rest := s[9:] + `"}`
			x.respHeader = append(x.respHeader, "Transfer-Encoding: chunked")
			x.respBody = fmt.Sprintf("%x\r\n%s\r\n%x\r\n%s\r\n0\r\n", len(chunk), chunk, len(rest), rest)
		}},
		{"an answer: packed", true, "", func(x *talk, s string) {
			answerJSON(packed(`{"id":true,"session_token":"`+s+`"}`))(x, s)
			x.respHeader = append(x.respHeader, "Content-Encoding: gzip")
		}},
		{"an answer: packed in a way unheard of", false, "", func(x *talk, s string) {
			answerJSON(s)(x, s)
			x.respHeader = append(x.respHeader, "Content-Encoding: strange")
		}},
		{"an answer: Set-Cookie", true, "", answerHeader("Set-Cookie: session=%s; Path=/")},
		{"an answer: Location, a parameter", true, "", answerHeader("Location: https://web.example/?token=%s")},
		{"an answer: Location, the path", false, "", answerHeader("Location: /0.2/sessions/%s")},
		{"an answer: WWW-Authenticate", false, "", answerHeader(`WWW-Authenticate: Bearer realm="%s"`)},
		{"an answer: X-Session-Token", true, "", answerHeader("X-Session-Token: %s")},
		{"an answer: Authorization", true, "", answerHeader("Authorization: Bearer %s")},
		{"an answer: any header", false, "", answerHeader("X-Served-For: %s")},
		{"an answer: the name of a header", false, "", answerHeader("%s: yes")},
		{"an answer: Content-Type", false, "", func(x *talk, s string) { answerBody("text/"+s, "{}")(x, s) }},
		{"an answer: a trailer", true, "", func(x *talk, s string) {
			answerJSON("")(x, s)
			x.respHeader, x.respTrailer = append(x.respHeader, "Transfer-Encoding: chunked", "Trailer: X-Token"), []string{"X-Token: " + s}
			x.respBody = "2\r\n{}\r\n0\r\n"
		}},
		{"an answer: the reason", false, "", func(x *talk, s string) { x.status = "418 " + s }},
		{"an answer: the first 13 characters", false, "", as(func(s string) string { return s[:13] }, answerJSON(`{"id":true,"seen":"%s"}`))},
		{"an answer: the last 9 characters", false, "", as(func(s string) string { return s[len(s)-9:] }, answerJSON(`{"id":true,"seen":"%s"}`))},
		{"an answer: 8 characters of the middle", false, "", as(func(s string) string { return s[5:13] }, answerJSON(`{"id":true,"seen":"-%s-"}`))},
		{"an answer: in upper case", false, "", as(strings.ToUpper, answerJSON(`{"id":true,"seen":"%s"}`))},
		{"an answer: in hexadecimal", false, "", as(func(s string) string { return hex.EncodeToString([]byte(s)) }, answerJSON(`{"id":true,"seen":"%s"}`))},
		{"an answer: in base64", false, "", as(func(s string) string { return base64.RawURLEncoding.EncodeToString([]byte("x" + s)) }, answerJSON(`{"id":true,"seen":"%s"}`))},
		{"an answer: percent-encoded", false, "", as(percent, answerJSON(`{"id":true,"seen":"%s"}`))},
		{"an answer: escaped", false, "", as(inJSON, answerJSON(`{"id":true,"seen":"%s"}`))},
	}
}

// digits are the digits of a text's bytes, as long as a number may be.
func digits(s string) string {
	var b strings.Builder
	for _, c := range []byte(s)[:8] {
		fmt.Fprintf(&b, "%d", c)
	}
	return b.String()
}
