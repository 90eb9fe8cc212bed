package wire

import (
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/conformance/rules"
	"github.com/socialfeed/conform/internal/redact"
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
		if before, id, after := n.idIn(path, kind, redact.PercentEscape, makesAnotherID); id != "" && i > 0 {
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

// idIn cuts a text at the latest captured id in it. Both are compared without the text's escapes. The id may
// have something beside it where that is allowed.
func (n *narrator) idIn(text, kind string, escape redact.Escape, allowed func(id, beside string) bool) (before, name, after string) {
	plain, at := redact.Unescape(text, escape)
	for _, v := range slices.Backward(n.captured) {
		from := strings.Index(plain, v.text)
		if from < 0 || !strings.HasPrefix(v.name, kind) {
			continue
		}
		to := from + len(v.text)
		if beside := plain[:from] + plain[to:]; beside == "" || allowed(v.text, beside) {
			return text[:at[from]], v.name, text[at[to]:]
		}
	}
	return text, "", ""
}

// makesAnotherID allows any text beside an id, but for a short one, which is part of other numbers as well.
func makesAnotherID(id, _ string) bool {
	const short = 3
	return len(id) > short
}

// isBlank allows blanks beside an id.
func isBlank(_, beside string) bool { return strings.TrimSpace(beside) == "" }

// idField is a field of a JSON text that holds an id, perhaps in a list, which is a mistake: a string, or a
// word without quotes.
var idField = regexp.MustCompile(`"(\w*id)"\s*:\s*\[?\s*(?:"((?:[^"\\]|\\.)*)|([^"\[{,}\]\s]+))`)

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
		start, end := max(at[4], at[6]), max(at[5], at[7]) // of the string, or of the word
		before, name, after := n.idIn(text[start:end], kind, redact.JSONEscape, isBlank)
		if name == "" {
			continue
		}
		pieces = append(append(pieces, cut(text[from:start]+before)...), piece{Var: name})
		from = end - len(after)
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
	withoutSecrets(answer.Body)
	answer.Hidden = len(x.RespBody) == 0 && x.StrayBody() != ""
	for _, name := range slices.Sorted(maps.Keys(x.RespHeader)) {
		if telling.MatchString(name) {
			for _, value := range x.RespHeader[name] {
				answer.Headers = append(answer.Headers, result.Field{Name: name, Value: withoutSecrets(n.clean(n.answerPieces(value)))})
			}
		}
	}
	return answer
}

// withoutSecrets has a word in place of the secrets that no script sets, such as those that no earlier answer gave.
func withoutSecrets(pieces []piece) []piece {
	for i, p := range pieces {
		if p.Var != "" && !available.MatchString(p.Var) {
			pieces[i] = piece{Text: "token"}
		}
	}
	return pieces
}
