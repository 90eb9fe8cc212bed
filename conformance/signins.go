package conformance

// announceSignIns says, after the first contact, how long the sign-ups and logins of so many scenarios
// will take where they are slow.
func (r *run) announceSignIns(scenarios int) {
	if notice := r.signIns.Announcement(scenarios, r.crew.size()); notice != "" {
		r.report(Progress{Of: scenarios, Notice: notice})
	}
}
