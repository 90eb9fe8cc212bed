package diff

import (
	"cmp"
	"fmt"

	"github.com/socialfeed/conform/conformance/result"
)

// upgradeSections are what a new version shows of what an old one left, nothing where no upgrade was tried.
func upgradeSections(u *result.Upgrade) []TrafficSection {
	if u == nil {
		return nil
	}
	var changed, added, told [][2]string
	for _, c := range u.Changes {
		line := upgradeLine(c)
		if c.Allowed {
			added = append(added, line)
		} else {
			changed = append(changed, line)
		}
	}
	told = append(told, [2]string{"compared", result.Plural(u.Answers, "answer") + " of the new version to requests that read what the old one left"})
	for _, note := range u.Notes {
		told = append(told, [2]string{"note", note})
	}
	var sections []TrafficSection
	for _, s := range []TrafficSection{
		{"Upgrade: what was there is different", result.Fail, changed}, {"Upgrade: new fields, which clients have to ignore", result.Observed, added},
		{"Upgrade: what was compared", result.Observed, told},
	} {
		if len(s.Lines) > 0 {
			sections = append(sections, s)
		}
	}
	return sections
}

// upgradeLine says where something is different, and what it was and is.
func upgradeLine(c result.UpgradeChange) [2]string {
	what := c.What + ": " + c.Old + " → " + c.New
	if c.Times > 1 {
		what += fmt.Sprintf(", and alike in %s", result.Plural(c.Times-1, "more answer"))
	}
	if c.Rule != "" && c.Endpoint != "" {
		what += " (" + c.Rule + ")"
	}
	return [2]string{cmp.Or(c.Endpoint, c.Rule), what}
}
