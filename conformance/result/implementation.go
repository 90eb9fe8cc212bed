package result

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/socialfeed/conform/internal/nearest"
)

// Implementation is what the makers of a server call it. A field that was not told is empty.
type Implementation struct {
	Name    string `json:"name,omitempty"`
	Version string `json:"version,omitempty"`
	Commit  string `json:"commit,omitempty"`
	Contact string `json:"contact,omitempty"` // an address, or who answers for it
}

// implementationField is a field of an Implementation, with what it may hold: the schema of reports says the same.
type implementationField struct {
	name  string
	value *string
	most  int // bytes
	holds *regexp.Regexp
	words string // what it may hold, for errors
}

var (
	plainWords  = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9 ._+/@:()~-]*$`)
	plainWord   = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._+/:~-]*$`)
	plainAnswer = regexp.MustCompile(`^[A-Za-z0-9@#][A-Za-z0-9 ._+/@:#~?=&%-]*$`)
)

func (i *Implementation) fields() []implementationField {
	const words, word, address = "letters, digits, blanks and . _ + / @ : ( ) ~ -", "letters, digits and . _ + / : ~ -", "letters, digits, blanks and . _ + / @ : # ~ ? = & % -"
	return []implementationField{
		{"name", &i.Name, 60, plainWords, words},
		{"version", &i.Version, 60, plainWords, words},
		{"commit", &i.Commit, 64, plainWord, word},
		{"contact", &i.Contact, 120, plainAnswer, address},
	}
}

// Set sets the field of a name. Another name, and a value that the field may not hold, is an error.
func (i *Implementation) Set(name, value string) error {
	var names []string
	for _, f := range i.fields() {
		if f.name == name {
			if *f.value != "" {
				return fmt.Errorf("%s is given twice", name)
			}
			*f.value = value
			return f.check()
		}
		names = append(names, f.name)
	}
	return fmt.Errorf("there is no %.40q%s; there are %s", name, nearest.Hint(name, names), strings.Join(names, ", "))
}

// Check is an error where a field holds what it may not.
func (i *Implementation) Check() error {
	for _, f := range i.fields() {
		if *f.value == "" {
			continue
		}
		if err := f.check(); err != nil {
			return err
		}
	}
	return nil
}

func (f implementationField) check() error {
	switch value := *f.value; {
	case value == "":
		return fmt.Errorf("%s is empty", f.name)
	case len(value) > f.most:
		return fmt.Errorf("%s is longer than %d bytes", f.name, f.most)
	case !f.holds.MatchString(value):
		return fmt.Errorf("%s begins with a letter or a digit and holds %s, got %.60q", f.name, f.words, value)
	}
	return nil
}

// Facts are the fields that were told, each as its name and its value.
func (i *Implementation) Facts() [][2]string {
	var told [][2]string
	for _, f := range i.fields() {
		if *f.value != "" {
			told = append(told, [2]string{f.name, *f.value})
		}
	}
	return told
}

// Title is name and version, as far as they were told.
func (i *Implementation) Title() string { return strings.TrimSpace(i.Name + " " + i.Version) }

// String is the title, with the other fields behind it.
func (i *Implementation) String() string {
	others := slices.DeleteFunc(i.Facts(), func(f [2]string) bool { return f[0] == "name" || f[0] == "version" })
	var said []string
	for _, f := range others {
		said = append(said, f[0]+" "+f[1])
	}
	title, rest := i.Title(), strings.Join(said, ", ")
	if title == "" || rest == "" {
		return title + rest
	}
	return title + " (" + rest + ")"
}
