package wire

import (
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/conformance/rules"
)

// path is what follows the base URL, with ids of users and events as variables.
func (n *narrator) path(u *url.URL) []result.Piece {
	rest := strings.TrimPrefix(u.String(), n.base)
	var pieces []piece
	for i, segment := range strings.SplitAfter(rest, "/") {
		text := strings.TrimSuffix(segment, "/")
		path, query, asks := strings.Cut(text, "?")
		kind := "USER_ID"
		if strings.Contains(rest, "/events/") {
			kind = "EVENT_ID"
		}
		if before, id, after := n.idIn(path, kind); id != "" && i > 0 {
			pieces = append(append(pieces, n.pieces(before)...), piece{Var: id})
			path = after
		}
		if asks {
			path += "?" + query
		}
		pieces = append(pieces, n.pieces(path+segment[len(text):])...)
	}
	return n.clean(pieces)
}

func (n *narrator) idOf(text, kind string) (string, bool) {
	for _, v := range slices.Backward(n.captured) {
		if v.text == text && strings.HasPrefix(v.name, kind) {
			return v.name, true
		}
	}
	return "", false
}

// idIn cuts a segment of a path at the latest captured id in it: the id may have something beside
// it, which makes another one of it.
func (n *narrator) idIn(segment, kind string) (before, name, after string) {
	const short = 3 // which stands in other numbers as well
	for _, v := range slices.Backward(n.captured) {
		before, after, within := strings.Cut(segment, v.text)
		if within && strings.HasPrefix(v.name, kind) && (segment == v.text || len(v.text) > short) {
			return before, v.name, after
		}
	}
	return segment, "", ""
}

// idField is a field of a JSON text that holds an id, perhaps in a list, which is a mistake.
var idField = regexp.MustCompile(`"(\w*id)"\s*:\s*\[?\s*"?([^"\[{,}\]\s]+)`)

// withIDs cuts a JSON text of an endpoint at the ids in its id fields, and what is between them by cut.
func (n *narrator) withIDs(text string, at rules.Endpoint, cut func(string) []piece) []result.Piece {
	own := "USER_ID"
	if at == rules.CreateEvent || at == rules.UpdateEvent || at == rules.Feed {
		own = "EVENT_ID"
	}
	var pieces []piece
	from := 0
	for _, at := range idField.FindAllStringSubmatchIndex(text, -1) {
		kind := "USER_ID"
		if text[at[2]:at[3]] == "id" {
			kind = own
		}
		name, ok := n.idOf(text[at[4]:at[5]], kind)
		if !ok {
			continue
		}
		pieces = append(append(pieces, cut(text[from:at[4]])...), piece{Var: name})
		from = at[5]
	}
	return n.clean(append(pieces, cut(text[from:])...))
}

// clean removes the values of variables and empty pieces, and joins adjacent texts.
func (n *narrator) clean(pieces []piece) []result.Piece {
	kept := []result.Piece{}
	for _, p := range pieces {
		if p.Var != "" {
			p.Text = ""
		} else if p.Text == "" {
			continue
		}
		p.Base64 = nil
		kept = append(kept, p)
	}
	return result.Joined(kept)
}

// timestamp finds a time in a text.
var timestamp = regexp.MustCompile(`\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}[0-9.]*(Z|[+-]\d{2}:\d{2})`)

// capture captures a time of an answer, if there is one, so that later times can be distinguished
// from earlier ones.
func (n *narrator) capture(step transcriptStep, moment string, updated bool) []result.Capture {
	fields := []string{"created_at", "updated_at"}
	if updated {
		slices.Reverse(fields)
	}
	for _, field := range fields {
		if step.times.Text(field) == moment {
			n.since = moment
			n.Learn(moment, "SINCE")
			return []result.Capture{{Var: "SINCE", Field: field}}
		}
	}
	return nil
}

// placed is a text in which each time is replaced by whether it is before the captured one. Times
// in UTC compare as texts.
func (n *narrator) placed(text string) string {
	if n.since == "" {
		return text
	}
	return timestamp.ReplaceAllStringFunc(text, func(moment string) string {
		switch {
		case moment == n.since || !strings.HasSuffix(moment, "Z"):
			return moment
		case strings.TrimSuffix(moment, "Z") < strings.TrimSuffix(n.since, "Z"):
			return "time before"
		}
		return "time after"
	})
}

// telling are the header fields that rules are about.
var telling = regexp.MustCompile(`^(Content-Type|Allow|Location|Www-Authenticate|Access-Control-.*)$`)

func (n *narrator) answer(x *Exchange) result.Answer {
	if x.Err != nil {
		return result.Answer{}
	}
	answer := result.Answer{Status: x.Status, Body: n.withIDs(n.placed(strings.ToValidUTF8(string(x.RespBody), "�")), x.Endpoint, n.answerPieces)}
	for i, p := range answer.Body { // a secret that no earlier answer gave
		if p.Var != "" && !available.MatchString(p.Var) {
			answer.Body[i] = piece{Text: "token"}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(x.RespHeader)) {
		if telling.MatchString(name) {
			for _, value := range x.RespHeader[name] {
				answer.Headers = append(answer.Headers, result.Field{Name: name, Value: n.clean(n.answerPieces(value))})
			}
		}
	}
	return answer
}
