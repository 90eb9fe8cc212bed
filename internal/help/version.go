package help

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"
)

// Version is the version that the program was built as, dev where it is none.
func Version() string {
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" && info.Main.Version != "(devel)" {
		return strings.TrimPrefix(info.Main.Version, "v")
	}
	return "dev"
}

// Built says what the program was built from and for.
func Built() string {
	return fmt.Sprintf("%s (%s, %s/%s)", Version(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
}
