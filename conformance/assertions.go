package conformance

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"

	"github.com/gavv/httpexpect/v2"
	"github.com/socialfeed/conform/conformance/internal/jsonvalue"
	"github.com/socialfeed/conform/conformance/result"
)

// Expect is the response for httpexpect's assertions, within a judgement. An Alias says what is
// expected in the words of a report. Each call returns a new one, since httpexpect ignores every
// assertion after a failed one.
func (a *Answer) Expect() *httpexpect.Response { return a.expect(outcome{actual: a.summary()}) }

func (a *Answer) expect(failed outcome) *httpexpect.Response {
	return httpexpect.NewResponseC(asserting(failed), &http.Response{
		StatusCode: a.Status(), Header: a.Headers().Clone(), Body: io.NopCloser(bytes.NewReader(a.Body())),
	})
}

// ExpectHeader is a header's value for httpexpect's assertions: its lines joined
// by commas, which mean the same.
func (a *Answer) ExpectHeader(name string) *httpexpect.String {
	lines := a.Headers().Values(name)
	return httpexpect.NewStringC(asserting(outcome{actual: shownHeader(lines), field: name}), strings.Join(lines, ", "))
}

// ExpectHeaderItems are the items of a header that holds a list, for httpexpect's
// assertions.
func (a *Answer) ExpectHeaderItems(name string) *httpexpect.Array {
	var items []any
	for _, item := range a.HeaderItems(name) {
		items = append(items, item)
	}
	return httpexpect.NewArrayC(asserting(outcome{actual: shownHeader(a.Headers().Values(name)), field: name}), items)
}

func shownHeader(lines []string) string {
	if len(lines) == 0 {
		return "no such header"
	}
	return fmt.Sprintf("%q", lines)
}

// asserting configures httpexpect so that a failed assertion ends the check with the given
// outcome, which says what was found.
func asserting(failed outcome) httpexpect.Config {
	return httpexpect.Config{AssertionHandler: assertions{failed}, Client: http.DefaultClient} // which sends nothing
}

// assertions receives what httpexpect finds, and ends the check with it.
type assertions struct{ failed outcome }

// Success is not recorded: the check records what it passed on by itself.
func (assertions) Success(*httpexpect.AssertionContext) {}

// Failure ends the check with the finding in the words of a report.
func (h assertions) Failure(where *httpexpect.AssertionContext, f *httpexpect.AssertionFailure) {
	if f.Severity != httpexpect.SeverityError {
		return
	}
	err := errors.Join(f.Errors...)
	if f.Type == httpexpect.AssertOperation && err != nil {
		if onTheWire, ok := errors.AsType[*url.Error](err); ok {
			err = onTheWire.Err
		}
		panic(unjudged(err))
	}
	o := h.failed
	o.status, o.expected = result.Fail, "what the assertion asks for"
	switch {
	case len(where.AliasedPath) > 0 && where.AliasedPath[0] != where.Path[0]:
		o.expected = where.AliasedPath[0]
	case f.Expected != nil:
		o.expected = jsonvalue.Show(f.Expected.Value)
	case err != nil:
		o.expected = err.Error()
	}
	panic(o)
}
