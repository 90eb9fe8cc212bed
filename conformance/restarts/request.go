package restarts

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// Target is where requests go.
type Target struct {
	BaseURL   string
	AppToken  string
	Client    *http.Client // without a retry of its own
	UserAgent string
	Settle    time.Duration // how long views may lag
	Timeout   time.Duration // of one request
}

// ref names what a request takes of an earlier answer.
type ref struct {
	event  bool // an event's id, otherwise a user's
	number int
}

// request is a request whose ids and tokens are those that the play has learned: a script finds them
// in variables.
type request struct {
	method string
	path   string
	id     *ref // behind the path, nil for none
	rest   string
	query  string         // of a search
	as     int            // the user whose latest session it takes, 0 for none
	token  int            // or the session by its number, 0 for none
	body   map[string]any // nil for none
	to     int            // the user in user_to_id, 0 for none
}

// answer is what came of a request.
type answer struct {
	status int // 0 where no whole answer came
	body   any
	err    error
}

func (a answer) ok() bool { return a.status >= 200 && a.status < 300 }

// unanswered reports that the request may have been carried out.
func (a answer) unanswered() bool { return a.status == 0 }

func (a answer) String() string {
	if a.unanswered() {
		return "no answer"
	}
	return strconv.Itoa(a.status)
}

// field is a field of the answer as text, "" for none.
func (a answer) field(name string) string {
	record, _ := a.body.(map[string]any)
	return text(record[name])
}

// text is a value of an answer: ids may be strings or numbers.
func text(value any) string {
	switch v := value.(type) {
	case string:
		return v
	case json.Number:
		return v.String()
	}
	return ""
}

// records are the objects of an answer that is an array.
func (a answer) records() []map[string]any {
	list, _ := a.body.([]any)
	var all []map[string]any
	for _, each := range list {
		if record, is := each.(map[string]any); is {
			all = append(all, record)
		}
	}
	return all
}

// mostBody bounds what is read of an answer, in bytes.
const mostBody = 4 << 20

// send sends a request once. Where written is set, it is called when the request has been written.
func (p *player) send(ctx context.Context, r request, written func()) answer {
	ctx, cancel := context.WithTimeout(ctx, p.target.Timeout)
	defer cancel()
	if written != nil {
		ctx = httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{WroteRequest: func(httptrace.WroteRequestInfo) { written() }})
	}
	q, err := p.build(ctx, r)
	if err != nil {
		return answer{err: err}
	}
	p.sent[r.method]++
	response, err := p.target.Client.Do(q)
	if err != nil {
		return answer{err: err}
	}
	defer response.Body.Close()
	content, err := io.ReadAll(io.LimitReader(response.Body, mostBody))
	if err != nil {
		return answer{err: err}
	}
	a := answer{status: response.StatusCode}
	decoder := json.NewDecoder(bytes.NewReader(content))
	decoder.UseNumber()
	if decoder.Decode(&a.body) != nil {
		a.body = nil // what is not JSON shows nothing
	}
	if a.status == http.StatusTooManyRequests || a.status == http.StatusServiceUnavailable {
		a.err = waitError(response.Header.Get("Retry-After"))
	}
	return a
}

// waitError is for how long a target wants no requests.
type waitError string

func (w waitError) Error() string { return "the target wants no requests for " + w.wait().String() }

func (w waitError) wait() time.Duration {
	const usual, most = 5, 61
	seconds, err := strconv.Atoi(string(w))
	if err != nil {
		seconds = usual
	}
	return time.Duration(max(1, min(seconds, most))) * time.Second
}

func (p *player) build(ctx context.Context, r request) (*http.Request, error) {
	var body io.Reader
	if r.body != nil {
		fields := r.body
		if r.to != 0 {
			fields = map[string]any{"type": "follow", "user_to_id": p.idOf(r.to)}
		}
		content, err := json.Marshal(fields)
		if err != nil {
			return nil, fmt.Errorf("writing a request: %w", err)
		}
		body = bytes.NewReader(content)
	}
	path := r.path
	if r.id != nil {
		id := p.known.id(*r.id)
		if id == "" {
			return nil, errors.New("its id is not known")
		}
		path += url.PathEscape(id)
	}
	path += r.rest
	if r.query != "" {
		path += "?q=" + url.QueryEscape(r.query)
	}
	q, err := http.NewRequestWithContext(ctx, r.method, strings.TrimRight(p.target.BaseURL, "/")+path, body)
	if err != nil {
		return nil, errors.New("the base URL is not a valid URL") // the parser's error would quote it
	}
	token := ""
	switch {
	case r.token > 0:
		token = p.known.sessions[r.token].token
	case r.as != 0:
		token = p.known.users[r.as].token
	}
	q.SetBasicAuth(p.target.AppToken, token)
	q.Header.Set("User-Agent", p.target.UserAgent)
	q.Header.Set("Accept", "application/json")
	if r.body != nil {
		q.Header.Set("Content-Type", "application/json")
	}
	return q, nil
}

// idOf is a user's id as the target takes it in user_to_id.
func (p *player) idOf(user int) any {
	id := p.known.users[user].id
	if _, err := strconv.ParseInt(id, 10, 64); err == nil && p.numericIDs {
		return json.Number(id)
	}
	return id
}

func (k *known) id(r ref) string {
	if r.event {
		return k.events[r.number].id
	}
	return k.users[r.number].id
}

// call sends a request, again as long as the target asks to wait.
func (p *player) call(ctx context.Context, r request) answer {
	const tries = 3
	var a answer
	for range tries {
		a = p.send(ctx, r, nil)
		var later waitError
		if !errors.As(a.err, &later) {
			return a
		}
		pause(ctx, later.wait())
	}
	return a
}

// pause waits, or until the context ends.
func pause(ctx context.Context, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-timer.C:
	}
}
