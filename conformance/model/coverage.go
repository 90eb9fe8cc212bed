package model

// Coverage counts what stories have exercised: operations by the state that they met, and
// classes of values by field.
type Coverage map[string]int

func (c Coverage) countValue(field, class string) { c["value "+field+"/"+class]++ }

func (c Coverage) countOp(kind Kind, circumstance string) {
	c["operation "+kind.String()+"/"+circumstance]++
}

// Merge adds the counts of another Coverage.
func (c Coverage) Merge(o Coverage) {
	for key, n := range o {
		c[key] += n
	}
}
