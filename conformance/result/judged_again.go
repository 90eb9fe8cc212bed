package result

import "fmt"

// JudgedAgain is how far the stored exchanges of a report reached when they were judged again without
// the target.
type JudgedAgain struct {
	Tool     Tool `json:"tool"`      // that judged again
	Failures int  `json:"failures"`  // of the report, failures and warnings
	Stand    int  `json:"stand"`     // that still fail
	NoLonger int  `json:"no_longer"` // that do not
	Found    int  `json:"found"`     // beside them, that the report did not tell
}

// String says it in a sentence.
func (j *JudgedAgain) String() string {
	reached := j.Stand + j.NoLonger
	text := fmt.Sprintf("%d of %s could be judged again without the target, by version %s of conform: %d stand, %d no longer", reached, Plural(j.Failures, "failure"), j.Tool, j.Stand, j.NoLonger)
	if j.Found > 0 {
		text += fmt.Sprintf("; %d more found", j.Found)
	}
	if left := j.Failures - reached; left > 0 {
		text += fmt.Sprintf("; %d rest on what is not stored: how the scenario came there, secrets, long bodies", left)
	}
	return text
}
