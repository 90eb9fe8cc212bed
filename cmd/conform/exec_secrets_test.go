package main

import (
	"fmt"
	"strings"
	"testing"
)

// The end of a server's output holds no app token, also where the output is cut.
func TestLastLinesHideTokens(t *testing.T) {
	t.Parallel()
	const token = "short-token"
	for _, before := range []int{0, longestLine - len(token) - 1, longestLine - 3, longestLine} {
		for _, end := range []string{"", " and on", "\n"} {
			lines := lastLines{most: mostLastLines, secrets: []string{token}}
			fmt.Fprint(&lines, strings.Repeat("a ", before)[:before]+token+end)
			if got := lines.text(); strings.Contains(got, token[:3]) {
				t.Errorf("behind %d bytes: %q", before, got)
			}
		}
	}
}
