package passive

import (
	"encoding/json"
	"fmt"

	"github.com/socialfeed/conform/conformance/internal/jsonvalue"
)

// fieldType tests the JSON type of a documented field.
type fieldType struct {
	name string
	is   func(any) bool
}

// documented are the types of a resource's fields (the contract's part Resources
// and their fields). Image and the timestamps have passive rules of their own;
// of timestamps only the type counts here.
func documented(k kind) map[string]fieldType {
	text := fieldType{"a string", func(v any) bool { _, ok := v.(string); return ok }}
	id := fieldType{"an integer or a string", isID}
	flag := fieldType{"a boolean", func(v any) bool { _, ok := v.(bool); return ok }}
	number := fieldType{"a number", func(v any) bool { _, ok := v.(json.Number); return ok }}
	texts := fieldType{"an object of strings", isStringMap}
	kindOf := fieldType{`"friend" or "follow"`, func(v any) bool { return v == "friend" || v == "follow" }}
	object := fieldType{"an object", func(v any) bool { _, ok := v.(map[string]any); return ok }}
	switch k {
	case userKind:
		return map[string]fieldType{
			"id": id, "custom_id": text, "social_ids": texts, "user_name": text, "first_name": text,
			"last_name": text, "email": text, "url": text, "metadata": texts, "activated": flag, "enabled": flag,
			"session_token": text, "last_login": text, "created_at": text, "updated_at": text,
		}
	case connectionKind:
		return map[string]fieldType{
			"user_from_id": id, "user_to_id": id, "type": kindOf, "enabled": flag,
			"confirmed_at": text, "created_at": text, "updated_at": text,
		}
	case eventKind:
		return map[string]fieldType{
			"id": id, "user_id": id, "verb": text, "language": text, "priority": text, "location": text,
			"latitude": number, "longitude": number, "metadata": texts, "object": object, "enabled": flag,
			"created_at": text, "updated_at": text,
		}
	}
	return map[string]fieldType{"id": text, "type": text, "url": text, "display_name": texts}
}

// required are the fields that identify a resource of each kind.
func required(k kind) []string {
	switch k {
	case connectionKind:
		return []string{"user_from_id", "user_to_id", "type"}
	default:
		return []string{"id"}
	}
}

// mistyped names the first field of a resource that has another type than
// documented, "" when all have theirs. Null is judged by a rule of its own.
func mistyped(r resource, types map[string]fieldType, exempt func(field string) bool) string {
	for _, name := range required(r.kind) {
		if !r.record.Has(name) {
			return fmt.Sprintf("%s%s without %s", r.kind, r.where, name)
		}
	}
	for _, name := range jsonvalue.SortedKeys(r.record) {
		want, known := types[name]
		value := r.record[name]
		if !known || value == nil || want.is(value) || exempt(name) {
			continue
		}
		return fmt.Sprintf("%s%s.%s = %s, which is not %s", r.kind, r.where, name, jsonvalue.Show(value), want.name)
	}
	return ""
}

func isID(v any) bool {
	switch id := v.(type) {
	case string:
		return true // a blank one is judged by the rule about blank fields
	case json.Number:
		return jsonvalue.IsInteger(id)
	}
	return false
}

func isStringMap(v any) bool {
	m, ok := v.(map[string]any)
	if !ok {
		return false
	}
	for _, item := range m {
		if _, text := item.(string); !text && item != nil {
			return false
		}
	}
	return true
}
