package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/socialfeed/conform/conformance/result"
)

// collection is the shard reports that files, folders and patterns name, of which some may
// not have been written yet.
type collection struct {
	std      streams
	named    []string
	read     map[string]shardFile // by path, as it was when it was read
	files    []shardFile          // the reports that are there
	merged   *result.Report       // of these, nil if there are none
	troubles []error              // files that are missing or cannot be read
}

// shardFile is a file with what was read from it.
type shardFile struct {
	path   string
	info   fs.FileInfo
	report *result.Report
	err    error
}

func newCollection(named []string, waits bool, std streams) (*collection, error) {
	for _, name := range named {
		if _, err := filepath.Match(name, ""); err != nil && !exists(name) {
			return nil, fmt.Errorf("%q is neither a file nor a pattern", name)
		}
		if name == "-" && waits {
			return nil, errors.New("--wait is for files: what comes from stdin cannot be waited for")
		}
	}
	return &collection{std: std, named: named, read: map[string]shardFile{}}, nil
}

// now merges the reports. Every name must be that of a report.
func (c *collection) now() (*result.Report, error) {
	if err := c.refresh(); err != nil {
		return nil, err
	}
	return c.merged, c.trouble()
}

// refreshEvery is how often reports are read again.
const refreshEvery = 250 * time.Millisecond

// await merges the reports once all exist, or those that exist when the wait times out. Files
// that cannot be read by then are named and left out: a file may be incomplete, and a shard
// that was cut off may be run again.
func (c *collection) await(ctx context.Context, wait time.Duration, line *progress) (*result.Report, error) {
	waiting, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	tick := time.NewTicker(refreshEvery)
	defer tick.Stop()
	for said := ""; ; {
		over := waiting.Err() != nil // reports written until then still count
		if err := c.refresh(); err != nil {
			return nil, err
		}
		if c.complete() || over {
			return c.finish(ctx, wait)
		}
		if now := c.state(); now != said {
			line.say(fmt.Sprintf("waiting up to %s for the reports of shards: %s", wait, now))
			said = now
		}
		select {
		case <-tick.C:
		case <-waiting.Done():
		}
	}
}

// finish ends the wait, with what was merged until then.
func (c *collection) finish(ctx context.Context, wait time.Duration) (*result.Report, error) {
	trouble := c.trouble()
	switch {
	case ctx.Err() != nil && !c.complete():
		return nil, noVerdict{fmt.Errorf("%w while waiting for the reports of shards: %s", errInterrupted, c.state())}
	case c.merged == nil:
		return nil, fmt.Errorf("waited %s: %w", wait, trouble)
	case trouble != nil:
		fmt.Fprintf(c.std.err, "conform: left out: %v\n", trouble)
	}
	return c.merged, nil
}

// complete reports whether there is nothing to wait for.
func (c *collection) complete() bool {
	return c.merged != nil && c.merged.Missing == "" && !slices.ContainsFunc(c.files, shardFile.cutOff)
}

// state says how many reports are there.
func (c *collection) state() string {
	if c.merged == nil {
		return "none is there"
	}
	text := fmt.Sprintf("%d of %d are there", len(c.files), c.files[0].report.Shard.Of)
	if i := slices.IndexFunc(c.files, shardFile.cutOff); i >= 0 {
		text += fmt.Sprintf(", but %s was cut off", c.files[i].report.Shard)
	}
	return text
}

func (f shardFile) cutOff() bool { return f.report.EndedBy != "" }

// trouble is all of troubles in one line; nil for none.
func (c *collection) trouble() error {
	const most = 3
	switch n := len(c.troubles); {
	case n == 0:
		return nil
	case n == 1:
		return c.troubles[0]
	case n > most:
		return fmt.Errorf("%w; and %d more", c.troubles[0], n-1)
	}
	text := make([]string, len(c.troubles))
	for i, trouble := range c.troubles {
		text[i] = trouble.Error()
	}
	return errors.New(strings.Join(text, "; "))
}

// refresh reads the reports again and merges them if any changed. It returns only errors that
// waiting does not fix.
func (c *collection) refresh() error {
	c.troubles = nil
	var files []shardFile
	for _, name := range c.named {
		paths := expand(name)
		if len(paths) == 0 {
			c.troubles = append(c.troubles, fmt.Errorf("there is no report in %s", name))
		}
		for _, path := range paths {
			file := c.readChanged(path)
			if file.err != nil {
				c.troubles = append(c.troubles, file.err)
				continue
			}
			if err := file.fitsWith(files); err != nil {
				return err
			}
			files = append(files, file)
		}
	}
	if slices.EqualFunc(files, c.files, func(a, b shardFile) bool { return a.report == b.report }) {
		return nil
	}
	c.files, c.merged = files, nil
	if len(files) == 0 {
		return nil
	}
	reports := make([]*result.Report, len(files))
	for i, file := range files {
		reports[i] = file.report
	}
	var err error
	c.merged, err = result.Merge(reports)
	return err
}

// fitsWith is the error why a report cannot be merged with others, with the files' names: a
// folder may still hold reports of an earlier run.
func (f shardFile) fitsWith(others []shardFile) error {
	shard := f.report.Shard
	if shard == nil {
		return fmt.Errorf("%s is of no shard: it was not made with --shard", f.path)
	}
	for _, other := range others {
		switch theirs := other.report.Shard; {
		case theirs.Of != shard.Of:
			return fmt.Errorf("not of one run: %s is of %s, and %s of %s", other.path, theirs, f.path, shard)
		case theirs.Index == shard.Index:
			return fmt.Errorf("two reports are of %s: %s and %s", shard, other.path, f.path)
		}
	}
	return nil
}

// readChanged reads a file, unless it has not changed since it was read.
func (c *collection) readChanged(path string) shardFile {
	file := shardFile{path: path}
	if path != "-" {
		if file.info, file.err = os.Stat(path); file.err != nil {
			return file
		}
		if before := c.read[path]; before.info != nil && unchanged(before.info, file.info) {
			return before
		}
	}
	file.report, file.err = readReport(path, c.std)
	c.read[path] = file
	return file
}

func unchanged(before, now fs.FileInfo) bool {
	return os.SameFile(before, now) && before.Size() == now.Size() && before.ModTime().Equal(now.ModTime())
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// expand names the files that a name stands for: itself, all *.json of a folder, or the
// matches of a pattern, since not every caller has a shell to expand it.
func expand(name string) []string {
	if strings.ContainsAny(name, "*?[") && !exists(name) {
		matches, _ := filepath.Glob(name) // the pattern has been checked
		var files []string
		for _, match := range matches {
			files = append(files, inside(match)...)
		}
		return files
	}
	return inside(name)
}

// inside is the *.json files of a folder, and any other path itself.
func inside(path string) []string {
	if info, err := os.Stat(path); err != nil || !info.IsDir() {
		return []string{path}
	}
	entries, err := os.ReadDir(path)
	if err != nil {
		return []string{path} // reading it gives the error
	}
	var files []string
	for _, entry := range entries {
		if strings.HasSuffix(entry.Name(), ".json") && !entry.IsDir() {
			files = append(files, filepath.Join(path, entry.Name()))
		}
	}
	return files
}
