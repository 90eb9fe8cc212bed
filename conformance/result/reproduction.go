package result

import (
	"regexp"
	"slices"
)

// Reproduction is what it takes to show a failure without the judge: the requests
// that led to it, with variables where a target gives something of its own.
type Reproduction struct {
	Passwords int    `json:"passwords,omitempty"` // how many PASSWORD_n the steps take
	Words     []Word `json:"words,omitempty"`     // that the steps take, made up anew each time
	Since     string `json:"since,omitempty"`     // a time that requests hold; the answer's times are compared with it
	Steps     []Step `json:"steps"`               // the last one decides
	Answer    Answer `json:"answer"`              // what the last one got
	// Passing are the statuses that the last answer may have, where any other one is the failure.
	// It is empty where more than the status shows it.
	Passing []string `json:"passing,omitempty"`
	// Repeats is how often the last request is sent where its answers do not show the failure: it may
	// show in one of several alone. 0 is once.
	Repeats int `json:"repeats,omitempty"`
	// RepeatAfterMS is how long to wait after the first of these: later ones are not stale any more.
	RepeatAfterMS int64 `json:"repeat_after_ms,omitempty"`
}

// MostRepeats is the most that Repeats may be.
const MostRepeats = 20

// AnyRefusal stands for every 4xx among the statuses that pass.
const AnyRefusal = "4xx"

// Word is a variable with a made-up text: so many lower-case letters, or hexadecimal digits. Other
// variables are derived from it by name: NAME_UPPER is NAME in upper case, NAME_FIRST_16 its
// first 16 characters. Variables are derived from app tokens in the same way.
type Word struct {
	Var    string `json:"var"`
	Length int    `json:"length"`
	Hex    bool   `json:"hex,omitempty"`
}

// derived matches what follows a Word's name in the name of a variable derived from it.
var derived = regexp.MustCompile(`_(UPPER|FIRST_\d{1,3})$`)

// WordOf returns the name of the Word that a variable is derived from: TEXT for TEXT_UPPER. A
// variable that is derived from none is returned as it is.
func WordOf(variable string) string { return derived.ReplaceAllString(variable, "") }

// HasConcurrent reports whether steps are sent at the same time.
func (r *Reproduction) HasConcurrent() bool {
	return slices.ContainsFunc(r.Steps, func(s Step) bool { return s.AtOnce })
}

// Unscriptable is why the deciding answer does not show the failure to an HTTP client, "" where it does.
// Where its request is sent at the same time as another, and no status is wrong, only both answers
// together show it: a target without the failure gives each of them, in one order or the other.
func (r *Reproduction) Unscriptable() string {
	switch {
	case len(r.Passing) > 0 || len(r.Steps) == 0:
		return ""
	case r.Steps[len(r.Steps)-1].AtOnce:
		return "is how the answers to requests at the same time go together"
	case r.Answer.Hidden:
		return "stands behind the answer, where no HTTP client reads"
	}
	return ""
}

// Sent are the pieces of all requests.
func (r *Reproduction) Sent() []Piece {
	var all []Piece
	for _, step := range r.Steps {
		all = append(all, step.Sent()...)
	}
	return all
}

// Sent are the pieces of the request.
func (s *Step) Sent() []Piece {
	all := slices.Concat(s.Path, s.User, s.Body)
	for _, field := range s.Headers {
		all = append(all, field.Value...)
	}
	return all
}

// Step is one request of a reproduction, and what its answer gives to later ones.
type Step struct {
	Method   string    `json:"method"`
	Path     []Piece   `json:"path"` // behind the base URL, with the query
	User     []Piece   `json:"user,omitempty"`
	Headers  []Field   `json:"headers"`
	Body     []Piece   `json:"body,omitempty"`
	WaitMS   int64     `json:"wait_ms,omitempty"` // before the request
	AtOnce   bool      `json:"at_once,omitempty"` // sent while the step before was not answered
	Captures []Capture `json:"captures,omitempty"`
}

// Field is a header field.
type Field struct {
	Name  string  `json:"name"`
	Value []Piece `json:"value"`
}

// Capture names a field of an answer's JSON object that a variable takes.
type Capture struct {
	Var   string `json:"var"`
	Field string `json:"field"`
}

// Answer is the response that shows the failure.
type Answer struct {
	Status  int     `json:"status"` // 0 where no response came
	Headers []Field `json:"headers,omitempty"`
	Body    []Piece `json:"body,omitempty"`
	// Field is the header field that alone shows the failure, whatever else the answer holds. It is empty where
	// the answer as a whole shows it.
	Field string `json:"field,omitempty"`
	// Hidden is set where bytes stand behind an answer that has no body, such as a 204.
	Hidden bool `json:"hidden,omitempty"`
}
