//go:build unix

package main

import (
	"encoding/json"
	"path/filepath"
	"slices"
	"testing"

	"github.com/socialfeed/conform/conformance/result"
)

// A fake that differs from the real service is told by what clients notice, and one that is like it is
// alike.
func TestDriftOfAFakeIsTold(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	judge := func(name, flags string) string {
		t.Helper()
		path := filepath.Join(folder, name+".json")
		conform(t, "--seed", "3", "--part", "users", "--part", "events", "--exec", refserverByExec(flags), "--allow-http", "--quiet",
			"--report", "json="+path, "--report", "har="+filepath.Join(folder, name+".har")).wants(t, exitConformant)
		return path
	}
	plain := judge("plain", "")
	like := judge("like", "")
	for name, c := range map[string]struct {
		other string
		kinds []result.DriftKind
	}{
		"alike":    {like, nil},
		"ids":      {judge("ids", "--dialect uuid-ids"), []result.DriftKind{result.DriftIDs}},
		"statuses": {judge("statuses", "--choose unique-emails=true"), []result.DriftKind{result.DriftStatuses}},
	} {
		code := exitConformant
		if len(c.kinds) > 0 {
			code = exitNonConformant
		}
		o := conform(t, "drift", plain, c.other, "--format", "json")
		o.wants(t, code)
		var d result.FakeDrift
		if err := json.Unmarshal([]byte(o.stdout), &d); err != nil {
			t.Fatal(err)
		}
		var kinds []result.DriftKind
		for _, one := range d.Differences {
			if !slices.Contains(kinds, one.Kind) {
				kinds = append(kinds, one.Kind)
			}
		}
		if !slices.Equal(kinds, c.kinds) || d.Shallow {
			t.Errorf("%s: %+v", name, d)
		}
	}
}
