package refserver

import (
	"crypto/pbkdf2"
	"crypto/rand"
	"crypto/sha256"
	"fmt"
	"slices"
	"sync"

	"github.com/socialfeed/conform/refserver/store"
)

const saltLength = 16

// passwords hashes passwords (transport item 10: the service hashes again what clients
// hashed). All share one random salt of the server, so that a login costs one hash for
// any number of users of a name.
type passwords struct {
	rounds int

	mu    sync.RWMutex
	salts [][]byte // new passwords get the first: the salt of restored users, else the server's own
}

func newPasswords(rounds int) *passwords {
	salt := make([]byte, saltLength)
	rand.Read(salt) // never fails: crypto/rand ends the program instead
	return &passwords{rounds: rounds, salts: [][]byte{salt}}
}

// learn adds the salts of restored users before the others, so that a password is still hashed as
// it was before.
func (p *passwords) learn(users []store.User) {
	p.mu.Lock()
	defer p.mu.Unlock()
	var salts [][]byte
	known := make(map[string]bool)
	add := func(salt []byte) {
		if !known[string(salt)] {
			known[string(salt)] = true
			salts = append(salts, salt)
		}
	}
	for _, user := range users {
		if len(user.Password) > saltLength {
			add(user.Password[:saltLength])
		}
	}
	for _, salt := range p.salts {
		add(salt)
	}
	p.salts = salts
}

// hash returns the salt and the hash in one.
func (p *passwords) hash(password string) ([]byte, error) {
	hashes, err := p.hashes(password, 1)
	if err != nil {
		return nil, err
	}
	return hashes[0], nil
}

// hashes returns the possible stored hashes of a password: one for each salt, or for the
// first n of them.
func (p *passwords) hashes(password string, n int) ([][]byte, error) {
	p.mu.RLock()
	salts := p.salts
	p.mu.RUnlock()
	var hashes [][]byte
	for _, salt := range salts[:min(n, len(salts))] {
		sum, err := pbkdf2.Key(sha256.New, password, salt, p.rounds, sha256.Size)
		if err != nil {
			return nil, fmt.Errorf("hashing a password: %w", err)
		}
		hashes = append(hashes, slices.Concat(salt, sum))
	}
	return hashes, nil
}
