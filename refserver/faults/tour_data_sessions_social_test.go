package faults_test

import (
	"fmt"
	"strings"
)

// dataOfLoginsAndContacts takes the part of the data tour that is about what logins and
// contacts are looked up by.
func dataOfLoginsAndContacts(x *tour) {
	passwordsBeyondLatin1(x)
	passwordsOfDigits(x)
	dottedPlatform(x)
	nameBeyondASCII(x)
	followersOfOneName(x)
	phoneNumbers(x)
	secretsOfLogins(x)
	friendWithEntries(x)
	ownContact(x)
	hashedByTheClient(x)
	contactsOfOneID(x)
	longPassword(x)
	namesakesButForEmoji(x)
	contactsByCase(x)
	dottedEmail(x)
	contactZero(x)
	nameWithColon(x)
	emailWithHyphen(x)
	passwordWithBackslash(x)
	backslashInPassword(x)
	taggedEmail(x)
	emailWithPlus(x)
	emailWithTag(x)
	nameLikeAnEmail(x)
	emailInTheOtherApplication(x)
	otherAccents(x)
	plusInEmail(x)
	domainAbroad(x)
	emojiInPassword(x)
	followsOfOneNameInTwoCases(x)
	digestInCapitals(x)
}

// passwordsBeyondLatin1 are two of one length, so that they are the same where each
// letter has become the same mark.
func passwordsBeyondLatin1(x *tour) {
	x.created("cyrillic", `{"user_name":"cyrillic","password":"пароль"}`)
	x.byName("cyrillic", "пароль")
	x.byName("cyrillic", "огурец")
}

func passwordsOfDigits(x *tour) {
	x.created("digits only", `{"user_name":"digits only","password":"0e1234"}`)
	x.byName("digits only", "0e1234")
	x.byName("digits only", "0e9876")
}

func dottedPlatform(x *tour) {
	x.create("on a dotted platform", `"social_ids":{"social.example":"77"}`)
	y := x.create("looks on a dotted platform")
	x.send(y.session, "POST", "/0.2/user/connections/social",
		`{"platform":"social.example","type":"follow","platform_user_id":"1","connection_ids":["77"]}`)
	x.send(y.session, "GET", "/0.2/user/follows", "")
}

func nameBeyondASCII(x *tour) {
	x.create("Zoë of the north")
	x.byName("Zoë of the north", password)
}

func followersOfOneName(x *tour) {
	followed := x.create("followed by two of a name")
	for _, name := range []string{"first of a name", "second of a name"} {
		x.connect(x.create(name, text("first_name", "Kim"), text("last_name", "Lee")), followed, "follow")
	}
	x.send(followed.session, "GET", "/0.2/user/followers", "")
}

func phoneNumbers(x *tour) {
	x.create("has a phone", `"social_ids":{"phone":"+491234"}`)
	u := x.create("has an address book")
	x.send(u.session, "POST", "/0.2/user/connections/social", `{"platform":"phone","type":"follow","platform_user_id":"+1","connection_ids":["+491234"]}`)
	x.send(u.session, "GET", "/0.2/user/follows", "")
}

func secretsOfLogins(x *tour) {
	x.created("is escaped", `{"user_name":"is escaped","email":"o'neil@example.com","password":"salt&pepper"}`)
	x.byName("is escaped", "salt&pepper")
	x.created("is quoted", `{"user_name":"is quoted","email":"o'hara@example.com","password":"p"}`)
	x.byEmail("o'hara@example.com", "p")
}

func friendWithEntries(x *tour) {
	u, friend := x.create("has such a friend"), x.create("friend with entries", `"metadata":{"a":"b","c":"d"}`)
	x.befriend(u, friend)
	x.lists(u, friend)
}

// ownContact has the user's own identifier among those of its contacts.
func ownContact(x *tour) {
	u := x.create("knows itself", `"social_ids":{"net":"self"}`)
	x.create("behind itself", `"social_ids":{"net":"behind"}`)
	x.contacts(u, "net", "self", "behind")
}

func hashedByTheClient(x *tour) {
	secret := strings.Repeat("0123456789abcdef", 8)
	x.created("hashes itself", fmt.Sprintf(`{"user_name":"hashes itself","email":"hashes@example.com","password":%q}`, secret))
	x.byName("hashes itself", secret)
}

func contactsOfOneID(x *tour) {
	u := x.create("shares contacts")
	for _, name := range []string{"at home", "at work"} {
		x.create(name, `"social_ids":{"edge":"shared"}`)
	}
	x.socially(u, "shared")
}

func longPassword(x *tour) {
	x.created("has a phrase", fmt.Sprintf(`{"user_name":"has a phrase","password":%q}`, strings.Repeat("nine char", 9)))
}

func namesakesButForEmoji(x *tour) {
	x.created("chef 🍺", `{"user_name":"chef 🍺","password":"p"}`)
	x.byName("chef 🍣", "p")
}

func contactsByCase(x *tour) {
	u := x.create("has a channel for a contact")
	x.create("has that channel", `"social_ids":{"edge":"UCxYz"}`)
	x.create("has another", `"social_ids":{"edge":"UCXyZ"}`)
	x.socially(u, "UCxYz")
}

func dottedEmail(x *tour) {
	x.created("has a dot", `{"user_name":"has a dot","email":"mia.holm@example.com","password":"p"}`)
	x.byEmail("miaholm@example.com", "p")
}

func contactZero(x *tour) {
	u := x.create("has the first account for a contact")
	x.create("has the first account", `"social_ids":{"edge":"0"}`)
	x.socially(u, "0")
}

func nameWithColon(x *tour) {
	x.created("team:ida", fmt.Sprintf(`{"user_name":"team:ida","password":%q}`, password))
	x.byName("team:ida", password)
}

func emailWithHyphen(x *tour) {
	x.created("works by the sea", fmt.Sprintf(`{"user_name":"works by the sea","email":"ida@by-the-sea.example.com","password":%q}`, password))
	x.byEmail("ida@by-the-sea.example.com", password)
}

func passwordWithBackslash(x *tour) {
	x.created("slashes back", `{"user_name":"slashes back","email":"slashes@example.com","password":"one\\two"}`)
	x.byEmail("slashes@example.com", `one\two`)
}

func backslashInPassword(x *tour) {
	x.created("escapes", `{"user_name":"escapes","password":"back\\slash"}`)
	x.byName("escapes", `back\slash`)
}

func taggedEmail(x *tour) {
	x.created("tags mail", `{"user_name":"tags mail","email":"tags+feed@example.com","password":"p"}`)
	x.byEmail("tags+feed@example.com", "p")
}

func emailWithPlus(x *tour) {
	u := x.create("tagged+news")
	x.byEmail(u.name+"@example.com", password)
}

func emailWithTag(x *tour) {
	x.created("sorts its mail", `{"user_name":"sorts its mail","email":"sorts+feed@example.com","password":"p"}`)
	x.byEmail("sorts+feed@example.com", "p")
}

func nameLikeAnEmail(x *tour) {
	x.created("desk@work", `{"user_name":"desk@work","email":"desk@example.com","password":"p"}`)
	x.byName("desk@work", "p")
}

func emailInTheOtherApplication(x *tour) {
	x.in(secondApp, func() { x.create("is over there") })
	x.search(x.create("looks over here"), "is over there@example.com")
}

func otherAccents(x *tour) {
	x.created("accents", `{"user_name":"accents","password":"pässword"}`)
	for _, tried := range []string{"pässword", "pößword", "pössword"} {
		x.byName("accents", tried)
	}
}

func plusInEmail(x *tour) {
	x.created("plus", `{"user_name":"plus","email":"plus+one@example.com","password":"p"}`)
	x.byEmail("plus+one@example.com", "p")
}

func domainAbroad(x *tour) {
	u := x.create("has a domain abroad")
	x.send(u.session, "PUT", "/0.2/user", `{"user_name":"has a domain abroad","email":"ida@bücher.example"}`)
	x.byEmail("ida@bücher.example", password)
}

func emojiInPassword(x *tour) {
	joyful := x.create("types an emoji", text("password", "open 😀 sesame"))
	x.byName(joyful.name, "open 😀 sesame")
	x.byName(joyful.name, "open 😀 barley")
}

func followsOfOneNameInTwoCases(x *tour) {
	u := x.create("follows twins")
	for _, name := range []string{"Twin", "twin"} {
		x.connect(u, x.create(name), "follow")
	}
	x.send(u.session, "GET", "/0.2/user/follows", "")
}

func digestInCapitals(x *tour) {
	digest := strings.Repeat("0123456789abcdef", 4)
	u := x.create("sends a digest")
	x.update(u, text("password", digest))
	x.byName(u.name, strings.ToUpper(digest))
}
