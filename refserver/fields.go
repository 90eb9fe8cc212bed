package refserver

import (
	"bytes"
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// fields reads the members of a JSON object and keeps the first thing that is
// wrong with them. A null is taken as a member that was not sent.
type fields struct {
	choices *Choices
	members map[string]json.RawMessage
	within  string // the name of the member that holds the object, with a dot
	wrong   error
}

func (s *Server) fields(q *request) *fields {
	return &fields{choices: &s.choices, members: q.members}
}

// fail keeps the first problem.
func (f *fields) fail(p *problem) {
	if f.wrong == nil {
		f.wrong = p
	}
}

// invalid fails with the status for what is missing, too many or too long.
func (f *fields) invalid(code int, message string) {
	f.fail(&problem{status: f.choices.RequiredStatus, code: code, message: message})
}

// missing fails for a required member.
func (f *fields) missing(name string) {
	f.invalid(codeMissing, f.within+name+" is required")
}

func (f *fields) raw(name string) (json.RawMessage, bool) {
	raw, sent := f.members[name]
	return raw, sent && string(raw) != "null"
}

// member decodes one member; want says in words what it must be.
func member[T any](f *fields, name, want string) (value T, sent bool) {
	raw, sent := f.raw(name)
	if !sent {
		return value, false
	}
	decoded := new(T) // apart from value, which takes no memory of its own if nothing was sent
	if err := json.Unmarshal(raw, decoded); err != nil {
		f.fail(wrongType(f.within+name, want))
		return value, false
	}
	return *decoded, true
}

// plainText is a JSON string that has no escapes.
func plainText(raw json.RawMessage) (string, bool) {
	if len(raw) < 2 || raw[0] != '"' || bytes.IndexByte(raw, '\\') >= 0 {
		return "", false
	}
	return string(raw[1 : len(raw)-1]), true
}

// text reads a string.
func (f *fields) text(name string) (string, bool) {
	raw, _ := f.raw(name)
	value, sent := plainText(raw)
	if !sent {
		value, sent = member[string](f, name, "a string")
	}
	if value = f.normal(value); f.choices.TrimTexts && name != "password" && name != "type" {
		value = strings.TrimSpace(value)
	}
	if f.choices.LowerCaseEmails && name == "email" {
		value = strings.ToLower(value)
	}
	if most := f.choices.TextBytes; most > 0 && len(value) > most && slices.Contains([]string{"first_name", "last_name", "language", "priority", "location"}, name) {
		f.invalid(codeTooLong, f.within+name+" is too long")
	}
	return value, sent
}

// requiredText reads a string that must not be blank.
func (f *fields) requiredText(name string) string {
	value, _ := f.text(name)
	f.requireText(name, value)
	return value
}

// requireText refuses a blank value.
func (f *fields) requireText(name, value string) {
	if strings.TrimSpace(value) == "" {
		f.missing(name)
	}
}

// number reads a number.
func (f *fields) number(name string) (*float64, bool) {
	value, sent := member[float64](f, name, "a number")
	if !sent {
		return nil, false
	}
	return &value, true
}

// texts reads a map of string to string; a null among its values is of the wrong type.
func (f *fields) texts(name string) (map[string]string, bool) {
	const want = "an object of strings"
	values, sent := member[map[string]*string](f, name, want)
	if !sent {
		return nil, false
	}
	texts := make(map[string]string, len(values))
	for key, value := range values {
		if value == nil {
			f.fail(wrongType(f.within+name, want))
			return nil, false
		}
		texts[f.normal(key)] = f.normal(*value)
	}
	return texts, sent
}

// list reads an array of strings; a null among them is of the wrong type.
func (f *fields) list(name string) ([]string, bool) {
	const want = "an array of strings"
	values, sent := member[[]*string](f, name, want)
	list := make([]string, 0, len(values))
	for _, value := range values {
		if value == nil {
			f.fail(wrongType(f.within+name, want))
			return nil, false
		}
		list = append(list, f.normal(*value))
	}
	return list, sent
}

// object reads a nested object; an error inside it is an error of the object.
func (f *fields) object(name string, read func(*fields)) bool {
	members, sent := member[map[string]json.RawMessage](f, name, "an object")
	if !sent {
		return false
	}
	inner := &fields{choices: f.choices, members: members, within: f.within + name + "."}
	read(inner)
	if f.wrong == nil {
		f.wrong = inner.wrong
	}
	return true
}

// merged is a map after an update.
func (f *fields) merged(standing, sent map[string]string) map[string]string {
	if !f.choices.MergeMaps || len(standing) == 0 {
		return sent
	}
	both := maps.Clone(standing)
	maps.Copy(both, sent)
	return both
}

// metadata reads metadata within its limits (Limits item 3), counted in characters.
func (f *fields) metadata() (map[string]string, bool) {
	const maxKeys, maxKey, maxValue = 10, 40, 500
	metadata, sent := f.texts("metadata")
	if len(metadata) > maxKeys {
		f.invalid(codeTooLong, "metadata holds more than 10 keys")
	}
	for key, value := range metadata {
		if utf8.RuneCountInString(key) > maxKey {
			f.invalid(codeTooLong, "metadata has a key of more than 40 characters")
		}
		if utf8.RuneCountInString(value) > maxValue {
			f.invalid(codeTooLong, "metadata has a value of more than 500 characters")
		}
	}
	return metadata, sent
}

func (f *fields) normal(text string) string {
	if f.choices.ComposeText {
		return norm.NFC.String(text)
	}
	return text
}

// only refuses members beyond those that a client may send, where the choices say so.
func (f *fields) only(known, serverSet []string) {
	for name := range f.members {
		switch {
		case slices.Contains(known, name):
		case slices.Contains(serverSet, name):
			if f.choices.RefuseServerFields {
				f.fail(&problem{status: http.StatusUnprocessableEntity, code: codeServerField, message: name + " is set by the server"})
			}
		case f.choices.RefuseUnknownFields:
			f.fail(&problem{status: http.StatusUnprocessableEntity, code: codeUnknownField, message: "the request has a field that the contract does not know"})
		}
	}
}
