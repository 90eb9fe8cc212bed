package result

import "strings"

// Piece is a part of a text: one that is shown as it stands, or one that a
// variable stands for.
type Piece struct {
	Text   string  `json:"text,omitempty"` // as it stands in the original; of a variable it is in no report
	Var    string  `json:"var,omitempty"`  // the variable, "" for a text that is shown
	Base64 []Piece `json:"-"`              // of Basic credentials: what their base64 encodes
}

// Shown is the piece as a report shows it.
func (p Piece) Shown() string {
	switch {
	case p.Base64 != nil:
		return "base64(" + Shown(p.Base64) + ")"
	case p.Var != "":
		return "$" + p.Var
	}
	return p.Text
}

// Shown is a text as a report shows it.
func Shown(pieces []Piece) string {
	if len(pieces) == 1 {
		return pieces[0].Shown()
	}
	var b strings.Builder
	for _, p := range pieces {
		b.WriteString(p.Shown())
	}
	return b.String()
}

// Joined are the same pieces, with texts that follow one another as one.
func Joined(pieces []Piece) []Piece {
	joined := []Piece{}
	for _, p := range pieces {
		if last := len(joined) - 1; p.Var == "" && last >= 0 && joined[last].Var == "" {
			joined[last].Text += p.Text
			continue
		}
		joined = append(joined, p)
	}
	return joined
}
