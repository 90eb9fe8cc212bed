package sourcemutants

import (
	"bytes"
	_ "embed" // what was classified
	"errors"
	"fmt"
	"io"
	"slices"

	"go.yaml.in/yaml/v3"
)

// Class says why a mutant survived.
type Class string

const (
	Equivalent   Class = "equivalent"  // the program does the same
	Internal     Class = "internal"    // it does something else, and nothing on the wire shows it: memory, speed, logs
	Lawful       Class = "lawful"      // it shows, and the contract leaves it open
	Unreachable  Class = "unreachable" // no request to the judged server comes there: another dialect, a setting, an error that cannot happen
	Miss         Class = "miss"        // the contract is broken, and the judge did not say so
	Unclassified Class = ""            // nobody has read it yet: counts as a miss
)

// Classes lists the classes in the order of the tables.
func Classes() []Class { return []Class{Equivalent, Internal, Lawful, Unreachable, Miss} }

//go:embed survivors.yaml
var survivors []byte

// entry is what was found out about one survivor.
type entry struct {
	Key   string `yaml:"mutant"`
	Class Class  `yaml:"class"`
	Why   string `yaml:"why"`
}

// Classified is the file of survivors: class by key.
func Classified() (map[string]Class, error) { return classified(survivors) }

func classified(file []byte) (map[string]Class, error) {
	decoder := yaml.NewDecoder(bytes.NewReader(file))
	decoder.KnownFields(true)
	var entries []entry
	if err := decoder.Decode(&entries); err != nil && !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("survivors.yaml: %w", err)
	}
	classes := map[string]Class{}
	for _, e := range entries {
		switch _, twice := classes[e.Key]; {
		case twice:
			return nil, fmt.Errorf("survivors.yaml: classified twice: %s", e.Key)
		case !slices.Contains(Classes(), e.Class):
			return nil, fmt.Errorf("survivors.yaml: there is no class %q (%s)", e.Class, e.Key)
		case e.Why == "":
			return nil, fmt.Errorf("survivors.yaml: no reason is given (%s)", e.Key)
		}
		classes[e.Key] = e.Class
	}
	return classes, nil
}
