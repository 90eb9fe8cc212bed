package blame

import (
	"unicode/utf8"

	"github.com/socialfeed/conform/conformance/model/value"
	"github.com/socialfeed/conform/conformance/rules"
)

// ListName returns what messages call a list.
func ListName(at rules.Endpoint) string {
	return map[rules.Endpoint]string{rules.MyFollows: "follows", rules.MyFollowers: "followers", rules.MyFriends: "friends"}[at.OwnList()]
}

// List returns the rule about a list, and where it is booked.
func List(at rules.Endpoint) (string, rules.Endpoint) {
	if at.OwnList() != at {
		return "connections.lists.of-user", at
	}
	return "connections.lists." + ListName(at), at
}

// Limit returns the rule about the contract's Limits to blame when metadata is refused that
// just reaches one of them, else the other rule.
func Limit(metadata any, otherwise string) string {
	const keys, keyLength, valueLength = 10, 40, 500
	entries, _ := metadata.(map[string]any)
	rule := otherwise
	for key, v := range entries {
		text, _ := v.(string)
		long, longKey := utf8.RuneCountInString(text) == valueLength, utf8.RuneCountInString(key) == keyLength
		switch {
		case long && !value.IsASCII(text), longKey && !value.IsASCII(key):
			return "limits.metadata.characters"
		case len(entries) == keys:
			return "limits.metadata.keys"
		case longKey:
			rule = "limits.metadata.key-length"
		case long:
			rule = "limits.metadata.value-length"
		}
	}
	return rule
}

// Created returns the rule about a field in the answer to the creation of an event.
func Created(field string, want value.Set, got any) (string, rules.Endpoint) {
	switch field {
	case "verb":
		return Unicode(want, got, rules.CreateEvent, "events.create.body")
	case "latitude", "longitude":
		return "events.create.coordinates", rules.CreateEvent
	}
	return Unicode(want, got, rules.CreateEvent, "events.create.echo")
}
