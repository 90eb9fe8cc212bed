package conformance

import "github.com/socialfeed/conform/conformance/rules"

// samples returns what fills in the values of a valid request to an endpoint: the ids that the
// caller gives, the fields of its sender, and those of a user that does not exist.
func (t *T) samples(sender Fields, ids func(rules.Source) any) func(rules.Source) any {
	fresh := t.NewUser(nil)
	return func(source rules.Source) any {
		switch source {
		case rules.OwnID, rules.OtherID, rules.OwnEventID:
			return ids(source)
		case rules.NewName:
			return fresh["user_name"]
		case rules.NewEmail:
			return fresh["email"]
		case rules.NewPassword:
			return fresh["password"]
		case rules.OwnName:
			return sender["user_name"]
		case rules.OwnEmail:
			return sender["email"]
		case rules.OwnPassword:
			return sender["password"]
		}
		return t.Unique()
	}
}
