package clients

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/socialfeed/conform/conformance/rules"
)

// passwords remembers the salt of each user's password hash, as it was when the
// user was created.
type passwords struct {
	salts *bounded[digest, digest] // by application and name
}

func newPasswords() *passwords { return &passwords{newBounded[digest, digest](10_000)} }

// salted is a hash in the modular form, with its salt: $2b$10$<22 characters>… or
// $argon2id$v=19$…$<salt>$….
var salted = regexp.MustCompile(`^(\$2[abxy]\$\d\d\$[./A-Za-z0-9]{22}|\$(?:argon2|scrypt|pbkdf2)[^$]*(?:\$[^$]+)*\$)[^$]+$`)

// names are the fields that users log in by.
func (r *request) names() []digest {
	record, _ := r.record()
	var names []digest
	for _, field := range []string{"user_name", "email"} {
		if name, _ := record[field].(string); name != "" {
			names = append(names, digestOf(r.auth.app, field, name))
		}
	}
	return names
}

func (r *request) password() string {
	if r.endpoint != rules.CreateUser && r.endpoint != rules.UpdateMe && r.endpoint != rules.Login {
		return ""
	}
	record, _ := r.record()
	password, _ := record["password"].(string)
	return password
}

func (p *passwords) record(r *request) {
	salt := salted.FindStringSubmatch(r.password())
	if salt == nil || r.endpoint == rules.Login || !r.succeeded() {
		return
	}
	for _, name := range r.names() {
		p.salts.put(name, digestOf(salt[1]))
	}
}

func (p *passwords) hashed(r *request) finding {
	password := r.password()
	if password == "" {
		return finding{}
	}
	if why := asTyped(password); why != "" {
		return violation("the password is no hash: it %s", why)
	}
	if salt := salted.FindStringSubmatch(password); salt != nil && r.endpoint == rules.Login {
		for _, name := range r.names() {
			if before, known := p.salts.get(name); known && before != digestOf(salt[1]) {
				return violation("the hash has another salt than when the user was created: it never hashes alike")
			}
		}
	}
	return kept
}

// asTyped says why a password cannot be a hash, "" where it can be.
func asTyped(password string) string {
	const shortest = 16 // 64 bits in hexadecimal
	switch {
	case utf8.RuneCountInString(password) < shortest:
		return "has less than 16 characters"
	case strings.IndexFunc(password, func(c rune) bool { return c > unicode.MaxASCII || unicode.IsSpace(c) }) >= 0:
		return "has blanks or letters with accents"
	case strings.IndexFunc(password, func(c rune) bool { return unicode.IsDigit(c) || unicode.IsUpper(c) }) < 0:
		return "is of small letters and punctuation alone"
	}
	return ""
}
