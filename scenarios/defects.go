package scenarios

import (
	"slices"

	. "github.com/socialfeed/conform/conformance"
)

// mistyped names the field with a value of the wrong type, the first in alphabetical order.
func mistyped(fields Fields) string {
	var names []string
	for name := range fields {
		names = append(names, name)
	}
	slices.Sort(names)
	name := names[0]
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
