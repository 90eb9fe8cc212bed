package main

import (
	"encoding/json"
	"fmt"
	"io"
	"sync"

	"github.com/socialfeed/conform/refserver/control/journal"
)

// requestLog is a function that writes a line for each request; nil for --log off.
func requestLog(form string, out io.Writer) func(*journal.Entry) {
	var mu sync.Mutex
	write := func(line string) {
		mu.Lock()
		defer mu.Unlock()
		fmt.Fprintln(out, line)
	}
	switch form {
	case "requests":
		return func(e *journal.Entry) { write(e.Line()) }
	case "json":
		return func(e *journal.Entry) {
			line, err := json.Marshal(e.View())
			if err != nil {
				line = []byte(`{"error":"an entry could not be encoded"}`)
			}
			write(string(line))
		}
	default:
		return nil
	}
}
