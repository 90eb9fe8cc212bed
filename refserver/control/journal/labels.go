package journal

import (
	"crypto/sha256"
	"fmt"
	"strings"
	"sync"
	"unicode"
)

// Unknown is the label of a session token that opened no session ever seen.
const Unknown = "session:unknown"

// maxLabels bounds the sessions that have labels.
const maxLabels = 10_000

// Labels gives session tokens names to be shown by: session:ada#1 is the first
// session of ada that was seen. It keeps the tokens' hashes alone.
type Labels struct {
	mu     sync.Mutex
	labels map[[sha256.Size]byte]label
	counts map[string]int
}

type label struct{ user, text string }

// Learn returns the label of a user's token, a new one if it has none.
func (l *Labels) Learn(token, userName, fallback string) string {
	hash := sha256.Sum256([]byte(token))
	l.mu.Lock()
	defer l.mu.Unlock()
	if known, ok := l.labels[hash]; ok {
		return known.text
	}
	if l.labels == nil || len(l.labels) >= maxLabels {
		l.labels = make(map[[sha256.Size]byte]label)
	}
	if l.counts == nil || len(l.counts) >= maxLabels {
		l.counts = make(map[string]int)
	}
	name := shortName(userName, fallback)
	l.counts[name]++
	text := fmt.Sprintf("session:%s#%d", name, l.counts[name])
	l.labels[hash] = label{userName, text}
	return text
}

// Clear forgets every label, so that numbering starts again.
func (l *Labels) Clear() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.labels, l.counts = nil, nil
}

// Find returns the label of a token and the user_name it was learnt with, or Unknown.
func (l *Labels) Find(token string) (text, userName string) {
	return l.FindHash(sha256.Sum256([]byte(token)))
}

// FindHash is Find by the token's hash.
func (l *Labels) FindHash(hash [sha256.Size]byte) (text, userName string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if known, ok := l.labels[hash]; ok {
		return known.text, known.user
	}
	return Unknown, ""
}

// shortName is a user_name if it is short and plain, and the fallback otherwise.
func shortName(name, fallback string) string {
	odd := strings.ContainsFunc(name, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("._-", r)
	})
	if name == "" || odd || len(name) > 40 {
		return fallback
	}
	return name
}
