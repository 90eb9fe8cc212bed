package journal

// mostRecent bounds each half of a recent, in bytes.
const mostRecent = 512 << 10

// recent remembers texts by others, those that were used last. When its newer half is full, the older one
// is forgotten. The zero value is empty.
type recent struct {
	newer, older map[named]string
	size         int // of the newer half, in bytes
}

// named is a text, and what kind of text it is.
type named struct{ name, text string }

func (r *recent) get(key named) (string, bool) {
	if value, known := r.newer[key]; known {
		return value, true
	}
	value, known := r.older[key]
	if known {
		r.put(key, value)
	}
	return value, known
}

// getBytes is get for a text that is not a string yet.
func (r *recent) getBytes(name string, text []byte) (string, bool) {
	if value, known := r.newer[named{name, string(text)}]; known {
		return value, true
	}
	value, known := r.older[named{name, string(text)}]
	if known {
		r.put(named{name, value}, value)
	}
	return value, known
}

func (r *recent) put(key named, value string) {
	const overhead = 64
	if r.newer == nil || r.size > mostRecent {
		r.newer, r.older, r.size = make(map[named]string), r.newer, 0
	}
	r.newer[key] = value
	r.size += len(key.text) + len(value) + overhead
}
