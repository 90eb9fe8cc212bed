package main

import (
	"fmt"
	"strings"

	"github.com/spf13/pflag"
)

// pairs are the value of a flag that takes KEY=VALUE, divided by commas or given again. In the
// configuration file they are a map. A part without “=” goes on with the values of the key before it,
// for keys that take several.
type pairs []string

const pairsType = "KEY=VALUE"

// Set adds what is given.
func (p *pairs) Set(text string) error {
	*p = append(*p, strings.Split(text, ",")...)
	return nil
}

// Type is shown in the help where a usage names no other.
func (p *pairs) Type() string { return pairsType }

func (p *pairs) String() string { return "[" + strings.Join(*p, ",") + "]" }

// Append adds a part.
func (p *pairs) Append(part string) error { return p.Set(part) }

// Replace puts parts in the place of all.
func (p *pairs) Replace(parts []string) error {
	*p = parts
	return nil
}

// GetSlice returns the parts.
func (p *pairs) GetSlice() []string { return *p }

// takesPairs reports whether a flag is a map in the configuration file.
func takesPairs(f *pflag.Flag) bool { return f.Value.Type() == pairsType }

// each calls a function with every key and value, in their order.
func (p pairs) each(do func(key, value string) error) error {
	last := ""
	for _, part := range p {
		key, value, found := strings.Cut(part, "=")
		if !found {
			key, value = last, part
		}
		if key = strings.TrimSpace(key); key == "" {
			return fmt.Errorf("KEY=VALUE is wanted, got %.60q", part)
		}
		if err := do(key, strings.TrimSpace(value)); err != nil {
			return err
		}
		last = key
	}
	return nil
}
