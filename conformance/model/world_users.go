package model

import (
	"maps"
	"slices"

	"github.com/socialfeed/conform/conformance/rules"
)

// credentials returns what a user logs in by, which each update repeats.
func (u *user) credentials() Fields {
	return Fields{"user_name": u.name, "email": u.email, "password": u.password}
}

// recordSocialID keeps the social id that the user was given last, of several one or another.
func (u *user) recordSocialID(sent Fields) {
	ids, ok := sent["social_ids"].(map[string]any)
	if !ok || len(ids) == 0 {
		return
	}
	networks := slices.Sorted(maps.Keys(ids))
	u.network = networks[stableHash(u.name)%len(networks)]
	u.social, _ = ids[u.network].(string)
}

// idOn returns a user's own id on a platform, where it has one; what the id of another is for is open.
func (u *user) idOn(platform string) string {
	for _, each := range u.fields["social_ids"] {
		ids, _ := each.(map[string]any)
		if id, ok := ids[platform].(string); ok {
			return id
		}
	}
	return u.terms["first_name"] // no user's
}

// recordPlatformID notes a request that may name its sender's id on a platform. What that is
// for is open, and a target may keep it among the user's social ids.
func (u *user) recordPlatformID(r Request) {
	if was, known := u.fields["social_ids"]; known && r.Endpoint == rules.ConnectSocial {
		u.fields["social_ids"] = withPlatformID(was, r.Body)
	}
}

// userVersion is a user before its latest update.
type userVersion struct {
	fields Fields // those that are known for certain
	terms  map[string]string
}

// version returns the version that the user can revert to.
func (u *user) version() *userVersion {
	f := &userVersion{fields: Fields{"password": u.password}, terms: maps.Clone(u.terms)}
	for name, values := range u.fields {
		if _, missing := values.first().(absent); len(values) == 1 && !missing {
			f.fields[name] = values[0]
		}
	}
	return f
}

// hasLoggedOut reports whether a user has ever logged out.
func (st *State) hasLoggedOut(who int) bool {
	return slices.ContainsFunc(st.history, func(h pastOp) bool { return h.kind == LogOut && h.actor == who })
}

// working returns the tokens of the user's sessions that work, the oldest first.
func (u *user) working() []string {
	var tokens []string
	for _, s := range u.sessions {
		if s.state == Yes {
			tokens = append(tokens, s.token)
		}
	}
	return tokens
}
