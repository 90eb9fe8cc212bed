package plain

import (
	"strconv"
	"strings"

	"github.com/socialfeed/conform/internal/shell"
)

// Word is a text as a word of a command that is shown: on one line, and cut where it is too long.
func Word(text string) shell.Word { return shell.Plain(Short(text)) }

// Path is the path of a file as a word that no program takes for an option.
func Path(path string) shell.Word {
	if strings.HasPrefix(path, "-") && path != "-" {
		path = "./" + path
	}
	return shell.Plain(Line(path))
}

// Constants are the words of constant texts.
func Constants(texts ...string) []shell.Word {
	words := make([]shell.Word, len(texts))
	for i, text := range texts {
		words[i] = shell.Plain(text)
	}
	return words
}

// Variable is a variable of the story as one of the shell. The names of a plot are its own.
func Variable(name string) shell.Name {
	variable, err := shell.NameOf(name)
	if err != nil {
		panic(err)
	}
	return variable
}

// Number is a number as a word of a command.
func Number[N int | int64](n N) shell.Word { return shell.Plain(strconv.FormatInt(int64(n), 10)) }
