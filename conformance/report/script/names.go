package script

import (
	"fmt"
	"slices"
	"strings"

	"github.com/socialfeed/conform/conformance/result"
)

// The variables of a plot that are not numbered.
const (
	appToken       = "APP_TOKEN"
	secondAppToken = "SECOND_APP_TOKEN"
	since          = "SINCE" // a time that later ones are compared with
)

// The kinds of numbered variables.
const (
	kindOfID       = "ID"
	kindOfToken    = "TOKEN"
	kindOfTime     = "TIME"
	kindOfWord     = "WORD"
	kindOfPassword = "PASSWORD"
)

// naming gives the variables of a reproduction names of the writer's own: a report may name one like a
// variable that a shell or a program heeds.
type naming struct {
	own    map[string]string // by the report's name
	counts map[string]int
}

func (n *naming) add(theirs, kind string) string {
	if theirs == since && kind == kindOfTime {
		n.own[theirs] = since
		return since
	}
	n.counts[kind]++
	n.own[theirs] = fmt.Sprintf("%s_%d", kind, n.counts[kind])
	return n.own[theirs]
}

// of is the own name for one of the report's, and for what is derived from it. A variable that nothing
// has set is an error.
func (n *naming) of(theirs string) (string, error) {
	word := result.WordOf(theirs)
	own, known := n.own[word]
	if !known {
		return "", fmt.Errorf("nothing sets the variable %.60q of the reproduction", theirs)
	}
	return own + strings.TrimPrefix(theirs, word), nil
}

// kinds are the kinds of variables by the fields that they take.
func kindOf(field string) string {
	switch field {
	case "id":
		return kindOfID
	case "session_token":
		return kindOfToken
	}
	return kindOfTime
}

// renamed is the story with names of the writer's own.
func renamed(story result.Reproduction) (result.Reproduction, error) {
	n := &naming{own: map[string]string{appToken: appToken, secondAppToken: secondAppToken}, counts: map[string]int{}}
	if story.Since != "" {
		n.own[since] = since
	}
	story.Words = slices.Clone(story.Words)
	for i, w := range story.Words {
		kind := kindOfWord
		if w.Hex {
			kind = kindOfPassword
		}
		story.Words[i].Var = n.add(w.Var, kind)
	}
	story.Steps = slices.Clone(story.Steps)
	for i := range story.Steps {
		if i == len(story.Steps)-1 { // what the last one gives is no part of its answer as it is recorded
			if err := n.answer(&story.Answer); err != nil {
				return story, err
			}
		}
		if err := n.step(&story.Steps[i]); err != nil {
			return story, err
		}
	}
	return story, nil
}

func (n *naming) step(s *result.Step) error {
	for _, pieces := range []*[]result.Piece{&s.Path, &s.User, &s.Body} {
		if err := n.pieces(pieces); err != nil {
			return err
		}
	}
	if err := n.fields(&s.Headers); err != nil {
		return err
	}
	s.Captures = slices.Clone(s.Captures)
	for i, c := range s.Captures {
		s.Captures[i].Var = n.add(c.Var, kindOf(c.Field))
	}
	return nil
}

func (n *naming) answer(a *result.Answer) error {
	if err := n.pieces(&a.Body); err != nil {
		return err
	}
	return n.fields(&a.Headers)
}

func (n *naming) fields(fields *[]result.Field) error {
	*fields = slices.Clone(*fields)
	for i := range *fields {
		if err := n.pieces(&(*fields)[i].Value); err != nil {
			return err
		}
	}
	return nil
}

func (n *naming) pieces(pieces *[]result.Piece) error {
	if *pieces == nil {
		return nil
	}
	own := slices.Clone(*pieces)
	for i, p := range own {
		if p.Var == "" {
			continue
		}
		name, err := n.of(p.Var)
		if err != nil {
			return err
		}
		own[i] = result.Piece{Var: name}
	}
	*pieces = own
	return nil
}

// given reports whether a variable holds what an answer gave, as it is.
func (p *plot) given(name string) bool {
	return slices.ContainsFunc(p.Steps, func(s result.Step) bool {
		return slices.ContainsFunc(s.Captures, func(c result.Capture) bool { return c.Var == name })
	})
}

func slicesUse(pieces []result.Piece, name string) bool {
	return slices.ContainsFunc(pieces, func(p result.Piece) bool { return p.Var == name })
}
