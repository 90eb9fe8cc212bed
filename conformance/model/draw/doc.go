// Package draw generates stories from a seed, those that find most for their cost first. Equal seeds give equal
// stories. stories.go puts them in order for plain and for deep runs; each other file draws stories of one kind.
package draw
