package redact

import "strings"

// within are the words that make a name one of a secret, wherever they are in it; whole are names that
// are only so as a whole. Both are spelled as plainName spells names.
var (
	within = [...]string{
		"password", "passwd", "passphrase", "passcode", "pwd", "token", "secret", "session", "sessid", "credential", "cookie",
		"authorization", "apikey", "accesskey", "privatekey", "csrf", "xsrf", "jwt",
	}
	whole = [...]string{"auth", "xauth", "proxyauth", "sid", "pin", "otp", "pass"}
)

// hints are such that every secret's name has one of them: a text without any is not looked at further.
var hints = [...]string{"pass", "token", "secret", "sess", "cred", "cookie", "auth", "key", "srf", "pwd", "jwt", "sid", "pin", "otp"}

// longestName bounds the names that are looked at, in bytes.
const longestName = 100

// SecretName reports whether a field, a parameter or a header of this name holds a secret, however the
// name is spelled: sessionToken, session_token and X-Session-Token are alike.
func SecretName(name string) bool {
	if len(name) > longestName {
		name = name[:longestName]
	}
	plain := plainName(name)
	if !mayBeSecret(plain) {
		return false
	}
	for _, word := range within {
		if strings.Contains(plain, word) {
			return true
		}
	}
	for _, word := range whole {
		if plain == word {
			return true
		}
	}
	return false
}

// nameBegins has, for each first byte of the words, a bit for the second one, of which the last five bits count.
var nameBegins = func() (bits [256]uint32) {
	for _, word := range append(within[:], whole[:]...) {
		bits[word[0]] |= 1 << (word[1] % 32)
	}
	return bits
}()

// mayBeSecret reports whether one of the words may be in a plain name. It is quick where none is.
func mayBeSecret(plain string) bool {
	for i := 1; i < len(plain); i++ {
		if nameBegins[plain[i-1]]&(1<<(plain[i]%32)) != 0 {
			return true
		}
	}
	return false
}

// plainName is a name in small letters, without what separates words.
func plainName(name string) string {
	var b [longestName]byte
	n := 0
	for i := 0; i < len(name); i++ {
		switch c := name[i]; {
		case 'A' <= c && c <= 'Z':
			b[n] = c + 'a' - 'A'
			n++
		case 'a' <= c && c <= 'z', '0' <= c && c <= '9':
			b[n] = c
			n++
		}
	}
	return string(b[:n])
}

// mayName reports whether a text, in small letters, may hold the name of a secret.
func mayName(folded string) bool {
	for _, hint := range hints {
		if strings.Contains(folded, hint) {
			return true
		}
	}
	return false
}
