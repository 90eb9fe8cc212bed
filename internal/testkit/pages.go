package testkit

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// Pages reads the documentation of the project in a folder, by path: the README files and
// the pages of docs, without the contract.
func Pages(t testing.TB, root string) map[string]string {
	t.Helper()
	pages := map[string]string{}
	for _, pattern := range []string{"README.md", "docs/*.md", "refserver/README.md", "refserver/*/README.md", "testdata/README.md", "CONTRIBUTING.md", "SECURITY.md"} {
		paths, err := filepath.Glob(filepath.Join(root, pattern))
		if err != nil || len(paths) == 0 {
			t.Fatalf("there is no %s (%v)", pattern, err)
		}
		for _, path := range paths {
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if filepath.Base(path) != "contract.md" {
				pages[path] = string(text)
			}
		}
	}
	return pages
}

var (
	fence      = regexp.MustCompile("(?ms)^```[a-z]*\n(.*?)^```")
	shellFence = regexp.MustCompile("(?ms)^```sh\n(.*?)^```")
	span       = regexp.MustCompile("`([^`\n]+)`")
	assignment = regexp.MustCompile(`^[A-Z_]+=`)
	separator  = regexp.MustCompile(`[|;]|&&|\s#\s|\s--\s`)
	quoted     = regexp.MustCompile(`'[^'\n]*'`) // such as another program's command line
)

// ShellCommands are the commands in the blocks of a page that are marked sh, each with the number of its block. A loop is one.
func ShellCommands(page string) (commands []string, blocks []int) {
	for block, match := range shellFence.FindAllStringSubmatch(page, -1) {
		command := ""
		for line := range strings.Lines(match[1]) {
			command += line
			open := strings.HasSuffix(strings.TrimSpace(line), "\\") || strings.HasPrefix(command, "for ") && strings.TrimSpace(line) != "done"
			if !open {
				commands, blocks, command = append(commands, command), append(blocks, block), ""
			}
		}
	}
	return commands, blocks
}

// Commands are the calls of a program in the code of a page, each as its arguments. Words
// behind " -- " are another program's.
func Commands(page, program string) [][]string {
	var code []string
	for _, match := range fence.FindAllStringSubmatch(page, -1) {
		code = append(code, strings.Split(strings.ReplaceAll(match[1], "\\\n", " "), "\n")...)
	}
	for _, match := range span.FindAllStringSubmatch(fence.ReplaceAllString(page, ""), -1) {
		code = append(code, match[1])
	}
	var calls [][]string
	for _, line := range code {
		for _, command := range separator.Split(quoted.ReplaceAllString(line, "'…'"), -1) {
			words := strings.Fields(command)
			for len(words) > 0 && assignment.MatchString(words[0]) {
				words = words[1:]
			}
			if len(words) > 0 && filepath.Base(words[0]) == program {
				calls = append(calls, words[1:])
			}
		}
	}
	return calls
}
