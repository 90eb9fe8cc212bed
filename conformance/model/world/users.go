package world

import (
	"maps"
	"slices"

	"github.com/socialfeed/conform/conformance/model/exchange"
	"github.com/socialfeed/conform/conformance/model/leeway"
	"github.com/socialfeed/conform/conformance/model/story"
	"github.com/socialfeed/conform/conformance/model/value"
	"github.com/socialfeed/conform/conformance/rules"
)

// Credentials returns what a user logs in by, which each update repeats.
func (u *User) Credentials() value.Fields {
	return value.Fields{"user_name": u.Name, "email": u.Email, "password": u.Password}
}

// RecordSocialID keeps the social id that the user was given last, of several one or another.
func (u *User) RecordSocialID(sent value.Fields) {
	ids, ok := sent["social_ids"].(map[string]any)
	if !ok || len(ids) == 0 {
		return
	}
	networks := slices.Sorted(maps.Keys(ids))
	u.Network = networks[value.Hash(u.Name)%len(networks)]
	u.Social, _ = ids[u.Network].(string)
}

// IdOn returns a user's own id on a platform, where it has one; what the id of another is for is open.
func (u *User) IdOn(platform string) string {
	for _, each := range u.Fields["social_ids"] {
		ids, _ := each.(map[string]any)
		if id, ok := ids[platform].(string); ok {
			return id
		}
	}
	return u.Terms["first_name"] // no user's
}

// RecordPlatformID notes a request that may name its sender's id on a platform. What that is
// for is open, and a target may keep it among the user's social ids.
func (u *User) RecordPlatformID(r exchange.Request) {
	if was, known := u.Fields["social_ids"]; known && r.Endpoint == rules.ConnectSocial {
		u.Fields["social_ids"] = leeway.WithPlatformID(was, r.Body)
	}
}

// Version is a user before its latest update.
type Version struct {
	Fields value.Fields // those that are known for certain
	Terms  map[string]string
}

// Before returns the version that the user can revert to.
func (u *User) Before() *Version {
	f := &Version{Fields: value.Fields{"password": u.Password}, Terms: maps.Clone(u.Terms)}
	for name, values := range u.Fields {
		if _, missing := values.First().(value.Absent); len(values) == 1 && !missing {
			f.Fields[name] = values[0]
		}
	}
	return f
}

// HasLoggedOut reports whether a user has ever logged out.
func (st *State) HasLoggedOut(who int) bool {
	return slices.ContainsFunc(st.history, func(h pastOp) bool { return h.kind == story.LogOut && h.actor == who })
}

// Working returns the tokens of the user's sessions that work, the oldest first.
func (u *User) Working() []string {
	var tokens []string
	for _, s := range u.Sessions {
		if s.State == leeway.Yes {
			tokens = append(tokens, s.Token)
		}
	}
	return tokens
}
