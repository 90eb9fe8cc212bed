package passive

import (
	"github.com/socialfeed/conform/conformance/internal/jsonvalue"
	"github.com/socialfeed/conform/conformance/rules"
)

// mistakes are the values of the wrong type that the judge itself sent. A target that
// takes one is blamed for that, by the rule about it, and not for giving it back.
type mistakes struct {
	known map[string]bool
	types map[kind]map[string]fieldType
}

func newMistakes() *mistakes {
	m := &mistakes{known: map[string]bool{}, types: map[kind]map[string]fieldType{}}
	for _, k := range []kind{userKind, connectionKind, eventKind, objectKind} {
		m.types[k] = documented(k)
	}
	return m
}

// record records what a request has of them.
func (m *mistakes) record(o *decodedExchange) {
	const most = 10_000
	k, creates := map[rules.Endpoint]kind{
		rules.CreateUser: userKind, rules.UpdateMe: userKind, rules.CreateConnection: connectionKind,
		rules.CreateEvent: eventKind, rules.UpdateEvent: eventKind,
	}[o.Endpoint]
	if !creates || len(m.known) > most {
		return
	}
	value, _ := o.Sent()
	sent, _ := jsonvalue.AsRecord(value)
	m.recordIn(k, sent)
	if object, nested := jsonvalue.AsRecord(sent["object"]); nested && k == eventKind {
		m.recordIn(objectKind, object)
	}
}

func (m *mistakes) recordIn(k kind, sent jsonvalue.Record) {
	for name, value := range sent {
		want, known := m.types[k][name]
		_, text := value.(string)
		if known && value != nil && !want.is(value) && !(name == "activated" && text) { // which is documented, too
			m.known[mistake(k, name, value)] = true
		}
	}
}

func mistake(k kind, field string, value any) string {
	return string(k) + "." + field + " = " + jsonvalue.Show(value)
}
