package har

import (
	"bytes"
	"encoding/base64"
	"math"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/socialfeed/conform/conformance/clients"
	"golang.org/x/net/http/httpguts"
)

// entry is an exchange in an archive, as far as it is read.
type entry struct {
	Started    string  `json:"startedDateTime"`
	Time       float64 `json:"time"`
	Connection string  `json:"connection"`
	FromCache  any     `json:"_fromCache"`
	Request    struct {
		Method      string `json:"method"`
		URL         string `json:"url"`
		HTTPVersion string `json:"httpVersion"`
		Headers     []pair `json:"headers"`
		BodySize    int    `json:"bodySize"`
		Post        *struct {
			Text   string `json:"text"`
			Params []pair `json:"params"`
		} `json:"postData"`
	} `json:"request"`
	Response struct {
		Status  int    `json:"status"`
		Headers []pair `json:"headers"`
		Content struct {
			Size     int    `json:"size"`
			Text     string `json:"text"`
			Encoding string `json:"encoding"`
		} `json:"content"`
	} `json:"response"`
}

type pair struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

const (
	maxTime = 24 * time.Hour
	maxURL  = 16 << 10
)

// exchange is the entry as the judge knows it, false where it was never on the wire or lacks what
// is needed.
func (e *entry) exchange() (*clients.Exchange, bool) {
	start, err := time.Parse(time.RFC3339Nano, e.Started)
	where, urlErr := url.Parse(e.Request.URL)
	switch {
	case err != nil, urlErr != nil, where.Host == "" || len(e.Request.URL) > maxURL:
		return nil, false
	case where.Scheme != "http" && where.Scheme != "https", !httpguts.ValidHeaderFieldName(e.Request.Method): // a method is a token, too
		return nil, false
	case e.FromCache != nil, redacted([]byte(e.Request.URL)):
		return nil, false
	}
	x := &clients.Exchange{
		Start: start, End: start.Add(e.took()), Conn: e.Connection, Scheme: where.Scheme, Host: where.Host,
		Serial: e.Connection != "" && strings.HasPrefix(strings.ToLower(e.Request.HTTPVersion), "http/1"),
		Method: e.Request.Method, Target: target(e.Request.URL), Header: headerOf(e.Request.Headers),
		Status: max(0, e.Response.Status), RespHeader: headerOf(e.Response.Headers),
	}
	x.Refused = x.RespHeader.Get(clients.RefusedHeader) != ""
	x.RespHeader.Del("Content-Encoding") // archives hold bodies unpacked
	x.Lacks.Headers = len(e.Request.Headers) == 0 || len(e.Request.Headers) >= maxItems
	if a := x.Header.Get("Authorization"); a != "" && (redacted([]byte(a)) || strings.Contains(a, "$")) {
		x.Lacks.Credentials = true
		x.Header.Del("Authorization")
	}
	e.bodies(x)
	return x, true
}

// took is how long the exchange took; what is no time counts as none.
func (e *entry) took() time.Duration {
	if math.IsNaN(e.Time) || e.Time <= 0 {
		return 0
	}
	return time.Duration(min(e.Time, float64(maxTime.Milliseconds())) * float64(time.Millisecond))
}

// target is path and query as they stand in a URL.
func target(text string) string {
	_, rest, _ := strings.Cut(text, "://")
	rest, _, _ = strings.Cut(rest, "#")
	i := strings.IndexAny(rest, "/?")
	switch {
	case i < 0:
		return "/"
	case rest[i] == '?':
		return "/" + rest[i:]
	}
	return rest[i:]
}

func headerOf(pairs []pair) http.Header {
	h := http.Header{}
	for _, p := range pairs {
		if p.Name != "" && p.Name[0] != ':' {
			h.Add(p.Name, p.Value)
		}
	}
	return h
}

// redacted reports whether something stands in a text for what was taken out, here or elsewhere.
func redacted(text []byte) bool {
	marks := []string{"redacted", "[hidden]", "[removed]", "[filtered]", "[masked]", "sanitized", "***", "xxxxxx", "…", "\uFFFD",
		"$password", "$session_token", "$app_token", "$secret"}
	lower := bytes.ToLower(text) // what is no UTF-8 becomes U+FFFD
	return slices.ContainsFunc(marks, func(mark string) bool { return bytes.Contains(lower, []byte(mark)) })
}

func (e *entry) bodies(x *clients.Exchange) {
	if post := e.Request.Post; post != nil && (post.Text != "" || len(post.Params) > 0) {
		text := post.Text
		if text == "" {
			form := url.Values{}
			for _, p := range post.Params {
				form.Add(p.Name, p.Value)
			}
			text = form.Encode()
		}
		x.Body, x.BodySize = []byte(text), len(text)
		x.Lacks.Bodies = redacted([]byte(text))
	} else if e.Request.BodySize > 0 {
		x.BodySize, x.Lacks.Bodies = e.Request.BodySize, true
	}
	content := e.Response.Content
	body := []byte(content.Text)
	if strings.EqualFold(content.Encoding, "base64") {
		var err error
		if body, err = base64.StdEncoding.DecodeString(content.Text); err != nil {
			body = nil
		}
	}
	x.RespBody, x.RespSize = body, len(body)
	if len(body) == 0 && (content.Size > 0 || content.Text != "") || redacted(body) {
		x.RespSize = len(body) + 1 // there was more
	}
}
