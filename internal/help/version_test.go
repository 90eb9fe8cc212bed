package help

import (
	"runtime/debug"
	"testing"
)

// What a program was built from is known from the repository, or from the archive that git made.
func TestSourceIsKnown(t *testing.T) {
	const commit = "0123456789abcdef0123456789abcdef01234567"
	repository := &debug.BuildInfo{Main: debug.Module{Version: "v1.2.3+dirty"}, Settings: []debug.BuildSetting{{Key: "vcs.revision", Value: commit}, {Key: "vcs.modified", Value: "true"}}}
	archive := &debug.BuildInfo{Main: debug.Module{Version: "(devel)"}}
	for name, c := range map[string]struct {
		info     *debug.BuildInfo
		archived string
		want     source
	}{
		"repository":     {repository, "$Format:%H %D$\n", source{"1.2.3+dirty", commit + "+modified"}},
		"released":       {archive, commit + " HEAD, tag: v1, tag: v1.9.0, tag: v1.10.0, origin/main\n", source{"1.10.0", commit}},
		"between":        {archive, commit + " HEAD -> main\n", source{"dev", commit}},
		"neither":        {archive, "$Format:%H %D$\n", source{"dev", ""}},
		"not from a git": {archive, "; rm -rf / tag: v1.0.0", source{"dev", ""}},
	} {
		if got := sourceOf(c.info, c.archived); got != c.want {
			t.Errorf("%s: %+v, want %+v", name, got, c.want)
		}
	}
}
