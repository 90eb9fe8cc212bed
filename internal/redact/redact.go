// Package redact finds secrets in texts, so that the writer of a text can leave them out: those that are
// known, in any spelling and also in part, and those that a name tells of.
//
// It is machinery for texts alone, and knows neither the contract nor the judge nor the reference server.
// That is why both may use it: a mistake in it may show a secret, but no verdict rests on it.
package redact

import (
	"cmp"
	"slices"
	"strings"
	"sync"
)

// Secrets are the texts to be kept. It is safe for concurrent use.
type Secrets struct {
	mu      sync.RWMutex
	public  []string
	index   index
	known   map[string]*secret
	guessed []*secret // that Learn added, oldest first
	size    int       // of these, in bytes
	version Version
}

// Version tells whether a set is as it was.
type Version struct {
	Added     uint64 // secrets
	Forgotten uint64 // times that some were forgotten
}

// Version is that of the set as it stands.
func (s *Secrets) Version() Version {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.version
}

// New returns an empty set. Secrets are allowed to have the public texts in common with other texts:
// a part that is in one of these is not hidden.
func New(public ...string) *Secrets {
	return &Secrets{public: public, index: newIndex(public), known: map[string]*secret{}}
}

// Add adds a secret, and a name to show in its place. The first name of a secret stays.
func (s *Secrets) Add(text, name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.add(text, name)
}

func (s *Secrets) add(text, name string) *secret {
	if _, known := s.known[text]; known || text == "" {
		return nil
	}
	added := &secret{text, fold(text), name}
	s.known[text] = added
	s.version.Added++
	if len(text) >= shortest {
		s.index.add(added)
	}
	return added
}

// The bounds of what others may have learned.
const (
	mostLearned    = 1 << 20 // bytes of secrets
	longestLearned = 4 << 10 // bytes of one
)

// Learn adds a secret that was found in foreign text. Of very many the oldest are forgotten.
func (s *Secrets) Learn(text, name string) {
	text = text[:min(len(text), longestLearned)]
	s.mu.RLock()
	_, known := s.known[text]
	s.mu.RUnlock()
	if known {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	added := s.add(text, name)
	if added == nil {
		return
	}
	s.guessed, s.size = append(s.guessed, added), s.size+len(text)
	if s.size > mostLearned {
		s.forget()
	}
}

// forget forgets the older half of what was learned.
func (s *Secrets) forget() {
	s.version.Forgotten++
	half := len(s.guessed)/2 + 1
	for _, old := range s.guessed[:half] {
		delete(s.known, old.text)
		s.size -= len(old.text)
	}
	s.guessed = slices.Clone(s.guessed[half:])
	s.index = newIndex(s.public)
	for _, kept := range s.known {
		if len(kept.text) >= shortest {
			s.index.add(kept)
		}
	}
}

// LearnNamed adds the secrets that names tell of in a text, as far as they are not also words: these are
// hidden if they are named, and nowhere else.
func (s *Secrets) LearnNamed(text, name string, care Care) {
	Named(text, care, func(value string) {
		if len(value) >= Window && !s.index.isPublic(value) || len(value) >= shortestInside && strings.ContainsAny(value, "0123456789") {
			s.Learn(value, name)
		}
	})
}

// Name is the name of a secret.
func (s *Secrets) Name(text string) (name string, known bool) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	found, known := s.known[text]
	if !known {
		return "", false
	}
	return found.name, true
}

// Form is how a secret is written in a text.
type Form int

const (
	Plain   Form = iota // perhaps with escapes
	Recased             // in small or capital letters that are not its own
	Hex
	Base64
	Unnamed // a value that a name marks as a secret
)

// Match is where a text has a secret.
type Match struct {
	From, To int
	Secret   string // the whole of it
	Name     string // of the secret, "" for an unnamed one
	Form     Form
	Part     bool // only a part of the secret
}

// Matches are the known secrets in a text, in the order in which they are found. They may overlap.
func (s *Secrets) Matches(text string) []Match {
	var found []Match
	s.mu.RLock()
	defer s.mu.RUnlock()
	views(text, s.index.worth, func(v view) { found = s.inView(v, found) })
	s.index.cutOff(text, func(h hit) {
		found = append(found, Match{h.from, h.to, h.of.text, h.of.name, Plain, true})
	})
	return found
}

func (s *Secrets) inView(v view, found []Match) []Match {
	s.index.find(v.plain, v.folded, func(h hit) {
		m := Match{v.start(h.from), v.end(h.to), h.of.text, h.of.name, v.form, h.to-h.from < len(h.of.text)}
		if m.Form == Plain && !m.Part && v.plain[h.from:h.to] != h.of.text {
			m.Form = Recased
		}
		found = append(found, m)
	})
	return found
}

// All are the known secrets and those that names tell of.
func (s *Secrets) All(text string, care Care) []Match {
	var found []Match
	s.mu.RLock()
	defer s.mu.RUnlock()
	views(text, s.index.worth, func(v view) {
		found = s.inView(v, found)
		named(v.plain, v.folded, care, func(from, to int) {
			found = append(found, Match{From: v.start(from), To: v.end(to), Form: Unnamed})
		})
	})
	s.index.cutOff(text, func(h hit) {
		found = append(found, Match{h.from, h.to, h.of.text, h.of.name, Plain, true})
	})
	return found
}

// Named calls found for the values that names tell of in a text, its escapes decoded.
func Named(text string, care Care, found func(value string)) {
	if !mayTell(text) {
		return
	}
	views(text, nil, func(v view) {
		named(v.plain, v.folded, care, func(from, to int) { found(v.plain[from:to]) })
	})
}

// Span is a part of a text: one that may be shown, or one that a match hides.
type Span struct {
	From, To int
	Match    *Match // nil for what may be shown
}

// Cut cuts a text of so many bytes at its matches. Of those that overlap, the longest is whole and nothing
// of the others is left; of two alike, a known secret goes before an unnamed one, and a whole one before
// a part.
func Cut(length int, matches []Match) []Span {
	if len(matches) == 0 {
		return []Span{{0, length, nil}}
	}
	rank := func(m Match) int {
		switch {
		case m.Form == Unnamed:
			return 2
		case m.Part:
			return 1
		}
		return 0
	}
	slices.SortStableFunc(matches, func(a, b Match) int {
		return cmp.Or(cmp.Compare(b.To-b.From, a.To-a.From), cmp.Compare(rank(a), rank(b)), cmp.Compare(a.Form, b.Form), cmp.Compare(len(a.Name), len(b.Name)), cmp.Compare(a.From, b.From))
	})
	owner := make([]int32, length) // 1 + the match that hides the byte, 0 for none
	for i, m := range matches {
		for k := m.From; k < m.To; k++ {
			if owner[k] == 0 {
				owner[k] = int32(i + 1)
			}
		}
	}
	var spans []Span
	for from := 0; from < length; {
		to := from + 1
		for to < length && owner[to] == owner[from] {
			to++
		}
		span := Span{from, to, nil}
		if owner[from] > 0 {
			m := matches[owner[from]-1]
			m.Part = m.Part || m.Form != Unnamed && (from > m.From || to < m.To)
			span.Match = &m
		}
		spans = append(spans, span)
		from = to
	}
	return spans
}
