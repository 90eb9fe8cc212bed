package faults_test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/socialfeed/conform/refserver/faults"
)

// shows reports after how many lines a story shows a fault, 0 where it does not: a server without it answers otherwise.
func (s story) shows(t *testing.T, fault faults.Fault) int {
	t.Helper()
	right := s.play(t, sound(fault.Kind), nil)
	said := s.play(t, fault, right)
	for i := range said {
		if said[i] != right[i] {
			for i++; i < len(s) && s[i].beside; i++ { // what is sent beside it may be the cause
			}
			return i
		}
	}
	return 0
}

// shrink leaves out of a story whatever is not needed to show a fault.
func (s story) shrink(t *testing.T, fault faults.Fault) story {
	t.Helper()
	if near := s.about(s[len(s)-1]); near.shows(t, fault) > 0 {
		s = near
	}
	for size := max(1, len(s)/2); size > 0; {
		smaller := false
		for at := len(s) - size; at > -size; at -= size {
			if at >= len(s) {
				continue
			}
			less := s.without(max(at, 0), min(at+size, len(s)))
			if n := less.shows(t, fault); n > 0 {
				s, smaller = less[:n], true
			}
		}
		if !smaller || size > 1 {
			size /= 2
		}
	}
	for i := range s {
		for _, member := range textMember.FindAllString(s[i].body, -1) {
			less := slices.Clone(s)
			if less[i].body = strings.Replace(less[i].body, member, "", 1); less.shows(t, fault) == len(less) {
				s = less
			}
		}
	}
	return s.renamed()
}

// textMember is a member of an object, but for the first, with a text.
var textMember = regexp.MustCompile(`,"\w+":"[^"\\]*"`)

// about is what a story has of those whom a step is about, and of whoever they had to do with.
func (s story) about(last step) story {
	known := map[string]bool{}
	for _, name := range append(last.uses(), last.bind) {
		known[name] = name != ""
	}
	for range 3 {
		for _, step := range slices.Backward(s) {
			names := append(step.uses(), step.bind)
			if slices.ContainsFunc(names, func(name string) bool { return known[name] }) {
				for _, name := range names {
					known[name] = known[name] || name != ""
				}
			}
		}
	}
	return slices.DeleteFunc(slices.Clone(s), func(step step) bool {
		return step.wait == 0 && !slices.ContainsFunc(append(step.uses(), step.bind), func(name string) bool { return known[name] })
	})
}

// without leaves steps out, and those that refer to what these have bound.
func (s story) without(from, to int) story {
	gone := map[string]bool{}
	var rest story
	for i, step := range s {
		if i >= from && i < to || slices.ContainsFunc(step.uses(), func(name string) bool { return gone[name] }) {
			gone[step.bind] = step.bind != ""
			continue
		}
		if step.beside && len(rest) == 0 {
			step.beside = false
		}
		rest = append(rest, step)
	}
	return rest
}

// renamed numbers the names of a story as they come.
func (s story) renamed() story {
	names, counts := map[string]string{}, map[string]int{}
	var renamed story
	for _, step := range s {
		replace := func(text string) string {
			return reference.ReplaceAllStringFunc(text, func(name string) string {
				if other := names[name[1:]]; other != "" {
					return "$" + other
				}
				return name
			})
		}
		step.path, step.body, step.session.text = replace(step.path), replace(step.body), replace(step.session.text)
		if name := names[step.session.name]; name != "" {
			step.session.name = name
		}
		if kind := strings.TrimRight(step.bind, "0123456789"); kind != "" {
			counts[kind]++
			names[step.bind] = fmt.Sprint(kind, counts[kind])
			step.bind = names[step.bind]
		}
		renamed = append(renamed, step)
	}
	return renamed
}
