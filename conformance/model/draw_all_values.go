package model

// allValues draws stories in which a few users take every value of every pool: in events,
// profiles, names and new users.
func allValues(seed uint64) []Story {
	d := newGenerator(seed, "tours")
	return []Story{d.eventValues(), d.profileValues(), d.nameValues(), d.newUserValues()}
}

// valuesStory returns a story that begins with a follow and an event.
func (d generator) valuesStory(of string, slots int) Story {
	return Story{Values: d.values(), Name: "all values of " + of, Slots: slots, ShortAudit: true, Ops: []Op{{Kind: Follow, Actor: 0, Other: 1}, {Kind: Post, Actor: 1}}}
}

// eventValues draws a user who posts all kinds of events and changes them to others, a few at
// a time, so that no feed exceeds the promised length.
func (d generator) eventValues() Story {
	s := d.valuesStory("events", 2)
	const few = promisedLength / 2
	for i := range len(texts()) {
		s.Ops = append(s.Ops, Op{Kind: Post, Actor: 1, Values: d.values()}, Op{Kind: Change, Actor: 1, Event: i, Values: d.values()}, Op{Kind: UpdateEventSimilar, Actor: 1, Event: i})
		if i%few == few-1 {
			s.Ops = append(s.Ops, Op{Kind: Audit, Extent: AuditFeeds})
		}
	}
	return s
}

// profileValues draws a user who takes all kinds of profiles, and is searched for by them.
func (d generator) profileValues() Story {
	s := d.valuesStory("profiles", 3)
	for i := range texts() {
		s.Ops = append(s.Ops, Op{Kind: Edit, Actor: 1, Values: d.values()}, Op{Kind: Audit, Actor: 1, Extent: AuditNameParts}, Op{Kind: UpdateSimilar, Actor: 1, Variant: i})
	}
	return s
}

// nameValues draws a user who takes all kinds of names and passwords, and logs in by them.
func (d generator) nameValues() Story {
	s := d.valuesStory("names", 3)
	login := []Op{{Kind: LogIn, Actor: 1}, {Kind: LogIn, Actor: 1, ByEmail: true}}
	for range userNames() {
		s.Ops = append(append(s.Ops, Op{Kind: Rename, Actor: 1, Values: d.values()}, Op{Kind: Audit, Actor: 1, Extent: AuditNames}, Op{Kind: Audit, Actor: 1, Extent: AuditNameParts}), login...)
	}
	for i := range passwords() {
		s.Ops = append(append(s.Ops, Op{Kind: ChangePassword, Actor: 1, Awkward: true, Values: i + 1}), login...)
		s.Ops = append(s.Ops, Op{Kind: ChangePassword, Actor: 1})
	}
	s.Ops = append(append(s.Ops, Op{Kind: ChangePassword, Actor: 1, OtherCase: true}, Op{Kind: ChangePassword, Actor: 1, OtherCase: true}), login...)
	return s
}

// newUserValues draws a user who connects to users with all kinds of ids, some of whom never
// logged in, and to users with the name of a deleted one.
func (d generator) newUserValues() Story {
	const newUsers = 10
	s := d.valuesStory("new users", 2+newUsers)
	for i := 2; i < s.Slots; i++ {
		s.Ops = append(s.Ops, Op{Kind: Join, Actor: i, WithoutLogin: i%2 != 0}, Op{Kind: Audit, Actor: 1, Extent: AuditNameParts}, Op{Kind: ConnectBySocialID, Actor: 0, Other: i, AsFriend: (i/4)%2 != 0}, Op{Kind: ConnectBySocialID, Actor: 1, Other: i, AsFriend: (i/4+1)%2 != 0})
	}
	s.Ops = append(s.Ops, Op{Kind: Audit, Actor: 0, Other: 1, Extent: AuditPair}, Op{Kind: DeleteUser, Actor: 2}, Op{Kind: Recreate, Actor: 2, Values: 1, WithoutLogin: true}, Op{Kind: DeleteUser, Actor: 3}, Op{Kind: Recreate, Actor: 3, Values: 2},
		Op{Kind: Post, Actor: 2, Values: d.values()}, Op{Kind: DeleteUser, Actor: 2}, newOp(Recreate, 2, 0, 0, d.values()), Op{Kind: Audit})
	return s
}
