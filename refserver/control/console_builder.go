package control

import (
	"github.com/socialfeed/conform/refserver"
	"github.com/socialfeed/conform/refserver/control/openapi"
)

// builder holds the lists of the forms for weather and choices.
type builder struct {
	Kinds      []weatherKind
	Operations []openapi.Operation
	Choices    []choice
}

// weatherKind is a kind of weather as a rule begins with it. Of one with an example the value follows an equals sign,
// or the example is the kind itself where Kind is blank.
type weatherKind struct{ Kind, Example, Meaning string }

// choice is a choice of the reference server, with its default.
type choice struct{ Name, Value, Meaning string }

// choicesOffered are all choices. Without their meanings, the list is of use too.
func choicesOffered() []choice {
	meanings, _ := refserver.ChoiceMeanings()
	var all []choice
	for _, setting := range (refserver.Choices{}).Settings() {
		all = append(all, choice{setting.Name, setting.Value, meanings[setting.Name]})
	}
	return all
}

func (c *console) builder() builder {
	return builder{
		Kinds: []weatherKind{
			{"delay", "2s", "The answer comes late. A range is random: 1s-3s"},
			{"", "500", "The request is refused with this status, from 400 to 599"},
			{"cut", "20", "The connection ends after so many bytes of the body"},
			{"html", "502", "A proxy answers a page of HTML with this status"},
			{"reset", "", "The connection is reset before an answer"},
			{"hang", "", "No answer comes"},
		},
		Operations: c.plane.fake.operations,
		Choices:    choicesOffered(),
	}
}
