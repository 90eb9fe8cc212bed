package model

// allValues draws stories in which a few users take every value of every pool: in events,
// profiles, names and new users.
func allValues(seed uint64) []Story {
	d := newDrawer(seed, "tours")
	return []Story{d.eventValues(), d.profileValues(), d.nameValues(), d.newUserValues()}
}

// valuesStory returns a story that begins with a follow and an event.
func (d drawer) valuesStory(of string, slots int) Story {
	return Story{Values: d.values(), Name: "all values of " + of, Slots: slots, Brief: true, Ops: []Op{{Kind: Follow, A: 0, B: 1}, {Kind: Post, A: 1}}}
}

// eventValues draws a user who posts all kinds of events and changes them to others, a few at
// a time, so that no feed exceeds the promised length.
func (d drawer) eventValues() Story {
	s := d.valuesStory("events", 2)
	const few = promisedLength / 2
	for i := range len(texts()) {
		s.Ops = append(s.Ops, Op{Kind: Post, A: 1, V: d.values()}, Op{Kind: Change, A: 1, C: i, V: d.values()}, Op{Kind: Tweak, A: 1, C: i, V: 1})
		if i%few == few-1 {
			s.Ops = append(s.Ops, Op{Kind: Audit, V: auditFeeds})
		}
	}
	return s
}

// profileValues draws a user who takes all kinds of profiles, and is searched for by them.
func (d drawer) profileValues() Story {
	s := d.valuesStory("profiles", 3)
	for i := range texts() {
		s.Ops = append(s.Ops, Op{Kind: Edit, A: 1, V: d.values()}, Op{Kind: Audit, A: 1, V: auditNameParts}, Op{Kind: Tweak, A: 1, V: 2 * i})
	}
	return s
}

// nameValues draws a user who takes all kinds of names and passwords, and logs in by them.
func (d drawer) nameValues() Story {
	s := d.valuesStory("names", 3)
	login := []Op{{Kind: LogIn, A: 1}, {Kind: LogIn, A: 1, V: 1}}
	for range userNames() {
		s.Ops = append(append(s.Ops, Op{Kind: Rename, A: 1, V: d.values()}, Op{Kind: Audit, A: 1, V: auditNames}, Op{Kind: Audit, A: 1, V: auditNameParts}), login...)
	}
	for i := range passwords() {
		s.Ops = append(append(s.Ops, Op{Kind: Repassword, A: 1, B: 1, V: i + 1}), login...)
		s.Ops = append(s.Ops, Op{Kind: Repassword, A: 1})
	}
	s.Ops = append(append(s.Ops, Op{Kind: Repassword, A: 1, C: 1}, Op{Kind: Repassword, A: 1, C: 1}), login...)
	return s
}

// newUserValues draws a user who connects to users with all kinds of ids, some of whom never
// logged in, and to users with the name of a deleted one.
func (d drawer) newUserValues() Story {
	const newUsers = 10
	s := d.valuesStory("new users", 2+newUsers)
	for i := 2; i < s.Slots; i++ {
		s.Ops = append(s.Ops, Op{Kind: Join, A: i, V: i}, Op{Kind: Audit, A: 1, V: auditNameParts}, Op{Kind: Social, A: 0, B: i, V: i / 4}, Op{Kind: Social, A: 1, B: i, V: i/4 + 1})
	}
	s.Ops = append(s.Ops, Op{Kind: Audit, A: 0, B: 1, V: auditPair}, Op{Kind: Leave, A: 2}, Op{Kind: Return, A: 2, V: 1}, Op{Kind: Leave, A: 3}, Op{Kind: Return, A: 3, V: 2},
		Op{Kind: Post, A: 2, V: d.values()}, Op{Kind: Leave, A: 2}, Op{Kind: Return, A: 2, V: d.values()}, Op{Kind: Audit})
	return s
}
