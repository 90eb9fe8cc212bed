package result

// Board remembers how rules came out over several runs, each of which may have been of
// a few scenarios alone.
type Board map[place]Status

// Turn is a rule at an endpoint that comes out in another way than before.
type Turn struct {
	Rule, Endpoint string
	Was, Is        Status // Was is "" where it was not judged before
	Message        string
}

// Green reports whether it is as it should be now.
func (t Turn) Green() bool { return t.Is.light() == green }

// Update records what a run judged and returns what turned green or red, or cannot be judged any
// more. What the run did not judge stays as it was.
func (b Board) Update(r *Report) []Turn {
	var turns []Turn
	now := standingsOf(r).at
	for _, at := range places(r) {
		is := now[at]
		was, known := b[at]
		if is.status == Skipped {
			continue
		}
		b[at] = is.status
		if known && was.light() != is.status.light() {
			turns = append(turns, Turn{Rule: at.rule, Endpoint: at.endpoint, Was: was, Is: is.status, Message: is.message})
		}
	}
	return turns
}

// light is an outcome reduced to good, bad or unknown.
type light int

const (
	dark light = iota // nobody knows
	red
	green
)

func (s Status) light() light {
	switch s {
	case Pass, Observed, Waived:
		return green
	case Fail, Warn, Unstable:
		return red
	}
	return dark
}
