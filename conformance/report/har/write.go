// Package har writes the exchanges of a report as an HTTP archive.
package har

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/socialfeed/conform/conformance/report/indented"
	"github.com/socialfeed/conform/conformance/report/view"
	"github.com/socialfeed/conform/conformance/result"
)

// The objects of HAR 1.2, with the fields that a report has values for.
type (
	Log struct {
		Version string  `json:"version"`
		Creator creator `json:"creator"`
		Entries []entry `json:"entries"`
		Comment string  `json:"comment"`
	}
	creator struct {
		Name    string `json:"name"`
		Version string `json:"version"`
	}
	entry struct {
		Started  time.Time `json:"startedDateTime"`
		Time     float64   `json:"time"`
		Request  request   `json:"request"`
		Response response  `json:"response"`
		Cache    struct{}  `json:"cache"`
		Timings  timings   `json:"timings"`
		Comment  string    `json:"comment,omitempty"`
	}
	message struct {
		HTTPVersion string `json:"httpVersion"`
		Cookies     []Pair `json:"cookies"`
		Headers     []Pair `json:"headers"`
		HeadersSize int    `json:"headersSize"`
		BodySize    int    `json:"bodySize"`
	}
	request struct {
		Method string `json:"method"`
		URL    string `json:"url"`
		Query  []Pair `json:"queryString"`
		Post   *post  `json:"postData,omitempty"`
		message
	}
	response struct {
		Status      int     `json:"status"`
		StatusText  string  `json:"statusText"`
		Content     content `json:"content"`
		RedirectURL string  `json:"redirectURL"`
		message
		Comment string `json:"comment,omitempty"`
	}
	post struct {
		MimeType string `json:"mimeType"`
		Text     string `json:"text"`
	}
	content struct {
		Size     int    `json:"size"`
		MimeType string `json:"mimeType"`
		Text     string `json:"text,omitempty"`
		Comment  string `json:"comment,omitempty"`
	}
	Pair struct {
		Name  string `json:"name"`
		Value string `json:"value"`
	}
	timings struct {
		Send    float64 `json:"send"`
		Wait    float64 `json:"wait"`
		Receive float64 `json:"receive"`
	}
)

// Write writes the exchanges of a report as an HTTP Archive, version 1.2: those of the
// whole run where they were kept, otherwise those of the checks, each once, in the order of
// their start. Comments name the rules and scenarios that an exchange is evidence for.
func Write(w io.Writer, v *view.View) error {
	r := v.Report
	comments, exchanges := shownFor(r)
	if len(r.Exchanges) > 0 {
		exchanges = r.Exchanges
	}
	log := Log{Version: "1.2", Creator: creator{"conform", r.Tool.String()}, Entries: []entry{},
		Comment: fmt.Sprintf("%s: %s", r.Target.BaseURL, v.Verdict.Words)}
	return indented.WriteList(w, map[string]Log{"log": log}, "\n    \"entries\": ", exchanges, func(x *result.Exchange) any {
		entry := entryOf(x)
		entry.Comment = strings.Join(comments[keyOf(x)], "; ")
		return entry
	})
}

// exchangeKey identifies an exchange, which several checks may show.
type exchangeKey struct {
	started      int64
	took         float64
	curl, answer string // the answer is an error where there is no status
	status       int
}

func keyOf(x *result.Exchange) exchangeKey {
	key := exchangeKey{started: x.StartedAt.UnixNano(), took: x.DurationMS, curl: x.Curl, answer: x.Error}
	if x.Response != nil {
		key.status, key.answer = x.Response.Status, x.Response.Body
	}
	return key
}

// shownFor lists the exchanges of the checks, each with what it is evidence for.
func shownFor(r *result.Report) (map[exchangeKey][]string, []result.Exchange) {
	comments := map[exchangeKey][]string{}
	var exchanges []result.Exchange
	for rule, c := range r.EachCheck() {
		comment := fmt.Sprintf("%s (%s)", rule.ID, c.Status)
		if c.Scenario != "" {
			comment += " in " + c.Scenario
		}
		for i := range c.Exchanges {
			key := keyOf(&c.Exchanges[i])
			if _, known := comments[key]; !known {
				exchanges = append(exchanges, c.Exchanges[i])
			}
			if !slices.Contains(comments[key], comment) {
				comments[key] = append(comments[key], comment)
			}
		}
	}
	slices.SortStableFunc(exchanges, func(a, b result.Exchange) int { return a.StartedAt.Compare(b.StartedAt) })
	return comments, exchanges
}
