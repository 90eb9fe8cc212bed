package wire

import (
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/socialfeed/conform/conformance/result"
	"github.com/socialfeed/conform/internal/redact"
)

// recordWord adds a random text of the judge, as far as one variable can write it wherever requests have it: in
// lower or in upper case. The first letter stays as it is where some request has it capitalized; a word in other
// mixed case stays whole.
func (n *narrator) recordWord(word string, steps []transcriptStep) {
	for _, text := range []string{word, word[1:]} {
		if !inMixedCase(text, steps) {
			n.recordMadeUp(result.Word{Var: n.name("WORD"), Length: len(text)}, text)
			return
		}
	}
}

// inMixedCase reports whether requests have a text with only some of its letters in upper case.
func inMixedCase(text string, steps []transcriptStep) bool {
	inAnyCase := regexp.MustCompile("(?i)" + regexp.QuoteMeta(text))
	return slices.ContainsFunc(steps, func(step transcriptStep) bool {
		written := inAnyCase.FindAllString(string(step.body)+"\n"+step.url.String(), -1)
		return slices.ContainsFunc(written, func(found string) bool { return found != text && found != strings.ToUpper(text) })
	})
}

// recordPassword adds a password that a request sends. One that is derived from an earlier one,
// such as by a further character or another ending, is expressed by that one. Of one with characters
// besides letters and digits, which a fault may depend on, only the words between these are made up anew.
func (n *narrator) recordPassword(text string) {
	if len(text) < redact.Window || n.knows(text) {
		return
	}
	for _, p := range n.passwords {
		if before, after, within := strings.Cut(text, p.text); within {
			n.recordPasswordWords(before)
			n.recordPasswordWords(after)
			return
		}
		if same := samePrefix(text, p.text); same >= redact.Window && len(text)-same < redact.Window {
			n.Learn(text[:same], fmt.Sprintf("%s_FIRST_%d", p.name, same))
			return
		}
	}
	if word := passwordWord.FindString(text); word != "" && word != text {
		n.recordPasswordWords(text)
		return
	}
	name := n.name("PASSWORD")
	n.passwords = append(n.passwords, variable{text, name})
	n.recordMadeUp(result.Word{Var: name, Length: len(text), Hex: true}, text)
}

func (n *narrator) recordPasswordWords(text string) {
	for _, word := range passwordWord.FindAllString(text, -1) {
		n.recordPassword(word)
	}
}

// passwordWord is what is long enough in a password to keep it a secret.
var passwordWord = regexp.MustCompile(fmt.Sprintf(`[0-9A-Za-z]{%d,}`, redact.Window))

func (n *narrator) recordMadeUp(word result.Word, text string) {
	n.words = append(n.words, word)
	n.Learn(text, word.Var)
	n.Learn(strings.ToUpper(text), word.Var+"_UPPER")
}

// recordPartOf adds what credentials have of a real token, where they are close to it: in large
// letters, or its first half at least.
func (n *narrator) recordPartOf(header http.Header) {
	app, session, _ := CredentialsOf(header)
	for _, token := range n.tokens {
		if len(token.text) < minSecret || strings.ContainsFunc(token.text, func(r rune) bool { return r > unicode.MaxASCII }) {
			continue
		}
		for _, given := range []string{app, session} {
			same := samePrefix(given, token.text)
			switch {
			case same == len(token.text):
			case given == strings.ToUpper(token.text):
				n.Learn(given, token.name+"_UPPER")
			case same >= max(minSecret, len(token.text)/2): // half of an odd length is rounded down
				n.Learn(given[:same], fmt.Sprintf("%s_FIRST_%d", token.name, same))
			}
		}
	}
}

func samePrefix(a, b string) int {
	n := 0
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	return n
}

// wordsIn are the words and passwords that the requests take.
func (n *narrator) wordsIn(r *result.Reproduction) []result.Word {
	var used []result.Word
	for _, p := range r.Sent() {
		i := slices.IndexFunc(n.words, func(w result.Word) bool { return w.Var == result.WordOf(p.Var) })
		if i >= 0 && !slices.Contains(used, n.words[i]) {
			used = append(used, n.words[i])
		}
	}
	return used
}

// pieces cuts a text of a request at the secrets that are known. What else a field named like a secret
// holds in a request, the judge made up.
func (n *narrator) pieces(s string) []piece { return n.cutAt(s, n.secrets.Matches(s)) }

// answerPieces cuts a text of an answer at the secrets that are known, and at those that a name tells of
// and that the judge did not make up.
func (n *narrator) answerPieces(s string) []piece {
	return n.cutAt(s, slices.DeleteFunc(n.secrets.All(s, redact.Strict), func(m redact.Match) bool {
		return m.Form == redact.Unnamed && slices.ContainsFunc(n.sent, func(body string) bool { return strings.Contains(body, s[m.From:m.To]) })
	}))
}

// cutAt cuts a text at matches. A text that a variable replaces is not replaced by a part of another
// variable, nor by what a name tells of.
func (n *narrator) cutAt(s string, matches []redact.Match) []piece {
	isAvailable := func(m redact.Match) bool { return m.Form != redact.Unnamed && available.MatchString(variableOf(m)) }
	matches = slices.DeleteFunc(matches, func(in redact.Match) bool {
		return !isAvailable(in) && slices.ContainsFunc(matches, func(m redact.Match) bool {
			if in.Form == redact.Unnamed {
				return isAvailable(m) && m.From >= in.From && m.To <= in.To
			}
			return isAvailable(m) && m.From == in.From && m.To == in.To
		})
	})
	return n.cutUp(s, matches)
}
