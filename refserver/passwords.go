package refserver

import (
	"crypto/pbkdf2"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"fmt"
)

// passwords hashes passwords with a salt of their own (transport item 10: the
// service hashes again what clients hashed).
type passwords struct {
	rounds int
}

const saltLength = 16

// hash returns the salt and the hash in one.
func (p passwords) hash(password string) ([]byte, error) {
	salt := make([]byte, saltLength)
	rand.Read(salt) // never fails: crypto/rand ends the program instead
	return p.salted(password, salt)
}

// match says whether a hash is the password's. A user without a password matches
// none, in the time that a wrong one takes.
func (p passwords) match(password string, hash []byte) (bool, error) {
	known := hash
	if len(known) < saltLength {
		known = make([]byte, saltLength+sha256.Size)
	}
	given, err := p.salted(password, known[:saltLength])
	return len(hash) > 0 && subtle.ConstantTimeCompare(given, known) == 1, err
}

func (p passwords) salted(password string, salt []byte) ([]byte, error) {
	sum, err := pbkdf2.Key(sha256.New, password, salt, p.rounds, sha256.Size)
	if err != nil {
		return nil, fmt.Errorf("hashing a password: %w", err)
	}
	return append(append([]byte{}, salt...), sum...), nil
}
