package script

import (
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/socialfeed/conform/conformance/program"
	"github.com/socialfeed/conform/conformance/program/gotest"
	"github.com/socialfeed/conform/conformance/report/plain"
	"github.com/socialfeed/conform/conformance/result"
)

// goTest writes a Go test with the typed client, for stories whose requests the client can
// send.
func goTest(p *plot) (string, error) {
	if p.Answer.Status == 0 {
		return "", fmt.Errorf("the deciding request of %s got no answer, which is no matter of the typed client: write it as %s", p.rule.ID, Shell)
	}
	t := gotest.Test{
		Rule: p.rule.ID, Title: fmt.Sprintf("Shows how %s (%s) is broken at %s, with the typed client.", plain.Line(p.rule.ID), plain.Line(string(p.rule.Level)), plain.Line(p.check.Endpoint)),
		Statement: plain.Line(p.rule.Statement), BaseURL: p.baseURL, Authority: p.authority(), Insecure: p.insecure(),
		Since: p.Since, Expected: p.expected(), Tries: p.tries(), Repeats: p.repeats(), PauseSeconds: wholeSeconds(p.RepeatAfterMS), Passing: p.Passing,
	}
	for _, w := range p.Words {
		t.Words = append(t.Words, gotest.Word{Variable: w.Var, Letters: alphabet(w), Length: w.Length})
	}
	for _, name := range p.derived() {
		from := result.WordOf(name)
		count, _ := strings.CutPrefix(name, from+"_FIRST_")
		first, _ := strconv.Atoi(count) // 0 where the form is another one
		t.Derived = append(t.Derived, gotest.Derived{Variable: name, From: from, First: first})
	}
	for i, step := range p.Steps {
		request := gotest.Request{Request: requestOf(step), App: appOf(step)}
		why := clientMisfit(step)
		if why == "" {
			why = request.Misfit()
		}
		if why != "" {
			return "", fmt.Errorf("request %d of the story of %s %s, which the typed client cannot send: write it as %s", i+1, p.rule.ID, why, Shell)
		}
		t.Requests = append(t.Requests, request)
	}
	for _, status := range p.undecided() {
		n, _ := strconv.Atoi(status) // of digits
		t.Undecided = append(t.Undecided, n)
	}
	if len(p.Passing) == 0 {
		t.Recorded = p.recordedAnswer()
	}
	return t.Text()
}

// recordedAnswer is the answer to the deciding request.
func (p *plot) recordedAnswer() *gotest.Recorded {
	ids, variables := p.known()
	r := &gotest.Recorded{Status: p.Answer.Status, Body: program.Of(p.Answer.Body), Field: p.Answer.Field, Known: ids, KnownVariables: variables}
	for _, field := range p.Answer.Headers {
		r.Header = append(r.Header, program.Header{Name: field.Name, Value: program.Of(field.Value)})
	}
	return r
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
	const agent = "conform/" // the client names one, too
	want := map[string]string{"Accept": "application/json", "Content-Type": "application/json", "User-Agent": agent}
	if len(s.Body) == 0 {
		delete(want, "Content-Type")
	}
	for _, field := range s.Headers {
		value := result.Shown(field.Value)
		if field.Name == "User-Agent" && strings.HasPrefix(value, agent) {
			value = agent
		}
		if want[field.Name] != value || value == "" {
			return "has a header of its own: " + plain.Line(field.Name)
		}
		delete(want, field.Name)
	}
	if len(want) > 0 {
		return "goes without a header"
	}
	return ""
}
