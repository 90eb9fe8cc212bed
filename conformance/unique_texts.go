package conformance

import (
	"math/rand/v2"
	"sync"

	"github.com/socialfeed/conform/conformance/internal/ledger"
)

// uniqueTexts are the words and passwords that a run made up, of which none comes twice.
type uniqueTexts struct {
	secrets ledger.Passwords

	mu        sync.Mutex
	words     map[string]bool
	passwords map[string]int // by their numbers
}

func newUniqueTexts(appToken string) *uniqueTexts {
	return &uniqueTexts{secrets: ledger.NewPasswords(appToken), words: map[string]bool{}, passwords: map[string]int{}}
}

// word returns a random text of so many letters that is unique in the run, also in its
// beginning: a search that is not exact finds none of them by another.
func (u *uniqueTexts) word(length int) string {
	u.mu.Lock()
	defer u.mu.Unlock()
	for {
		word := randomText(length)
		if key := word[:min(length, shortWord)]; !u.words[key] {
			u.words[key] = true
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
func (u *uniqueTexts) password() string {
	u.mu.Lock()
	defer u.mu.Unlock()
	n := len(u.passwords) + 1
	password := u.secrets.Make(n)
	u.passwords[password] = n
	return password
}

// numberOf returns the number of a password, 0 for a text that is none.
func (u *uniqueTexts) numberOf(password string) int {
	u.mu.Lock()
	defer u.mu.Unlock()
	return u.passwords[password]
}

// Unique makes a text of eight lower-case letters that stands nowhere else on the
// target, and resembles no other one: for names, verbs and search terms.
func (t *T) Unique() string { return t.word(longWord) }

// Short is like Unique, with six letters: for texts that three such words have to fit into.
func (t *T) Short() string { return t.word(shortWord) }

func (t *T) word(length int) string {
	word := t.run.texts.word(length)
	t.mu.Lock()
	defer t.mu.Unlock()
	t.transcript.Word(word)
	return word
}

// Password makes a password as a client sends it: hashed, in hexadecimal digits.
func (t *T) Password() string {
	password := t.run.texts.password()
	t.run.redactor.Learn(password, "PASSWORD")
	return password
}

// Secret keeps out of reports a text that the scenario made, such as one that resembles a token,
// and returns it.
func (t *T) Secret(text string) string {
	t.run.redactor.Learn(text, "SECRET")
	return text
}

func randomText(n int) string {
	const letters = "abcdefghijkmnpqrstuvwxyz"
	b := make([]byte, n)
	for i := range b {
		b[i] = letters[rand.IntN(len(letters))]
	}
	return string(b)
}
