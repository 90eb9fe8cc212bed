package faults

import (
	"github.com/socialfeed/conform/refserver"
)

func feed() []Fault {
	return []Fault{
		{
			Name: "feed-hides-earlier-events", Rule: "feed.follow.earlier-events",
			Summary: "a follow shows only what is posted after it",
			Apply:   func(*refserver.Options) {},
		},
	}
}
