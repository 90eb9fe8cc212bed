package model

// Coverage counts what stories have exercised: operations in the state that they
// met, and classes of values by field.
type Coverage map[string]int

func (c Coverage) wore(field, class string) { c["value "+field+"/"+class]++ }

func (c Coverage) did(kind Kind, circumstance string) {
	c["operation "+kind.String()+"/"+circumstance]++
}

// Merge adds another's counts.
func (c Coverage) Merge(o Coverage) {
	for key, n := range o {
		c[key] += n
	}
}
