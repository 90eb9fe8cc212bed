package result

import "slices"

// Upgrade is what a new version of a server shows of what an old one has left in their database.
type Upgrade struct {
	Answers int             `json:"answers"` // how many of the new version were compared with those of the old one
	Changes []UpgradeChange `json:"changes"`
	Notes   []string        `json:"notes"` // what was not compared, and why
}

// UpgradeChange is something that the new version shows otherwise.
type UpgradeChange struct {
	Rule     string `json:"rule,omitempty"` // of stories with restarts, "" where none asks about it
	Endpoint string `json:"endpoint"`       // "" where it shows in several
	What     string `json:"what"`           // a path such as $[].verb, "status", "session" or what was done
	Old      string `json:"old"`            // of the first answer that shows it
	New      string `json:"new"`
	Times    int    `json:"times"` // answers that show it
	Allowed  bool   `json:"allowed"`
}

// Noticeable reports whether clients of the old version can notice.
func (u *Upgrade) Noticeable() bool {
	return u != nil && slices.ContainsFunc(u.Changes, func(c UpgradeChange) bool { return !c.Allowed })
}

// Empty reports that there is no difference.
func (u *Upgrade) Empty() bool { return u == nil || len(u.Changes) == 0 }
