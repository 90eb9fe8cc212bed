package body

import (
	"fmt"
	"slices"
	"strings"

	"github.com/socialfeed/conform/conformance/model/value"
)

// User returns the fields to create a user with, or to change its profile to. Every field whose
// value must be unique contains the token.
func (p *Generator) User(v int, token string) *Drawn {
	d := p.Begin(nil)
	p.put(d, "social_ids", v, socialIDs(), func(forms any) any {
		ids := value.Fields{}
		for form := range strings.SplitSeq(forms.(string), " & ") {
			network, id, _ := strings.Cut(form, ":")
			ids[fillForm(network, token)] = fillForm(id, token)
		}
		return ids
	})
	p.put(d, "custom_id", v, customIDs(), func(form any) any { return fillForm(form.(string), "c"+token) })
	suffixed := func(value any) any { return fmt.Sprintf("%s %v", token, value) }
	p.put(d, "first_name", v, Texts(), suffixed)
	p.put(d, "last_name", v, Texts(), func(whole any) any {
		if bare := value.Scatter(v)%2 == 1; bare || whole == Texts()[0].JSON { // the value may be mishandled as a whole text only
			return whole
		}
		return fmt.Sprintf("%v %s", whole, token)
	})
	if p.Plain || HasOptional(v, 0) { // some have fewer fields
		p.put(d, "url", v, urls(), asIs)
		p.put(d, "metadata", v, metadata(), asIs)
	}
	return d
}

// DistinctNames returns names of which the email contains nothing of the user name, so that a
// search for either finds it alone.
func (p *Generator) DistinctNames(v int, token string) *Drawn {
	mirrored := []byte(token)
	slices.Reverse(mirrored)
	return p.Names(v, token).With(p.Names(v, string(mirrored)).KeepOnly("email"))
}

// Names returns the fields that a user logs in by.
func (p *Generator) Names(v int, token string) *Drawn {
	d := p.Begin(nil)
	p.put(d, "user_name", v, UserNames(), func(form any) any { return fillForm(form.(string), token) })
	p.put(d, "email", v, emails(), func(format any) any { return fmt.Sprintf(format.(string), token) })
	return d
}

func customIDs() []Value {
	return []Value{text("plain", "*"), text("zeros and digits", "#"), text("a number", "%"), text("a long number", "^"), text("digits at the end", "*007"), text("upper case and dash", "*AB-x"),
		refusable("a number with an exponent", "~"), refusable("a UUID in upper case", "@"), refusable("digits of a UUID", "!"), refusable("underscore and dots", "*_y.a.b"), refusable("slash, colon, at and percent", "*/a:z@w%20"),
		refusable("non-ASCII", "*é🦉"), refusable("longer than a UUID", "*-0123456789-abcdefghijklmnopqrstuvwxyz")}
}

// socialIDs returns networks, each with a form of the ids there, some of them several. Most are on
// one network, so that one request finds many.
func socialIDs() []Value {
	return []Value{text("plain", "facebook:*"), text("zeros and digits", "facebook:#"), text("a number", "facebook:%"), text("a long number", "facebook:^"), text("upper case and dash", "facebook:*AB-x"), refusable("an @ or a plus first", "facebook:@*"),
		refusable("a telephone number", "facebook:+"), refusable("a network in mixed case", "GitHub:*"), refusable("comma", "facebook:*,a"), refusable("underscore and dot", "facebook:*_y.b"),
		refusable("colon", "facebook:*:1"), refusable("a network with a blank", "my network:*_y"), refusable("a network with a dot", "my.network:*"), refusable("zero, on a network of its own", "*:0"),
		text("the same on two networks", "facebook:* & twitter:*"), refusable("on five networks", "facebook:* & twitter:*2 & google:*3 & instagram:*4 & linkedin:*5"),
		refusable("on twelve networks", "facebook:*"+furtherNetworks())}
}

// furtherNetworks returns the forms of ids on eleven networks.
func furtherNetworks() string {
	var forms string
	for i, network := range []string{"twitter", "google", "instagram", "linkedin", "github", "tumblr", "pinterest", "youtube", "snapchat", "flickr", "vimeo"} {
		forms += fmt.Sprintf(" & %s:*%d", network, i+2)
	}
	return forms
}

// UserNames returns forms of user names.
func UserNames() []Value {
	return []Value{text("plain", "*"), text("digits at the end", "*007"), refusable("dash, underscore and dot", "*-b_c.d"), refusable("blanks", "* b  c"),
		refusable("upper case", "*ABC"), refusable("non-ASCII", "*é👍🏽"), refusable("compatibility characters", "*ﬁ²"), refusable("plus, percent and slash", "*+b%c/d"), refusable("an @", "*@b.example"),
		refusable("zeros and digits", "#"), refusable("a number", "%"), refusable("ampersand, hash and colon", "*&b#c:d"), refusable("more than 32", "*"+strings.Repeat("long", 9))}
}

func emails() []Value {
	return []Value{text("plain", "%s@example.com"), refusable("mixed case and tag", "Me.%s+tag@example.com"), refusable("apostrophe, subdomain and more than 30", "o'%s.of.a.longer.name@mail.example.com"),
		refusable("digits, hyphens and underscore", "1_%s-x@my-site.co.example"), refusable("letters beyond ASCII", "%s@größe.example")}
}

// Password returns the password, in one of the forms of passwords.
func (p *Generator) Password(v int, password string) *Drawn {
	d := p.Begin(nil)
	p.put(d, "password", v, Passwords(), func(form any) any { return fillForm(form.(string), password) })
	return d
}

// Passwords returns forms of passwords: how one is handled may depend on its characters.
func Passwords() []Value {
	return []Value{text("plain", "*"), refusable("blanks at the edges", " * "), refusable("colon", "*:b"), refusable("non-ASCII", "*é👍🏽"),
		refusable("percent and plus", "*%41+b%20"), refusable("quotes, backslash and markup", `*"'\\x<b>&amp;`), refusable("upper case", "*ABC"), refusable("more than 72", "*"+strings.Repeat("12345678", 9))}
}
