package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/pflag"
	"go.yaml.in/yaml/v3"
)

// entry is the value of a key in a configuration file.
type entry struct {
	line   int
	values []string // one, or as many as a repeatable flag has
}

// readConfigFile reads a configuration file: a YAML map whose keys are the names of
// flags. An unknown key is an error with its line, and so is a secret: the file is
// committed with the code. An empty path gives no settings.
func readConfigFile(in reach, path string, flags *pflag.FlagSet) (map[string]entry, error) {
	if path == "" {
		return nil, nil
	}
	data, err := readBounded(in, path)
	if err != nil {
		return nil, fmt.Errorf("the configuration file: %w", err)
	}
	document, err := parseConfig(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	entries := map[string]entry{}
	var problems []error
	for i := 0; i+1 < len(document.Content); i += 2 {
		key, value := document.Content[i], document.Content[i+1]
		e, err := readEntry(key.Value, value, flags)
		if _, twice := entries[key.Value]; err == nil && twice {
			err = errors.New("given twice")
		}
		if err != nil {
			problems = append(problems, fmt.Errorf("%s, line %d: %.60s: %w", path, key.Line, key.Value, err))
		}
		entries[key.Value] = e
	}
	return entries, errors.Join(problems...)
}

// parseConfig returns the map of a configuration file; an empty file is an empty map.
func parseConfig(data []byte) (*yaml.Node, error) {
	var document yaml.Node
	decoder := yaml.NewDecoder(bytes.NewReader(data))
	if err := decoder.Decode(&document); errors.Is(err, io.EOF) {
		return &yaml.Node{}, nil
	} else if err != nil {
		return nil, err
	}
	if err := decoder.Decode(new(yaml.Node)); !errors.Is(err, io.EOF) {
		return nil, errors.New("something follows the settings")
	}
	settings := document.Content[0]
	switch {
	case settings.Kind == yaml.ScalarNode && settings.Tag == "!!null":
		return &yaml.Node{}, nil
	case settings.Kind != yaml.MappingNode:
		return nil, fmt.Errorf("line %d: settings are wanted, such as “base-url: https://feeds.example.com”", settings.Line)
	}
	return settings, nil
}

func readEntry(key string, value *yaml.Node, flags *pflag.FlagSet) (entry, error) {
	e := entry{line: value.Line}
	f := flags.Lookup(key)
	switch {
	case f == nil || !configurable(f):
		return e, fmt.Errorf("there is no such key%s", didYouMean("", nearestFlag(flags, key)))
	case isSecret(key):
		return e, fmt.Errorf("a secret has no place here: set %s, or name a file with %s-file", variable(key), key)
	}
	var err error
	switch {
	case takesPairs(f):
		e.values, err = readPairs(value)
	default:
		e.values, err = readValues(value, takesSeveral(f))
	}
	return e, err
}

// readValues reads one value or, where a setting takes several, a list of them.
func readValues(value *yaml.Node, several bool) ([]string, error) {
	items := []*yaml.Node{value}
	if value.Kind == yaml.SequenceNode && several {
		items = value.Content
	}
	var values []string
	for _, item := range items {
		if item.Kind != yaml.ScalarNode {
			return nil, errors.New("one value is wanted")
		}
		if strings.TrimSpace(item.Value) == "" || item.Tag == "!!null" {
			return nil, errors.New("the value is missing")
		}
		values = append(values, item.Value)
	}
	return values, nil
}

// readPairs reads a map of values, and of lists of them, as a flag takes it.
func readPairs(value *yaml.Node) ([]string, error) {
	if value.Kind != yaml.MappingNode {
		return nil, errors.New("a map is wanted, such as “{key: value}”")
	}
	var parts []string
	for i := 0; i+1 < len(value.Content); i += 2 {
		key := value.Content[i].Value
		values, err := readValues(value.Content[i+1], true)
		if err != nil {
			return nil, fmt.Errorf("%.60s: %w", key, err)
		}
		for _, v := range values {
			parts = append(parts, key+"="+v)
		}
	}
	return parts, nil
}

// isSecret reports whether a setting must not be in a file that is shared.
func isSecret(flag string) bool { return flag == "app-token" || flag == "second-app-token" }
