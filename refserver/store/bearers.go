package store

import "slices"

// bearers lists the users that share a value, in the ascending order of their ids.
type bearers[K comparable] map[K][]ID

func (b bearers[K]) add(k K, id ID) {
	if i, there := slices.BinarySearch(b[k], id); !there {
		b[k] = slices.Insert(b[k], i, id)
	}
}

func (b bearers[K]) remove(k K, id ID) {
	ids := b[k]
	if i, there := slices.BinarySearch(ids, id); there {
		ids = slices.Delete(ids, i, i+1)
	}
	if len(ids) == 0 {
		delete(b, k)
		return
	}
	b[k] = ids
}
