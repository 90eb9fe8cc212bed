package main

import (
	"slices"
	"strings"
	"testing"

	"github.com/socialfeed/conform/conformance"
)

// asPod runs conform as a pod of an Indexed Job with the given index.
func asPod(t *testing.T, index string, args ...string) outcome {
	t.Helper()
	cmd := command(t, args...)
	cmd.Env = append(cmd.Env, completionIndex+"="+index)
	return finish(t, cmd)
}

// TestShardOfAPod takes the shard from the pod's index, which is from 0.
func TestShardOfAPod(t *testing.T) {
	t.Parallel()
	for index, shard := range map[string]string{"0": "1/3", "2": "3/3"} {
		path := t.TempDir() + "/report.json"
		o := asPod(t, index, quickly("--shard", "auto/3", "--report", "json="+path)...)
		o.read(t, path)
		named := judged(t, quickly("--shard", shard)...)
		if o.report.Shard.String() != "shard "+shard || !slices.Equal(outcomes(o.report), outcomes(named.report)) {
			t.Errorf("the pod with the index %s plays %s, which is not %s", index, o.report.Shard, shard)
		}
	}
	if o := asPod(t, "5", quickly("--shard", "1/3")...); o.code != exitConformant {
		t.Errorf("a shard that is named does not heed the index: exit %d\n%s", o.code, o.stderr)
	}
}

// TestShardOfNoPod has no index, or one that is none.
func TestShardOfNoPod(t *testing.T) {
	t.Parallel()
	cmd := command(t, quickly("--shard", "auto/3")...)
	cmd.Env = slices.DeleteFunc(cmd.Env, func(v string) bool { return strings.HasPrefix(v, completionIndex+"=") }) // where this is a pod
	o := finish(t, cmd)
	o.says(t, exitUsage, completionIndex, "elsewhere say I/3")
	o.fewLines(t, 1)
	for _, index := range []string{"", "3", "-1", "x", "1.0", "99999999999999999999"} {
		o := asPod(t, index, quickly("--shard", "auto/3")...)
		o.says(t, exitUsage, completionIndex+` is "`+index+`"`, "0 to 2")
		o.fewLines(t, 1)
	}
	for _, shard := range []string{"auto", "auto/", "auto/0", "auto/x", "auto/-3", "auto/3/5", "automatic/3"} {
		asPod(t, "1", quickly("--shard", shard)...).says(t, exitUsage, "--shard takes I/N")
	}
}

// FuzzShard sees that no text makes a shard that is none.
func FuzzShard(f *testing.F) {
	for _, seed := range []string{"1/3", "auto/3", "0/0", "9/3", "/", "1/3/5"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		shard, err := parseShard(text)
		if err == nil && (shard.Index < 1 || shard.Index > shard.Of) {
			t.Errorf("%q is taken as %+v", text, shard)
		}
		if err != nil && shard != (conformance.Shard{}) {
			t.Errorf("%q is refused, and taken as %+v", text, shard)
		}
	})
}
