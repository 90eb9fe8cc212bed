package model

import "maps"

// withPlatformID returns the lawful social ids of a user after a request to connect by social
// ids that has named its own.
func withPlatformID(was lawful, request any) lawful {
	sent, _ := request.(Fields)
	platform, isText := sent["platform"].(string)
	own, isOwn := sent["platform_user_id"].(string)
	if !isText || !isOwn {
		return was
	}
	all := was
	for _, each := range was {
		older, _ := each.(map[string]any)
		all = all.or(merged(older, Fields{platform: own}))
	}
	return all
}

// lawfulOmitted returns the lawful values of a field that an update omitted.
func lawfulOmitted(was lawful, keeps Tri, unset lawful) lawful {
	switch keeps {
	case Yes:
		return was
	case No:
		return unset
	}
	return was.or(unset...)
}

// lawfulReplaced returns the lawful values of a field that an update sent. Maps and objects may
// be merged instead of replaced, each field in its own way.
func lawfulReplaced(name string, was lawful, v any, merges Tri) lawful {
	values := lawfulSent(name, v)
	newer, isMap := v.(map[string]any)
	if !isMap || merges == No {
		return values
	}
	var added lawful
	for _, each := range was {
		if older, ok := each.(map[string]any); ok {
			added = added.or(merged(older, newer), mergedDeep(older, newer))
		} else { // the field may have been empty
			added = added.or(values...)
		}
	}
	if merges == Yes && len(added) > 0 {
		return added
	}
	return values.or(added...)
}

// lawfulSent returns the lawful values of a field that was sent. An object's url may be left
// out of answers.
func lawfulSent(name string, v any) lawful {
	object, ok := v.(map[string]any)
	if name != "object" || !ok {
		return lawful{v}
	}
	without := maps.Clone(object)
	delete(without, "url")
	return lawful{v}.or(without)
}
