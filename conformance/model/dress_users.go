package model

import (
	"fmt"
	"strings"
)

// user are the fields to create a user with, or to change its profile to. The
// token stands in every field whose value is to be its own.
func (w *wardrobe) user(v int, token string) *dress {
	d := w.begin(nil)
	w.put(d, "social_ids", v, socialIDs(), func(form any) any {
		network, id, _ := strings.Cut(form.(string), ":")
		return Fields{network: filled(id, token)}
	})
	w.put(d, "custom_id", v, customIDs(), func(form any) any { return filled(form.(string), "c"+token) })
	suffixed := func(value any) any { return fmt.Sprintf("%s %v", token, value) }
	w.put(d, "first_name", v, texts(), suffixed)
	w.put(d, "last_name", v, texts(), func(value any) any {
		if value == texts()[0].JSON {
			return value
		}
		return fmt.Sprintf("%v %s", value, token)
	})
	if w.plain || has(v, 0) { // some have less
		w.put(d, "url", v, urls(), asIs)
		w.put(d, "metadata", v, metadata(), asIs)
	}
	return d
}

// names are the fields that a user logs in by.
func (w *wardrobe) names(v int, token string) *dress {
	d := w.begin(nil)
	w.put(d, "user_name", v, userNames(), func(form any) any { return filled(form.(string), token) })
	w.put(d, "email", v, emails(), func(format any) any { return fmt.Sprintf(format.(string), token) })
	return d
}

func customIDs() []Value {
	return []Value{text("plain", "*"), text("digits alone", "#"), text("digits at the end", "*007"), text("upper case", "*AB"), text("dash", "*-x"),
		refusable("underscore", "*_y"), refusable("a UUID in upper case", "@"), refusable("slash", "*/a"), refusable("dots", "*.a.b"),
		refusable("colon", "*:z"), refusable("at", "*@w"), refusable("percent", "*%20"), refusable("non-ASCII", "*é")}
}

// socialIDs are networks with the forms of the ids there.
func socialIDs() []Value {
	return []Value{text("plain", "facebook:*"), text("digits alone", "facebook:#"), text("a network in two cases", "GitHub:*"), text("upper case", "facebook:*AB"),
		text("dash", "twitter:*-x"), refusable("comma", "facebook:*,a"), refusable("a network with a blank", "my network:*"), refusable("underscore", "LinkedIn:*_y")}
}

func userNames() []Value {
	return []Value{text("plain", "*"), text("digits at the end", "*007"), refusable("dash", "*-b"), refusable("underscore", "*_b"), refusable("dot", "*.b"), refusable("blank", "* b"),
		refusable("upper case", "*ABC"), refusable("non-ASCII", "*é"), refusable("emoji", "*👍🏽"), refusable("plus", "*+b"), refusable("an @", "*@b.example"),
		refusable("percent", "*%b"), refusable("slash", "*/b"), refusable("digits alone", "#"), refusable("more than 32", "*"+strings.Repeat("long", 9))}
}

func emails() []Value {
	return []Value{text("plain", "%s@example.com"), refusable("mixed case", "Me.%s@example.com"), refusable("tag", "%s+tag@example.com"),
		refusable("apostrophe", "o'%s@example.com"), refusable("subdomain", "%s@mail.example.com")}
}
