package world

import (
	"github.com/socialfeed/conform/conformance/model/exchange"
	"github.com/socialfeed/conform/conformance/model/leeway"
	"github.com/socialfeed/conform/conformance/model/story"
	"github.com/socialfeed/conform/conformance/model/value"
	"github.com/socialfeed/conform/conformance/rules"
)

// Connection returns the request for a connection of a type from one user to another.
func (st *State) Connection(p Pair, typ string) exchange.Request {
	return exchange.Request{Endpoint: rules.CreateConnection, Body: value.Fields{"user_to_id": st.Users[p.To].ID, "type": typ}}
}

// Disconnection returns the request that ends the connections of a user to another.
func (st *State) Disconnection(p Pair) exchange.Request {
	return exchange.Request{Endpoint: rules.DeleteConnection, ID: value.ID(st.Users[p.To].ID)}
}

// Connected makes a connection of a type.
func (st *State) Connected(p Pair, typ string) {
	if typ == "friend" {
		st.Asked(p)
	} else {
		st.Followed(p)
	}
}

// Followed makes one user follow another.
func (st *State) Followed(p Pair) {
	st.relate(p, func(r *Relation) {
		if r.Follow != leeway.Yes {
			r.followedStep, r.followCount = st.step(), r.followCount+1
		}
		r.Follow, r.bySocial = leeway.Yes, false
	})
	st.record(story.Follow, p.From, p.To, -1)
}

// Asked makes one side's friend connection.
func (st *State) Asked(p Pair) {
	st.relate(p, func(r *Relation) { r.Asked = leeway.Yes })
	st.record(story.RequestFriend, p.From, p.To, -1)
}

// ConnectedBySocialID makes a connection of a type by a social id. It is open until a list was seen.
func (st *State) ConnectedBySocialID(p Pair, typ string) {
	first := st.Relation(p).Asked != leeway.Yes && st.Relation(p.Reversed()).Asked != leeway.Yes
	if typ == "friend" && first {
		st.relate(p, func(r *Relation) { r.askedBySocial = true })
		st.relate(p.Reversed(), func(r *Relation) {
			if r.Follow == leeway.Yes && st.Choices.KindsStand != leeway.Yes { // a friend connection that it got with that replaces it
				r.Follow = leeway.Unknown
			}
		})
	}
	st.Connected(p, typ)
	st.relate(p, func(r *Relation) { r.bySocial = true })
}

// SeenBySocialID records whether the list has shown a user that connecting by social ids has changed.
// Where it has not, it is unknown whether the two are connected.
func (st *State) SeenBySocialID(p Pair, typ string, shown bool) {
	st.relate(p, func(r *Relation) {
		if !shown && r.bySocial {
			r.Follow, r.Asked = leeway.Unknown, leeway.Unknown
		}
		r.bySocial = r.bySocial && typ == "friend"
	})
}

// NotBySocialID records that a connection does not depend on social ids any more.
func (st *State) NotBySocialID(p Pair) { st.relate(p, func(r *Relation) { r.bySocial = false }) }

// EndedOneSide ends a user's connections to another, and leaves those of the other as they are.
func (st *State) EndedOneSide(p Pair) {
	step := st.step()
	st.relate(p, func(r *Relation) { r.Follow, r.Asked, r.EndedStep, r.askedBySocial = leeway.No, leeway.No, step, false })
	st.record(story.End, p.From, p.To, -1)
}

// Ended ends a user's connections to another. Whether the other's half of a friendship ends
// with it is open.
func (st *State) Ended(p Pair) {
	step := st.step()
	confirmed := st.Relation(p).askedBySocial && st.Choices.EndsWhole != leeway.Yes // perhaps: the other half is left then
	st.relate(p, func(r *Relation) { r.Follow, r.Asked, r.EndedStep, r.askedBySocial = leeway.No, leeway.No, step, false })
	st.relate(p.Reversed(), func(r *Relation) {
		if r.askedBySocial = false; r.Asked == leeway.No {
			if confirmed {
				r.Asked = leeway.Unknown
			}
			return
		}
		r.EndedStep = step
		switch st.Choices.EndsWhole {
		case leeway.Yes:
			r.Asked = leeway.No
		case leeway.Unknown:
			r.Asked = leeway.Unknown
		}
	})
	if st.Friends(p) == leeway.Yes { // by the other's half alone, which may be younger than the friendship
		for _, side := range []Pair{p, p.Reversed()} {
			st.relate(side, func(r *Relation) { r.friendsSince = step })
		}
	}
	st.record(story.End, p.From, p.To, -1)
}
