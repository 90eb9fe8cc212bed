package leeway

import (
	"maps"

	"github.com/socialfeed/conform/conformance/model/value"
)

// WithPlatformID returns the lawful social ids of a user after a request to connect by social
// ids that has named its own.
func WithPlatformID(was value.Set, request any) value.Set {
	sent, _ := request.(value.Fields)
	platform, isText := sent["platform"].(string)
	own, isOwn := sent["platform_user_id"].(string)
	if !isText || !isOwn {
		return was
	}
	all := was
	for _, each := range was {
		older, _ := each.(map[string]any)
		all = all.Or(value.Merge(older, value.Fields{platform: own}))
	}
	return all
}

// Omitted returns the lawful values of a field that an update omitted.
func Omitted(was value.Set, keeps Tri, unset value.Set) value.Set {
	switch keeps {
	case Yes:
		return was
	case No:
		return unset
	}
	return was.Or(unset...)
}

// Replaced returns the lawful values of a field that an update sent. Maps and objects may
// be merged instead of replaced, each field in its own way.
func Replaced(name string, was value.Set, v any, merges Tri) value.Set {
	values := Sent(name, v)
	newer, isMap := v.(map[string]any)
	if !isMap || merges == No {
		return values
	}
	var added value.Set
	for _, each := range was {
		if older, ok := each.(map[string]any); ok {
			added = added.Or(value.Merge(older, newer), value.MergeDeep(older, newer))
		} else { // the field may have been empty
			added = added.Or(values...)
		}
	}
	if merges == Yes && len(added) > 0 {
		return added
	}
	return values.Or(added...)
}

// Sent returns the lawful values of a field that was sent. An object's url may be left
// out of answers.
func Sent(name string, v any) value.Set {
	object, ok := v.(map[string]any)
	if name != "object" || !ok {
		return value.Set{v}
	}
	without := maps.Clone(object)
	delete(without, "url")
	return value.Set{v}.Or(without)
}
