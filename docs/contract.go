// Package docs holds the documents that the programs show.
package docs

import _ "embed"

//go:embed contract.md
var contract string

// Contract is the contract of the Social Activity Feed Service, as Markdown.
func Contract() string { return contract }
