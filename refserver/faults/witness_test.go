package faults_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/socialfeed/conform/refserver/faults"
)

// A witness is the shortest story that was found to show some faults. They are in testdata/witnesses.txt, a
// paragraph each: a line "# name" for each fault, and the story.
type witness struct {
	faults []string
	story  story
	lines  []string
}

var witnessesFile = filepath.Join("testdata", "witnesses.txt")

func readWitnesses(t *testing.T) (all []*witness) {
	t.Helper()
	content, err := os.ReadFile(witnessesFile)
	if err != nil {
		t.Fatal(err)
	}
	for paragraph := range strings.SplitSeq(string(content), "\n\n") {
		w := &witness{}
		for line := range strings.SplitSeq(strings.Trim(paragraph, "\n"), "\n") {
			if name, is := strings.CutPrefix(line, "# "); is {
				w.faults = append(w.faults, name)
			} else if line != "" {
				w.lines = append(w.lines, line)
			}
		}
		if w.story, err = parseStory(w.lines); err != nil {
			t.Fatal(err)
		}
		if len(w.story) > 0 {
			all = append(all, w)
		}
	}
	return all
}

// TestWitnesses sees that each fault shows in its witness: a server with the fault answers otherwise than one
// without, and of those without two answer alike.
func TestWitnesses(t *testing.T) {
	witnesses, shown := readWitnesses(t), map[string]bool{}
	for _, w := range witnesses {
		kind := faults.Kind(strings.Split(w.faults[0], "-")[0]) // a witness is of faults of one kind
		right := w.story.play(t, sound(kind), nil)
		if again := w.story.play(t, sound(kind), nil); !slices.Equal(right, again) {
			t.Errorf("two servers without a fault differ in the story of %v", w.faults)
		}
		for _, name := range w.faults {
			fault, err := faults.Find(name)
			if err != nil {
				t.Error(err)
				continue
			}
			shown[name] = true
			if said := w.story.play(t, fault, right); slices.Equal(said, right) {
				t.Errorf("%s does not show: %s\n\t%s", name, fault.Summary, strings.Join(w.lines, "\n\t"))
			}
		}
	}
	for _, fault := range faults.SecondOrder() {
		if !shown[fault.Name] && !overSockets[fault.Name] {
			t.Errorf("%s has no witness: make witnesses finds one in the stories of the others, or in one that you write (WITNESS_FROM=file)", fault.Name)
		}
	}
}

// overSockets are the faults that need a connection to take over.
var overSockets = map[string]bool{"endpoint-204-of-user-with-body": true}

// TestFindWitnesses finds witnesses for the faults that have none: in the stories of the others, or in the one of a
// file, however long that is, and writes them down as short as it can make them.
func TestFindWitnesses(t *testing.T) {
	from := os.Getenv("WITNESS_FROM")
	if from == "" {
		t.Skip("it writes testdata/witnesses.txt: make witnesses")
	}
	witnesses, rights := readWitnesses(t), map[*witness][]string{}
	known := map[string]bool{}
	for _, w := range witnesses {
		for _, name := range w.faults {
			known[name] = true
		}
	}
	var long story
	if content, err := os.ReadFile(from); err == nil {
		if long, err = parseStory(strings.Split(strings.TrimSpace(string(content)), "\n")); err != nil {
			t.Fatal(err)
		}
	}
	longRight := long.play(t, sound(faults.Kind(os.Getenv("WITNESS_KIND"))), nil)
	for _, fault := range append(faults.SecondOrder(), faults.All()...) {
		if known[fault.Name] || os.Getenv("WITNESS_KIND") != "" && os.Getenv("WITNESS_KIND") != string(fault.Kind) {
			continue
		}
		found := slices.IndexFunc(witnesses, func(w *witness) bool {
			if first, err := faults.Find(w.faults[0]); err != nil || fault.Kind != "" && first.Kind != fault.Kind {
				return false
			}
			if rights[w] == nil {
				rights[w] = w.story.play(t, sound(fault.Kind), nil)
			}
			return !slices.Equal(w.story.play(t, fault, rights[w]), rights[w])
		})
		if found >= 0 {
			witnesses[found].faults = append(witnesses[found].faults, fault.Name)
			continue
		}
		n := 0
		for said := long.play(t, fault, longRight); n < len(said) && said[n] == longRight[n]; {
			n++
		}
		for n++; n < len(long) && long[n].beside; n++ {
		}
		if n > len(long) {
			t.Logf("%s: no story shows it", fault.Name)
			continue
		}
		w := &witness{faults: []string{fault.Name}, story: long[:n].shrink(t, fault)}
		t.Logf("%s: %d requests", fault.Name, len(w.story))
		witnesses = append(witnesses, w)
	}
	var content strings.Builder
	for _, w := range witnesses {
		for _, name := range w.faults {
			content.WriteString("# " + name + "\n")
		}
		for _, step := range w.story {
			content.WriteString(step.String() + "\n")
		}
		content.WriteString("\n")
	}
	if err := os.WriteFile(witnessesFile, []byte(strings.TrimSuffix(content.String(), "\n")), 0o644); err != nil {
		t.Fatal(err)
	}
}
