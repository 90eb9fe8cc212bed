package help

import (
	_ "embed"
	"fmt"
	"regexp"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"

	"golang.org/x/mod/semver"
)

// archived is the commit and its names where the sources are an archive that git made: git then
// fills it in.
//
//go:embed archived.txt
var archived string

// source is the commit that the program was built from.
type source struct {
	version string // without its v, dev if there is none
	commit  string // with +modified where files differed from it, "" if it is not known
}

// Version is the version that the program was built as, dev if it is none.
func Version() string { return built().version }

// Commit is the commit that the program was built from, "" if it is not known.
func Commit() string { return built().commit }

// Built says what the program was built from and for.
func Built() string {
	from := ""
	if commit := Commit(); commit != "" && !strings.Contains(Version(), commit[:min(len(commit), shortCommit)]) {
		from = "commit " + commit + ", "
	}
	return fmt.Sprintf("%s (%s%s, %s/%s)", Version(), from, runtime.Version(), runtime.GOOS, runtime.GOARCH)
}

// shortCommit is how many digits of a commit a version has that Go makes up.
const shortCommit = 12

func built() source {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		info = &debug.BuildInfo{}
	}
	return sourceOf(info, archived)
}

// sourceOf prefers what Go saw of the repository to what the archive says.
func sourceOf(info *debug.BuildInfo, archived string) source {
	s := source{version: "dev"}
	if commit, names, _ := strings.Cut(strings.TrimSpace(archived), " "); isCommit(commit) {
		s.commit = commit
		if tag := latestTag(names); tag != "" {
			s.version = strings.TrimPrefix(tag, "v")
		}
	}
	if v := info.Main.Version; v != "" && v != "(devel)" {
		s.version = strings.TrimPrefix(v, "v")
	}
	modified := ""
	for _, setting := range info.Settings {
		switch setting.Key {
		case "vcs.revision":
			s.commit = setting.Value
		case "vcs.modified":
			if setting.Value == "true" {
				modified = "+modified"
			}
		}
	}
	if s.commit != "" {
		s.commit += modified
	}
	return s
}

var isCommit = regexp.MustCompile(`^[0-9a-f]{40}([0-9a-f]{24})?$`).MatchString

// latestTag is the highest version among the names of a commit as git lists them.
func latestTag(names string) string {
	var tags []string
	for name := range strings.SplitSeq(names, ",") {
		tag, is := strings.CutPrefix(strings.TrimSpace(name), "tag: ")
		if is && semver.IsValid(tag) && semver.Canonical(tag) == tag {
			tags = append(tags, tag)
		}
	}
	if len(tags) == 0 {
		return ""
	}
	return slices.MaxFunc(tags, semver.Compare)
}
