//go:build unix

package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A run that is killed outright has no time to clean up: its users stand in a file,
// without secrets, and are deleted by what the file says.
func TestCleanDeletesWhatAKilledRunLeft(t *testing.T) {
	t.Parallel()
	good := reference(t, nil)
	target := until(someWay, slowed(aBit, good))
	flags := serve(t, target)
	killed := command(t, flags...)
	cache := t.TempDir()
	killed.Env = append(killed.Env, "XDG_CACHE_HOME="+cache, "HOME="+cache)
	finishWhile(t, killed, func() {
		<-target.reached
		killed.Process.Kill()
	})
	if stats := good.Stats(); stats.Users == 0 {
		t.Fatalf("nothing is left behind: %+v", stats)
	}
	files := usersFiles(t, cache)
	if len(files) != 1 {
		t.Fatalf("the users stand in %q", files)
	}
	if text := read(t, files[0]); strings.Contains(text, appToken) || strings.Contains(text, "session") || !strings.Contains(text, `"user_name"`) {
		t.Errorf("the file says %.300s", text)
	}

	elsewhere := command(t, append([]string{"clean"}, serve(t, reference(t, nil))...)...)
	elsewhere.Env = append(elsewhere.Env, "XDG_CACHE_HOME="+cache, "HOME="+cache)
	finish(t, elsewhere).wants(t, exitConformant) // of another target it knows nothing
	cleaned := command(t, append([]string{"clean"}, flags...)...)
	cleaned.Env = append(cleaned.Env, "XDG_CACHE_HOME="+cache, "HOME="+cache)
	o := finish(t, cleaned)
	o.wants(t, exitConformant)
	empty(t, good)
	if files := usersFiles(t, cache); len(files) > 0 || !strings.Contains(o.stdout, "users deleted") {
		t.Errorf("left: %q, told %q", files, o.stdout)
	}
}

// A run that ends by itself leaves no file, and one that goes on keeps its users.
func TestUsersOfARunStandInAFileForAsLongAsItTakes(t *testing.T) {
	t.Parallel()
	good := reference(t, nil)
	target := until(someWay, slowed(aBit, good))
	flags, cache := serve(t, target), t.TempDir()
	run := command(t, append(flags, fast()...)...)
	run.Env = append(run.Env, "XDG_CACHE_HOME="+cache, "HOME="+cache)
	beside := make(chan outcome, 1)
	o := finishWhile(t, run, func() {
		<-target.reached
		clean := command(t, append([]string{"clean"}, flags...)...)
		clean.Env = append(clean.Env, "XDG_CACHE_HOME="+cache, "HOME="+cache)
		beside <- finish(t, clean)
	})
	o.wants(t, exitConformant)
	(<-beside).wants(t, exitConformant)
	if files := usersFiles(t, cache); len(files) > 0 {
		t.Errorf("a run that is over leaves %q", files)
	}
}

// usersFiles are the files of users in a cache folder.
func usersFiles(t *testing.T, cache string) []string {
	t.Helper()
	var files []string
	err := filepath.WalkDir(cache, func(path string, d os.DirEntry, err error) error {
		if err == nil && filepath.Ext(path) == ".jsonl" {
			files = append(files, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}
