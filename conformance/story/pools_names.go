package story

import (
	"fmt"
	"strings"
)

// Pools of what has to be unique. Placeholders stand for tokens.

func customIDs() []Value {
	return []Value{text("plain", "c{unique}"), text("zeros and digits", "{zeros}"), text("a number", "{number}"), text("a long number", "{long number}"), text("digits at the end", "c{unique}007"), text("upper case and dash", "c{unique}AB-x"),
		refusable("a number with an exponent", "{exponent}"), refusable("a UUID in upper case", "{uuid}"), refusable("digits of a UUID", "{hex}"), refusable("underscore and dots", "c{unique}_y.a.b"), refusable("slash, colon, at and percent", "c{unique}/a:z@w%20"),
		refusable("non-ASCII", "c{unique}é🦉"), refusable("longer than a UUID", "c{unique}-0123456789-abcdefghijklmnopqrstuvwxyz")}
}

// socialIDs returns ids on networks. Most are on one network, so that one request finds many.
func socialIDs() []Value {
	ids := func(class string, pairs ...string) Value {
		o := Fields{}
		for i := 0; i < len(pairs); i += 2 {
			o[pairs[i]] = pairs[i+1]
		}
		return Value{Class: class, JSON: o}
	}
	odd := func(class string, pairs ...string) Value {
		v := ids(class, pairs...)
		v.Refusable = true
		return v
	}
	many := []string{"facebook", "{unique}"}
	for i, network := range []string{"twitter", "google", "instagram", "linkedin", "github", "tumblr", "pinterest", "youtube", "snapchat", "flickr", "vimeo"} {
		many = append(many, network, fmt.Sprintf("{unique}%d", i+2))
	}
	return []Value{ids("plain", "facebook", "{unique}"), ids("zeros and digits", "facebook", "{zeros}"), ids("a number", "facebook", "{number}"), ids("a long number", "facebook", "{long number}"),
		ids("upper case and dash", "facebook", "{unique}AB-x"), odd("an @ or a plus first", "facebook", "@{unique}"), odd("a telephone number", "facebook", "{phone}"), odd("a network in mixed case", "GitHub", "{unique}"),
		odd("comma", "facebook", "{unique},a"), odd("underscore and dot", "facebook", "{unique}_y.b"), odd("colon", "facebook", "{unique}:1"), odd("a network with a blank", "my network", "{unique}_y"),
		odd("a network with a dot", "my.network", "{unique}"), odd("zero, on a network of its own", "{unique}", "0"), ids("the same on two networks", "facebook", "{unique}", "twitter", "{unique}"),
		odd("on five networks", many[:10]...), odd("on twelve networks", many...)}
}

func userNames() []Value {
	return []Value{text("plain", "{unique}"), text("digits at the end", "{unique}007"), refusable("dash, underscore and dot", "{unique}-b_c.d"), refusable("blanks", "{unique} b  c"),
		refusable("upper case", "{unique}ABC"), refusable("non-ASCII", "{unique}é👍🏽"), refusable("compatibility characters", "{unique}ﬁ²"), refusable("plus, percent and slash", "{unique}+b%c/d"), refusable("an @", "{unique}@b.example"),
		refusable("zeros and digits", "{zeros}"), refusable("a number", "{number}"), refusable("ampersand, hash and colon", "{unique}&b#c:d"), refusable("more than 32", "{unique}"+strings.Repeat("long", 9))}
}

func emails() []Value {
	return []Value{text("plain", "{unique}@example.com"), refusable("mixed case and tag", "Me.{unique}+tag@example.com"), refusable("apostrophe, subdomain and more than 30", "o'{unique}.of.a.longer.name@mail.example.com"),
		refusable("digits, hyphens and underscore", "1_{unique}-x@my-site.co.example"), refusable("letters beyond ASCII", "{unique}@größe.example")}
}

// passwords are forms of passwords: how one is handled may depend on its characters.
func passwords() []Value {
	return []Value{text("plain", "{password}"), refusable("blanks at the edges", " {password} "), refusable("colon", "{password}:b"), refusable("non-ASCII", "{password}é👍🏽"),
		refusable("percent and plus", "{password}%41+b%20"), refusable("quotes, backslash and markup", `{password}"'\\x<b>&amp;`), refusable("upper case", "{password}ABC"), refusable("more than 72", "{password}"+strings.Repeat("12345678", 9))}
}

func verbs() []Value {
	all := texts()
	all[0] = text("plain", "like")
	for i, v := range all {
		if v.Refusable && len(v.JSON.(string)) > 100 {
			all[i] = refusable("90 wide characters", strings.Repeat("längé ", 15)+".")
		}
	}
	return all
}
