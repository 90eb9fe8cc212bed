package store

import (
	"strings"
	"unicode"

	"golang.org/x/text/cases"
)

// Search returns the users who hold the term, taken literally and without regard
// to case, in user_name, first_name, last_name or email, in the order of their
// ids (the contract's endpoint rule 2). Every user holds the empty term.
func (s *Store) Search(app App, term string) ([]User, error) {
	term = fold(term)
	found := []User{}
	if strings.Contains(term, between) {
		return found, nil
	}
	for row := range passing[User](s.readLagged().Txn, users, byID, key[ID](app)) {
		if strings.Contains(row.folded, term) {
			found = append(found, *row)
		}
	}
	return found, nil
}

// between separates the attributes in one text, which is searched as a whole. No attribute has it: it
// is no UTF-8.
const between = "\xff"

// fold prepares what the search looks at, taking it over from who is alike in it:
// texts may be long, and the writers' lock is not to be held meanwhile.
func (u *User) fold(alike ...*User) {
	for _, other := range alike {
		if other.folded != "" && u.UserName == other.UserName && u.FirstName == other.FirstName && u.LastName == other.LastName && u.Email == other.Email {
			u.folded = other.folded
			return
		}
	}
	u.folded = strings.Join([]string{fold(u.UserName), fold(u.FirstName), fold(u.LastName), fold(u.Email)}, between)
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
