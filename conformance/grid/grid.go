// Package grid derives requests with one peculiarity each from the contract's table: every
// position of a request that can hold a value, with every class of value that can stand there, at
// every endpoint. Each case says how a server must take it: refuse it by a rule, answer it as it
// answers the plain spelling, or answer anything but a 5xx.
//
// A class is a row of a table in this package. It says where it fits, what it changes, and what
// the contract asks of it, so that a new row is tried at every endpoint and position at once.
package grid

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"

	"github.com/socialfeed/conform/conformance/internal/jsonvalue"
	"github.com/socialfeed/conform/conformance/rules"
)

// Message is a request in the making. The sender adds the host, and the headers that every
// request has.
type Message struct {
	Endpoint  rules.Endpoint
	IDs       []string            // of the path's parameters, not escaped
	path      func(string) string // respells the escaped path; nil for none
	Query     map[string]string
	RawQuery  string         // instead of Query, where that cannot express it
	Header    http.Header    // in place of the headers that every request has
	Body      map[string]any // nil for none
	Further   map[string]any // what the body may hold beside
	Raw       []byte         // instead of Body, where that cannot express it
	Chunked   bool           // the body is sent without its length
	spellings []spelling     // of the body, one after another
}

// spelling changes the text of a body.
type spelling struct {
	of     string // what of it: two messages that change the same cannot be one
	change func(body []byte) []byte
}

func (m *Message) respell(of string, change func(body []byte) []byte) {
	m.spellings = append(m.spellings, spelling{of, change})
}

// EscapedPath is the message's path.
func (m *Message) EscapedPath() string {
	path := m.Endpoint.Expand(m.IDs...)
	if m.path != nil {
		path = m.path(path)
	}
	return path
}

// EncodedBody is the message's body as it is to be sent, nil for none.
func (m *Message) EncodedBody() ([]byte, error) {
	body := m.Raw
	if body == nil && m.Body != nil {
		encoded, err := jsonvalue.Encode(m.Body)
		if err != nil {
			return nil, fmt.Errorf("encoding the body of %s: %w", m.Endpoint, err)
		}
		body = encoded
	}
	if body != nil {
		for _, each := range m.spellings {
			body = each.change(body)
		}
	}
	return body, nil
}

// Verdict is how a server must take a case.
type Verdict struct {
	Rule string // that the server breaks otherwise
	// Refused are the statuses that the rule asks for, the first without a warning; nil where the
	// case need not be refused.
	Refused []int
	// Accepted says that the answer must succeed as that to the plain request does. Where it is
	// false and there is nothing in Refused, any answer but a 5xx will do.
	Accepted bool
	// Reception is what becomes of a request with the case where nothing is asked but an answer without a 5xx.
	Reception Reception
}

// Reception is how most servers take what they need not refuse.
type Reception int

const (
	Taken    Reception = iota // by most
	Doubtful                  // taken by some, refused by others
	Unwanted                  // refused by most: nothing else can be seen of the request
)

// Case is one request with a peculiarity.
type Case struct {
	rules.Input
	// Refused, Accepted and Reception are those of the Verdict, whose rule is the input's.
	Refused   []int
	Accepted  bool
	Reception Reception

	row    int // of the class, in the tables
	at     position
	change func(*Message, position)
}

// Apply gives the message the case's peculiarity. The message is a valid request to the case's
// endpoint.
func (c Case) Apply(m *Message) { c.change(m, c.at) }

// String says what a request with the case has that a plain one has not.
func (c Case) String() string {
	if c.at.part == wholeRequest || c.at.part == wholeBody {
		return c.Class
	}
	return c.Class + " as " + c.Field
}

// Cases lists all cases, by endpoint, position and class: each at endpoints where its rule is judged.
func Cases() []Case {
	var all []Case
	catalogue := rules.Load()
	table := classes()
	for _, at := range positions() {
		for row, class := range table {
			if !class.fits(at) {
				continue
			}
			verdict := class.verdict(at)
			if rule, _ := catalogue.Rule(verdict.Rule); !rule.Passive && !slices.Contains(rule.Places(), at.endpoint) {
				continue
			}
			all = append(all, Case{
				Input:   rules.Input{Endpoint: at.endpoint, Field: at.String(), Class: class.name, Rule: verdict.Rule},
				Refused: verdict.Refused, Accepted: verdict.Accepted, Reception: verdict.Reception, row: row, at: at, change: class.change,
			})
		}
	}
	return all
}

// Named returns the cases that inputs name, in the order of Cases.
func Named(inputs []rules.Input) []Case {
	return slices.DeleteFunc(Cases(), func(c Case) bool { return !slices.Contains(inputs, c.Input) })
}

// Draw returns all cases in an order drawn from the seed, of which any beginning covers as many
// classes and positions as it can: each class comes up once before any comes up twice, at a
// position that has come up least.
func Draw(seed uint64) []Case { return draw(seed, Cases()) }

func draw(seed uint64, from []Case) []Case {
	const stream = 0x67726964 // apart from what else is drawn from the seed
	random := rand.New(rand.NewPCG(seed, stream))
	byClass := map[string][]Case{}
	var names []string
	for _, c := range from {
		if byClass[c.Class] == nil {
			names = append(names, c.Class)
		}
		byClass[c.Class] = append(byClass[c.Class], c)
	}
	for _, name := range names {
		cases := byClass[name]
		random.Shuffle(len(cases), func(i, j int) { cases[i], cases[j] = cases[j], cases[i] })
	}
	all := make([]Case, 0, len(from))
	used := map[place]int{}
	for len(names) > 0 {
		random.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
		for _, name := range names {
			left := byClass[name]
			least := leastUsed(left, used)
			used[left[least].at.place()]++
			all = append(all, left[least])
			left[least] = left[len(left)-1]
			byClass[name] = left[:len(left)-1]
		}
		names = slices.DeleteFunc(names, func(name string) bool { return len(byClass[name]) == 0 })
	}
	return all
}

func leastUsed(cases []Case, used map[place]int) int {
	least, uses := 0, used[cases[0].at.place()]
	for i := range cases {
		if uses == 0 {
			break // the first of these
		}
		if n := used[cases[i].at.place()]; n < uses {
			least, uses = i, n
		}
	}
	return least
}
