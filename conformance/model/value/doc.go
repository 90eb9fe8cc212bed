// Package value compares and shows JSON values as the contract means them: ids are opaque, timestamps are
// instants, and what is absent, blank or empty is the same. A Set has the values that a field may lawfully have.
package value
