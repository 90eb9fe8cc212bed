package passive

import (
	"github.com/socialfeed/conform/conformance/internal/jsonvalue"
	"github.com/socialfeed/conform/conformance/rules"
)

// mistakes are the values of the wrong type that the judge itself sent. A target that
// takes one is blamed for that, by the rule about it, and not for giving it back.
type mistakes struct {
	known  map[string]bool
	fields map[rules.Resource]fields
}

func newMistakes() *mistakes {
	m := &mistakes{known: map[string]bool{}, fields: map[rules.Resource]fields{}}
	for _, k := range []rules.Resource{rules.User, rules.Connection, rules.Event, rules.Object} {
		m.fields[k] = documented(k)
	}
	return m
}

// record records what a request has of them.
func (m *mistakes) record(o *decodedExchange) {
	const most = 10_000
	if len(m.known) > most {
		return
	}
	k := o.Endpoint.Answer().Resource
	value, _ := o.Sent()
	sent, _ := jsonvalue.AsRecord(value)
	m.recordIn(k, sent)
	if object, nested := jsonvalue.AsRecord(sent["object"]); nested && k == rules.Event {
		m.recordIn(rules.Object, object)
	}
}

func (m *mistakes) recordIn(k rules.Resource, sent jsonvalue.Record) {
	for name, value := range sent {
		want, known := m.fields[k].types[name]
		if known && value != nil && !want.Allows(withoutNulls(value)) && !m.fields[k].sent[name].Allows(value) {
			m.known[mistake(k, name, value)] = true
		}
	}
}

func mistake(k rules.Resource, field string, value any) string {
	return string(k) + "." + field + " = " + jsonvalue.Show(value)
}
