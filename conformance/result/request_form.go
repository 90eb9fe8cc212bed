package result

import (
	"cmp"
	"fmt"
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/socialfeed/conform/conformance/rules"
)

// requestForm is what requests of two runs have in common that were sent for the same reason: names,
// ids and tokens differ from run to run.
type requestForm struct {
	endpoint rules.Endpoint
	text     string
}

func (f requestForm) compare(other requestForm) int {
	return cmp.Or(cmp.Compare(f.endpoint, other.endpoint), cmp.Compare(f.text, other.text))
}

var placeholderNumber = regexp.MustCompile(`(\$[A-Z_]+?)_?\d+`)

func formOf(e rules.Endpoint, path string, query url.Values, r Request) requestForm {
	var parts []string
	if path != e.Path() {
		id := strings.TrimSuffix(path, suffixOf(e))
		parts = append(parts, "id "+textForm(id[strings.LastIndex(id, "/")+1:]))
	}
	for _, name := range slices.Sorted(maps.Keys(query)) {
		parts = append(parts, name+"="+textForm(strings.Join(query[name], ",")))
	}
	for _, header := range []struct{ name, usual string }{
		{"Authorization", "Basic base64($APP_TOKEN:$SESSION_TOKEN)"}, {"Accept", "application/json"}, {"Content-Type", "application/json"},
	} {
		value := placeholderNumber.ReplaceAllString(strings.Join(r.Headers[header.name], ","), "$1")
		if value != header.usual && (value != "" || header.name != "Content-Type") {
			parts = append(parts, header.name+": "+cmp.Or(value, "none"))
		}
	}
	if len(r.Headers["User-Agent"]) == 0 || r.Headers["User-Agent"][0] == "" {
		parts = append(parts, "no User-Agent")
	}
	if r.Body != "" {
		body, ok := decoded(r.Body)
		if !ok {
			body = "no JSON"
		}
		parts = append(parts, "body "+valueForm(body))
	}
	return requestForm{e, cmp.Or(strings.Join(parts, "; "), "a plain request")}
}

// suffixOf is what follows the parameter in an endpoint's path.
func suffixOf(e rules.Endpoint) string {
	_, after, _ := strings.Cut(e.Path(), "}")
	return after
}

// valueForm is a value without what differs from run to run.
func valueForm(value any) string {
	switch v := value.(type) {
	case map[string]any:
		var fields []string
		for _, name := range slices.Sorted(maps.Keys(v)) {
			fields = append(fields, textForm(name)+":"+valueForm(v[name]))
		}
		return "{" + strings.Join(fields, " ") + "}"
	case []any:
		if len(v) == 0 {
			return "[]"
		}
		return "[" + valueForm(v[0]) + "…]"
	case string:
		return textForm(v)
	case bool:
		return fmt.Sprint(v)
	case nil:
		return "null"
	}
	return "number"
}

// textForm is the kind of a text: known words stay as they are.
func textForm(text string) string {
	known := []string{"follow", "friend", "true", "false", "user_name", "password", "email", "first_name", "last_name", "custom_id", "url",
		"metadata", "social_ids", "activated", "image", "user_to_id", "type", "platform", "platform_user_id", "connection_ids", "verb", "language",
		"priority", "location", "latitude", "longitude", "object", "id", "display_name", "enabled", "created_at", "updated_at", "last_login", "session_token"}
	switch {
	case slices.Contains(known, text):
		return text
	case strings.TrimSpace(text) == "":
		return "blank"
	case len(text) > 512:
		return "very long text"
	case len(text) > 40:
		return "long text"
	case !strings.ContainsFunc(text, func(r rune) bool { return r < '0' || r > '9' }):
		return "digits"
	}
	return "text"
}
