package journal

import (
	"bytes"
	"encoding/json"
	"net/http"
	"strings"
	"sync"

	"github.com/socialfeed/conform/internal/redact"
)

// Secrets learns the secrets of requests and answers, and hides them. Most texts come again and again:
// each is searched once, and kept once for all entries. It is safe for concurrent use.
type Secrets struct {
	known *redact.Secrets

	mu      sync.Mutex
	version redact.Version
	read    recent // texts whose secrets are known, as they are kept
	shown   recent // texts without the secrets that are known
}

// NewSecrets makes one that knows some secrets.
func NewSecrets(known *redact.Secrets) *Secrets { return &Secrets{known: known} }

// Without is a text without the secrets that are known.
func (s *Secrets) Without(text string) string { return withoutSecrets(text, s.known.Matches(text)) }

// anyName is the name of secrets that have none of their own.
const anyName = "hidden"

// readHeader learns the secrets of a header.
func (s *Secrets) readHeader(header http.Header) {
	for name, values := range header {
		for _, value := range values {
			if _, known := s.recall(name, value); known {
				continue
			}
			s.learnHeader(name, value)
			s.keep(name, value)
		}
	}
}

func (s *Secrets) learnHeader(name, value string) {
	if !redact.SecretName(name) {
		s.known.LearnNamed(value, anyName, redact.Loose)
		return
	}
	if len(value) < redact.Window {
		return
	}
	s.known.Learn(value, anyName)
	if _, rest, several := strings.Cut(value, " "); several && len(rest) >= redact.Window {
		s.known.Learn(rest, anyName)
	}
}

// readTarget learns the secrets of a request's target.
func (s *Secrets) readTarget(r *http.Request) {
	const name = "target"
	if _, known := s.recall(name, r.RequestURI); known && r.RequestURI != "" {
		return
	}
	s.known.LearnNamed(r.URL.RequestURI(), anyName, redact.Loose)
	s.keep(name, r.RequestURI)
}

// readBody learns the secrets of a body, and returns it as it is kept.
func (s *Secrets) readBody(body []byte, labels *Labels) string {
	if len(body) == 0 {
		return ""
	}
	const name = "body"
	if text, known := s.recallBytes(name, body); known {
		return text
	}
	if token := OpenedSession(body); token != "" {
		label, _ := labels.Find(token)
		s.known.Learn(token, label)
	}
	text := string(body)
	s.known.LearnNamed(text, anyName, redact.Loose)
	s.keep(name, text)
	return text
}

// OpenedSession is the session token in a body, blank if there is none.
func OpenedSession(body []byte) string {
	if !bytes.Contains(body, []byte("session_token")) {
		return ""
	}
	var opened struct {
		SessionToken string `json:"session_token"`
	}
	if json.Unmarshal(body, &opened) != nil {
		return ""
	}
	return opened.SessionToken
}

// without is a text without the secrets that are known by now, and those that names tell of in it.
func (s *Secrets) without(text string, care redact.Care) string {
	if text == "" {
		return ""
	}
	now, name := s.known.Version(), [...]string{redact.Strict: "strict", redact.Loose: "loose"}[care]
	s.mu.Lock()
	s.renew(now)
	shown, known := s.shown.get(named{name, text})
	s.mu.Unlock()
	if known {
		return shown
	}
	shown = withoutSecrets(text, s.known.All(text, care))
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.version == now { // what was added meanwhile may be in the text
		s.shown.put(named{name, text}, shown)
	}
	return shown
}

// recall returns a text that was read.
func (s *Secrets) recall(name, text string) (string, bool) {
	now := s.known.Version()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.renew(now)
	return s.read.get(named{name, text})
}

func (s *Secrets) recallBytes(name string, text []byte) (string, bool) {
	now := s.known.Version()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.renew(now)
	return s.read.getBytes(name, text)
}

func (s *Secrets) keep(name, text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.read.put(named{name, text}, text)
}

// renew forgets what no longer holds of the secrets that are known now: a text that was shown may have a
// new one, and one that was read may have one that was forgotten.
func (s *Secrets) renew(now redact.Version) {
	if now.Forgotten > s.version.Forgotten {
		s.read = recent{}
	}
	if now != s.version {
		s.shown = recent{}
	}
	if now.Added > s.version.Added || now.Forgotten > s.version.Forgotten {
		s.version = now
	}
}
