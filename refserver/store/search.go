package store

import (
	"iter"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/cases"
)

// Search returns the users who hold the term, taken literally and without regard
// to case, in user_name, first_name, last_name or email, in the order of their
// ids (the contract's endpoint rule 2). Every user holds the empty term.
func (s *Store) Search(app App, term string) ([]User, error) {
	found := []User{}
	for user := range s.Found(app, term) {
		found = append(found, *user)
	}
	return found, nil
}

// Found is Search that holds no more than one user at a time. All are of the state at the call.
func (s *Store) Found(app App, term string) iter.Seq[*User] {
	return s.found(s.readLagged(), app, term)
}

func (s *Store) found(state *snapshot, app App, term string) iter.Seq[*User] {
	term = fold(term)
	wanted := gramsOf(term)
	whole := uint64(state.lastUser+1) / blockLength // blocks whose ids are all given
	if len(wanted) == 0 || whole == 0 || whole > mostBlocks {
		return state.holders(app, term, 0, state.lastUser)
	}
	blocks := state.grams.of(app, whole, state.number)
	if slices.ContainsFunc(blocks, func(b gramBlock) bool { return b.index == nil }) && state.grams.begin(app) {
		go s.indexGrams(app, state.grams, whole)
	}
	return func(yield func(*User) bool) {
		first := ID(0)
		for _, block := range blocks {
			users := state.holders(app, term, first, first+blockLength-1)
			if block.index != nil {
				users = state.among(app, term, block.mayHold(wanted, first))
			}
			for user := range users {
				if !yield(user) {
					return
				}
			}
			first += blockLength
		}
		state.holders(app, term, first, state.lastUser)(yield)
	}
}

// gramsOf are the grams of a folded term, each once: of a long one, the first.
func gramsOf(term string) []uint32 {
	const most = 32
	var all []uint32
	eachGram(term[:min(len(term), most)], func(gram uint32) { all = append(all, gram) })
	slices.Sort(all)
	return slices.Compact(all)
}

// mayHold returns the users of an indexed block that may contain all grams, ascending.
func (b *gramBlock) mayHold(grams []uint32, first ID) []ID {
	ids := append(b.index.candidates(grams, first), b.changed...)
	slices.Sort(ids)
	return slices.Compact(ids)
}

// indexGrams indexes the whole blocks of an application that are not indexed.
func (s *Store) indexGrams(app App, of *grams, whole uint64) {
	defer of.end(app)
	for number := range whole {
		k := blockKey{app, number}
		state := s.expectBlock(of, k)
		if state == nil {
			continue
		}
		first := ID(number) * blockLength
		of.put(k, state.number, newGramIndex(slices.Collect(state.between(app, first, first+blockLength-1))))
	}
}

// expectBlock is the state from which a block is to be indexed, nil if it is indexed. Later changes are noted.
func (s *Store) expectBlock(of *grams, k blockKey) *snapshot {
	s.mu.Lock() // no change is on its way
	defer s.mu.Unlock()
	if state := s.read(); state.grams == of && of.expect(k, state.number) {
		return state
	}
	return nil
}

// between are the users of an application from one id to another.
func (s *snapshot) between(app App, from, to ID) iter.Seq[*User] {
	return func(yield func(*User) bool) {
		for user := range s.users.from(app, from) {
			if user.ID > to || !yield(user) {
				return
			}
		}
	}
}

// holders returns the users between two ids that contain the term.
func (s *snapshot) holders(app App, term string, from, to ID) iter.Seq[*User] {
	return func(yield func(*User) bool) {
		for user := range s.between(app, from, to) {
			if user.holds(term) && !yield(user) {
				return
			}
		}
	}
}

// among returns the given users that contain the term.
func (s *snapshot) among(app App, term string, ids []ID) iter.Seq[*User] {
	return func(yield func(*User) bool) {
		for _, id := range ids {
			if user := s.users.get(app, id); user != nil && user.holds(term) && !yield(user) {
				return
			}
		}
	}
}

func (u *User) holds(folded string) bool {
	return slices.ContainsFunc(u.folded, func(attribute string) bool { return strings.Contains(attribute, folded) })
}

// findableAlike reports whether the same terms find both.
func (u *User) findableAlike(other *User) bool {
	return u.UserName == other.UserName && u.FirstName == other.FirstName && u.LastName == other.LastName && u.Email == other.Email
}

// fold prepares the searched texts outside the writers' lock, since they may be long. It
// reuses those of a user with the same attributes.
func (u *User) fold(alike ...*User) {
	for _, other := range alike {
		if other.folded != nil && u.findableAlike(other) {
			u.folded = other.folded
			return
		}
	}
	u.folded = []string{fold(u.UserName), fold(u.FirstName), fold(u.LastName), fold(u.Email)}
}

// fold makes texts comparable that differ in case alone. It folds character by
// character, so a folded text holds every folded part of it. Characters that
// strings.EqualFold takes for the same are first made one: of the two cases of
// Cherokee, the full folding takes each for the other.
func fold(text string) string {
	if !strings.ContainsFunc(text, func(r rune) bool { return r > unicode.MaxASCII }) {
		return strings.ToLower(text) // the same, and most often the text itself
	}
	return cases.Fold().String(strings.Map(representative, text))
}

// representative is the smallest of the characters that differ from r in case alone.
func representative(r rune) rune {
	if r <= unicode.MaxASCII {
		return unicode.ToUpper(r) // all ASCII letters have their smallest form there
	}
	smallest := r
	for other := unicode.SimpleFold(r); other != r; other = unicode.SimpleFold(other) {
		smallest = min(smallest, other)
	}
	return smallest
}
