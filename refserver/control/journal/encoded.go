package journal

import (
	"encoding/json"
	"fmt"
	"sync"
)

// encoded is an entry as it is sent, made once for all readers.
type encoded struct {
	once sync.Once
	text []byte
	err  error
}

// JSON is the entry's View as JSON. It must not be changed.
func (e *Entry) JSON() ([]byte, error) {
	e.text.once.Do(func() {
		if e.text.text, e.text.err = json.Marshal(e.View()); e.text.err != nil {
			e.text.err = fmt.Errorf("encoding an entry: %w", e.text.err)
		}
	})
	return e.text.text, e.text.err
}
