package redact

import "strings"

// Care is how sure it has to be that a text after a secret's name is its value.
type Care int

const (
	// Strict takes quoted values and those of forms alone: for prose, which may speak of fields.
	Strict Care = iota
	// Loose takes all that may be a value: for what is data and no prose.
	Loose
)

// named calls found for the values that follow the names of secrets in a decoded text: in JSON, forms,
// queries, headers, markup, parts of a form, lists of names and values, and in what nearly is one of these.
func named(text, folded string, care Care, found func(from, to int)) {
	if strings.Contains(folded, "://") {
		userInfo(text, found)
	}
	if strings.Contains(folded, "bearer ") || strings.Contains(folded, "basic ") {
		schemes(text, folded, found)
	}
	if !mayName(folded) {
		return
	}
	reported := 0 // where the latest list of errors ends
	for i := 0; i < len(text); {
		if !isName(text[i]) {
			i++
			continue
		}
		from := i
		for i < len(text) && isName(text[i]) {
			i++
		}
		name := text[from:i]
		if from >= reported && aboutErrors(folded[from:i]) {
			reported = max(reported, endOfGroup(text, i))
		}
		if from < reported || !SecretName(name) {
			continue
		}
		i = max(i, value(text, i, care, found))
	}
}

func isName(c byte) bool { return isAlphanumeric(c) || c == '_' || c == '-' || c == '.' }

// aboutErrors reports whether what a name holds is about fields, and not their values.
func aboutErrors(name string) bool { return name == "errors" || name == "error" }

// endOfGroup is the end of the list or the object that a name holds, 0 where it holds none.
func endOfGroup(text string, i int) int {
	i = skip(text, i, `"' `)
	if i >= len(text) || text[i] != ':' {
		return 0
	}
	if i = skip(text, i+1, " \t\r\n"); i < len(text) && (text[i] == '[' || text[i] == '{') {
		return group(text, i, func(int, int) {})
	}
	return 0
}

// value calls found for the value that belongs to a name which ends at so many bytes, and returns where
// it ends: there, if there is none.
func value(text string, i int, care Care, found func(from, to int)) int {
	end := i
	quoted := i < len(text) && strings.IndexByte("\"'`", text[i]) >= 0
	i = skip(text, i, "\"'`]")
	at := skip(text, i, " \t")
	switch {
	case at < len(text) && (text[at] == ':' || text[at] == '='):
		separator := text[at]
		return afterSeparator(text, skip(text, at+1, " \t\r\n"), quoted && separator == ':', separator, care, found)
	case quoted && at < len(text) && text[at] == ',': // {"name":"password","value":"…"}
		if rest := skip(text, at+1, " \t\r\n\"'"); strings.HasPrefix(text[rest:], "value") {
			return value(text, rest+len("value"), care, found)
		}
	case care == Loose && at < len(text) && text[at] == '>':
		return bare(text, at+1, "<", found)
	case care == Loose && quoted && (strings.HasPrefix(text[i:], "\r\n") || strings.HasPrefix(text[i:], "\n")): // a part of a form
		if begin := strings.Index(text[i:], "\n\r\n"); begin >= 0 {
			return bare(text, i+begin+len("\n\r\n"), "\r", found)
		}
		if begin := strings.Index(text[i:], "\n\n"); begin >= 0 {
			return bare(text, i+begin+len("\n\n"), "\n", found)
		}
	}
	return end
}

// afterSeparator calls found for a value, of JSON where its name was quoted.
func afterSeparator(text string, i int, json bool, separator byte, care Care, found func(from, to int)) int {
	if i >= len(text) {
		return i
	}
	switch text[i] {
	case '"', '\'', '`':
		return str(text, i, found)
	case '[', '{':
		if json || care == Loose {
			return group(text, i, found)
		}
		return i
	}
	switch {
	case json:
		return literal(text, i, found)
	case separator == '=' && care == Strict:
		return bare(text, i, "&;,<>\"'` \t\r\n", found)
	case separator == '=':
		return bare(text, i, "&;,<>\"'`\r\n", found)
	case care == Loose:
		return bare(text, i, ",;}<\"'`\r\n", found)
	}
	return i
}

// str calls found for a string's text, which begins with a quotation mark, and returns its end.
func str(text string, i int, found func(from, to int)) int {
	quote := text[i]
	for to := i + 1; ; to++ {
		switch {
		case to >= len(text):
			if i+1 < len(text) {
				found(i+1, len(text))
			}
			return len(text)
		case text[to] == '\\' && to+1 < len(text):
			to++
		case text[to] == quote:
			if to > i+1 {
				found(i+1, to)
			}
			return to + 1
		}
	}
}

// group calls found for all that a list or an object holds, and returns its end.
func group(text string, i int, found func(from, to int)) int {
	depth := 0
	for i < len(text) {
		switch text[i] {
		case '"':
			i = str(text, i, found)
			continue
		case '[', '{':
			depth++
		case ']', '}':
			if depth--; depth == 0 {
				return i + 1
			}
		case ',', ':', ' ', '\t', '\r', '\n':
		default:
			i = literal(text, i, found)
			continue
		}
		i++
	}
	return i
}

// literal calls found for a number that is long enough for a secret, or for what is no JSON; true, false
// and null are none.
func literal(text string, i int, found func(from, to int)) int {
	to := i
	for to < len(text) && strings.IndexByte(",]}\r\n", text[to]) < 0 {
		to++
	}
	if word := strings.TrimSpace(text[i:to]); len(word) >= shortest && word != "null" && word != "true" && word != "false" {
		found(i, i+len(word))
	}
	return max(to, i+1)
}

// bare calls found for a text up to one of some characters.
func bare(text string, i int, until string, found func(from, to int)) int {
	to := i
	for to < len(text) && strings.IndexByte(until, text[to]) < 0 {
		to++
	}
	if strings.TrimSpace(text[i:to]) != "" {
		found(i, to)
	}
	return to
}

func skip(text string, i int, characters string) int {
	for i < len(text) && strings.IndexByte(characters, text[i]) >= 0 {
		i++
	}
	return i
}

// userInfo calls found for the passwords in URLs.
func userInfo(text string, found func(from, to int)) {
	for at := 0; ; {
		i := strings.Index(text[at:], "://")
		if i < 0 {
			return
		}
		at += i + len("://")
		end := at
		for end < len(text) && strings.IndexByte("/?#\"'<> \t\r\n", text[end]) < 0 {
			end++
		}
		if name, password, is := strings.Cut(text[at:max(at, at+strings.LastIndexByte(text[at:end], '@'))], ":"); is && password != "" {
			found(at+len(name)+1, at+len(name)+1+len(password))
		}
		at = end
	}
}

// schemes calls found for what follows the name of a scheme of Authorization, if it is as long as
// credentials are and no word.
func schemes(text, folded string, found func(from, to int)) {
	const long = 16
	for _, scheme := range []string{"bearer ", "basic "} {
		for at := 0; ; {
			i := strings.Index(folded[at:], scheme)
			if i < 0 {
				break
			}
			at += i + len(scheme)
			end := at
			for end < len(text) && (base64Value[text[end]] >= 0 || strings.IndexByte(".~=", text[end]) >= 0) {
				end++
			}
			if end-at >= long {
				found(at, end)
			}
			at = end
		}
	}
}
