package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// source is where a setting comes from; each overrides those before it.
type source int

const (
	fromDefault source = iota
	fromFile
	fromEnvironment
	fromFlag
)

// defaultConfigFile is read from the working folder when no other is named.
const defaultConfigFile = "conform.yaml"

// gather sets the flags that the command line left out, from the environment or else from the
// configuration file.
func (s *settings) gather(flags *pflag.FlagSet) error {
	if err := mistypedVariable(flags); err != nil {
		return err
	}
	if err := s.findConfigFile(); err != nil {
		return err
	}
	file, err := readConfigFile(s.reachOfConfig(), s.configFile, flags)
	if err != nil {
		return err
	}
	return s.gatherFrom(flags, file)
}

func (s *settings) gatherFrom(flags *pflag.FlagSet, file map[string]entry) error {
	s.from = map[string]source{}
	flags.Visit(func(f *pflag.Flag) {
		s.from[f.Name] = fromFlag
		s.warnDeprecated(f, "--"+f.Name)
	})
	var problems []error
	flags.VisitAll(func(f *pflag.Flag) {
		if s.from[f.Name] == fromFlag || !configurable(f) || slices.Contains(s.fixed, f.Name) {
			return
		}
		problems = append(problems, s.fill(f, file))
	})
	s.tell(flags)
	return errors.Join(problems...)
}

// fill gives a flag its value from the environment or the file.
func (s *settings) fill(f *pflag.Flag, file map[string]entry) error {
	if text := os.Getenv(variable(f.Name)); text != "" {
		s.from[f.Name] = fromEnvironment
		s.warnDeprecated(f, variable(f.Name))
		values := []string{text}
		if takesSeveral(f) {
			values = strings.Split(text, ",")
		}
		if err := set(f, values); err != nil {
			return fmt.Errorf("%s: %w", variable(f.Name), err)
		}
		return nil
	}
	e, given := file[f.Name]
	if !given {
		return nil
	}
	s.from[f.Name] = fromFile
	s.warnDeprecated(f, f.Name+" in "+s.configFile)
	values := make([]string, len(e.values))
	for i, value := range e.values {
		values[i] = relativeTo(s.configFile, f, value)
	}
	if err := set(f, values); err != nil {
		return fmt.Errorf("%s, line %d: %s: %w", s.configFile, e.line, f.Name, err)
	}
	return nil
}

// warnDeprecated records that a setting was given by a deprecated name.
func (s *settings) warnDeprecated(f *pflag.Flag, given string) {
	if name := newName(f); name != "" {
		s.warnings = append(s.warnings, given+" is deprecated: it is called --"+name+" now")
	}
}

func set(f *pflag.Flag, values []string) error {
	if several, ok := f.Value.(pflag.SliceValue); ok {
		return several.Replace(values)
	}
	if err := f.Value.Set(values[0]); err != nil {
		return fmt.Errorf("%q is no %s%s", values[0], kindOf(f), meant(f, values[0]))
	}
	return nil
}

// kindOf is the kind of a flag's value, in words.
func kindOf(f *pflag.Flag) string {
	switch f.Value.Type() {
	case "bool":
		return "true or false"
	case "duration":
		return "duration, such as 10s or 2m"
	case "int", "int64":
		return "whole number"
	case jobsType:
		return kindOfJobs()
	}
	return f.Value.Type()
}

func takesSeveral(f *pflag.Flag) bool {
	_, ok := f.Value.(pflag.SliceValue)
	return ok
}

// relativeTo resolves a path that a file gives against that file's folder.
func relativeTo(file string, f *pflag.Flag, value string) string {
	format, path, _ := strings.Cut(value, "=")
	_, namesFile := f.Annotations[cobra.BashCompFilenameExt]
	switch {
	case f.Name == "report" && path != "":
		return format + "=" + fromFolder(filepath.Dir(file), path)
	case namesFile:
		return fromFolder(filepath.Dir(file), value)
	}
	return value
}

func fromFolder(folder, path string) string {
	if path == "-" || filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(folder, path)
}

// configurable reports whether a flag can be set outside of the command line, too.
func configurable(f *pflag.Flag) bool {
	return !slices.Contains([]string{"config", "help", "version"}, f.Name)
}

// variable is the environment variable that a flag can be set by.
func variable(flag string) string {
	return "CONFORM_" + strings.ToUpper(strings.ReplaceAll(flag, "-", "_"))
}

// mistypedVariable refuses a variable whose name is close to one of ours: a pipeline
// that mistypes CONFORM_BASE_URL must not be green for the embedded server.
func mistypedVariable(flags *pflag.FlagSet) error {
	known := map[string]bool{}
	flags.VisitAll(func(f *pflag.Flag) { known[variable(f.Name)] = true })
	for _, pair := range os.Environ() {
		name, _, _ := strings.Cut(pair, "=")
		if !strings.HasPrefix(name, "CONFORM_") || known[name] || ofKubernetes(name) {
			continue
		}
		if near := nearestFlag(flags, strings.ToLower(strings.ReplaceAll(strings.TrimPrefix(name, "CONFORM_"), "_", "-"))); near != "" {
			return fmt.Errorf("there is no variable %s; did you mean %s?", name, variable(near))
		}
	}
	return nil
}

// ofKubernetes reports whether a variable is one that every pod gets where a
// service is called conform.
func ofKubernetes(name string) bool {
	return strings.HasPrefix(name, "CONFORM_PORT") || strings.HasPrefix(name, "CONFORM_SERVICE_")
}

// origin names a setting by the place that it was set in.
func (s *settings) origin(flag string) string {
	switch s.from[flag] {
	case fromEnvironment:
		return variable(flag)
	case fromFile:
		return flag + " in " + s.configFile
	}
	return "--" + flag
}

// findConfigFile decides which configuration file is read, "" for none.
func (s *settings) findConfigFile() error {
	if s.configFile == "" {
		s.configFile = os.Getenv(variable("config"))
	}
	if s.configFile != "" {
		return nil
	}
	_, err := os.Stat(defaultConfigFile)
	switch {
	case err == nil:
		s.configFile, s.configFound = defaultConfigFile, true
	case !errors.Is(err, os.ErrNotExist):
		return fmt.Errorf("looking for %s: %w", defaultConfigFile, err)
	}
	return nil
}

// readTokens reads the app tokens that are kept in files of their own.
func (s *settings) readTokens() error {
	for _, token := range []struct {
		flag, file string
		into       *string
	}{
		{"app-token", s.appTokenFile, &s.config.Target.AppToken},
		{"second-app-token", s.secondAppTokenFile, &s.config.Target.SecondAppToken},
	} {
		direct, inFile := s.from[token.flag], s.from[token.flag+"-file"]
		if inFile == fromDefault || direct > inFile {
			continue
		}
		if direct == inFile {
			return fmt.Errorf("both %s and %s are given: leave one out", s.origin(token.flag), s.origin(token.flag+"-file"))
		}
		text, err := readToken(s.reach(token.flag+"-file"), token.file)
		if err != nil {
			return fmt.Errorf("%s: %w", s.origin(token.flag+"-file"), err)
		}
		*token.into = text
	}
	return nil
}

func readToken(in reach, path string) (string, error) {
	data, err := readBounded(in, path)
	if err != nil {
		return "", err
	}
	token := strings.TrimSpace(string(data))
	if token == "" || strings.ContainsAny(token, "\r\n") {
		return "", fmt.Errorf("%s must hold one line, the token", path)
	}
	return token, nil
}
