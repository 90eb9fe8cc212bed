package plain

import "strings"

// Command breaks a shell command into lines, between words only, so that it can still be
// pasted.
func Command(curl string, width int) (lines []string) {
	line := ""
	for _, word := range options(ShellWords(Visible(curl))) {
		switch {
		case line == "":
			line = word
		case Columns(line)+1+Columns(word)+len(` \`) > width:
			lines = append(lines, line+` \`)
			line = "  " + word
		default:
			line += " " + word
		}
	}
	if line == "" {
		return nil
	}
	return append(lines, line)
}

// MaxCommand is the longest command that is shown, in bytes.
const MaxCommand = 8192

// MaxOnScreen is the longest command that text on a screen shows, in bytes.
const MaxOnScreen = 1024

// ShownCommand is command, or a note in place of a command of more than most bytes: a part
// of it would be another request.
func ShownCommand(curl string, width, most int) (lines []string, note string) {
	if curl == "" {
		return nil, "no command of curl sends this request"
	}
	if len(curl) > most {
		return nil, "too long to print; the JSON report has it"
	}
	return Command(curl, width), ""
}

// options keeps each option together with its value.
func options(words []string) []string {
	var joined []string
	for i, word := range words {
		if i > 0 && strings.HasPrefix(words[i-1], "-") && !strings.HasPrefix(word, "-") {
			joined[len(joined)-1] += " " + word
		} else {
			joined = append(joined, word)
		}
	}
	return joined
}

// ShellWords splits a command at the spaces outside of quotes; the quotes stay.
func ShellWords(command string) []string {
	var words []string
	var word strings.Builder
	var quote byte // the open quote, 0 for none
	end := func() {
		if word.Len() > 0 {
			words = append(words, word.String())
			word.Reset()
		}
	}
	for i := 0; i < len(command); i++ {
		c := command[i]
		switch {
		case c == ' ' && quote == 0:
			end()
			continue
		case c == '\\' && quote != '\'' && i+1 < len(command):
			word.WriteByte(c)
			i++
			c = command[i]
		case c == quote:
			quote = 0
		case quote == 0 && (c == '\'' || c == '"'):
			quote = c
		}
		word.WriteByte(c)
	}
	end()
	return words
}
