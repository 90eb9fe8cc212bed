// Package setting names what a person sets for a run, so that a message can say which setting it
// is about in the words of whoever reads it.
package setting

// Name is a setting: as its text the field of conformance.Config, for those who call the judge
// from Go.
type Name string

// The settings that messages are about.
const (
	BaseURL        Name = "Config.Target.BaseURL"
	AppToken       Name = "Config.Target.AppToken"
	SecondAppToken Name = "Config.Target.SecondAppToken"
	CACert         Name = "Config.Target.CACert"
	Insecure       Name = "Config.Target.Insecure"
	AllowHTTP      Name = "Config.Target.AllowHTTP"

	Implementation Name = "Config.Implementation"

	Rules     Name = "Config.Selection.Rules"
	Parts     Name = "Config.Selection.Parts"
	Endpoints Name = "Config.Selection.Endpoints"
	Levels    Name = "Config.Selection.Levels"
	Skip      Name = "Config.Selection.Skip"
	Claims    Name = "Config.Selection.Claims"

	Rate        Name = "Config.Rate"
	Timeout     Name = "Config.Timeout"
	RateLimits  Name = "Config.RateLimits"
	Restarts    Name = "Config.Restarts"
	FailOn      Name = "Config.FailOn"
	Deep        Name = "Config.Deep"
	Stories     Name = "Config.Stories"
	Shard       Name = "Config.Shard"
	MaxFailures Name = "Config.MaxFailures"
)

// SecondApp is what a rule may need: where SecondAppToken is the token itself, which may be wrong,
// this is that there is one.
const SecondApp Name = "a second app token"

// Names are other words for settings, such as a command's flags. A setting that has none is called
// by its text.
type Names map[Name]string

// Of is what messages call a setting.
func (n Names) Of(s Name) string {
	if name, other := n[s]; other {
		return name
	}
	return string(s)
}
