package store

import (
	"iter"
	"slices"
)

// rows are rows of one kind, by application and id. They never change: a change makes others, which
// share all but a few nodes with these. The zero value is empty.
//
// Ids are numbers that are given in their order. So a tree by their digits of four bits is as deep as they
// need, a row is found in it without a key, and little is copied to change one.
type rows[T any] struct {
	apps []rowsOfApp[T] // ascending
}

type rowsOfApp[T any] struct {
	app    App
	root   any // a *branch, or a *leaf[T] if there is one level; nil if there are no rows
	levels int
}

const (
	digit = 4
	fan   = 1 << digit
)

type (
	branch      [fan]any // each a *branch or a *leaf, or nil
	leaf[T any] [fan]*T
)

// get returns a row, or nil.
func (r rows[T]) get(app App, id ID) *T {
	i := r.find(app)
	if i == len(r.apps) || r.apps[i].app != app || id>>(r.apps[i].levels*digit) > 0 {
		return nil
	}
	node := r.apps[i].root
	for level := r.apps[i].levels - 1; level > 0; level-- {
		below, _ := node.(*branch)
		if below == nil {
			return nil
		}
		node = below[id>>(level*digit)%fan]
	}
	if last, _ := node.(*leaf[T]); last != nil {
		return last[id%fan]
	}
	return nil
}

// find is where an application is, or would be.
func (r rows[T]) find(app App) int {
	i := 0
	for i < len(r.apps) && r.apps[i].app < app {
		i++
	}
	return i
}

// with has a row under an id in the place of the one before; nil is none.
func (r rows[T]) with(app App, id ID, row *T) rows[T] {
	i := r.find(app)
	apps := slices.Clone(r.apps)
	if i == len(apps) || apps[i].app != app {
		apps = slices.Insert(apps, i, rowsOfApp[T]{app: app, levels: 1})
	}
	of := &apps[i]
	for id>>(of.levels*digit) > 0 {
		if of.root != nil {
			of.root = &branch{of.root}
		}
		of.levels++
	}
	of.root = changed(of.root, of.levels-1, id, row)
	return rows[T]{apps}
}

// changed is a node of a level, or nil, with another row under it. A node that has none is nil.
func changed[T any](node any, level int, id ID, row *T) any {
	if level == 0 {
		next := leaf[T]{}
		if before, _ := node.(*leaf[T]); before != nil {
			next = *before
		}
		if next[id%fan] = row; next == (leaf[T]{}) {
			return nil
		}
		return &next
	}
	next := branch{}
	if before, _ := node.(*branch); before != nil {
		next = *before
	}
	at := id >> (level * digit) % fan
	if next[at] = changed(next[at], level-1, id, row); next == (branch{}) {
		return nil
	}
	return &next
}

// from are an application's rows from an id on, by id.
func (r rows[T]) from(app App, id ID) iter.Seq[*T] {
	return func(yield func(*T) bool) {
		i := r.find(app)
		if i < len(r.apps) && r.apps[i].app == app && id>>(r.apps[i].levels*digit) == 0 {
			walk(r.apps[i].root, r.apps[i].levels-1, id, yield)
		}
	}
}

// walk calls yield for the rows of a node from an id on, of which the digits up to the level count. It is
// false once yield was.
func walk[T any](node any, level int, id ID, yield func(*T) bool) bool {
	switch node := node.(type) {
	case *leaf[T]:
		for _, row := range node[id%fan:] {
			if row != nil && !yield(row) {
				return false
			}
		}
	case *branch:
		for at := id >> (level * digit) % fan; at < fan; at++ {
			if !walk(node[at], level-1, id, yield) {
				return false
			}
			id = 0
		}
	}
	return true
}

// all are the rows of all applications, by application and id.
func (r rows[T]) all() iter.Seq[*T] {
	return func(yield func(*T) bool) {
		for _, of := range r.apps {
			if !walk(of.root, of.levels-1, 0, yield) {
				return
			}
		}
	}
}
