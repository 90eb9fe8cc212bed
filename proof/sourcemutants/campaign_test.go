package sourcemutants_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/socialfeed/conform/proof/sourcemutants"
)

// TestSourceMutants judges a sample of mutants of the reference server's source and prints what
// became of them. By itself it judges a few, which sees that the measurement works; a mutant that
// survives is no failure. The environment asks for more:
//
//	SOURCE_MUTANTS          how many
//	SOURCE_MUTANTS_SEED     draws them, and is the seed of the runs
//	SOURCE_MUTANTS_ONLY     a part of the keys of those that the sample is drawn of
//	SOURCE_MUTANTS_DEEP     how long stories are drawn, where a plain run is green and no reading has excused that
//	SOURCE_MUTANTS_AT_ONCE  how many are judged at once
//	SOURCE_MUTANTS_FILE     keeps what was found, which is not judged again
func TestSourceMutants(t *testing.T) {
	t.Parallel()
	root, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	classes, err := sourcemutants.Classified()
	if err != nil {
		t.Fatal(err)
	}
	file := os.Getenv("SOURCE_MUTANTS_FILE")
	campaign := sourcemutants.Campaign{Root: root, Folder: t.TempDir(),
		Seed: int64(number(t, "SOURCE_MUTANTS_SEED", 1)), Sample: number(t, "SOURCE_MUTANTS", 3), AtOnce: number(t, "SOURCE_MUTANTS_AT_ONCE", 8),
		Only:  os.Getenv("SOURCE_MUTANTS_ONLY"),
		Known: known(t, file),
		DeepFor: func(m sourcemutants.Mutant) bool {
			return slices.Contains([]sourcemutants.Class{sourcemutants.Miss, sourcemutants.Unclassified}, classes[m.Key()])
		},
		Told: func(o sourcemutants.Outcome) {
			t.Logf("%-9s deep=%-4s reached=%-5t %-30s %-40s %4d requests  %s:%d  %s %v %s", o.Fate, o.Deep, o.Reached, o.Rule, o.Endpoint, o.Requests, o.File, o.Line, o.Key(), o.Choices, o.Note)
			keep(t, file, o)
		},
	}
	if text := os.Getenv("SOURCE_MUTANTS_DEEP"); text != "" {
		if campaign.Deep, err = time.ParseDuration(text); err != nil {
			t.Fatal(err)
		}
	}
	outcomes, err := campaign.Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("seed %d\n%s", campaign.Seed, sourcemutants.Table(outcomes, classes))
	killed := 0
	for _, o := range outcomes {
		if o.Fate == sourcemutants.Killed {
			if killed++; !o.Reached {
				t.Errorf("%s is blamed at %s, and was never executed: %s", o.Rule, o.Endpoint, o.Key())
			}
		} else if _, known := classes[o.Key()]; !known && o.Fate != sourcemutants.Broken {
			t.Logf("not classified: %s", o.Key())
		}
	}
	const many = 20 // of which some are killed, whatever the seed
	if killed == 0 && len(outcomes) >= many {
		t.Errorf("of %d mutants none is killed", len(outcomes))
	}
}

// known reads the outcomes of earlier runs, one a line; there are none without a file.
func known(t *testing.T, file string) map[string]sourcemutants.Outcome {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	outcomes := map[string]sourcemutants.Outcome{}
	for decoder := json.NewDecoder(bytes.NewReader(data)); decoder.More(); {
		var o sourcemutants.Outcome
		if err := decoder.Decode(&o); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		outcomes[o.Key()] = o
	}
	return outcomes
}

// keep adds an outcome to the file, where there is one.
func keep(t *testing.T, file string, o sourcemutants.Outcome) {
	if file == "" {
		return
	}
	line, err := json.Marshal(o)
	if err != nil {
		t.Error(err)
		return
	}
	out, err := os.OpenFile(file, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		t.Error(err)
		return
	}
	defer out.Close()
	if _, err := out.Write(append(line, '\n')); err != nil {
		t.Error(err)
	}
}

func number(t *testing.T, variable string, otherwise int) int {
	t.Helper()
	text := os.Getenv(variable)
	if text == "" {
		return otherwise
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		t.Fatalf("%s: %v", variable, err)
	}
	return n
}
