package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"slices"

	"github.com/socialfeed/conform/conformance/result"
)

// defaultCorpus is the file with the drawn stories that showed a failure, one a line, which
// the next run plays first. It belongs into the repository.
const defaultCorpus = ".conform/corpus"

// mostStories is how many stories the file keeps: the latest ones.
const mostStories = 100

// readCorpus reads the stories that are played first.
func (s *settings) readCorpus() error {
	if s.corpus == "" {
		return nil
	}
	text, err := readBounded(s.reach("corpus"), s.corpus)
	if errors.Is(err, fs.ErrNotExist) && (s.from["corpus"] == fromDefault || s.config.Deep > 0) {
		return nil // a run with --deep makes it
	}
	if err != nil {
		return fmt.Errorf("--corpus: %w", err)
	}
	number := 0
	for line := range bytes.Lines(text) {
		number++
		line = bytes.TrimSpace(line)
		switch {
		case len(line) == 0:
		case line[0] != '{' || !json.Valid(line):
			return fmt.Errorf("--corpus: line %d of %s holds no drawn story of conform: %.40q", number, s.corpus, line)
		default:
			s.config.Stories = append(s.config.Stories, line)
		}
	}
	return nil
}

// latest are the latest stories: as many as are kept, and as a run reads.
func latest(stories [][]byte) [][]byte {
	from, size := len(stories), 0
	for from > 0 && len(stories)-from < mostStories && size+len(stories[from-1])+1 <= maxFile {
		from--
		size += len(stories[from]) + 1
	}
	return stories[from:]
}

// keepStories adds the stories of a run with --deep that showed a failure to the corpus, and those for
// whose confirmation there was no time.
func (s *session) keepStories(r *result.Report) error {
	if s.corpus == "" || s.config.Deep == 0 {
		return nil
	}
	all := slices.Clone(s.config.Stories)
	for _, rule := range r.Rules {
		for _, check := range rule.Checks {
			known := slices.ContainsFunc(all, func(story []byte) bool { return bytes.Equal(story, check.Story) })
			if check.LeftStory() && !known {
				all = append(all, check.Story)
			}
		}
	}
	found := len(all) - len(s.config.Stories)
	if found == 0 {
		return nil
	}
	all = latest(all)
	const mode = 0o755
	in := s.reach("corpus")
	if err := in.MkdirAll(filepath.Dir(s.corpus), mode); err != nil {
		return fmt.Errorf("keeping drawn stories: %w", err)
	}
	err := writeFile(in, s.corpus, func(w io.Writer) error {
		_, err := w.Write(append(bytes.Join(all, []byte("\n")), '\n'))
		return err
	})
	if err != nil {
		return fmt.Errorf("keeping drawn stories: %w", err)
	}
	s.config.Stories = all // which a next run of this session plays first
	s.line.say(fmt.Sprintf("drawn stories kept in %s: %d; the next run of all rules, or with --deep, plays them first", s.corpus, found))
	return nil
}
