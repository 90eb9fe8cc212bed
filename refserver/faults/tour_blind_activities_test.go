package faults_test

import "strings"

func blindActivities(x *tour) {
	reader, poster := x.create("reads activities", text("custom_id", "reader-1")), x.create("posts activities")
	x.connect(reader, poster, "follow")
	for _, fields := range []string{
		`"verb":"v","metadata":{"a":"{\"b\": 1}","c_d":"e"}`, `"verb":"v","object":{"id":"1","type":"blog:post"}`,
		`"verb":"v","metadata":{"a":"` + strings.Repeat("&", 500) + `"}`,
		`"verb":"v","latitude":1.5`, `"verb":"v","priority":"high"`, `"verb":"v","priority":"low"`,
	} {
		x.post(poster, fields)
		x.feed(reader)
	}
	changesOfParts(x, poster)
	x.post(x.create("a stranger"), `"verb":"v","object":{"id":"reader-1"}`)
	x.feed(reader)
	x.remove(poster)
	x.feed(reader)
}

// changesOfParts leaves the verb out, and one of two coordinates.
func changesOfParts(x *tour, poster user) {
	event := x.post(poster, `"verb":"v","latitude":1.5,"longitude":2.5`)
	x.change(poster, event, `"longitude":3.5`)
	x.change(poster, event, `"metadata":{"verb":"w"}`)
}
