package rules

import (
	"encoding/json"

	"github.com/socialfeed/conform/conformance/internal/jsonvalue"
)

// Type is the JSON type that the contract documents for a field (Resources and their fields).
// Its text is a noun phrase for messages.
type Type string

// The types of the contract's fields.
const (
	TextType     Type = "a string"
	IDType       Type = "an integer or a string"
	NumberType   Type = "a number"
	FlagType     Type = "a boolean"
	TimeType     Type = "a timestamp" // RFC 3339
	TextMapType  Type = "an object of strings"
	TextListType Type = "a list of strings"
	KindType     Type = `"friend" or "follow"`
	ObjectType   Type = "an object"         // of a resource of its own
	ImagesType   Type = "a list of objects" // with a url each
)

// Allows reports whether a decoded JSON value is of the type. Numbers are json.Number. Of a
// timestamp it checks only the JSON type; of a list of images and a nested object, not the
// content.
func (t Type) Allows(value any) bool {
	switch v := value.(type) {
	case string:
		return t == TextType || t == IDType || t == TimeType || t == KindType && (v == "friend" || v == "follow")
	case json.Number:
		return t == NumberType || t == IDType && jsonvalue.IsInteger(v)
	case bool:
		return t == FlagType
	case []any:
		return t == ImagesType || t == TextListType && allTexts(v)
	case map[string]any:
		return t == ObjectType || t == TextMapType && allTextValues(v)
	}
	return false
}

func allTexts(list []any) bool {
	for _, item := range list {
		if _, text := item.(string); !text {
			return false
		}
	}
	return true
}

func allTextValues(entries map[string]any) bool {
	for _, item := range entries {
		if _, text := item.(string); !text {
			return false
		}
	}
	return true
}
