package client

import (
	"crypto/pbkdf2"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
)

// passwordRounds cannot change: a user's password would no longer be the same.
const passwordRounds = 600_000

// HashPassword makes of a password what an application sends in its place,
// since the contract wants passwords hashed, and hashed consistently (General
// transport rules, item 10): PBKDF2 with HMAC-SHA-256, 600,000 rounds and
// 32 bytes, as 64 lower-case hexadecimal digits.
//
// The same password and salt give the same result everywhere and for ever. The
// salt is a label of the application's own choice, not secret, that must stay
// the same wherever its users log in. The password is taken byte for byte:
// normalizing it to NFC (item 3) is the caller's part. Neither may be empty.
func HashPassword(password, salt string) (string, error) {
	if password == "" || salt == "" {
		return "", errors.New("hashing a password: the password and the salt must not be empty")
	}
	key, err := pbkdf2.Key(sha256.New, password, []byte(salt), passwordRounds, sha256.Size)
	if err != nil {
		return "", fmt.Errorf("hashing a password: %w", err)
	}
	return hex.EncodeToString(key), nil
}
