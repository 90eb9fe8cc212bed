package model

import "github.com/socialfeed/conform/conformance/rules"

// connection returns the request for a connection of a type from one user to another.
func (st *State) connection(p pair, typ string) Request {
	return Request{Endpoint: rules.CreateConnection, Body: Fields{"user_to_id": st.users[p.to].id, "type": typ}}
}

// disconnection returns the request that ends the connections of a user to another.
func (st *State) disconnection(p pair) Request {
	return Request{Endpoint: rules.DeleteConnection, ID: idText(st.users[p.to].id)}
}

// connected makes a connection of a type.
func (st *State) connected(p pair, typ string) {
	if typ == "friend" {
		st.asked(p)
	} else {
		st.followed(p)
	}
}

func (st *State) followed(p pair) {
	st.relate(p, func(r *relation) {
		if r.follow != Yes {
			r.followedStep, r.followCount = st.step(), r.followCount+1
		}
		r.follow, r.bySocial = Yes, false
	})
	st.record(Follow, p.from, p.to, -1)
}

func (st *State) asked(p pair) {
	st.relate(p, func(r *relation) { r.asked = Yes })
	st.record(RequestFriend, p.from, p.to, -1)
}

// connectedBySocialID makes a connection of a type by a social id. It is open until a list was seen.
func (st *State) connectedBySocialID(p pair, typ string) {
	st.connected(p, typ)
	st.relate(p, func(r *relation) { r.bySocial = true })
}

// seenBySocialID records whether the list has shown a user that connecting by social ids has changed.
// Where it has not, it is unknown whether the two are connected.
func (st *State) seenBySocialID(p pair, typ string, shown bool) {
	st.relate(p, func(r *relation) {
		if !shown && r.bySocial {
			r.follow, r.asked = Unknown, Unknown
		}
		r.bySocial = r.bySocial && typ == "friend"
	})
}

// notBySocialID records that a connection does not depend on social ids any more.
func (st *State) notBySocialID(p pair) { st.relate(p, func(r *relation) { r.bySocial = false }) }

// endedOneSide ends a user's connections to another, and leaves those of the other as they are.
func (st *State) endedOneSide(p pair) {
	step := st.step()
	st.relate(p, func(r *relation) { r.follow, r.asked, r.endedStep = No, No, step })
	st.record(End, p.from, p.to, -1)
}

// ended ends a user's connections to another. Whether the other's half of a friendship ends
// with it is open.
func (st *State) ended(p pair) {
	step := st.step()
	st.relate(p, func(r *relation) { r.follow, r.asked, r.endedStep = No, No, step })
	st.relate(p.reversed(), func(r *relation) {
		if r.asked == No {
			return
		}
		r.endedStep = step
		switch st.choices.EndsWhole {
		case Yes:
			r.asked = No
		case Unknown:
			r.asked = Unknown
		}
	})
	if st.friends(p) == Yes { // by the other's half alone, which may be younger than the friendship
		for _, side := range []pair{p, p.reversed()} {
			st.relate(side, func(r *relation) { r.friendsSince = step })
		}
	}
	st.record(End, p.from, p.to, -1)
}
