package script

import (
	"fmt"
	"slices"

	"github.com/socialfeed/conform/conformance/program"
	"github.com/socialfeed/conform/conformance/program/httpfile"
	"github.com/socialfeed/conform/conformance/report/plain"
	"github.com/socialfeed/conform/conformance/result"
)

// httpFile writes a file whose requests editors run in sequence: JetBrains' HTTP client, and
// httpYac in others. Where the status shows the failure, the file has a test of it.
func httpFile(p *plot) (string, error) {
	p = p.filled()
	f := &httpfile.File{}
	f.Comment("Shows how ", plain.Line(p.rule.ID), " (", plain.Line(string(p.rule.Level)), ") is broken at ", plain.Line(p.check.Endpoint), ", in the HTTP client of an editor (JetBrains, httpYac).")
	f.Comment("The rule: ", plain.Line(p.rule.Statement))
	f.Comment("Expected ", p.expected(), "; got ", p.actual())
	f.Comment("Set app_token in an environment, such as http-client.private.env.json, and second_app_token where it is used.")
	if file := p.authority(); file != "" {
		f.Comment("The target's certificate is signed by the authority in ", plain.Line(file), ": let the editor trust it.")
	}
	if err := f.BaseURL(p.baseURL); err != nil {
		return "", err
	}
	for i, step := range append(slices.Clone(p.Steps), p.farewell()...) {
		decides := i == len(p.Steps)-1
		if decides {
			step.Captures = nil
		}
		request := requestOf(step)
		why := misfit(step)
		if why == "" {
			why = httpfile.Misfit(request)
		}
		if why != "" {
			return "", fmt.Errorf("request %d of the story of %s %s: write it as %s", i+1, p.rule.ID, why, Shell)
		}
		if decides {
			f.Heading(i+1, ": the one that decides")
			f.Comment("Expected ", p.expected())
		} else {
			f.Heading(i+1, "")
		}
		if step.WaitMS > 0 {
			f.Comment("Wait ", fmt.Sprint(wholeSeconds(step.WaitMS)), " s before it.")
		}
		if err := f.Request(request); err != nil {
			return "", err
		}
		if decides && p.byStatus() {
			f.Unlike(p.rule.ID, p.Answer.Status, "expected "+p.expected())
		}
	}
	return f.String(), nil
}

// requestOf is a step as a request of a program.
func requestOf(s result.Step) program.Request {
	r := program.Request{Method: s.Method, Path: program.Of(s.Path), Body: program.Of(s.Body), WaitMS: min(s.WaitMS, maxWait*1000), Credentials: s.User != nil}
	if s.User != nil {
		name, password := pair(s.User)
		r.Name, r.Password = program.Of(name), program.Of(password)
	}
	for _, field := range s.Headers {
		r.Headers = append(r.Headers, program.Header{Name: field.Name, Value: program.Of(field.Value)})
	}
	for _, c := range s.Captures {
		r.Captures = append(r.Captures, program.Capture{Variable: c.Var, Field: c.Field})
	}
	return r
}
