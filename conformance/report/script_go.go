package report

import (
	_ "embed"
	"encoding/json"
	"fmt"
	gofmt "go/format"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"text/template"
	"unicode"

	"github.com/socialfeed/conform/conformance/result"
)

//go:embed script_test.go.tmpl
var goTestTemplate string

// goView is the data of the template of a Go test. Texts are quoted Go strings.
type goView struct {
	Title, Statement, Name    string
	Lines                     []string
	There, Undecided          string // a condition, and statuses
	Decide, Expected          string
	Tries, Repeats            int
	RepeatAfter               int64 // seconds
	BaseURL, Insecure, CACert string
}

// goTest writes a Go test with the typed client, for stories whose requests the client can
// send.
func goTest(p *plot) (string, error) {
	v := goView{
		Title:     fmt.Sprintf("Shows how %s (%s) is broken at %s, with the typed client.", oneLine(p.rule.ID), oneLine(string(p.rule.Level)), oneLine(p.check.Endpoint)),
		Statement: oneLine(p.rule.Statement), Name: goName(p.rule.ID), Expected: strconv.Quote(p.expected()),
		Tries: p.tries(), Repeats: p.repeats(), RepeatAfter: wholeSeconds(p.RepeatAfterMS), BaseURL: strconv.Quote(p.baseURL), Insecure: strconv.FormatBool(p.insecure()), CACert: strconv.Quote(p.authority()),
	}
	if p.Answer.Status == 0 {
		return "", fmt.Errorf("the deciding request of %s got no answer, which is no matter of the typed client: write it as %s", p.rule.ID, Shell)
	}
	v.Lines = p.goWords()
	for i, step := range p.Steps {
		if why := clientMisfit(step); why != "" {
			return "", fmt.Errorf("request %d of the story of %s %s, which the typed client cannot send: write it as %s", i+1, p.rule.ID, why, Shell)
		}
		if step.WaitMS > 0 {
			v.Lines = append(v.Lines, fmt.Sprintf("time.Sleep(%d * time.Millisecond)", min(step.WaitMS, maxWait*1000)))
		}
		if i < len(p.Steps)-1 {
			v.Lines = append(v.Lines, goRequest(i+1, step)...)
		}
	}
	v.Decide = goCall(p.deciding())
	v.There, v.Undecided = p.goUnexpected(), strings.Join(p.undecided(), ", ")
	if v.There == "" {
		v.There = fmt.Sprintf(`decided.status == %d && normal(decided.body, known, v["SINCE"]) == normal(recorded, known, v["SINCE"]) &&
	slices.Equal(fields(decided.header), fields(recordedFields))`, p.Answer.Status)
		v.Lines = append(v.Lines, p.goRecorded()...)
	}
	if strings.Contains(strings.Join(append(v.Lines, v.Decide, v.There), ""), "v[") {
		v.Lines = append([]string{"v := map[string]string{} // what differs from run to run"}, v.Lines...)
	}
	var b strings.Builder
	if err := template.Must(template.New("").Parse(goTestTemplate)).Execute(&b, v); err != nil {
		return "", fmt.Errorf("writing a Go test: %w", err)
	}
	text, err := gofmt.Source([]byte(b.String()))
	if err != nil {
		return "", fmt.Errorf("writing a Go test: %w", err)
	}
	return string(text), nil
}

// goName is a rule's id as part of a test's name.
func goName(rule string) string {
	var b strings.Builder
	for _, part := range strings.FieldsFunc(rule, func(r rune) bool { return r > unicode.MaxASCII || !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		b.WriteString(strings.ToUpper(part[:1]) + part[1:])
	}
	return "Test" + b.String()
}

// goText is a Go expression for pieces of text.
func goText(pieces []result.Piece) string {
	var parts []string
	for _, p := range pieces {
		switch {
		case p.Var != "":
			parts = append(parts, fmt.Sprintf("v[%q]", p.Var))
		case strconv.CanBackquote(p.Text):
			parts = append(parts, "`"+p.Text+"`")
		default:
			parts = append(parts, strconv.Quote(p.Text))
		}
	}
	if len(parts) == 0 {
		return `""`
	}
	return strings.Join(parts, " + ")
}

func goCall(s result.Step) string {
	_, session := pair(s.User)
	return fmt.Sprintf("s.do(%q, %s, %q, %s, %s)", appOf(s), goText(session), s.Method, goText(s.Path), goText(s.Body))
}

// goRequest are the lines of a request and of what its answer gives to later ones.
func goRequest(number int, s result.Step) []string {
	if len(s.Captures) == 0 {
		return []string{goCall(s)}
	}
	name := fmt.Sprintf("answer%d", number)
	lines := []string{name + " := " + goCall(s)}
	for _, c := range s.Captures {
		lines = append(lines, fmt.Sprintf("v[%q] = %s.take(%q)", c.Var, name, c.Field))
	}
	return lines
}

// goWords are the Go lines that make up what differs from run to run.
func (p *plot) goWords() []string {
	var lines []string
	for _, w := range p.Words {
		lines = append(lines, fmt.Sprintf("v[%q] = word(%q, %d)", w.Var, alphabet(w), w.Length))
	}
	for _, name := range p.derived() {
		from := result.WordOf(name)
		if count, first := strings.CutPrefix(name, from+"_FIRST_"); first {
			lines = append(lines, fmt.Sprintf("v[%q] = v[%q][:min(%s, len(v[%[2]q]))]", name, from, count))
		} else {
			lines = append(lines, fmt.Sprintf("v[%q] = strings.ToUpper(v[%q])", name, from))
		}
	}
	if p.Since != "" {
		lines = append(lines, fmt.Sprintf("v[%q] = %q", "SINCE", p.Since))
	}
	return lines
}

// goUnexpected is the condition of another status than the expected ones, "" where more than the
// status shows the failure.
func (p *plot) goUnexpected() string {
	var others []string
	for _, status := range p.Passing {
		if status == result.AnyRefusal {
			others = append(others, "decided.status/100 != 4")
		} else {
			others = append(others, "decided.status != "+status)
		}
	}
	return strings.Join(others, " && ")
}

// goRecorded are the lines of the recorded answer to the deciding request.
func (p *plot) goRecorded() []string {
	ids, variables := p.known()
	for i, id := range ids {
		ids[i] = strconv.Quote(id)
	}
	for _, name := range variables {
		ids = append(ids, fmt.Sprintf("v[%q]", name))
	}
	lines := []string{"known := []string{" + strings.Join(ids, ", ") + "}", "recorded := " + goText(p.Answer.Body), "recordedFields := http.Header{}"}
	for _, field := range p.Answer.Headers {
		lines = append(lines, fmt.Sprintf("recordedFields.Add(%q, %s)", field.Name, goText(field.Value)))
	}
	return lines
}

// clientMisfit is why the typed client cannot send a step as it was sent, "" where it can.
// The spelling of JSON may differ.
func clientMisfit(s result.Step) string {
	app, session := pair(s.User)
	tokens := func(pieces []result.Piece, names ...string) bool {
		shown := slices.DeleteFunc(slices.Clone(pieces), func(p result.Piece) bool { return p.Var == "" && p.Text == "" })
		return len(shown) == 0 && slices.Contains(names, "") || len(shown) == 1 && slices.ContainsFunc(names, func(name string) bool { return name != "" && strings.HasPrefix(shown[0].Var, name) })
	}
	if slices.ContainsFunc(s.Sent(), partOfToken) || !tokens(app, appToken, secondAppToken) || !tokens(session, kindOfToken, "") {
		return "has other credentials than tokens"
	}
	if why := headerMisfit(s); why != "" {
		return why
	}
	stand := func(pieces []result.Piece) string {
		var b strings.Builder
		for _, p := range pieces {
			if p.Var != "" {
				b.WriteString("1")
			}
			b.WriteString(p.Text)
		}
		return b.String()
	}
	if body := stand(s.Body); body != "" && !json.Valid([]byte(body)) {
		return "has a body that is no JSON"
	}
	path, query, _ := strings.Cut(stand(s.Path), "?")
	if values, err := url.ParseQuery(query); err != nil || values.Encode() != query || strings.Contains(path, "//") || strings.Contains(path+"/", "/./") || strings.Contains(path+"/", "/../") || strings.HasSuffix(path, "/") {
		return "has a path or query of its own"
	}
	return ""
}

// headerMisfit is why the typed client cannot send the header of a step, "" where it can.
func headerMisfit(s result.Step) string {
	want := map[string]string{"Accept": "application/json", "Content-Type": "application/json"}
	if len(s.Body) == 0 {
		delete(want, "Content-Type")
	}
	for _, field := range s.Headers {
		value := result.Shown(field.Value)
		if field.Name == "User-Agent" && strings.HasPrefix(value, "conform/") {
			continue
		}
		if want[field.Name] != value || value == "" {
			return "has a header of its own: " + oneLine(field.Name)
		}
		delete(want, field.Name)
	}
	if len(want) > 0 {
		return "goes without a header"
	}
	return ""
}
