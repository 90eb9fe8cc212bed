package main

import (
	"fmt"
	"io"

	"github.com/socialfeed/conform/conformance/clients"
	"github.com/socialfeed/conform/conformance/seeds"
	"github.com/spf13/pflag"
)

// seedOut is the flag --seed-out: what traffic shows of a service becomes a seed for its fake.
type seedOut struct {
	path     string
	recorder *seeds.Recorder // nil without the flag
}

func (s *seedOut) bind(f *pflag.FlagSet) {
	f.StringVar(&s.path, "seed-out", "", "also write `FILE`, a seed for refserver --seed-file: the users, connections and events that were seen, under made-up names")
	markFile(f, "seed-out", "yaml", "yml")
}

// begin checks that the file can be written, of a service whose paths begin with a prefix.
func (s *seedOut) begin(basePath string) error {
	if s.path == "" {
		return nil
	}
	if s.path != "-" {
		if err := takesReport(anywhere{}, s.path); err != nil {
			return fmt.Errorf("--seed-out %s: %w", s.path, err)
		}
	}
	s.recorder = seeds.NewRecorder(basePath)
	return nil
}

func (s *seedOut) see(x *clients.Exchange) {
	if s.recorder != nil {
		s.recorder.See(x)
	}
}

// write writes the seed, and says what it has.
func (s *seedOut) write(std streams) error {
	if s.recorder == nil {
		return nil
	}
	var counts seeds.Counts
	err := writeTo(s.path, std, func(w io.Writer) (err error) {
		counts, err = s.recorder.Write(w)
		return err
	})
	if err != nil {
		return err
	}
	fmt.Fprintf(std.err, "conform: wrote the seed %s: %s\n", s.path, counts)
	return nil
}
