package redact

import (
	"fmt"
	"strings"
	"time"
)

// Message is a text of our own that quotes texts of others. It has no text by itself: only somebody who
// knows the secrets can write it, so that a message that is new cannot tell one.
type Message struct {
	format string
	args   []any
}

// Say makes a message, as fmt.Sprintf does. Quoted values are redacted when it is written.
func Say(format string, args ...any) Message { return Message{format, args} }

// Empty reports whether there is no message.
func (m Message) Empty() bool { return m.format == "" }

// Write is the text, everything that it quotes as hide shows it.
func (m Message) Write(hide func(string) string) string {
	args := make([]any, len(m.args))
	for i, arg := range m.args {
		switch arg := arg.(type) {
		case int, rune, bool, time.Duration:
			args[i] = arg
		case Message:
			args[i] = arg.Write(hide)
		default:
			args[i] = hide(fmt.Sprint(arg))
		}
	}
	return fmt.Sprintf(m.format, args...)
}

// String tells nothing: a message that is printed by mistake tells no secret.
func (m Message) String() string { return "(a message that was not redacted)" }

// Opaque hides the words of a text that may be tokens for all that is known: long ones that mix letters
// with digits, or small letters with capital ones. It is for what is written before all secrets are known.
func Opaque(text string) string {
	const long = 12
	var b strings.Builder
	for i := 0; i < len(text); {
		from := i
		for i < len(text) && isAlphanumeric(text[i]) {
			i++
		}
		if word := text[from:i]; len(word) >= long && mixed(word) {
			b.WriteString("[…]")
		} else {
			b.WriteString(word)
		}
		if i < len(text) {
			b.WriteByte(text[i])
			i++
		}
	}
	return b.String()
}

// mixed reports whether a word is none of a language: of letters in both cases, or of letters and digits.
func mixed(word string) bool {
	rest := word[1:]
	digits, small, large := strings.ContainsAny(word, "0123456789"), strings.ToUpper(rest) != rest, strings.ToLower(rest) != rest
	return digits && (small || large) || small && large
}
