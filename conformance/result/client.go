package result

// Client describes the client that was judged, if one was.
type Client struct {
	Command string      `json:"command"`         // its tests, "" where its traffic was watched
	Flags   []string    `json:"flags,omitempty"` // of the run, without those of its reports
	Runs    []ClientRun `json:"runs,omitempty"`  // of its tests, in each surrounding
	// Breaches says what its tests notice, nil where the server was sound.
	Breaches *Breaches `json:"breaches,omitempty"`
}

// ClientRun is a run of a client's tests in one surrounding.
type ClientRun struct {
	Surrounding string   `json:"surrounding"`
	Flags       []string `json:"flags,omitempty"` // that choose this surrounding alone
	Exit        int      `json:"exit"`            // the command's code
	Requests    int      `json:"requests"`
	DurationMS  int64    `json:"duration_ms"`
}
