package script

import (
	"crypto/rand"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/conformance/rules"
)

// alphabet is the letters that a word is made up of. Hexadecimal words have neither 0 nor 1:
// a wrong password of a story ends with one of these where the right one does not.
func alphabet(w result.Word) string {
	if w.Hex {
		return "23456789abcdef"
	}
	return "abcdefghijklmnopqrstuvwxyz"
}

// filled is the plot with words and passwords made up, for files that cannot do so
// themselves. The tokens, and what answers give, remain variables.
func (p *plot) filled() *plot {
	texts := map[string]string{}
	if p.Since != "" {
		texts["SINCE"] = p.Since
	}
	for _, word := range p.Words {
		texts[word.Var] = drawn(alphabet(word), word.Length)
	}
	for _, name := range p.derived() {
		from, made := texts[result.WordOf(name)]
		if !made { // of a token, see misfit
			continue
		}
		if count, first := strings.CutPrefix(name, result.WordOf(name)+"_FIRST_"); first {
			n, _ := strconv.Atoi(count) // the pattern of names allows digits only
			texts[name] = from[:min(n, len(from))]
		} else {
			texts[name] = strings.ToUpper(from)
		}
	}
	fill := func(pieces []result.Piece) []result.Piece {
		filled := slices.Clone(pieces)
		for i, piece := range filled {
			if text, made := texts[piece.Var]; made {
				filled[i] = result.Piece{Text: text}
			}
		}
		return filled
	}
	filled, story := *p, *p.Reproduction
	story.Steps = slices.Clone(story.Steps)
	for i, step := range story.Steps {
		step.Path, step.User, step.Body = fill(step.Path), fill(step.User), fill(step.Body)
		step.Headers = slices.Clone(step.Headers)
		for k, field := range step.Headers {
			step.Headers[k].Value = fill(field.Value)
		}
		story.Steps[i] = step
	}
	filled.Reproduction = &story
	return &filled
}

// drawn draws n of the letters, each by one random byte.
func drawn(letters string, n int) string {
	b := make([]byte, n)
	_, _ = rand.Read(b) // never fails
	for i := range b {
		b[i] = letters[int(b[i])%len(letters)]
	}
	return string(b)
}

// farewell are the requests that delete the users of a plot, without the one that the
// deciding request may make.
func (p *plot) farewell() []result.Step {
	var steps []result.Step
	leave := func(app, token string) {
		steps = append(steps, result.Step{Method: http.MethodDelete, Path: literal(rules.DeleteMe.Path()), Headers: plainFields(),
			User: []result.Piece{{Var: app}, {Text: ":"}, {Var: token}}})
	}
	for i, step := range p.Steps[:len(p.Steps)-1] {
		for _, capture := range step.Captures {
			if capture.Field == "session_token" {
				leave(appOf(step), capture.Var)
			}
		}
		if _, alone := createsAlone(step); alone {
			var with struct {
				Name     string `json:"user_name"`
				Password string `json:"password"`
			}
			if json.Unmarshal([]byte(result.Shown(step.Body)), &with) != nil {
				continue
			}
			body, _ := json.Marshal(map[string]string{"user_name": with.Name, "password": with.Password}) // encoding strings never fails
			token := fmt.Sprintf("TOKEN_OF_%d", i+1)
			steps = append(steps, result.Step{Method: http.MethodPost, Path: literal(rules.Login.Path()), Body: literal(string(body)),
				User: []result.Piece{{Var: appOf(step)}, {Text: ":"}}, Captures: []result.Capture{{Var: token, Field: "session_token"}},
				Headers: append(plainFields(), result.Field{Name: "Content-Type", Value: literal("application/json")})})
			leave(appOf(step), token)
		}
	}
	return steps
}

func literal(text string) []result.Piece { return []result.Piece{{Text: text}} }

func plainFields() []result.Field {
	return []result.Field{{Name: "Accept", Value: literal("application/json")}, {Name: "User-Agent", Value: literal("conform-reproduction")}}
}

// misfit is why a step cannot be written in a form whose tools add headers or normalize
// requests; "" where it can.
func misfit(s result.Step) string {
	has := map[string]bool{}
	for _, field := range s.Headers {
		has[http.CanonicalHeaderKey(field.Name)] = true
	}
	for _, name := range []string{"User-Agent", "Accept", "Content-Type"} {
		if !has[name] && (name != "Content-Type" || len(s.Body) > 0) {
			return "goes without " + name + ", and one would be added"
		}
	}
	shown := slices.Concat(s.Path, s.User)
	for _, field := range s.Headers {
		shown = append(shown, field.Value...)
	}
	odd := func(r rune) bool { return r > unicode.MaxASCII || !unicode.IsPrint(r) }
	switch {
	case slices.ContainsFunc(shown, func(p result.Piece) bool { return p.Var == "" && strings.ContainsFunc(p.Text, odd) }):
		return "has characters in its path or header that would be rewritten"
	case slices.ContainsFunc(s.Path, func(p result.Piece) bool { return strings.ContainsAny(p.Text, " #{}\\") }):
		return "has a path that would be rewritten"
	case slices.ContainsFunc(s.Sent(), partOfToken):
		return "has a part of a token"
	case strings.Contains(result.Shown(s.Path), "/.") || strings.Contains(result.Shown(s.Path), "//"):
		return "has a path that would be simplified"
	case slices.ContainsFunc(s.Body, func(p result.Piece) bool { return p.Var == "" && strings.ContainsFunc(p.Text, control) }):
		return "has a body that is no text"
	}
	return ""
}

// partOfToken reports whether a piece is made of a token, which only what runs can do.
func partOfToken(p result.Piece) bool {
	from := result.WordOf(p.Var)
	return from != p.Var && strings.Contains(from, "TOKEN")
}

func control(r rune) bool { return unicode.IsControl(r) || r == unicode.ReplacementChar }

// pair splits credentials at their colon.
func pair(user []result.Piece) (name, password []result.Piece) {
	for i, p := range user {
		if before, after, found := strings.Cut(p.Text, ":"); p.Var == "" && found {
			name = append(slices.Clone(user[:i]), literal(before)...)
			return name, append(literal(after), user[i+1:]...)
		}
	}
	return user, nil
}
