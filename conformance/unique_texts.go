package conformance

import (
	"math/rand/v2"
)

// word returns a random text of so many letters that is unique in the run, also in its
// beginning: a search that is not exact finds none of them by another.
func (r *run) word(length int) string {
	r.mu.Lock()
	defer r.mu.Unlock()
	for {
		word := randomText(length)
		if key := word[:min(length, shortWord)]; !r.words[key] {
			r.words[key] = true
			return word
		}
	}
}

// How long the texts are that are made up. A target may take no more than 20
// characters, which is enough for two long ones or three short ones.
const (
	longWord  = 8
	shortWord = 6
)

// password returns a new password that looks like a hash and carries the run's mark.
func (r *run) password() string {
	r.mu.Lock()
	n := len(r.passwords) + 1
	password := r.made.Make(n)
	r.passwords[password] = n
	r.mu.Unlock()
	r.redactor.Learn(password, "PASSWORD")
	return password
}

func randomText(n int) string {
	const letters = "abcdefghijkmnpqrstuvwxyz"
	b := make([]byte, n)
	for i := range b {
		b[i] = letters[rand.IntN(len(letters))]
	}
	return string(b)
}
