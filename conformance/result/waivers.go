package result

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/socialfeed/conform/conformance/rules"
	"github.com/socialfeed/conform/internal/nearest"
	"go.yaml.in/yaml/v3"
)

// Waiver is a known deviation that a team accepts for now.
type Waiver struct {
	Rule     string `json:"rule" yaml:"rule"`                             // its id, or a pattern of ids such as feed.*
	Endpoint string `json:"endpoint,omitempty" yaml:"endpoint,omitempty"` // method and path, or a pattern of them; "": wherever the rule is judged
	Status   Status `json:"status,omitempty" yaml:"status,omitempty"`     // the outcome that is waived; "": fail and warn
	Answer   int    `json:"answer,omitempty" yaml:"answer,omitempty"`     // the HTTP status that decides it; 0: any
	Reason   string `json:"reason" yaml:"reason"`
	Link     string `json:"link,omitempty" yaml:"link,omitempty"`
	// Intermittent: the failure comes and goes, and the waiver holds either way.
	Intermittent bool   `json:"intermittent,omitempty" yaml:"intermittent,omitempty"`
	Expires      string `json:"expires" yaml:"expires"` // the last day on which it holds, YYYY-MM-DD in UTC
}

// Waivers are the waivers of one file, in its order.
type Waivers []Waiver

// unwritten begins the reason of a waiver that nobody has thought about yet.
const unwritten = "TODO"

// ReadWaivers reads a YAML list of waivers. Whatever it does not understand is an
// error with its line: a mistyped key would otherwise waive too much.
func ReadWaivers(data []byte) (Waivers, error) {
	var document yaml.Node
	decoder := yaml.NewDecoder(bytes.NewReader(data))
	if err := decoder.Decode(&document); errors.Is(err, io.EOF) {
		return nil, nil
	} else if err != nil {
		return nil, fmt.Errorf("reading the waivers: %w", err)
	}
	if err := decoder.Decode(new(yaml.Node)); !errors.Is(err, io.EOF) {
		return nil, errors.New("reading the waivers: something follows the list")
	}
	list := document.Content[0]
	if list.Kind == yaml.ScalarNode && list.Tag == "!!null" {
		return nil, nil
	}
	if list.Kind != yaml.SequenceNode {
		return nil, fmt.Errorf("reading the waivers: line %d: a list is wanted, each waiver beginning with “- rule:”", list.Line)
	}
	var all Waivers
	var problems []error
	for _, item := range list.Content {
		w, err := readWaiver(item)
		if err == nil && slices.ContainsFunc(all, w.repeats) {
			err = errors.New("there is another waiver for the same")
		}
		if err != nil {
			problems = append(problems, fmt.Errorf("reading the waivers: line %d: %w", item.Line, err))
		}
		all = append(all, w)
	}
	return all, errors.Join(problems...)
}

// repeats reports whether two waivers are for the same outcomes, whatever their reasons.
func (w Waiver) repeats(other Waiver) bool {
	return w.Rule == other.Rule && w.Endpoint == other.Endpoint && w.Status == other.Status && w.Answer == other.Answer
}

func readWaiver(item *yaml.Node) (Waiver, error) {
	var w Waiver
	if item.Kind != yaml.MappingNode {
		return w, errors.New("a waiver is a map of keys such as rule, reason and expires")
	}
	given := map[string]bool{}
	for i := 0; i+1 < len(item.Content); i += 2 {
		key, value := item.Content[i].Value, item.Content[i+1]
		switch {
		case given[key]:
			return w, fmt.Errorf("%s is given twice", key)
		case value.Kind != yaml.ScalarNode:
			return w, fmt.Errorf("%s takes one value", key)
		}
		given[key] = true
		if err := w.set(key, strings.TrimSpace(value.Value)); err != nil {
			return w, err
		}
	}
	for _, required := range []struct{ key, value string }{{"rule", w.Rule}, {"reason", w.Reason}, {"expires", w.Expires}} {
		if required.value == "" {
			return w, fmt.Errorf("%s is missing", required.key)
		}
	}
	return w, nil
}

func (w *Waiver) set(key, value string) error {
	switch key {
	case "rule":
		if _, err := path.Match(value, ""); err != nil {
			return fmt.Errorf("rule takes an id or a pattern such as feed.*, got %q", value)
		}
		w.Rule = value
	case "link":
		w.Link = value
	case "reason":
		if strings.HasPrefix(strings.ToUpper(value), unwritten) {
			return errors.New("the reason is still to be written: say why the deviation is accepted")
		}
		w.Reason = value
	case "endpoint":
		if isPattern(value) {
			if !slices.ContainsFunc(rules.Endpoints(), func(e rules.Endpoint) bool { return matches(value, e.String()) }) {
				return fmt.Errorf("no endpoint matches %q: * stands for anything, as in “* /0.2/user/events*”", value)
			}
			w.Endpoint = value
			break
		}
		e, err := EndpointNamed(value)
		if err != nil {
			return err
		}
		w.Endpoint = e.String()
	case "intermittent":
		var err error
		if w.Intermittent, err = strconv.ParseBool(value); err != nil {
			return fmt.Errorf("intermittent takes true or false, got %q", value)
		}
	case "expires":
		if _, err := time.Parse(time.DateOnly, value); err != nil {
			return fmt.Errorf("expires takes a day as YYYY-MM-DD, got %q", value)
		}
		w.Expires = value
	case "status":
		w.Status = Status(value)
		if waivable := []Status{Fail, Warn, Blocked, Error}; !slices.Contains(waivable, w.Status) {
			return fmt.Errorf("status takes fail, warn, blocked or error, got %q", value)
		}
	case "answer":
		var err error
		if w.Answer, err = strconv.Atoi(value); err != nil || w.Answer < 100 || w.Answer > 599 {
			return fmt.Errorf("answer takes an HTTP status, got %q", value)
		}
	default:
		return fmt.Errorf("there is no key %q%s", key,
			nearest.Hint(key, []string{"rule", "endpoint", "status", "answer", "reason", "link", "expires", "intermittent"}))
	}
	return nil
}

// EndpointNamed reads an endpoint as a person writes it: by its number, or by its
// method and path.
func EndpointNamed(text string) (rules.Endpoint, error) {
	if e, ok := rules.ParseEndpoint(text); ok {
		return e, nil
	}
	var known []string
	for _, e := range rules.Endpoints() {
		if strings.EqualFold(e.String(), text) {
			return e, nil
		}
		known = append(known, strings.ToLower(e.String()))
	}
	return rules.NoEndpoint, fmt.Errorf("there is no endpoint %q%s; it takes a number from 1 to %d, or “METHOD /path”",
		text, nearest.Hint(text, known), int(rules.Versions))
}
