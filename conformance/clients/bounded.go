package clients

// bounded is a map of bounded size: a new entry replaces the oldest.
type bounded[K comparable, V any] struct {
	most   int
	values map[K]V
	order  []K // oldest first, each key once
}

func newBounded[K comparable, V any](most int) *bounded[K, V] {
	return &bounded[K, V]{most: most, values: map[K]V{}}
}

func (b *bounded[K, V]) get(k K) (V, bool) {
	v, ok := b.values[k]
	return v, ok
}

func (b *bounded[K, V]) put(k K, v V) {
	if _, there := b.values[k]; !there {
		if len(b.order) >= b.most {
			forgotten := b.order[:len(b.order)/2+1]
			for _, old := range forgotten {
				delete(b.values, old)
			}
			b.order = append(make([]K, 0, b.most), b.order[len(forgotten):]...)
		}
		b.order = append(b.order, k)
	}
	b.values[k] = v
}
