package main

import (
	"fmt"
	"strings"

	"golang.org/x/mod/module"
)

// cutVersion splits the version of a Go program into the version and whether files differed from the commit. A
// program that was built without a commit has none.
func cutVersion(built string) (version string, modified bool) {
	if built == "(devel)" {
		return "", false
	}
	return strings.CutSuffix(strings.TrimPrefix(built, "v"), "+dirty")
}

// npmVersion is the version of a Go program as npm writes it: npm drops what follows a plus.
func npmVersion(built string) string {
	version, modified := cutVersion(built)
	switch {
	case version == "":
		return "0.0.0-dev"
	case !modified:
		return version
	case strings.Contains(version, "-"):
		return version + ".modified"
	}
	return version + "-modified"
}

// pythonVersion is the version of a Go program as PEP 440 has it.
func pythonVersion(built string) (string, error) {
	version, modified := cutVersion(built)
	if version == "" {
		return "0.0.0.dev0", nil
	}
	number, before, _ := strings.Cut(version, "-") // before: of what comes before its release
	var local []string
	switch {
	case module.IsPseudoVersion("v" + version):
		at, err := module.PseudoVersionTime("v" + version)
		if err != nil {
			return "", err
		}
		commit, err := module.PseudoVersionRev("v" + version)
		if err != nil {
			return "", err
		}
		number += ".dev" + at.Format("20060102150405")
		local = append(local, "g"+commit)
	case before != "":
		stage, count, _ := strings.Cut(before, ".")
		short, known := map[string]string{"alpha": "a", "beta": "b", "rc": "rc"}[stage]
		if !known || count == "" {
			return "", fmt.Errorf("the version %s has no form for Python: tag v1.2.3, or v1.2.3-rc.1", version)
		}
		number += short + count
	}
	if modified {
		local = append(local, "modified")
	}
	if len(local) > 0 {
		number += "+" + strings.Join(local, ".")
	}
	return number, nil
}
