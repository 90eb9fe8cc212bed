// Package quote quotes texts for programs that would read more in them.
package quote

import "strings"

// Shell returns the text as one word of a POSIX shell's command that means the text, byte for
// byte.
func Shell(text string) string {
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}
