package faults

import (
	"net/http"
	"sync"
)

// asks picks the requests whose query has the parameter with the value.
func asks(parameter, value string) match {
	return func(r *http.Request) bool { return r.URL.Query().Get(parameter) == value }
}

// sends picks the requests whose body has the field.
func sends(field string) match {
	return func(r *http.Request) bool {
		_, there := sent(r)[field]
		return there
	}
}

// or widens a match.
func (m match) or(further match) match {
	return func(r *http.Request) bool { return m(r) || further(r) }
}

// not picks what a match does not.
func not(m match) match {
	return func(r *http.Request) bool { return !m(r) }
}

// answers gives a success another status and body; a blank body is none.
func answers(status int, body string) func(*http.Request, *response) {
	return func(_ *http.Request, resp *response) {
		if !resp.ok() {
			return
		}
		resp.status, resp.body = status, []byte(body)
		resp.header.Del("Content-Length")
		resp.header.Del("Content-Type")
		if body != "" {
			resp.header.Set("Content-Type", "application/json")
		}
	}
}

// inObject changes the object that a success answers.
func inObject(change func(map[string]any)) func(*http.Request, *response) {
	return func(_ *http.Request, resp *response) { resp.object(change) }
}

// inEach changes every object of the list that a success answers.
func inEach(change func(map[string]any)) func(*http.Request, *response) {
	return func(_ *http.Request, resp *response) {
		resp.list(func(list []any) []any {
			for _, item := range list {
				if object, ok := item.(map[string]any); ok {
					change(object)
				}
			}
			return list
		})
	}
}

// set gives a field a value.
func set(field string, value any) func(map[string]any) {
	return func(object map[string]any) { object[field] = value }
}

// drop leaves a field out.
func drop(field string) func(map[string]any) {
	return func(object map[string]any) { delete(object, field) }
}

// fieldText is a field's text; of a number its digits.
func fieldText(object map[string]any, field string) string {
	switch value := object[field].(type) {
	case string:
		return value
	case interface{ String() string }: // a json.Number
		return value.String()
	}
	return ""
}

// memory is what a fault keeps: it may be asked by many requests at once, and
// starts anew before it grows large.
type memory[V any] struct {
	mu   sync.Mutex
	kept map[string]V
}

const mostKept = 10_000

func (m *memory[V]) keep(key string, value V) { m.swap(key, value) }

func (m *memory[V]) get(key string) (V, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	value, ok := m.kept[key]
	return value, ok
}

// swap keeps a value and returns the one before.
func (m *memory[V]) swap(key string, value V) V {
	m.mu.Lock()
	defer m.mu.Unlock()
	before := m.kept[key]
	if m.kept == nil || len(m.kept) >= mostKept {
		m.kept = map[string]V{}
	}
	m.kept[key] = value
	return before
}
