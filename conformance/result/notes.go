package result

import (
	"fmt"
	"strings"
)

// Notes are sentences, so that any reader of a report can show them. What a page shows in
// another way it finds by the words that are here.
const (
	unpaced   = "the target is on this machine and serves more than "
	undeleted = " could not be deleted from the target: "
)

// UnpacedNote says that drawn stories were not paced, since the target serves more than so many
// requests a minute, and by which setting they would be.
func UnpacedNote(limit int, rate string) string {
	return fmt.Sprintf("%s%d requests a minute: drawn stories were not paced (%s)", unpaced, limit, rate)
}

// UndeletedNote names the users that stay on the target, up to a bound.
func UndeletedNote(names []string) string {
	const most = 20
	note := Plural(len(names), "user") + undeleted + strings.Join(names[:min(len(names), most)], ", ")
	if len(names) > most {
		note += ", …"
	}
	return note
}

// Informs reports whether a note is for information alone, and nothing is wrong.
func Informs(note string) bool { return strings.HasPrefix(note, unpaced) }

// ListIn splits a note that ends with a list of users into its text and the list, which is
// empty for any other note.
func ListIn(note string) (text, list string) {
	if before, list, found := strings.Cut(note, undeleted); found {
		return before + strings.TrimSuffix(undeleted, ": "), list
	}
	return note, ""
}
