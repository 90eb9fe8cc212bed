package scenarios

import (
	"maps"
	"slices"

	. "github.com/socialfeed/conform/conformance"
)

// mistyped names the field with a value of the wrong type, the first in alphabetical order.
func mistyped(fields Fields) string {
	name := slices.Sorted(maps.Keys(fields))[0]
	if object, nested := fields[name].(Fields); nested && len(object) > 0 && name == "object" {
		inner := Fields{}
		for field, value := range object {
			if _, text := value.(string); !text || field == "display_name" { // a text is right for every field but display_name
				inner[field] = value
			}
		}
		return name + "." + mistyped(inner)
	}
	return name + " " + kindOfJSON(fields[name])
}
